"""A corpus for other tools: every document once, as it was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Annotation, FormatError
from marginalia.core.document import Document
from marginalia.corpus.across import compare
from marginalia.corpus.document_rows import annotation_row
from marginalia.corpus.export import export, read_documents
from marginalia.corpus.store import Store
from marginalia.reader.formats.registry import get_format
from tests.corpus.rows import put


def document(name: str) -> Document:
    text = f"The pressure in {name} was 5 kPa.\nNothing else."
    note = Annotation(
        id="n1", task="measurements", label="measurement", start=16, end=16 + len(name), quote=name,
        score=0.5, attrs={"why": "a “reason”", "low": 5.0}, links={"variable": ("V1",)}, system="s",
    )  # fmt: skip
    return Document(id=name, text=text, meta={"title": name, "lang": "en"}).annotate([note])


NAMES = ("papers/a.txt", "papers/2020/b ü.txt", "papers/../c.txt")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("export") / "corpus"
    with Store.open_to_write(folder, {"made": "by hand"}) as made:
        for name in NAMES:
            doc = document(name)
            own = {"document": name, "text": doc.text, "meta": dict(doc.meta)}
            rows = [{"document": name, **annotation_row(doc, note)} for note in doc.annotations]
            put(made, {"documents": [own], "annotations": rows})
    return Store.open(folder)


def test_documents_come_back_as_they_were(store: Store) -> None:
    assert list(read_documents(store)) == [document(name) for name in NAMES]


def test_triples_of_all_documents(store: Store, tmp_path: Path) -> None:
    import rdflib

    out = tmp_path / "corpus.nt"
    assert export(store, out, "rdf") == 3
    graph = rdflib.Graph().parse(out, format="nt")
    asked = "SELECT ?n WHERE { ?n a <http://www.w3.org/ns/oa#Annotation> }"
    assert len(list(graph.query(asked))) == 3
    with pytest.raises(FormatError, match="something already"):
        export(store, out, "rdf")


def test_brat_in_folders_that_lead_nowhere_else(store: Store, tmp_path: Path) -> None:
    assert export(store, tmp_path / "brat", "brat") == 3
    made = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.ann"))
    assert made == [
        "brat/papers/2020/b_ü.txt.ann",
        "brat/papers/a.txt.ann",
        "brat/papers/document/c.txt.ann",
    ]
    found = get_format("brat", "read").read(tmp_path / "brat" / "papers" / "a.txt.ann")
    assert found[0].annotations == document("papers/a.txt").annotations


def test_a_data_set_with_a_configuration_for_each_table(store: Store, tmp_path: Path) -> None:
    from pyarrow import parquet

    compare(store)  # as a report does: its tables have no key
    assert export(store, tmp_path / "set", "datasets") == 3
    assert (tmp_path / "set" / "data" / "repeats" / "train-00000.parquet").is_file()
    card = (tmp_path / "set" / "README.md").read_text()
    assert "config_name: annotations" in card and "path: data/annotations/train-*.parquet" in card
    rows = parquet.read_table(
        tmp_path / "set" / "data" / "annotations" / "train-00000.parquet"
    ).to_pylist()
    assert [row["quote"] for row in rows] == list(NAMES) and "key" not in rows[0]
