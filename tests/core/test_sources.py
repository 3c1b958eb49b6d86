"""What the sources say, and what lies in the data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import ContractError, get_benchmark
from marginalia.core.files import file_sha256
from marginalia.core.sources import check_path, read_sources, status
from tests.core.loopback import FILES, LABELS, OURS, fill, invented, sources

LAYOUT = {path: content for path, (_, content) in FILES.items()}


def states(found: Any) -> dict[str, str]:
    return {file.path: file.state for file in found.files}


def test_sources_are_typed() -> None:
    garden, catalogue = read_sources(invented())
    assert (garden.repository, garden.licence) == ("owner/garden", "CC BY 4.0")
    assert [file.path for file in garden.files] == list(FILES)
    assert garden.bytes == sum(map(len, LAYOUT.values()))
    assert [(table.path, table.derived) for table in garden.tables] == [("garden/names.tsv", True)]
    assert [(t.path, t.derived) for t in catalogue.tables] == [("garden/words.tsv", False)]


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "a/../../x",
        "/etc/x",
        "a//b",
        "./a",
        "",
        "a/",
        "..",
        "C:/x",
        "C:x",
        "a\\..\\x",
        "a\0b",
    ],
)
@pytest.mark.parametrize("field", ["path", "upstream"])
def test_a_path_that_could_leave_its_folder_is_refused(path: str, field: str) -> None:
    data = sources()
    data[0]["files"][0][field] = path
    with pytest.raises(ContractError, match="could leave its folder"):
        read_sources(invented(sources=lambda: data))


@given(st.text(alphabet="./\\:a b\0\t"))
def test_a_path_that_is_let_through_stays_below_its_folder(path: str) -> None:
    root = Path("/data/folder")
    try:
        joined = root / check_path(path)
    except ContractError:
        return
    assert joined.is_relative_to(root) and joined != root and ".." not in joined.parts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sha256": "abc"}, "'abc' is not a SHA-256"),
        ({"bytes": -1}, "the size -1 is not a number"),
        ({"bytes": "12"}, "the size '12' is not a number"),
        ({"bytes": 2**40}, "is not a number from 0 to"),
        ({"path": "garden/TEST.tsv"}, "name garden/test.tsv twice"),
        ({"path": 7}, "malformed"),
    ],
)
def test_malformed_sources_break_the_contract(change: dict[str, Any], message: str) -> None:
    data = sources()
    data[0]["files"][0] |= change
    with pytest.raises(ContractError, match=message):
        read_sources(invented(sources=lambda: data))


@pytest.mark.parametrize(
    "data",
    [
        [{}],
        ["x"],
        [{"files": []}],
        [{**sources()[0], "repository": "../x"}],
        [{**sources()[0], "repository": "garden"}],
        [{**sources()[0], "commit": ".."}],
    ],
)
def test_a_source_needs_its_repository_commit_and_files(data: Any) -> None:
    with pytest.raises(ContractError, match="garden: a source is malformed"):
        read_sources(invented(sources=lambda: data))


def test_an_empty_folder_lacks_everything(tmp_path: Path) -> None:
    found = status(invented(), tmp_path)
    assert set(states(found).values()) == {"missing"}
    assert [file.path for file in found.select(kind="imported")] == ["garden/words.tsv"]
    assert [file.path for file in found.select(kind="derived")] == ["garden/names.tsv"]
    assert len(found.select(repository="owner/garden", kind="public")) == len(FILES)
    assert found.test_gold is None


def test_the_gold_of_test_is_there_or_not(tmp_path: Path) -> None:
    fill(tmp_path, LAYOUT)
    assert status(invented(), tmp_path).test_gold is True
    (tmp_path / LABELS).unlink()
    assert status(invented(), tmp_path).test_gold is False


def test_sizes_are_quick_and_contents_are_checked_when_asked(tmp_path: Path) -> None:
    fill(tmp_path, {**LAYOUT, "garden/names.tsv": b"id\n", "garden/words.tsv": b"word\tcount\n"})
    fill(tmp_path, {"garden/train.tsv": LAYOUT["garden/train.tsv"].replace(b"oak", b"fir")})
    fill(tmp_path, {"garden/test.tsv": b"short"})
    (tmp_path / "garden/empty.txt").unlink()
    (tmp_path / "garden/empty.txt").mkdir()
    quick = status(invented(), tmp_path)
    assert [file.path for file in quick.select(state="wrong")] == [
        "garden/test.tsv",
        "garden/empty.txt",
    ]
    wrong = {file.path: file.fault for file in status(invented(), tmp_path, verify=True).files}
    assert wrong["garden/test.tsv"] == "the file has 5 bytes where 14 were expected"
    assert wrong["garden/train.tsv"].startswith("the SHA-256 is ")
    assert wrong["garden/empty.txt"] == "this is not a file"
    assert "lacks the column 'name'" in wrong["garden/names.tsv"]
    assert wrong[LABELS] == wrong["garden/words.tsv"] == ""


WITHHELD = (
    "claire/test_labels.tsv claire/test_scores.tsv complex-lcp/test-labels/ measeval/eval/tsv/ "
    "complex-lcp/extra-cwi2018/News_Test.tsv complex-lcp/extra-cwi2018/WikiNews_Test.tsv "
    "complex-lcp/extra-cwi2018/Wikipedia_Test.tsv sts/2013-test/STS.gs. sv-ident/upstream/ "
    "sts/extra-sick2014/SICK_test_annotated.txt"
).split()


@pytest.mark.parametrize("name", OURS)
def test_the_data_folder_is_right_and_lacks_at_most_test_labels(data: Path, name: str) -> None:
    found = status(get_benchmark(name), data, verify=True)
    assert found.select(state="wrong") == []
    lacking = [file.path for file in found.select(state="missing")]
    assert [path for path in lacking if not path.startswith(tuple(WITHHELD))] == []
    assert found.select(kind="public", state="present")
    assert found.test_gold is not None


def test_sha256_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert file_sha256(tmp_path / "x").startswith("ba7816bf8f01cfea414140de5dae2223")
