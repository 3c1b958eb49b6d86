"""The index: the same in memory and on disk, refused when damaged, and candidates that make sense."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia import FormatError, MarginaliaError, MissingError, UnknownNameError
from marginalia.tasks.variables.catalogue.formats import read_catalogue
from marginalia.tasks.variables.index import build as building
from marginalia.tasks.variables.index.build import build
from marginalia.tasks.variables.index.catalogue_index import index_catalogue, open_index
from marginalia.tasks.variables.index.folder import only_builder
from marginalia.tasks.variables.index.search import OpenCatalogue
from marginalia.tasks.variables.official.vocabulary import Catalogue, make_variable
from tests.tasks.variables.invented import write
from tests.tasks.variables.sources import VARIABLES, ddi

EXAMPLE = Path(__file__).parents[4] / "examples" / "survey.ddi.xml"


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    """Two surveys that share ids, one of them given twice, and the example."""
    first = write(tmp_path / "in" / "a.xml", ddi(survey="A"))
    second = write(
        tmp_path / "in" / "b.xml", ddi({**VARIABLES, "x": {"label": "Extra"}}, survey="B")
    )
    return [first, second, first, EXAMPLE]


def test_memory_and_disk(tmp_path: Path, sources: list[Path]) -> None:
    memory = index_catalogue(read_catalogue(sources))
    disk = build(sources, tmp_path / "cat", vectors="none")
    assert list(memory) == list(disk) and len(disk) == len(read_catalogue(sources))
    assert {one.id for one in disk} == set(read_catalogue(sources).ids)
    assert memory.notes == disk.notes and memory.surveys == disk.surveys
    for sentence in ("Trust in courts and neighbours", "How old are they?"):
        found = [one.scores(sentence, ["words", "letters"]) for one in (memory, disk)]
        for name in found[0]:
            assert list(found[0][name]) == list(found[1][name])
            assert found[0][name] == pytest.approx(found[1][name], abs=1e-5)


def test_a_build_that_was_stopped_is_done_again(
    tmp_path: Path, sources: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(building.Writer, "finish", stop)
        build(sources, tmp_path / "cat", vectors="none")
    assert not (tmp_path / "cat").exists(), "nothing came of it"
    (tmp_path / "cat" / "unfinished").mkdir(parents=True)  # of one that was killed
    (tmp_path / "cat" / ".half-written-x").mkdir()
    with pytest.raises(MissingError, match="not a finished catalogue"):
        open_index(tmp_path / "cat")
    told: list[tuple[str, int, int]] = []
    build(sources, tmp_path / "cat", vectors="none", progress=lambda *said: told.append(said))
    assert {what for what, _, _ in told} == {"reading", "indexing"}
    names = {path.name for path in (tmp_path / "cat").iterdir()}
    assert names == {".lock", "manifest.json", "surveys.npy", "words"}


def test_two_builds_exclude_each_other(tmp_path: Path) -> None:
    one = write(tmp_path / "a.xml", ddi())
    with only_builder(tmp_path / "cat"), pytest.raises(FormatError, match="another process"):
        build([one], tmp_path / "cat", vectors="none")
    assert len(build([one], tmp_path / "cat", vectors="none")) == 4


@pytest.mark.parametrize("what", ["spool", "words", "vectors"])
def test_a_full_disk_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def full(*_: object, **__: object) -> None:
        if what == "words":
            raise ValueError("An IO error occurred: 'No space left on device'")
        raise OSError(28, "No space left on device")

    one = write(tmp_path / "a.xml", ddi())
    place = {
        "spool": (building.Spool, "fill"),
        "words": (building.Writer, "finish"),
        "vectors": (building.encoding, "write_vectors"),
    }[what]
    monkeypatch.setattr(building.encoding, "encode", lambda texts: np.ones((len(texts), 3)))
    monkeypatch.setattr(*place, full)
    with pytest.raises(FormatError, match=r"cannot be written: .*No space left"):
        build([one], tmp_path / "cat", vectors="dense")
    if what == "vectors":
        assert len(open_index(tmp_path / "cat")) == 4, "words are whole without vectors"
    else:
        assert not (tmp_path / "cat").exists()


def test_a_finished_catalogue_is_taken_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = write(tmp_path / "a.xml", ddi())
    build([one], tmp_path / "cat", vectors="none")
    with monkeypatch.context() as patch:
        patch.setattr(building, "Writer", None)
        assert len(build([one], tmp_path / "cat", vectors="none")) == 4
    other = write(tmp_path / "b.xml", ddi({"new": {"label": "New"}}))
    with pytest.raises(FormatError, match=r"catalogue of other sources.*`again=True`"):
        build([other], tmp_path / "cat", vectors="none")
    assert len(build([other], tmp_path / "cat", again=True, vectors="none")) == 1


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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    build([write(folder / "a.xml", ddi())], folder / "cat", vectors="none")
    return folder / "cat"


def copied(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "cat"))


def test_missing_files_and_other_versions(built: Path, tmp_path: Path) -> None:
    cat = copied(built, tmp_path)
    (cat / "surveys.npy").unlink()
    with pytest.raises(MissingError, match=r"surveys\.npy: a file of the catalogue is missing"):
        open_index(cat)
    manifest = json.loads((cat / "manifest.json").read_text(encoding="utf-8"))
    write(cat / "manifest.json", json.dumps({**manifest, "version": 99}))
    with pytest.raises(FormatError, match="no catalogue of version"):
        open_index(cat)
    outside = {**manifest, "files": {"../a.xml": {}}}
    write(cat / "manifest.json", json.dumps(outside))
    with pytest.raises(FormatError, match="manifest is damaged"):
        open_index(cat)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_damage_is_one_sentence(built: Path, data: st.DataObject) -> None:
    """One byte of any file changed, or the file cut: refused when it is opened, and never a traceback."""
    with tempfile.TemporaryDirectory() as temporary:
        cat = copied(built, Path(temporary))
        files = sorted(p for p in cat.rglob("*") if p.is_file() and p.stat().st_size)
        path = data.draw(st.sampled_from(files))
        content = bytearray(path.read_bytes())
        place = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            content[place] ^= data.draw(st.integers(1, 255))
        else:
            del content[place:]
        path.write_bytes(content)
        try:
            index = open_index(cat)
        except MarginaliaError as error:
            assert "\n" not in str(error)
        else:
            # What is left of the manifest, such as its notes or plan, may say anything.
            assert path.name in ("manifest.json", ".managed.json") or path.name.endswith(".lock")
            assert index.candidates("trust neighbours", k=2)


def test_vectors_are_added_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from marginalia.tasks.variables.index import vectors

    seen: list[str] = []

    def encode(texts: list[str]) -> np.ndarray:
        if len(seen) >= limit:
            raise KeyboardInterrupt
        seen.extend(texts)
        return np.array([[len(t), t.count("e") + 1, t.count("t")] for t in texts], dtype=np.float32)

    monkeypatch.setattr(vectors, "encode", encode)
    monkeypatch.setattr(vectors, "GROUPS_PER_BATCH", 5)
    limit = 12
    with pytest.raises(KeyboardInterrupt):
        build([EXAMPLE], tmp_path / "cat")
    assert open_index(tmp_path / "cat").retrievers == ("words", "letters")
    with (tmp_path / "cat" / "vectors.bin").open("ab") as file:
        file.write(b"half")
    seen.clear()
    limit = 1000
    index = build([EXAMPLE], tmp_path / "cat")
    assert len([text for text in seen if text]) == 26 - 15, "three steps of five were done before"
    assert index.retrievers == ("words", "letters", "meaning") and index.vectors.shape == (26,)
    assert "meaning" in index.candidates("Trust in courts")[0][1]


def test_large_catalogues_have_vectors_only_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "MAX_ENCODED_GROUPS", 25)
    index = build([EXAMPLE], tmp_path / "cat")
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
    assert index.group_surveys(index.find("B:trust")[0]) == ["A", "B"]
    with pytest.raises(UnknownNameError, match="no survey in this catalogue 'C'"):
        index.candidates("x", surveys=["C"])


def test_variables_are_found_by_id(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a.xml", ddi(survey="A")), EXAMPLE]
    index = index_catalogue(read_catalogue(paths))
    assert index.find("roses")[1].survey == "A"
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
    asked = ("Schlafdaur", "trusting people", "smokes")
    assert [index.candidates(text)[0][0].id for text in asked] == ["V10", "V21", "V11"]
    assert index.candidates("Zufriedenheit mit dem Arbeitsplatz")[0][0].id == "V18"


words = st.sampled_from(
    "apple pear plum cherry quince medlar grape fig date olive lemon lime".split()
)
labels = st.lists(st.lists(words, min_size=2, max_size=5, unique=True).map(tuple), min_size=2, max_size=12, unique_by=frozenset)  # fmt: skip


@settings(max_examples=25)
@given(labels)
def test_a_label_finds_its_variable(labels: list[tuple[str, ...]]) -> None:
    """Asked with the very words of its label, a variable comes first, whatever the rest of the catalogue says."""
    index = index_catalogue(
        Catalogue(
            make_variable(f"v{n}", f"s{n % 3}", {"label": " ".join(label)})
            for n, label in enumerate(labels)
        )
    )
    index.manifest = {**index.manifest, "files": {}}  # as one on disk without vectors
    for number, label in enumerate(labels):
        assert OpenCatalogue(index).search(" ".join(label), k=1)[0].id == f"v{number}"
