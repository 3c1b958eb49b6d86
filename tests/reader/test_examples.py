"""The documents in ``examples/`` read well, in every format and with their notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Document
from marginalia.nlp.sentences import sentences
from marginalia.reader.annotate import annotate
from marginalia.reader.read import read, read_all
from marginalia.reader.write import restore, write

EXAMPLES = Path(__file__).parents[2] / "examples"


def kinds(doc: Document) -> set[str]:
    return {region["kind"] for region in doc.meta["regions"]}


def test_the_guide() -> None:
    doc = annotate(read(EXAMPLES / "guide.md"), ["words", "terms"])
    assert (doc.meta["title"], doc.meta["lang"]) == ("Sewing a pamphlet", "en")
    assert kinds(doc) == {"heading", "item", "code", "quote", "table"}
    assert "pdfjam" not in {note.quote for note in doc.annotations}, "no note is made on code"
    assert [entry["term"] for entry in doc.meta["summary"]["terms"]["glossary"]]


def test_the_german_abstract() -> None:
    doc = annotate(read(EXAMPLES / "abstract-de.txt"), ["words"])
    assert doc.meta["lang"] == "de"
    assert doc.meta["title"].startswith("Vertrauen auf Probe")
    assert len(list(sentences(doc.text, "de"))) == 9
    assert doc.annotations == (), "German glosses come from nowhere honest"


def test_the_article() -> None:
    doc = annotate(read(EXAMPLES / "article.html"), ["words"], options={"audience": "learner"})
    assert doc.text.startswith(doc.meta["title"])
    assert "invented study" not in doc.text, "a footer is no part of the main text"
    assert "trams removed\t41.3\t35.1\n" in doc.text
    assert {"nocturnal", "vigilance"} <= {note.quote for note in doc.annotations}


@pytest.mark.parametrize("format", ["json", "jsonl", "csv", "html", "ttl", "parquet", "brat"])
def test_all_of_them_in_every_format(tmp_path: Path, format: str) -> None:
    names = [EXAMPLES / name for name in ("abstract-de.txt", "article.html", "guide.md")]
    docs = [annotate(doc, ["words"]) for doc in read_all(names)]
    paths = write(docs, tmp_path / "out", format)
    # The German abstract has no notes, so its annotation file is empty.
    assert all(path.stat().st_size for path in paths if path.suffix != ".ann")
    if format in ("json", "jsonl"):
        assert restore(paths[0], format) == docs
    if format == "brat":
        assert [doc.annotations for doc in restore(tmp_path / "out")] == [
            doc.annotations for doc in docs
        ]
