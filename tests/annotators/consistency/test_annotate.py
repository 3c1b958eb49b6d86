"""Repetitions and contradictions in a document: what gets a note, what it points to, and what gets none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from marginalia import Document
from marginalia.annotators.consistency.annotate import annotate, worth
from marginalia.annotators.consistency.claims.compare import contradiction
from marginalia.reader.annotate import annotate as annotate_all
from marginalia.reader.choose import ranked
from tests.annotators.consistency.test_copies import LONG
from tests.tasks.similarity.report import document


@pytest.fixture(scope="module")
def noted() -> Document:
    return annotate_all(document(), ["consistency"])


def test_notes_point_to_each_other(noted: Document) -> None:
    notes = {note.id: note for note in noted.annotations}
    assert notes
    for note in notes.values():
        [(role, ids)] = note.links.items()
        assert role == {"repetition": "same-as", "contradiction": "contradicts"}[note.label]
        for id in ids:
            assert note.id in notes[id].links[role]


def test_a_number_that_another_sentence_contradicts(noted: Document) -> None:
    twelve, fifteen = (
        note for note in noted.annotations if note.label == "contradiction" and "%" in note.quote
    )
    assert (twelve.quote, fifteen.quote) == ("12 %", "15 %")
    assert twelve.attrs["why"].startswith("gives 12 % where §3 gives 15 %")
    assert fifteen.attrs["why"].startswith("gives 15 % where §1 gives 12 %")
    other = noted.text[twelve.attrs["other_start"] : twelve.attrs["other_end"]]
    assert other.startswith("Within three days")


def test_what_another_sentence_denies(noted: Document) -> None:
    whys = [note.attrs["why"] for note in noted.annotations if note.label == "contradiction"]
    assert any(why.startswith("denies what §3 says: “Films that were") for why in whys)
    assert any(why.startswith("says what §1 denies") for why in whys)


def test_a_repetition_says_where_the_other_one_is() -> None:
    text = f"{LONG} Nobody asked.\n\nThe paper was dear in those years.\n\nSo it went on. {LONG}"
    doc = Document(id="mill", text=text, meta={"lang": "en"})
    same = list(annotate(doc))
    assert [n.attrs["similarity"] for n in same] == [5, 5]
    assert same[0].attrs["why"].startswith("says the same as sentence 5: “In the spring")


def test_contradictions_are_shown_before_repetitions(noted: Document) -> None:
    repetition = replace(noted.annotations[0], id="again", label="repetition", links={}, score=0.5)
    labels = [note.label for note in ranked([repetition, *noted.annotations])]
    assert {*labels} == {"contradiction", "repetition"}
    assert labels == sorted(labels)  # c before r
    assert worth("contradicts", 0.1) > worth("same-as", 5.0)
    assert worth("contradicts", 5.0) == 1 and worth("same-as", 0.0) == 0
    assert all(0 <= note.attrs["similarity"] <= 5 for note in noted.annotations)


def test_other_groups_captions_and_references_get_no_note(noted: Document) -> None:
    for note in noted.annotations:
        start = noted.text.rfind("\n", 0, note.start) + 1
        assert not noted.text.startswith(("Group", "Figure", "Ames"), start)


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("In total 1,250 households were asked.", "1,205 households were asked in total.", "number"),
        ("Of these films 42 broke at the clamp.", "Of these films 40 broke at the clamp.", "number"),
        ("The survey of all schools began in May 2018.", "The survey of all schools began in May 2019.", "date"),
        ("The effect on sleep was significant.", "The effect on sleep was not significant.", "negation"),
        ("Die Quote der Schulen lag bei 12 Prozent.", "Die Quote der Schulen lag bei 15 Prozent.", "number"),
    ],
)  # fmt: skip
def test_what_contradicts(left: str, right: str, kind: str) -> None:
    found, turned = contradiction(left, right), contradiction(right, left)
    assert found is not None and found.kind == kind
    assert turned == found.turned()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Sample A weighed 12 g after the drying.", "Sample B weighed 15 g after the drying."),
        ("The share of smokers in Berlin was 12 %.", "The share of smokers in Hamburg was 15 %."),
        ("The share of men who smoke was 12 %.", "The share of women who smoke was 15 %."),
        ("In 2018 the share of smokers was 12 %.", "In 2019 the share of smokers was 15 %."),
        ("In 2018 the share of smokers in towns rose.", "In 2019 the share of smokers in towns rose."),
        ("After 3 days the films were weighed again.", "After 5 days the films were weighed again."),
        ("The first film broke at the clamp.", "The second film broke at the clamp."),
        ("Table 3 shows the mean of all the films.", "Table 4 shows the mean of all the films."),
        ("The strength of dry films was 68 MPa.", "The strength of films was 45 MPa."),
        ("Stocks in Tokyo closed 0.54 % higher.", "Stocks in Tokyo closed 0.5 % higher."),
        ("Die Quote der Schulen lag bei 12,4 %.", "Die Quote der Schulen lag bei 12 %."),
        ("Of these films 42 broke at the clamp.", "Of these films about 40 broke at the clamp."),
        ("We asked 1,249 of the older households.", "We asked 1,200 of the older households."),
        ("Report A5-0323 of the second committee.", "Report A5-0241 of the second committee."),
        ("The committee discussed question No 6 again.", "The committee discussed question 6 again."),
        ("It took 5 days.", "It took 6 days."),
        ("Two films of 12 broke at the clamp.", "Two of the 12 films broke at the clamp."),
        ("The hens are laying again.", "The parliament rejected 12 budgets."),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_contradiction(left: str, right: str) -> None:
    assert contradiction(left, right) is None


def test_neighbours_contrast_rather_than_contradict() -> None:
    sentences = ("The water content of films was 12 %.", "The water content of films was 15 %.")
    assert not list(annotate(Document(id="x", text=" ".join(sentences))))


@pytest.mark.parametrize("text", ["", "One.", "A sentence that stands alone in its text."])
def test_short_texts_have_no_notes(text: str) -> None:
    assert list(annotate(Document(id="x", text=text))) == []


def test_a_translation_is_no_repetition() -> None:
    both = "How often do you talk about politics? Wie oft sprechen Sie über Politik? "
    other = (
        "Nach dem Regen wurden alle Proben aus dem Garten zwei Stunden lang an der Luft getrocknet und "
        "danach in Gläser gefüllt."
    )
    text = f"{both}{other} Der Bundestag hat das Gesetz verabschiedet."
    assert not list(annotate(Document(id="x", text=text)))
    [first, second] = annotate(Document(id="x", text=f"{text} {other}"))
    assert first.quote == second.quote == other


def test_annotating_twice_is_annotating_once(noted: Document) -> None:
    assert annotate_all(noted, ["consistency"]) == noted


def test_a_duty_that_is_denied_is_shown_with_its_denial() -> None:
    text = (
        "Vor jeder Messung muss die Probe im Ofen getrocknet werden. Danach wird gewogen.\n\n"
        "Das Gerät steht im Keller.\n\n"
        "Niemand weiß es. Vor jeder Messung muss die Probe nicht im Ofen getrocknet werden."
    )
    whys = [
        note.attrs["why"]
        for note in annotate(Document(id="text", text=text, meta={"lang": "de"}))
        if note.label == "contradiction"
    ]
    assert any(why.startswith("says “muss” where") for why in whys)
    assert any("says “muss die Probe nicht” where" in why for why in whys)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "Changes made since 3.23.0 are listed below.",
            "Changes made since 3.24.0 are listed below.",
        ),
        ("3. Size of the packed file in bytes.", "11. Size of the packed file in bytes."),
    ],
)
def test_versions_and_numbers_of_items_contradict_nothing(left: str, right: str) -> None:
    assert contradiction(left, right) is None
