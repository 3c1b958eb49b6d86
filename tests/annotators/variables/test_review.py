"""Candidates as work: written, filled in, read back, remembered and exported."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.annotators.variables.commands.link_files import read_review, write_review
from marginalia.annotators.variables.links import Linked, link
from marginalia.annotators.variables.memory import Memory
from marginalia.annotators.variables.review import (
    OFFICIAL,
    Candidate,
    candidates_of,
    decisions,
    link_table,
    official,
    turtle,
)
from marginalia.core.table import raw_cells
from marginalia.reader.read import read

EXAMPLES = Path(__file__).parents[3] / "examples"
SURVEY = EXAMPLES / "survey.ddi.xml"


@pytest.fixture(scope="module")
def linked() -> Linked:
    return link(read(EXAMPLES / "article.pdf"), SURVEY, top=3)


@pytest.fixture
def candidates(linked: Linked) -> list[Candidate]:
    return candidates_of(linked)


def decided(candidates: list[Candidate], decision: str, place: int = 0) -> list[Candidate]:
    from dataclasses import replace

    return [
        replace(one, decision=decision if n == place else "") for n, one in enumerate(candidates)
    ]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_a_file_comes_back_as_it_was_written(
    candidates: list[Candidate], tmp_path: Path, suffix: str
) -> None:
    from dataclasses import replace

    odd = replace(candidates[0], label='=HYPERLINK("http://x")', evidence="+1; a\tb", page=None)
    path = tmp_path / f"review{suffix}"
    content = write_review([odd, *candidates[1:]], path)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    found = read_review(path)
    assert len(found) == len(candidates) > 3
    assert found[1:] == candidates[1:]
    assert found[0].label == odd.label
    if suffix == ".csv":
        cells = [cell for row in csv.reader(path.open(newline="")) for cell in row]
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
        with raw_cells():
            assert '"=HYPERLINK' in str(write_review([odd], path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "lacks the column 'decision'"),
        ("decision,sentence,variable,document\nperhaps,s,v,d\n", ":2: the decision 'perhaps'"),
    ],
)
def test_bad_files_are_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "review.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=said):
        read_review(path)
    with pytest.raises(FormatError, match=r"\.csv or \.xlsx"):
        read_review(tmp_path / "review.doc")


def test_what_was_decided_comes_first_next_time(
    linked: Linked, candidates: list[Candidate]
) -> None:
    first = candidates[0]
    others = [one for one in candidates if one.start == first.start]
    assert len(others) == 3
    memory = Memory()
    memory.add(decisions(decided(candidates, "yes", 2)))
    memory.add(decisions(decided(candidates, "no", 0)))
    again = link(read(EXAMPLES / "article.pdf"), SURVEY, top=3, memory=memory)
    now = [one for one in candidates_of(again, memory) if one.start == first.start]
    assert now[0].variable == others[2].variable and now[0].probability == 1.0
    assert now[0].decision == "yes"
    assert first.variable not in {one.variable for one in now}, "what was rejected is not offered"
    sentence = next(one for one in again.sentences if one.start == first.start)
    assert sentence.variables[0].decided and "decided" in sentence.why
    memory.add(decisions(decided(candidates, "none")))
    silent = link(read(EXAMPLES / "article.pdf"), SURVEY, memory=memory)
    assert first.start not in {one.start for one in silent.sentences}


def test_exports(candidates: list[Candidate]) -> None:
    import rdflib

    some = decided(candidates, "yes")
    (row,) = link_table(some)
    assert row["variable"] == candidates[0].variable and row["sentence"] == candidates[0].sentence
    graph = rdflib.Graph().parse(data=turtle(some), format="turtle")
    exact = list(graph.objects(None, rdflib.URIRef("http://www.w3.org/ns/oa#exact")))
    assert [str(one) for one in exact] == [candidates[0].sentence]
    text = official(some)
    assert text.splitlines()[0].split("\t") == list(OFFICIAL)


def test_the_official_layout_can_be_read_as_data(
    candidates: list[Candidate], tmp_path: Path
) -> None:
    from marginalia.core.table import read_table

    none = next(one for one in candidates if one.start != candidates[0].start)
    some = decided(candidates, "yes")
    some[candidates.index(none)] = decided([none], "none")[0]
    (tmp_path / "train.tsv").write_text(official(some), encoding="utf-8")
    rows = [row for _, row in read_table(tmp_path / "train.tsv", OFFICIAL, quoted=True)]
    assert [row["is_variable"] for row in rows] == ["1", "0"]
    assert rows[0]["variable"] == candidates[0].variable and rows[1]["variable"] == ""
    assert rows[0]["research_data"] == candidates[0].survey and len(rows[0]["uuid"]) == 36
    assert official(some) == official(some), "the same ids every time"
