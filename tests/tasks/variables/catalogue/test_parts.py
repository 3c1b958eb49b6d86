"""Papers, stems, and the parts of a variable's text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.variables.catalogue.groups import Titles
from marginalia.tasks.variables.catalogue.parts import clean, core, label, parts_of, split
from marginalia.tasks.variables.index.terms import stems, stems_with_places
from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable


def catalogue(*texts: str) -> Catalogue:
    return Catalogue(
        Variable(id=f"v{n}", survey="ZA1", text=text, raw=text) for n, text in enumerate(texts)
    )


def test_a_joined_text_falls_into_its_parts() -> None:
    parts = split(
        "QB3 GARDENS: ROSES How much do you like the following plants? "
        "How much do you like the following plants? QB3_2 - Roses Tulips;Daisies;Moss"
    )
    assert parts == {
        "label": "QB3 GARDENS: ROSES",
        "question": "How much do you like the following plants?",
        "subquestion": "Roses Tulips",
        "items": "Daisies; Moss",
    }


def test_a_label_in_capitals_ends_where_the_question_begins() -> None:
    parts = split("WIE GLUECKLICH? <SKALA> Alles in allem, wie glücklich sind Sie?")
    assert parts["label"] == "WIE GLUECKLICH? <SKALA>"
    assert parts["question"] == "Alles in allem, wie glücklich sind Sie?"


def test_the_study_title_is_what_all_variables_of_a_survey_begin_with() -> None:
    found = parts_of(catalogue("Garden Study 1999 ROSES Do you?", "Garden Study 1999 RAIN Is it?"))
    assert [found[id]["study"] for id in ("v0", "v1")] == ["Garden Study 1999"] * 2
    assert [label(found[id]) for id in ("v0", "v1")] == ["ROSES", "RAIN"]


def test_a_single_variable_and_equal_texts_have_no_title() -> None:
    assert parts_of(catalogue("Study ROSES"))["v0"]["study"] == ""
    assert parts_of(catalogue("Study", "Study"))["v1"]["study"] == ""


def test_fields_that_the_source_tells_apart_are_kept() -> None:
    fields = {"label": "Roses", "question": "Do you grow roses?", "answers": "yes; no", "topic": ""}
    given = Variable(id="v", survey="", text="Roses Do you grow roses?", raw="", fields=fields)
    parts = parts_of(Catalogue([given]))["v"]
    assert core(parts) == "Roses Do you grow roses?" and "topic" not in parts


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("QA9 NUCLEAR POWER", "NUCLEAR POWER"),
        ("ISSP 1987 (ZA1680, V87); ISSP 1992 (ZA2310, V102): Education", "Education"),
        ("Interesse S.I-C nan", "Interesse"),
        ("in 2004 we met", "in 2004 we met"),
    ],
)
def test_codes_are_no_words(text: str, kept: str) -> None:
    assert clean(text) == kept


@given(st.text(max_size=200))
def test_any_text_can_be_split_and_nothing_is_invented(text: str) -> None:
    for part in split(text).values():
        assert set(part) <= {*text, " ", ";"}


def test_stems_meet_across_endings_capitals_and_compounds() -> None:
    assert set(stems("Gewählte Parteien")) & set(stems("PARTEI GEWAEHLT"))
    assert set(stems("Zufriedenheit")) < set(stems("Arbeitszufriedenheit"))
    assert stems("the of und der") == ()
    assert [("Trust-levels"[a:b], s) for a, b, s in stems_with_places("Trust-levels")] == [
        ("Trust", ("trust",)),
        ("levels", ("level",)),
    ]


@given(st.text(max_size=80))
def test_places_of_stems_slice_words(text: str) -> None:
    for start, end, found in stems_with_places(text):
        assert 0 <= start < end <= len(text) and found
        assert not text[start:end].isspace()


def test_a_paper_has_each_sentence_once_and_grows_by_a_new_one() -> None:
    paper = Paper(["A.", "B.", "A."], "de")
    assert len(paper) == 2 and paper.place("B.") == 1 and paper != Paper(["A.", "B."], "de")
    assert paper.having("A.") is paper
    longer = paper.having("C.")
    assert longer.sentences == ("A.", "B.", "C.") and longer.lang == "de"
    assert paper.having("C.") is longer


def test_the_title_of_a_survey_without_columns_is_what_its_variables_begin_with() -> None:
    """Of such a catalogue no survey was found in a paper that names it."""
    texts = ("River Panel 2008 TRUST How much?", "River Panel 2008 AGE How old?")
    titles = Titles(Variable(id=str(n), survey="ZA1", text=t, raw=t) for n, t in enumerate(texts))
    titles.add([Variable(id="x", survey="ZA2", text="", raw="", fields={"study": "Lake Panel"})])
    titles.add([Variable(id="y", survey="ZA2", text="", raw="", fields={"label": "Age"})])
    assert titles.of("ZA1") == "River Panel 2008" and titles.of("ZA2") == "Lake Panel"
    assert titles.of("ZA3") == ""


def test_a_text_that_begins_with_a_title_is_told_apart() -> None:
    """`catalogue list` showed neither label nor question, and a search the title in place of the label."""
    texts = ("River Panel 2008 TRUST How much?", "River Panel 2008 AGE How old?")
    whole = [Variable(id=str(n), survey="ZA1", text=t, raw=t) for n, t in enumerate(texts)]
    trust, _ = map(Titles(whole).tell_apart, whole)
    assert trust.fields["study"] == "River Panel 2008" and trust.text == texts[0]
    assert (trust.fields["label"], trust.fields["question"]) == ("TRUST", "How much?")
    # What all questions begin with is no title, and what a source tells apart stays.
    asked = [
        replace(whole[0], text=f"How satisfied are you with your {x}?") for x in ("job", "pay")
    ]
    assert [Titles(asked).tell_apart(one) for one in asked] == asked
    told = replace(whole[0], fields={"label": "Trust"})
    assert Titles([told, *whole]).tell_apart(told) is told
