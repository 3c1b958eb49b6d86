"""A paper linked to a catalogue: rows, the index by variable, and what is central."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from marginalia import MissingError, annotate
from marginalia.annotators.variables.commands.link import _unclaimed
from marginalia.annotators.variables.links import COLUMNS, Linked, link, rank_variables
from marginalia.reader.read import read

EXAMPLES = Path(__file__).parents[3] / "examples"
SURVEY = EXAMPLES / "survey.ddi.xml"


@pytest.fixture(scope="module")
def linked() -> Linked:
    return link(read(EXAMPLES / "article.pdf"), SURVEY, threshold=0.1)


def test_every_row_leads_back(linked: Linked) -> None:
    rows = linked.rows()
    assert len(rows) > 3
    for row in rows:
        assert tuple(row) == tuple(COLUMNS)
        assert linked.doc.text[row["start"] : row["end"]] == row["sentence"]
        assert row["page"] in (1, 2)
        assert row["variable"] is None or row["kind"] in {"explicit", "implicit"}
    words = [
        row["sentence"][start:end].lower()
        for row in rows
        for start, end in row["words"] or ()
        if "\n" not in row["sentence"]
    ]
    assert any("trust" in word or "hours" in word or "health" in word for word in words)


def test_the_index_has_the_same_links(linked: Linked) -> None:
    pairs = {(row["variable"], row["start"]) for row in linked.rows() if row["variable"]}
    index = linked.index()
    assert {(row["id"], use["start"]) for row in index for use in row["sentences"]} == pairs
    sizes = [len(row["sentences"]) for row in index]
    assert sizes == sorted(sizes, reverse=True)
    for row in index:
        assert 1 <= sum(use["central"] for use in row["sentences"]) <= 2


def test_where_nothing_is_claimed_it_is_said_what_would_be(linked: Linked) -> None:
    def only(chance: float) -> Linked:
        first = next(linked.notes())
        entry = {**first.attrs["candidates"][0], "score": chance}
        attrs = {**first.attrs, "variables": [], "candidates": [entry]}
        return Linked(replace(linked.doc, annotations=(replace(first, attrs=attrs),)))

    assert "--threshold 0.25 takes guesses in" in _unclaimed([only(0.1), only(0.3)])
    assert _unclaimed([only(0.1)]).startswith("1 sentence may use a variable")
    none = Linked(replace(linked.doc, annotations=()))
    assert _unclaimed([none]) == "no sentence mentions a survey variable"


def test_one_sentence_is_ranked() -> None:
    found = rank_variables(
        "Most respondents trusted the people in their neighbourhood.", SURVEY, limit=3
    )
    assert len(found) == 3
    assert "trust" in f"{found[0].label} {found[0].question}".lower()
    assert [one.score for one in found] == sorted((o.score for o in found), reverse=True)


def test_the_note_names_them_when_a_catalogue_is_given() -> None:
    doc = read(EXAMPLES / "article.pdf")
    without = annotate(doc, ["variables"])
    assert not list(without.notes())
    assert "--catalogue" in without.meta["summary"]["variables"]["said"]
    noted = annotate(doc, ["variables"], options={"catalogue": str(SURVEY)})
    assert all(note.attrs["candidates"] for note in noted.notes())


def test_a_missing_catalogue_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"no\.xml: there is no such catalogue"):
        link(read(EXAMPLES / "guide.md"), tmp_path / "no.xml")


def test_a_text_without_a_survey_has_no_links() -> None:
    found = link(read(EXAMPLES / "guide.md"), SURVEY)
    assert found.rows() == [] and found.index() == [] and found.to_dict()["sentences"] == []
