"""Searching: each way finds what it should, groups are one row, and relations have reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import UnknownNameError, build_catalogue
from marginalia.tasks.variables.index import search as module
from marginalia.tasks.variables.index.search import (
    AGREE,
    DEFAULT_HITS,
    OpenCatalogue,
    open_catalogue,
)
from tests.tasks.variables.invented import write
from tests.tasks.variables.sources import ddi

EXAMPLE = Path(__file__).parents[4] / "examples" / "survey.ddi.xml"
WAVES = {
    "A": {
        "v1": {"label": "Q1 Trust in courts 2004", "question": "How much do you trust the courts?", "topic": "Trust"},
        "v2": {"label": "Hours of work", "question": "How many hours do you work?", "topic": "Work"},
        "v3": {"label": "Roses", "question": "Do you grow roses?"},
    },
    "B": {
        "v1": {"label": "Trust in courts 2008", "question": "How much do you trust the courts?", "topic": "Trust"},
        "v2": {"label": "Trust in police", "question": "And how much do you trust the police?", "topic": "Trust"},
    },
    "C": {
        "v9": {"label": "Trust in courts", "question": "How much do you trust the courts?"},
        "v8": {"label": "Working hours", "question": "How many hours do you work in a week?"},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def panel() -> OpenCatalogue:
    return open_catalogue(EXAMPLE)


@pytest.fixture(scope="module")
def waves(tmp_path_factory: pytest.TempPathFactory) -> OpenCatalogue:
    folder = tmp_path_factory.mktemp("waves")
    for survey, variables in WAVES.items():
        write(folder / f"{survey}.xml", ddi(variables, survey=survey))
    return open_catalogue(folder)


@pytest.mark.parametrize("by", ["both", "words", "fuzzy", "meaning"])
def test_each_way_finds_the_variable(panel: OpenCatalogue, by: str) -> None:
    found = panel.search("trust in the courts", by=by)
    # The vectors of so small a catalogue do not tell its institutions apart.
    first = next(row for row in found[: 3 if by == "meaning" else 1] if row.id == "V23")
    assert (first.id, first.survey, first.group) == ("V23", "RVP-2022", 1)
    assert first.label == "Trust in the courts / Vertrauen: Gerichte" and first.score > 0


@pytest.mark.parametrize("by", ["both", "words"])
def test_every_label_finds_its_own_variable(panel: OpenCatalogue, by: str) -> None:
    for variable in panel.variables():
        first, *_ = panel.search(variable.fields["label"], by=by, k=1)
        assert first.id == variable.id


def test_across_languages_through_bilingual_labels(panel: OpenCatalogue) -> None:
    assert panel.search("Arbeitszufriedenheit")[0].id == "V18"
    assert panel.search("Gesundheitszustand")[0].id == "V8"


def test_a_group_is_one_row(waves: OpenCatalogue) -> None:
    first, *others = waves.search("trust in courts")
    assert first.id == "A:v1" and first.group == 3
    assert first.surveys == ("A", "B", "C") and first.variables == ("A:v1", "B:v1", "v9")
    assert all("courts" not in row.label for row in others)


def test_within_surveys(waves: OpenCatalogue) -> None:
    found = waves.search("trust in courts", surveys=["B"])
    assert [row.id for row in found][:2] == ["B:v1", "B:v2"]
    assert {row.survey for row in found} == {"B"}
    for by in ("fuzzy", "words", "meaning"):
        assert {row.survey for row in waves.search("trust", by=by, surveys=["C"])} <= {"C"}


def test_candidates_are_what_two_retrievers_agree_on(panel: OpenCatalogue) -> None:
    found = panel.candidates(
        "Respondents who trust most people are more satisfied with their lives."
    )
    assert {"V21", "V25"} <= {row.id for row in found[:5]}
    assert all(len(row.retrievers or ()) >= AGREE for row in found)
    votes = {name for row in found for name in row.retrievers}
    assert votes <= {"words", "letters", "meaning", "fuzzy"}
    for name in votes:
        assert sum(name in row.retrievers for row in found) <= DEFAULT_HITS


def test_recommendations_say_why(waves: OpenCatalogue) -> None:
    found = waves.recommend("A:v1")
    assert all(row.survey != "A" for row in found)
    assert found[0].id == "B:v1" and found[0].reason == "same question; same topic: Trust"
    police = next(row for row in found if row.id == "B:v2")
    assert police.reason.startswith("same topic: Trust; shared words: ")
    hours = waves.recommend("A:v2")[0]
    assert hours.id == "v8" and "shared words: " in hours.reason and "hours" in hours.reason
    with pytest.raises(UnknownNameError, match=r"catalogue 'v1'.*A:v1, B:v1"):
        waves.recommend("v1")


def test_recommendations_need_another_survey(panel: OpenCatalogue) -> None:
    assert panel.recommend("V23").rows == ()


def test_recommendations_for_a_paper(waves: OpenCatalogue) -> None:
    sentences = [
        "We look at roses.",
        "Nothing of interest here.",
        "Courts are trusted more than police.",
        "Trust in courts fell.",
    ]
    found = waves.recommend_for(sentences)
    courts = next(row for row in found if row.id == "A:v1")
    assert courts.sentence == sentences[3] and courts.sentences == 2
    assert {row.id for row in found} >= {"A:v1", "v3", "B:v2"}
    assert all(row.reason.startswith("shared words: ") for row in found)
    # The raw score of an engine says nothing to a reader: there is none.
    assert all(row.score is None and "score" not in row.to_dict() for row in found)
    assert "score" not in found.columns and "score" in waves.search("courts").columns
    others = waves.recommend_for(sentences, known=["A", "C"])
    assert {row.survey for row in others} == {"B"}
    with pytest.raises(UnknownNameError, match="no survey"):
        waves.recommend_for(sentences, known=["D"])


def test_large_catalogues_compare_strings_of_a_shortlist(
    waves: OpenCatalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = waves.search("how much trust", by="fuzzy", k=2)
    monkeypatch.setattr(module, "MAX_FUZZY_GROUPS", 1)
    assert waves.search("how much trust", by="fuzzy", k=2) == whole


def test_what_cannot_be_searched(panel: OpenCatalogue) -> None:
    with pytest.raises(UnknownNameError, match="no way to search 'sound'"):
        panel.search("x", by="sound")
    assert not panel.search("", by="both") and not panel.search("zzzz", by="words")


def test_info(waves: OpenCatalogue) -> None:
    info = waves.info()
    assert (info["variables"], info["groups"], info["largest_group"]) == (7, 5, 3)
    assert info["surveys"] == {"A": 3, "B": 2, "C": 2}
    assert info["notes"] == {"ids occur more than once and are qualified with the survey": 2}


def test_without_vectors_nothing_is_searched_by_meaning(tmp_path: Path) -> None:
    alone = build_catalogue([EXAMPLE], tmp_path / "cat", vectors="none")
    assert alone.search("trust in courts")[0].id == "V23"
    with pytest.raises(UnknownNameError, match="no retriever of this catalogue 'meaning'"):
        alone.search("trust", by="meaning")


def test_a_typed_label_is_first_and_a_guess_is_no_certainty(panel: OpenCatalogue) -> None:
    for variable in panel.variables():
        for part in variable.fields["label"].split(" / "):
            assert panel.search(part, k=1)[0].score > 0.98
    for absent in ("chocolate consumption of astronauts", "Wasserqualität der Donau"):
        assert all(hit.score < 0.7 for hit in panel.search(absent))


def test_another_language_by_meaning(waves: OpenCatalogue) -> None:
    assert waves.search("Vertrauen in Gerichte")[0].id == "A:v1"
    assert waves.search("Wochenarbeitszeit in Stunden")[0].id in ("A:v2", "v8")


def test_a_variable_and_those_that_ask_the_same(waves: OpenCatalogue) -> None:
    assert waves.variable("B:v1").fields["label"] == "Trust in courts 2008"
    assert [one.id for one in waves.same("B:v1")] == ["A:v1", "B:v1", "v9"]
    assert [one.id for one in waves.variables(survey="C")] == ["v9", "v8"]
    with pytest.raises(UnknownNameError, match="no survey"):
        waves.variables(survey="Z")
