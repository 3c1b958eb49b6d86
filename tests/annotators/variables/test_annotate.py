"""Sentences that mention survey variables, in documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Document, FormatError, UnknownNameError
from marginalia.annotators.variables.annotate import annotate, summary
from marginalia.annotators.variables.links import open_links
from marginalia.annotators.variables.sentences import papers, speaks_of_survey
from marginalia.annotators.variables.variable_notes import Linking, _why, link_document
from marginalia.tasks.variables.index.catalogue_index import index_catalogue
from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable
from marginalia.tasks.variables.systems.claims import MIN_CLAIM_PROBABILITY
from marginalia.tasks.variables.systems.evidence import Evidence

SURVEY = (
    "This survey asked respondents about their neighbours. "
    "Most respondents trust their neighbours very much. "
    "The next section describes how the paper goes on from here.\n\n"
    "Respondents were asked how much they trust their neighbours on a scale from 1 to 5. "
    "Older respondents trust them more than younger respondents do. "
    "Table 2 shows the share of respondents who grow roses in their garden. "
    "We thank two colleagues for their kind remarks. "
    "The remainder of this article is about something else altogether. "
    "Trust is higher among women, and it grows with education and income."
)
WHOLE = Catalogue(
    Variable(id=id, survey="ZA1", text=f"{label} {question}", raw="",
             fields={"label": label, "question": question})
    for id, label, question in (
        ("trust", "Trust in neighbours", "How much do you trust your neighbours?"),
        ("roses", "Roses", "Do you grow roses in your garden?"),
        ("age", "Age of respondent", "How old are you?"),
    )
)  # fmt: skip


def doc(text: str = SURVEY, **meta: object) -> Document:
    return Document(id="x", text=text, meta={"lang": "en", **meta})


def test_without_a_catalogue_the_margin_is_silent_and_the_summary_asks_for_one() -> None:
    assert list(annotate(doc())) == []
    found = summary(doc())
    assert 0 < found["sentences"] < 9
    assert found["said"].endswith("of survey data; --catalogue FILE says which variables")
    german = summary(Document(id="x", text=SURVEY, meta={"lang": "de"}))
    assert "Umfragedaten" in german["said"]


def test_a_document_without_a_survey_has_nothing_said_of_it() -> None:
    text = "The boy went down to the river. He was old and he fished alone in the stream. " * 5
    assert summary(doc(text)) == {} == summary(doc(""))


@pytest.mark.parametrize(
    ("sentences", "speaks"),
    [
        (["In an interview he said so.", "After the interview he left.", "Interviews tire him."], False),
        (["The service polls the store.", "It polls again.", "Tasks wait."], False),
        (["This survey reviews the literature.", "Earlier surveys are older.", "We cite both."], False),
        (["Fill in the questionnaire.", "Sign the questionnaire.", *["Trustees keep books."] * 300], False),
        (["The survey was fielded in May.", "Respondents were asked twice.", *["It rained."] * 100], True),
        (["Befragt wurden 900 Personen.", "Die Umfrage fand im Mai statt."], True),
        (["We use data of ZA4600.", "An opinion poll found the same."], True),
    ],
)  # fmt: skip
def test_news_logs_reviews_and_handbooks_use_no_survey_of_people(
    sentences: list[str], speaks: bool
) -> None:
    assert speaks_of_survey(sentences) is speaks


def test_a_catalogue_of_another_survey_leaves_the_margin_empty(tmp_path: Path) -> None:
    """Thirty-six notes that no variable fits were on a paper about clinics, whose survey was not in the catalogue."""
    rows = [f"v{n},Nuclear reactor {n},Should reactor {n} be closed?" for n in range(60)]
    path = tmp_path / "other.csv"
    path.write_text("\n".join(["id,label,question", *rows]), encoding="utf-8")
    assert list(annotate(doc(), catalogue=str(path))) == []
    assert link_document(doc(), open_links(path)).annotations


def test_linked_notes_name_their_variables_and_say_why() -> None:
    found = link_document(doc(), WHOLE)
    notes = {note.quote: note for note in found.notes("variables")}
    asked = notes[
        "Respondents were asked how much they trust their neighbours on a scale from 1 to 5."
    ]
    first = asked.attrs["candidates"][0]
    assert first["id"] == "trust" and first["kind"] == "explicit" and first["survey"] == "ZA1"
    assert [asked.quote[a:b] for a, b in first["words"]] == ["trust", "neighbours"]
    assert "Trust in neighbours" in asked.attrs["why"]
    for note in notes.values():
        assert set(note.links.get("variable", ())) <= set(WHOLE.ids)


def test_an_english_paper_meets_german_labels_in_capitals_and_only_what_comes_near_the_best() -> (
    None
):
    labels = {
        "trust": "VERTRAUEN: BUNDESREGIERUNG",
        "life": "LEBENSZUFRIEDENHEIT",
        "church": "KIRCHGANGSHAEUFIGKEIT",
        "income": "HAUSHALTSNETTOEINKOMMEN",
        "wealth": "VERMOEGEN DES HAUSHALTS",
        "age": "ALTER",
    }
    german = Catalogue(
        Variable(id=id, survey="ZA1", text=label, raw="", fields={"label": label})
        for id, label in labels.items()
    )
    text = (
        "We use the survey of 2018, in which 3,471 respondents were interviewed. Respondents were asked how "
        "much they trust the federal government and the parliament. Most people were satisfied with their "
        "lives. The household income was measured in euros per month. Those who own property were asked "
        "about their wealth."
    )
    found = {
        note.quote: note.attrs["candidates"]
        for note in link_document(doc(text), german).notes("variables")
    }
    best = {quote: entries[0]["id"] for quote, entries in found.items()}
    assert best["Those who own property were asked about their wealth."] == "wealth"
    assert any("trust" in quote and first == "trust" for quote, first in best.items())
    for entries in found.values():
        scores = [entry["score"] for entry in entries]
        assert scores == sorted(scores, reverse=True) and sum(scores) <= 2
        assert all(
            entry["claimed"] == (entry["score"] >= MIN_CLAIM_PROBABILITY) for entry in entries
        )


def test_the_same_question_of_two_waves_is_shown_once() -> None:
    waves = Catalogue(
        Variable(id=f"{survey}_{v.id}", survey=survey, text=v.text, raw=v.raw, fields=v.fields)
        for survey in ("ZA1", "ZA2")
        for v in WHOLE
    )
    for note in link_document(doc(), waves).notes("variables"):
        shown = note.attrs["candidates"]
        assert all(len(entry["same"]) == 1 for entry in shown)
        assert len({entry["label"] for entry in shown}) == len(shown)


def test_an_index_gives_its_candidates() -> None:
    through = link_document(doc(), index_catalogue(WHOLE))
    notes = [note.attrs["candidates"] for note in through.notes("variables")]
    assert notes and {entry["id"] for entries in notes for entry in entries} <= set(WHOLE.ids)


def test_thresholds_candidates_and_surveys() -> None:
    def entries(**how: object) -> list[dict[str, object]]:
        found = link_document(doc(), WHOLE, Linking(**how))
        return [note.attrs for note in found.notes("variables")]

    assert all(len(one["candidates"]) == 1 for one in entries(top=1))
    assert not any(one["variables"] for one in entries(threshold=1.0))
    assert all(one["variables"] == one["candidates"] for one in entries(threshold=0.0))
    assert entries(surveys=("ZA1",)) == entries()
    with pytest.raises(UnknownNameError, match="no survey in this catalogue 'ZA9'"):
        entries(surveys=("ZA9",))
    for bad in ({"threshold": 2.0}, {"top": 0}):
        with pytest.raises(FormatError):
            Linking(**bad)


def test_surveys_that_the_paper_names_narrow_the_catalogue() -> None:
    both = Catalogue(
        Variable(id=f"{survey}_{v.id}", survey=survey, text=v.text, raw=v.raw,
                 fields={**v.fields, "label": f"{v.fields['label']} {survey}", "study": f"Garden Panel {year}"})
        for survey, year in (("ZA1001", 1999), ("ZA1002", 2001))
        for v in WHOLE
    )  # fmt: skip
    text = SURVEY.replace("This survey", "This survey (ZA1002)")
    for narrow, wanted in ((True, {"ZA1002"}), (False, {"ZA1001", "ZA1002"})):
        found = link_document(doc(text), both, Linking(narrow=narrow))
        entries = [e for note in found.notes("variables") for e in note.attrs["candidates"]]
        assert {entry["survey"] for entry in entries} == wanted


def test_the_evidence_of_a_document_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Paper] = []
    whole = Evidence.__init__

    def counted(self: Evidence, paper: Paper, catalogue: Catalogue) -> None:
        made.append(paper)
        whole(self, paper, catalogue)

    monkeypatch.setattr(Evidence, "__init__", counted)
    assert list(link_document(doc(), WHOLE).notes("variables"))
    assert len(made) == 1, "once with the catalogue"


def test_without_variables_nothing_is_linked() -> None:
    assert list(link_document(doc(), Catalogue()).notes("variables")) == []


@pytest.mark.parametrize("kind", ["table", "code", "heading"])
def test_tables_code_and_headings_are_not_read(kind: str) -> None:
    silent = doc(regions=[{"kind": kind, "start": 0, "end": len(SURVEY)}])
    assert list(papers(silent)) == []


def test_a_guess_is_named_where_the_sentence_has_its_words() -> None:
    """Judged: of implied guesses fewer than half were right, of the others six in seven."""
    entry = {"label": "Trust", "score": 0.4, "kind": "explicit", "claimed": False}
    assert _why([entry]) == "mentions a survey variable, perhaps Trust (40%)"
    for change in ({"kind": "implicit"}, {"score": 0.2}):
        assert _why([{**entry, **change}]).endswith("none of the catalogue fits")
    assert _why([]).endswith("none of the catalogue fits")


def test_the_title_of_a_plain_text_is_no_sentence() -> None:
    title = "Happiness, illness and the health care system"
    titled = Document(id="x", text=f"{title}\n\n{SURVEY}", meta={"lang": "en"})
    read = [one.text for spans in papers(titled) for one in spans]
    assert title not in read and len(read) == len([s for spans in papers(doc()) for s in spans])


def test_a_book_is_read_as_several_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [span for spans in papers(doc()) for span in spans]
    monkeypatch.setattr("marginalia.annotators.variables.sentences.SENTENCES_PER_PAPER", 4)
    parts = list(papers(doc()))
    assert [len(spans) for spans in parts] == [3, 3, 3]
    assert [span for spans in parts for span in spans] == whole
    notes = list(link_document(doc(), WHOLE).notes("variables"))
    assert notes and len({note.id for note in notes}) == len(notes)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_reading_gives_the_same_twice(lang: str) -> None:
    given = Document(id="x", text=SURVEY, meta={"lang": lang})
    assert summary(given) == summary(given)
