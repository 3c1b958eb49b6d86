"""Files and strings of our own making that people edit or keep: reviews, decisions, baselines, indexes, queries."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from marginalia import build_catalogue
from marginalia.annotators.measurements.extract import COLUMNS
from marginalia.annotators.measurements.query import parse_query
from marginalia.annotators.variables.commands.link_files import read_review, write_review
from marginalia.annotators.variables.memory import Memory, memory_of
from marginalia.annotators.variables.review import COLUMNS as REVIEW
from marginalia.annotators.variables.review import Candidate, decisions
from marginalia.core.runs import runs
from marginalia.nlp.vocabulary import read_vocabulary
from marginalia.reader.lint.baseline import load
from marginalia.reader.read import read_data
from marginalia.tasks.measurement.official.brat import read_brat
from marginalia.tasks.variables.index.catalogue_index import open_index
from tests.reader.parse.files import EPUB, ODT, packed

TEXT = "The jar held 5 kg of honey at 20 degrees."
MARKS = (
    "T1\tQuantity 13 17\t5 kg\nT2\tMeasuredProperty 21 26\thoney\nR1\tHasQuantity Arg1:T2 Arg2:T1\t\n"
    'A1\tHasTolerance T1\n#1\tAnnotatorNotes T1\t{"unit": "kg", "set": 1, "id": "T1-1"}\n'
)
QUERIES = tuple(
    text.encode()
    for text in (
        'property ~ "temp" and value > 5 kg',
        "not (unit = kg or value <= 1e3) and unit_confidence >= 0.5",
        'si_low < 300 or entity != "jar (small)"',
    )
)
REVIEWED = (
    Candidate(
        sentence="Trust was asked.",
        variable="v1",
        survey="s",
        label="=Trust",
        question="How much?",
        probability=0.5,
        evidence="words: trust",
        same=("v2", "v3"),
        document="paper",
        page=3,
        start=10,
        end=26,
        lang="en",
        rank=1,
        decision="yes",
    ),
) * 2
WORDS = b"# ours\nMarginalia\n(?i)honey jars?\n[Pp]ostgre(?:s|SQL)\nC\\+\\+\n"


def own_files() -> Iterator[tuple[str, tuple[bytes, ...], Callable[[bytes, Path], Any], int]]:
    """Name, whole files, what reads one, and how many times fewer inputs it gets by default."""
    for name, parts in (("docx", _word_parts()), ("odt", ODT), ("epub", EPUB)):
        yield _parts(name, parts)
    review = write_review(REVIEWED, Path("x.csv"))
    yield "review.csv", (_bytes(review),), lambda data, folder: _review(data, folder, ".csv"), 1
    sheet = write_review(REVIEWED, Path("x.xlsx"))
    yield "review.xlsx", (_bytes(sheet),), lambda data, folder: _review(data, folder, ".xlsx"), 5
    yield "decisions", (_decided(),), _decisions, 1
    yield "run-folder", (_run(),), _runs, 1
    baseline = {
        "version": 1,
        "findings": [{"path": "a.md", "code": "long-word", "quote": "x", "count": 2}],
    }
    yield "baseline", (json.dumps(baseline).encode(),), _baseline, 1
    yield "vocabulary", (WORDS,), _vocabulary, 1
    yield "query", QUERIES, _query, 2
    yield "brat", (MARKS.encode(),), _brat, 1
    yield "index", _index_seeds(), _index, 5


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


@cache
def _word_parts() -> dict[str, str]:
    """What Word itself would write, with its styles, numbering, properties and relations."""
    import docx

    word = docx.Document()
    word.core_properties.title = "Jars"
    word.add_heading("Jars of honey")
    word.add_paragraph("They are heavy.", style="List Bullet").add_run("2").font.superscript = True
    table = word.add_table(rows=2, cols=2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "jar"
    out = io.BytesIO()
    word.save(out)
    with zipfile.ZipFile(out) as package:
        files = {name: package.read(name) for name in package.namelist()}
    return {name: data.decode() for name, data in files.items() if name.endswith(("xml", "rels"))}


def _parts(name: str, parts: Mapping[str, str]) -> tuple[str, tuple[bytes, ...], Any, int]:
    """One part of a package that is whole otherwise: its first byte says which."""
    names = sorted(parts)

    def run(data: bytes, folder: Path) -> None:
        from tests.reader.parse.test_any_bytes import is_true

        part = names[data[0] % len(names)] if data else names[0]
        is_true(read_data(packed({**parts, part: data[1:]}), Path(f"x.{name}")))

    seeds = tuple(bytes([number]) + parts[part].encode() for number, part in enumerate(names))
    return f"parts-{name}", seeds, run, 15 if name == "docx" else 2


def _review(data: bytes, folder: Path, suffix: str) -> None:
    path = folder / f"review{suffix}"
    path.write_bytes(data)
    found = read_review(path)
    Memory().add(decisions(found))
    again = folder / f"again{suffix}"
    again.write_bytes(_bytes(write_review(found, again)))
    assert len(read_review(again)) == len(found)
    assert set(REVIEW) >= {"sentence", "decision"}


def _decided() -> bytes:
    return b"".join(json.dumps(one.to_dict()).encode() + b"\n" for one in decisions(REVIEWED))


def _decisions(data: bytes, folder: Path) -> None:
    (folder / "c.csv.decisions.jsonl").write_bytes(data)
    memory_of(folder / "c.csv").recall("Trust was asked.")


def _run() -> bytes:
    run = {
        "task": "complexity",
        "split": "dev",
        "system": "any",
        "command": "",
        "created": "2026-01-01T00:00:00Z",
        "versions": {},
        "data_hash": "",
        "seed": 0,
        "seen_in_training": False,
        "seconds": 1.0,
        "fit_seconds": 0.0,
        "peak_memory_mb": None,
        "predictions": {"a": 0.5},
        "scores": {"words": {"pearson": 0.5}},
    }
    return json.dumps(run).encode()


def _runs(data: bytes, folder: Path) -> None:
    (folder / "a.json").write_bytes(_run())
    (folder / "b.json").write_bytes(data)
    for _, run in runs(folder, "complexity"):
        json.dumps(run.to_dict())


def _baseline(data: bytes, folder: Path) -> None:
    (folder / "x.json").write_bytes(data)
    assert all(isinstance(count, int) for count in load(folder / "x.json").values())


def _vocabulary(data: bytes, folder: Path) -> None:
    (folder / "accept.txt").write_bytes(data)
    (folder / "reject.txt").write_bytes(data)
    read_vocabulary(folder).accepts("honey jars")


def _query(data: bytes, folder: Path) -> None:
    query = parse_query(data.decode("utf-8", "replace"), COLUMNS)
    query.matches(dict.fromkeys(COLUMNS))
    assert str(parse_query(str(query), COLUMNS)) == str(query)


def _brat(data: bytes, folder: Path) -> None:
    (folder / "x-1.ann").write_bytes(data)
    (folder / "x.ann").write_bytes(data)
    for span in read_brat(folder, {"x": TEXT})["x"]:
        assert span.text == TEXT[span.start : span.end]


@cache
def _catalogue() -> dict[str, bytes]:
    """The files of a small catalogue's index by their names."""
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "c.csv"
        source.write_text("id,label,question\nv1,Age,How old are you?\nv2,Trust,Do you trust?\n")
        folder = Path(place) / "index"
        build_catalogue([source], folder, vectors="none")
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
    return {name: data for name, data in files.items() if data}


def _index_seeds() -> tuple[bytes, ...]:
    return tuple(bytes([number]) + data for number, data in enumerate(_catalogue().values()))


def _index(data: bytes, folder: Path) -> None:
    """One file of the index is damaged: the first byte says which."""
    files = _catalogue()
    damaged = list(files)[data[0] % len(files)] if data else ""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data[1:] if name == damaged else content)
    open_index(folder).candidates("How old are you?", 3)
