"""Sources become an index in a folder, once; an interrupted build goes on where it stopped.

Until the index is whole its parts are in the sub-folder ``unfinished``; the manifest is written last.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MarginaliaError, UnknownNameError
from marginalia.core.files import read_json, write_file
from marginalia.tasks.variables.catalogue.formats import read_files, source_files
from marginalia.tasks.variables.index.assembly import Arrays, Assembly, Progress
from marginalia.tasks.variables.index.catalogue_index import (
    MANIFEST,
    VERSION,
    CatalogueIndex,
    open_index,
)
from marginalia.tasks.variables.index.chunks import Chunk, load_chunk, make_chunk, save_chunk
from marginalia.tasks.variables.index.dense import make_dense
from marginalia.tasks.variables.index.search import OpenCatalogue
from marginalia.tasks.variables.official.vocabulary import Notes

VARIABLES_PER_CHUNK = 20_000
"""Variables that are read before what was found is written down."""
VECTORS = ("latent", "dense", "none")
"""The catalogue's own small vectors; those and the encoder's; only words and letters."""


def build_catalogue(
    sources: Iterable[str | Path],
    out: str | Path,
    *,
    vectors: str = "latent",
    columns: Mapping[str, str] | None = None,
    again: bool = False,
    progress: Progress | None = None,
) -> OpenCatalogue:
    """Read descriptions of survey variables into one catalogue, a folder, and open it.

    ``sources`` are files and folders, as ``open_catalogue`` takes them. ``vectors`` are ``latent`` (small ones,
    learned from the catalogue), ``dense`` (those and the encoder's, which takes longer) or ``none``. An
    interrupted build goes on when it is called again; ``again`` builds over a catalogue of other sources.
    """
    index = build(sources, out, vectors=vectors, columns=columns, again=again, progress=progress)
    return OpenCatalogue(index)


def build(
    sources: Iterable[str | Path],
    out: str | Path,
    *,
    vectors: str = "latent",
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    again: bool = False,
    chunk: int = VARIABLES_PER_CHUNK,
) -> CatalogueIndex:
    """The index of all the variables in the sources, written to the folder ``out`` and opened.

    A finished index of the same sources is taken as it is, with encoder vectors added if they are
    asked for. One of other sources is an error, unless ``again`` says to build over it.
    """
    if vectors not in VECTORS:
        raise UnknownNameError("kind of vectors", vectors, VECTORS)
    tell = progress or (lambda *_: None)
    files = source_files(sources)
    folder = Path(out)
    plan = _plan(files, columns or {}, vectors != "none", chunk)
    if not _finished(folder, plan, again):
        _make(folder, files, plan, columns or {}, tell)
    index = open_index(folder)
    if vectors == "dense" and "dense" not in index.arrays:
        shapes = make_dense(folder, index, tell)
        manifest = {**index.manifest, "arrays": {**index.manifest["arrays"], **shapes}}
        write_file(folder / MANIFEST, _json(manifest))
        index = open_index(folder)
    return index


def _plan(
    files: Sequence[Path], columns: Mapping[str, str], vectors: bool, chunk: int
) -> dict[str, Any]:
    """What a build depends on; files are told apart by name, size and time, since hashing takes as long as reading."""
    return {
        "version": VERSION,
        "sources": [
            {"path": str(path), "bytes": path.stat().st_size, "changed": path.stat().st_mtime_ns}
            for path in files
        ],
        "columns": dict(columns),
        "latent": vectors,
        "chunk": chunk,
    }


def _finished(folder: Path, plan: Mapping[str, Any], again: bool) -> bool:
    """Whether the folder holds the index of this plan; whatever else it holds is not written over."""
    if folder.exists() and not folder.is_dir():
        raise FormatError("this is a file; name a folder for the catalogue", path=folder)
    if (folder / MANIFEST).exists():
        old = read_json(folder / MANIFEST)
        if not isinstance(old, dict) or "variables" not in old:
            raise FormatError("this is not the manifest of a catalogue", path=folder / MANIFEST)
        if old.get("plan") == plan and not again:
            return True
        if not again:
            raise FormatError(
                "this folder holds a catalogue of other sources, or they have changed; name "
                "another folder, or build over it with `again=True`",
                path=folder,
            )
        for name in (*old["arrays"], "dense", "dense_lengths"):
            (folder / f"{Path(name).name}.npy").unlink(missing_ok=True)
        (folder / MANIFEST).unlink()
    elif folder.exists() and any(folder.iterdir()) and not (folder / "unfinished").is_dir():
        raise FormatError("this folder is not empty and not a catalogue", path=folder)
    return False


def _make(
    folder: Path,
    files: Sequence[Path],
    plan: Mapping[str, Any],
    columns: Mapping[str, str],
    tell: Progress,
) -> None:
    work = folder / "unfinished"
    if work.is_dir() and _old_plan(work) != plan:
        shutil.rmtree(work)  # parts of another build cannot be used
    if not work.is_dir():
        work.mkdir(parents=True)
        write_file(work / "plan.json", _json(plan))
    parts = Parts(work, int(plan["chunk"]))
    try:
        notes = parts.read(files, columns, tell)
    except MarginaliaError:
        if not len(parts):  # nothing that another try could go on with
            shutil.rmtree(work)
            with suppress(OSError):
                folder.rmdir()
        raise
    arrays = Arrays(folder)
    counts = Assembly(parts, arrays, notes, tell).run(vectors=bool(plan["latent"]))
    shapes = {name: list(array.shape) for name, array in arrays.items()}
    arrays.clear()  # closes the files: on Windows they could not be opened again
    manifest = {**counts, "version": VERSION, "notes": notes, "arrays": shapes, "plan": plan}
    write_file(folder / MANIFEST, _json(manifest))
    shutil.rmtree(work)


class Parts(Sequence[Chunk]):
    """The chunks of an unfinished build, read from their files when they are asked for."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size

    def path(self, number: int) -> Path:
        return self.folder / f"part-{number:06}.npz"

    def __len__(self) -> int:
        return len(list(self.folder.glob("part-*.npz")))

    def __getitem__(self, number: Any) -> Any:
        return load_chunk(self.path(number))

    def __iter__(self) -> Iterator[Chunk]:
        return (load_chunk(self.path(number)) for number in range(len(self)))

    def read(self, files: Sequence[Path], columns: Mapping[str, str], tell: Progress) -> Notes:
        """Make the chunks that are not there yet. The sources are read from the start all the same:
        that takes little next to indexing, and what was odd in them is counted anew."""
        notes: Notes = Counter()
        variables = read_files(files, notes, columns)
        done = len(self)
        number = count = 0
        while True:
            if number < done:
                here = sum(1 for _ in islice(variables, self.size))
            else:
                part = list(islice(variables, self.size))
                here = len(part)
                if part:
                    save_chunk(make_chunk(part), self.path(number))
            count += here
            number += 1
            tell("reading", count, 0)
            if here < self.size:
                return notes


def _old_plan(work: Path) -> Any:
    return read_json(work / "plan.json") if (work / "plan.json").exists() else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
