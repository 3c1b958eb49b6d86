"""What is fuzzed: every reader, parser, scorer and kept file, each with whole files to start from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from significance import SHAPES

from marginalia import Document, Run, get_annotator, get_benchmark, parse_quantity, restore, write
from marginalia.bench.submission import Submission, read_submission
from marginalia.core.archive import pack
from marginalia.reader.cache import NoteCache
from marginalia.reader.formats.registry import all_formats
from marginalia.reader.read import read_data
from marginalia.reader.view.settings import read_settings
from marginalia.tasks.variables.catalogue.formats import read_catalogue
from tests.fuzz.own_files import own_files
from tests.reader.documents import sample
from tests.reader.parse.files import FILES
from tests.reader.parse.test_any_bytes import is_true

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Target:
    """``run(data, folder)`` reads the bytes; it may raise one of our errors and nothing else."""

    name: str
    seeds: tuple[bytes, ...]
    run: Callable[[bytes, Path], Any]
    slow: int = 1
    """How many times fewer inputs it gets by default."""


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def reader(name: str) -> Target:
    suffix = all_formats()[name].suffixes[0]

    def run(data: bytes, folder: Path) -> None:
        is_true(read_data(data, Path(f"x{suffix}")))

    slow = {"pdf": 100, "html": 2, "docx": 2, "epub": 2, "odt": 2, "latex": 2}
    return Target(f"read-{name}", (FILES[name],), run, slow.get(name, 1))


def restored(suffix: str, folder: Path) -> Target:
    """A file that ``write`` made of a document with notes."""
    path = folder / f"whole{suffix}"
    write([sample()], path)
    beside = {other.suffix: other.read_bytes() for other in folder.glob("whole.*") if other != path}

    def run(data: bytes, place: Path) -> None:
        for other, content in beside.items():
            put(place, f"x{other}", content)
        for doc in restore(put(place, f"x{suffix}", data)):
            in_the_text(doc)

    return Target(f"restore{suffix}", (path.read_bytes(),), run)


def in_the_text(doc: Document) -> None:
    for note in doc.annotations:
        assert doc.text[note.start : note.end] == note.quote
    for region in doc.meta.get("regions", ()):
        assert 0 <= region["start"] <= region["end"] <= len(doc.text)


def submission(name: str) -> Target:
    """The official files of a task, as a zip and one by one."""
    task = get_benchmark(name)
    split, pred, _ = SHAPES[name].draw(np.random.default_rng(1), 7, 1.0)
    if name == "similarity":
        ids = {id: f"2014-test/images/{n}" for n, id in enumerate(split.items, 1)}
        split = type(split)(
            name="dev",
            items={ids[id]: item for id, item in split.items.items()},
            gold={ids[id]: value for id, value in (split.gold or {}).items()},
            group={id: id for id in ids.values()},
        )
        pred = {ids[id]: value for id, value in pred.items()}
    files = task.write_submission(split, pred)
    first = max(files, key=lambda file: len(files[file]))

    def run(data: bytes, folder: Path) -> None:
        if data.startswith(b"PK"):
            found = read_submission(task, split, put(folder, "x.zip", data))
        else:
            place = folder / "sub"
            Submission(task=name, system="", split="dev", items=0, files=files).write(place)
            found = read_submission(task, split, put(place, first, data).parent)
        assert found.keys() == split.items.keys()
        task.score(split, found)

    return Target(f"submission-{name}", (files[first].encode(), pack(files)), run)


def scorer(name: str, gold_file: str) -> Target:
    """Gold of another's making: the official files scored against themselves after a change."""
    task = get_benchmark(name)
    split, pred, _ = SHAPES[name].draw(np.random.default_rng(1), 7, 1.0)
    files = {gold_file: task.write_submission(split, pred)[gold_file]}

    def run(data: bytes, folder: Path) -> None:
        place = folder / "sub"
        Submission(task=name, system="", split="dev", items=0, files=files).write(place)
        gold = put(folder, gold_file, data)
        report = task.score_files(gold, place)
        json.dumps(report.to_dict(), allow_nan=False)

    return Target(f"score-{name}", (files[gold_file].encode(),), run)


def kept_run() -> Target:
    run = Run(
        task="complexity",
        split="dev",
        system="any",
        command="",
        created="2026-01-01T00:00:00Z",
        versions={},
        data_hash="",
        seed=0,
        seen_in_training=False,
        seconds=1.0,
        fit_seconds=0.0,
        peak_memory_mb=None,
        predictions={"a": 0.5},
        scores={"words": {"pearson": 0.5}},
    )
    text = json.dumps({name: getattr(run, name) for name in Run.__dataclass_fields__}).encode()
    return Target("run", (text,), lambda data, folder: Run.load(put(folder, "x.json", data)))


def cache() -> Target:
    """A cache whose file is damaged: notes are made again, and nobody notices."""

    def run(data: bytes, folder: Path) -> None:
        with closing(NoteCache(put(folder, "notes.sqlite", data))) as kept:
            kept.get(Document(id="x", text="Some text."), get_annotator("words"), {})

    return Target("cache", (_cache_file(),), run, slow=2)


def _cache_file() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notes.sqlite"
        with closing(NoteCache(path)) as kept:
            doc = Document(id="x", text="Some text.")
            kept.put(doc, get_annotator("words"), {}, (), {})
        return path.read_bytes()


CSV = b"id,label,question\nv1,Age,How old are you?\nv2,Trust in courts,How much do you trust the courts?\n"
SETTINGS = b'notes = ["words"]\nfor = "specialist"\nmax = 20\n[severity]\n"hard-word" = "note"\n[profiles.own]\nlike = "writer"\n'
STRINGS = tuple(
    text.encode()
    for text in (
        "5.2 ± 0.3 mg/kg",
        "hazard ratio 0.81, 95 % CI 0.70 to 0.94, p = .004",
        "zwischen 2,5 und 3 Mio. Euro",
        "2.4 l · day⁻¹ at 10 × 20 cm",
    )
)


def _quantity(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", errors="replace")
    found = parse_quantity(text)
    if found is not None:
        assert found.text in text
        assert found.low is None or found.high is None or found.low <= found.high


def targets(folder: Path) -> Iterator[Target]:
    for name in FILES:
        yield reader(name)
    for suffix in (".json", ".jsonl", ".jsonld", ".ann", ".xmi"):
        place = folder / suffix.strip(".")
        place.mkdir(parents=True)
        yield restored(suffix, place)
    for name in ("complexity", "similarity", "clarification", "measurement", "variables"):
        yield submission(name)
    yield scorer("complexity", "lcp_single_trial.csv")
    yield scorer("clarification", "labels.tsv")
    yield kept_run()
    yield cache()
    ddi = (ROOT / "examples" / "survey.ddi.xml").read_bytes()
    for suffix, seed in ((".csv", CSV), (".tsv", CSV.replace(b",", b"\t")), (".xml", ddi)):
        yield Target(
            f"catalogue{suffix}",
            (seed,),
            lambda data, folder, suffix=suffix: read_catalogue([put(folder, f"x{suffix}", data)]),
        )
    yield Target(
        "settings", (SETTINGS,), lambda data, folder: read_settings(put(folder, "x.toml", data))
    )
    yield Target("quantity", STRINGS, _quantity, slow=5)
    for name, seeds, run, slow in own_files():
        yield Target(name, seeds, run, slow)
