"""Hard words in documents: what gets a note, why, and what the document's summary says."""

from __future__ import annotations

import pytest

from marginalia import Document, UnknownNameError
from marginalia.reader.annotate import annotate as annotate_all
from marginalia.tasks.complexity.annotate import annotate, hard, scored, step, summary

ENGLISH = (
    "The boy went down to the river.\n\n"
    "Phosphorylation of the kinase perturbs mitochondrial homeostasis. The cell membrane was thin. "
    "She wore a mitochondrial badge."
)
GERMAN = "Das Haus ist alt. Die Regressionskoeffizienten der Epistemologie sind signifikant."


def doc(text: str, lang: str = "en") -> Document:
    return Document(id="x", text=text, meta={"lang": lang})


def test_hard_words_get_notes_with_step_and_reasons() -> None:
    notes = list(annotate(doc(ENGLISH)))
    quotes = {note.quote for note in notes}
    assert {"Phosphorylation", "kinase"} <= quotes
    assert not quotes & {"boy", "river", "went", "badge"}
    for note in notes:
        assert ENGLISH[note.start : note.end] == note.quote
        assert note.score is not None and 0.4 <= note.score <= 1
        assert note.system == "ensemble"
    first = notes[0]
    assert first.attrs["step"] in {"neutral", "difficult", "very difficult"}
    assert "rare: 1 in" in first.attrs["why"] and "syllables" in first.attrs["why"]


def test_a_repeated_word_is_scored_in_each_context() -> None:
    places = [item for item in scored(ENGLISH, "en") if item.target.token == "mitochondrial"]
    assert len(places) == 2
    assert places[0].score != places[1].score


def test_levels_of_readers_nest() -> None:
    spans = [
        {(note.start, note.end) for note in annotate(doc(ENGLISH), level=level)}
        for level in ("expert", "general", "learner")
    ]
    assert len(spans[0]) <= len(spans[1]) <= len(spans[2])
    with pytest.raises(UnknownNameError, match="Known: expert, general, learner"):
        list(annotate(doc(ENGLISH), level="wizard"))


def test_a_hard_expression_speaks_for_its_words() -> None:
    items = scored(ENGLISH, "en")
    pairs = [item for item in items if item.target.kind == "multi"]
    assert "mitochondrial homeostasis" in {item.target.token for item in pairs}
    kept = list(hard(items, 0.0))
    for pair in pairs:
        inside = [i for i in items if pair.start <= i.start and i.end <= pair.end and i is not pair]
        for item in inside:
            assert (item in kept) == (item.score > pair.score)


def test_the_document_has_a_summary() -> None:
    found = summary(doc(ENGLISH))
    assert found["words"] > 8
    assert 0 < found["hard_share"] < 1 and 0 < found["mean"] < 1
    assert found["hardest_sentence"].startswith("Phosphorylation")
    annotated = annotate_all(doc(ENGLISH), ["complexity"])
    assert annotated.meta["summary"]["complexity"] == found


def test_the_reader_passes_the_level_on() -> None:
    learner = annotate_all(doc(ENGLISH), ["complexity"], options={"level": "learner"})
    expert = annotate_all(doc(ENGLISH), ["complexity"], options={"level": "expert"})
    assert len(learner.annotations) > len(expert.annotations)
    shares = [d.meta["summary"]["complexity"]["hard_share"] for d in (learner, expert)]
    assert shares[0] > shares[1]
    with pytest.raises(UnknownNameError, match="no level 'wizard'"):
        annotate_all(doc(ENGLISH), ["complexity"], options={"level": "wizard"})
    with pytest.raises(UnknownNameError, match="option of these notes 'depth'"):
        annotate_all(doc(ENGLISH), ["complexity"], options={"depth": "3"})


def test_german_says_which_model_was_used() -> None:
    notes = list(annotate(doc(GERMAN, "de")))
    assert {"Regressionskoeffizienten", "Epistemologie"} <= {note.quote for note in notes}
    assert "Haus" not in {note.quote for note in notes}
    assert {note.system for note in notes} == {"german"}
    assert summary(doc(GERMAN, "de"))["model"].startswith("german")


@pytest.mark.parametrize("text", ["", "   \n\n ", "😀 😀.", "123 456.", "שלום עולם.", "a. b. c."])
def test_texts_without_words_have_no_notes(text: str) -> None:
    assert list(annotate(doc(text))) == []
    assert summary(doc(text)).get("hard_share", 0) == 0


def test_the_same_text_has_the_same_notes_whatever_stands_around_it() -> None:
    alone = [(n.quote, n.score) for n in annotate(doc("The kinase perturbs homeostasis."))]
    longer = "One two three.\n\nThe kinase perturbs homeostasis.\n\nIt rained all day."
    among = [(n.quote, n.score) for n in annotate(doc(longer))]
    assert alone and set(alone) <= set(among)


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (0, "very easy"),
        (0.25, "easy"),
        (0.5, "neutral"),
        (0.74, "difficult"),
        (1, "very difficult"),
    ],
)
def test_scores_have_names(score: float, name: str) -> None:
    assert step(score) == name
