"""Importing what somebody downloaded: verified first, then all or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError, MissingError, get_benchmark
from marginalia.core import importing as intake
from marginalia.core.importing import import_folder
from marginalia.core.sources import RECORD, read_sources
from tests.core.loopback import DERIVED, FILES, LABELS, OURS, contents, fill, invented, sources

LAYOUT = {path: content for path, (_, content) in FILES.items()}
CHECKOUT = dict(FILES.values())
WORDS = {"garden/words.tsv": b"word\tcount\noak\t3\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    return tmp_path / "downloaded"


def test_a_folder_laid_out_like_the_data_folder(origin: Path, folder: Path) -> None:
    imported = import_folder(
        invented(), fill(origin, {**LAYOUT, **WORDS, "other.txt": b""}), folder
    )
    assert imported.files == (*LAYOUT, *WORDS)
    assert (imported.already, imported.missing) == (0, ())
    assert imported.derived.written == tuple(DERIVED)
    derived = {path: text.encode() for path, text in DERIVED.items()}
    there = contents(folder)
    del there[RECORD]
    assert there == {**LAYOUT, **WORDS, **derived}
    assert import_folder(invented(), origin, folder).already == len(LAYOUT) + 1
    assert import_folder(invented(), folder, folder).files == (), "the folder itself is right"


@pytest.mark.parametrize("around", ["", "garden-main/"])
def test_a_checkout_of_the_repository(origin: Path, folder: Path, around: str) -> None:
    fill(origin, {around + path: content for path, content in CHECKOUT.items()})
    fill(origin, {around + ".git/empty.txt": b"not a file of the work tree"})
    imported = import_folder(invented(), origin, folder)
    assert imported.files == tuple(LAYOUT)
    assert imported.missing == tuple(WORDS)
    assert {path: data for path, data in contents(folder).items() if path in LAYOUT} == LAYOUT


def test_files_are_found_by_name_and_content_anywhere(origin: Path, folder: Path) -> None:
    fill(origin, {f"deep/down/{n}/{Path(p).name}": c for n, (p, c) in enumerate(CHECKOUT.items())})
    assert import_folder(invented(), origin, folder).files == tuple(LAYOUT)


def test_a_part_of_the_files_is_welcome(origin: Path, folder: Path) -> None:
    imported = import_folder(invented(), fill(origin, {LABELS: LAYOUT[LABELS]}), folder)
    assert imported.files == (LABELS,)
    assert imported.missing == (*(path for path in LAYOUT if path != LABELS), *WORDS)
    assert set(contents(folder)) == {LABELS}, "nothing to derive from"


@pytest.mark.parametrize(
    "layout", [LAYOUT, CHECKOUT, {"flat/" + p: c for p, c in CHECKOUT.items()}]
)
@pytest.mark.parametrize("damage", [b"x", LAYOUT["garden/train.tsv"].replace(b"oak", b"fir")])
def test_a_wrong_file_changes_nothing(
    origin: Path, folder: Path, layout: dict[str, bytes], damage: bytes
) -> None:
    damaged = next(path for path in layout if "train" in path)
    fill(origin, {**layout, damaged: damage})
    fill(folder, {"garden/train.tsv": b"what was there"})
    with pytest.raises(FormatError, match=r"were expected|was expected") as caught:
        import_folder(invented(), origin, folder)
    assert str(origin / damaged) in str(caught.value)
    assert "owner/garden at commit 0123456789ab" in str(caught.value)
    assert contents(folder) == {"garden/train.tsv": b"what was there"}


def test_a_name_that_two_files_bear_proves_nothing(origin: Path, folder: Path) -> None:
    """``test.tsv`` is the name of the inputs and of the labels."""
    imported = import_folder(invented(), fill(origin, {"x/test.tsv": LAYOUT[LABELS]}), folder)
    assert imported.files == (LABELS,)


def test_import_only_files_are_found_by_name(origin: Path, folder: Path) -> None:
    words = WORDS["garden/words.tsv"]
    import_folder(invented(), fill(origin, {"a/b/words.tsv": words}), folder)
    assert contents(folder) == WORDS
    fill(origin, {"a/b/words.tsv": words + b"elm\t1\n"})
    assert import_folder(invented(), origin, folder).files == tuple(WORDS), "a newer one is taken"
    fill(origin, {"c/words.tsv": words})
    with pytest.raises(FormatError, match="the same name but other content"):
        import_folder(invented(), origin, folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"word\tnumber\noak\t3\n", "words.tsv:1: the header lacks the column 'count'"),
        (b"word\tcount\noak\n", "words.tsv:2: 1 columns where 2"),
        (b"", "lacks the column 'word'"),
        (b"word\tcount\n\xff\t3\n", "words.tsv:2: .*not UTF-8"),
    ],
)
def test_import_only_files_are_checked_by_their_columns(
    origin: Path, folder: Path, text: bytes, message: str
) -> None:
    fill(origin, {**LAYOUT, "garden/words.tsv": text})
    with pytest.raises(FormatError, match=message):
        import_folder(invented(), origin, folder)
    assert not folder.exists()


def test_derived_files_are_taken_from_their_place_only(origin: Path, folder: Path) -> None:
    names = b"id\tname\n1\tOAK\n"
    imported = import_folder(invented(), fill(origin, {"garden/names.tsv": names}), folder)
    assert imported.files == ("garden/names.tsv",)
    fill(origin, {"garden/names.tsv": b"id\tnumber\n"})
    with pytest.raises(FormatError, match="lacks the column 'name'"):
        import_folder(invented(), origin, folder)
    (origin / "garden/names.tsv").rename(origin / "names.tsv")
    with pytest.raises(MissingError, match="none of the files of garden"):
        import_folder(invented(), origin, folder)
    assert contents(folder) == {"garden/names.tsv": names}


def test_a_derived_file_that_differs_from_ours_is_kept_and_named(
    origin: Path, folder: Path
) -> None:
    fill(origin, {**LAYOUT, "garden/names.tsv": b"id\tname\n1\tFIR\n"})
    imported = import_folder(invented(), origin, folder)
    assert imported.derived.kept == ("garden/names.tsv",)
    assert (folder / "garden/names.tsv").read_bytes() == b"id\tname\n1\tFIR\n"


def test_a_folder_without_any_of_the_files(origin: Path, folder: Path) -> None:
    fill(origin, {"notes.txt": b"x"})
    with pytest.raises(
        MissingError, match=r"none of the files of garden: .*owner/garden or owner/c"
    ):
        import_folder(invented(), origin, folder)
    with pytest.raises(MissingError, match="is not a folder"):
        import_folder(invented(), origin / "notes.txt", folder)
    assert not folder.exists()


def test_places_that_cannot_be_written_are_refused(origin: Path, folder: Path) -> None:
    fill(origin, LAYOUT)
    (folder / "garden/empty.txt").mkdir(parents=True)
    with pytest.raises(FormatError, match=r"empty.txt: this is a folder, a file was expected"):
        import_folder(invented(), origin, folder)
    assert contents(folder) == {}
    with pytest.raises(FormatError, match="a folder was expected"):
        import_folder(invented(), origin, origin / "garden/empty.txt")


def test_a_folder_of_far_too_many_files_is_refused(
    origin: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "MAX_FILES", 3)
    with pytest.raises(FormatError, match="more than 3 files"):
        import_folder(invented(), fill(origin, LAYOUT), folder)


def test_one_upstream_file_can_have_two_places(origin: Path, folder: Path) -> None:
    files = {"garden/a/x.txt": ("x.txt", b"x"), "garden/b/x.txt": ("x.txt", b"x")}
    task = invented(sources=lambda: sources(files), derive=None)
    assert import_folder(task, fill(origin, {"x.txt": b"x"}), folder).files == tuple(files)


@pytest.mark.parametrize("name", OURS)
def test_the_data_folder_can_be_imported(data: Path, tmp_path: Path, name: str) -> None:
    task = get_benchmark(name)
    imported = import_folder(task, data, tmp_path)
    listed = {file.path for source in read_sources(task) for file in source.all_files}
    there = {path for path in listed if (data / path).exists()}
    assert set(imported.files) == there
    assert {path for path in listed if (tmp_path / path).exists()} >= there
