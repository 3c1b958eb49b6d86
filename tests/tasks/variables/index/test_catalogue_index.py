"""The index: the same in memory and on disk, at once and bit by bit, and candidates that make sense."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia import FormatError, MissingError, UnknownNameError
from marginalia.tasks.variables.catalogue.formats import read_catalogue
from marginalia.tasks.variables.index import build as building
from marginalia.tasks.variables.index.build import build
from marginalia.tasks.variables.index.catalogue_index import (
    CatalogueIndex,
    index_catalogue,
    open_index,
)
from marginalia.tasks.variables.official.vocabulary import Catalogue, make_variable
from tests.tasks.variables.invented import write
from tests.tasks.variables.sources import VARIABLES, ddi

EXAMPLE = Path(__file__).parents[4] / "examples" / "survey.ddi.xml"


def same(one: CatalogueIndex, other: CatalogueIndex) -> None:
    assert one.arrays.keys() == other.arrays.keys()
    for name in one.arrays:
        np.testing.assert_array_equal(one.arrays[name], other.arrays[name], err_msg=name)
    assert list(one.variables) == list(other.variables)
    assert one.surveys == other.surveys and one.notes == other.notes


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    """Two surveys that share ids, one of them given twice, and the example."""
    first = write(tmp_path / "in" / "a.xml", ddi(survey="A"))
    second = write(
        tmp_path / "in" / "b.xml", ddi({**VARIABLES, "x": {"label": "Extra"}}, survey="B")
    )
    return [first, second, first, EXAMPLE]


def test_memory_and_disk_chunks_or_not(tmp_path: Path, sources: list[Path]) -> None:
    memory = index_catalogue(read_catalogue(sources))
    whole = build(sources, tmp_path / "whole")
    chunked = build(sources, tmp_path / "chunked", chunk=7)
    same(whole, chunked)
    assert list(memory.variables) == list(whole.variables) == list(read_catalogue(sources))
    assert memory.notes == whole.notes
    for name in ("group", "posting_rows", "term_idf", "members"):
        np.testing.assert_array_equal(memory.arrays[name], whole.arrays[name])
    sentence = "Trust in courts and neighbours"
    for (a, one), (b, other) in zip(
        memory.candidates(sentence), chunked.candidates(sentence), strict=True
    ):
        assert a == b and one == pytest.approx(other, abs=1e-6)


def test_an_interrupted_build_goes_on(
    tmp_path: Path, sources: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    real = building.make_chunk

    def counted(part):
        if len(made) == 2 and not resumed:
            raise KeyboardInterrupt
        made.append(len(part))
        return real(part)

    monkeypatch.setattr(building, "make_chunk", counted)
    resumed = False
    with pytest.raises(KeyboardInterrupt):
        build(sources, tmp_path / "cat", chunk=10)
    with pytest.raises(MissingError, match="not a finished catalogue"):
        open_index(tmp_path / "cat")
    resumed = True
    told: list[tuple[str, int, int]] = []
    found = build(sources, tmp_path / "cat", chunk=10, progress=lambda *said: told.append(said))
    assert made == [10, 10, 10, 9], "what was done is not done again"
    assert told[0] == ("reading", 10, 0) and {what for what, _, _ in told} >= {
        "postings",
        "vectors",
    }
    assert not (tmp_path / "cat" / "unfinished").exists()
    same(found, build(sources, tmp_path / "other", chunk=10))


def test_parts_of_another_build_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = write(tmp_path / "a.xml", ddi(survey="A"))

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(building.Assembly, "run", stop)
        build([one], tmp_path / "cat")
    write(one, ddi({"new": {"label": "New"}}, survey="A"))
    assert [v.id for v in build([one], tmp_path / "cat").variables] == ["new"]


def test_a_finished_catalogue_is_taken_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = write(tmp_path / "a.xml", ddi())
    build([one], tmp_path / "cat")
    with monkeypatch.context() as patch:
        patch.setattr(building, "make_chunk", None)
        assert len(build([one], tmp_path / "cat")) == 4
    other = write(tmp_path / "b.xml", ddi({"new": {"label": "New"}}))
    with pytest.raises(FormatError, match=r"catalogue of other sources.*`again=True`"):
        build([other], tmp_path / "cat")
    assert len(build([other], tmp_path / "cat", again=True)) == 1


def test_nothing_that_is_not_ours_is_written_over(tmp_path: Path) -> None:
    one = write(tmp_path / "in" / "a.xml", ddi())
    with pytest.raises(FormatError, match="not empty and not a catalogue"):
        build([one], tmp_path / "in")
    with pytest.raises(FormatError, match="this is a file"):
        build([one], one)
    write(tmp_path / "x" / "manifest.json", "{}")
    with pytest.raises(FormatError, match="not the manifest of a catalogue"):
        build([one], tmp_path / "x", again=True)
    with pytest.raises(UnknownNameError, match="kind of vectors"):
        build([one], tmp_path / "y", vectors="big")
    assert not (tmp_path / "y").exists()


def test_broken_catalogues(tmp_path: Path) -> None:
    cat = tmp_path / "cat"
    build([write(tmp_path / "a.xml", ddi())], cat)
    (cat / "members.npy").rename(tmp_path / "members.npy")
    with pytest.raises(MissingError, match=r"members\.npy: a file of the catalogue is missing"):
        open_index(cat)
    write(cat / "members.npy", "junk")
    with pytest.raises(FormatError, match="not an array of a catalogue"):
        open_index(cat)
    np.save(cat / "members.npy", np.zeros(3))
    with pytest.raises(FormatError, match="not whole"):
        open_index(cat)
    manifest = json.loads((cat / "manifest.json").read_text(encoding="utf-8"))
    write(cat / "manifest.json", json.dumps({**manifest, "version": 99}))
    with pytest.raises(FormatError, match="no catalogue of version"):
        open_index(cat)


def test_dense_vectors_are_added_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from marginalia.tasks.variables.index import dense

    seen: list[str] = []

    def encode(texts: list[str]) -> np.ndarray:
        if len(seen) >= limit:
            raise KeyboardInterrupt
        seen.extend(texts)
        return np.array([[len(t), t.count("e") + 1, t.count("t")] for t in texts], dtype=np.float32)

    monkeypatch.setattr(dense, "encode", encode)
    monkeypatch.setattr(dense, "VARIABLES_PER_BATCH", 5)
    limit = 12
    with pytest.raises(KeyboardInterrupt):
        build([EXAMPLE], tmp_path / "cat", vectors="dense")
    assert open_index(tmp_path / "cat").retrievers == ("words", "letters", "meaning")
    seen.clear()
    limit = 1000
    index = build([EXAMPLE], tmp_path / "cat", vectors="dense")
    assert len([text for text in seen if text]) == 26 - 15, "three steps of five were done before"
    assert index.retrievers == ("words", "letters", "meaning", "latent")
    assert index.arrays["dense"].shape == (26, 3)
    (_, scores), *_ = index.candidates("Trust in courts")
    assert set(scores) == {"words", "letters", "meaning", "latent"}
    assert list(tmp_path.glob("cat/dense.json")) == []


def test_without_vectors(tmp_path: Path) -> None:
    index = build([EXAMPLE], tmp_path / "cat", vectors="none")
    assert index.retrievers == ("words", "letters")
    assert index.candidates("satisfied with life")[0][0].id == "V25"


def test_candidates_of_some_surveys(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{s}.xml", ddi(survey=s)) for s in "AB"]
    index = index_catalogue(read_catalogue(paths))
    (first, scores), *_ = index.candidates("Do they trust their neighbours?")
    assert first.id == "A:trust" and set(scores) == {"words", "letters", "meaning"}
    assert len(index.candidates("roses, age, trust and weight", k=100)) == 4, "one per group"
    found = index.candidates("Do they trust their neighbours?", surveys=["B"])
    assert found[0][0].id == "B:trust" and {v.survey for v, _ in found} == {"B"}
    assert index.group_surveys(index.group_of(index.find("B:trust"))) == ["A", "B"]
    with pytest.raises(UnknownNameError, match="no survey in this catalogue 'C'"):
        index.candidates("x", surveys=["C"])


def test_variables_are_found_by_id(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a.xml", ddi(survey="A")), EXAMPLE]
    index = index_catalogue(read_catalogue(paths))
    assert index.variables[index.find("roses")].survey == "A"
    assert index.find("RVP-2022:V3") == index.find("V3")
    for wrong in ("A:V3", "V333", ""):
        with pytest.raises(UnknownNameError, match="no variable in this catalogue"):
            index.find(wrong)


def test_an_empty_query_and_an_empty_catalogue() -> None:
    index = index_catalogue(read_catalogue([EXAMPLE]))
    assert index.candidates("") == index.candidates("§§ ...") == []
    empty = index_catalogue(Catalogue())
    assert len(empty) == 0 and empty.candidates("trust") == []


def test_words_that_look_alike_meet() -> None:
    index = index_catalogue(read_catalogue([EXAMPLE]))
    best = [
        index.candidates(text)[0][0].id for text in ("Schlafdauern", "trustful people", "smoker")
    ]
    assert best == ["V10", "V21", "V11"]
    assert index.candidates("Zufriedenheit mit dem Arbeitsplatz")[0][0].id == "V18"


words = st.sampled_from(
    "apple pear plum cherry quince medlar grape fig date olive lemon lime".split()
)
labels = st.lists(st.lists(words, min_size=2, max_size=5, unique=True).map(tuple), min_size=2, max_size=12, unique_by=frozenset)  # fmt: skip


@settings(max_examples=25)
@given(labels)
def test_a_label_finds_its_variable(labels: list[tuple[str, ...]]) -> None:
    """Asked with the very words of its label, no variable has a higher score by words than its own."""
    index = index_catalogue(
        Catalogue(
            make_variable(f"v{n}", f"s{n % 3}", {"label": " ".join(label)})
            for n, label in enumerate(labels)
        )
    )
    for number, label in enumerate(labels):
        covers = [n for n, other in enumerate(labels) if set(label) <= set(other)]
        shortest = min(covers, key=lambda n: len(labels[n]))
        scores = index.scores(" ".join(label), ["words"])["words"]
        best = index.variables[index.speaker(index.best(scores, 1)[0])].id
        assert best == f"v{shortest}" and shortest == number


@settings(max_examples=15)
@given(labels, st.integers(1, 5))
def test_the_size_of_chunks_changes_nothing(labels: list[tuple[str, ...]], size: int) -> None:
    from marginalia.tasks.variables.index.assembly import Arrays, Assembly
    from marginalia.tasks.variables.index.chunks import make_chunk

    variables = [
        make_variable(f"v{n}", f"s{n % 2}", {"label": " ".join(label)})
        for n, label in enumerate(labels)
    ]
    made = []
    for step in (size, len(variables)):
        chunks = [make_chunk(variables[n : n + step]) for n in range(0, len(variables), step)]
        arrays = Arrays()
        Assembly(chunks, arrays, Counter(), lambda *_: None).run(vectors=True)
        made.append(arrays)
    for name in made[0]:
        np.testing.assert_array_equal(made[0][name], made[1][name], err_msg=name)
