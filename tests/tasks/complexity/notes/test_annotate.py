"""Hard words in documents: what gets a note, why, and what the document's summary says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Document, UnknownNameError
from marginalia.reader.annotate import annotate as annotate_all
from marginalia.tasks.complexity.notes.annotate import (
    EXPRESSION_MARGIN,
    annotate,
    hard,
    step,
    summary,
)
from marginalia.tasks.complexity.notes.document import (
    BATCH_CHARACTERS,
    MAX_SENTENCE_CHARACTERS,
    Scored,
    pieces,
    scored,
    scored_in,
    together,
)
from marginalia.tasks.complexity.official.data import Target

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
        assert note.score is not None and 0.375 <= note.score <= 1
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
    with pytest.raises(UnknownNameError, match="Known: expert, general, learner"):
        summary(doc(ENGLISH), level="wizard")


def test_a_hard_expression_speaks_for_its_words() -> None:
    items = scored(ENGLISH, "en")
    pairs = [item for item in items if item.target.kind == "multi"]
    assert "mitochondrial homeostasis" in {item.target.token for item in pairs}
    kept = list(hard(items, 0.0))
    assert all(pair.score > EXPRESSION_MARGIN for pair in pairs), "so that all of them are hard"
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


def test_code_is_not_scored_and_a_table_is_read_cell_by_cell() -> None:
    text = "The cat sat.\n\nquantize perplexity hyperparameters\n\nmonth\tglacial\nmoraine\t3\n\nUse awk."
    spans = {"code": (14, 49), "table": (51, 74)}
    regions = [{"kind": kind, "start": low, "end": high} for kind, (low, high) in spans.items()]
    regions.append({"kind": "code", "inline": True, "start": 80, "end": 83})
    found = Document(id="x", text=text, meta={"lang": "en", "regions": regions})
    items = {item.target.token: item.target.sentence for item in scored_in(found)}
    assert items["glacial"] == "glacial" and items["moraine"] == "moraine"
    assert not items.keys() & {"glacial\nmoraine", "quantize", "perplexity", "awk"}
    assert "perplexity" not in summary(found)["hardest_sentence"]


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


def item_at(start: int, end: int, score: float, kind: str) -> Scored:
    return Scored(start, end, Target("", "", "x", kind), "NOUN", score)


@given(
    st.lists(
        st.builds(
            lambda start, size, score, kind: item_at(start, start + size, score / 4, kind),
            st.integers(0, 12),
            st.integers(1, 6),
            st.integers(0, 4),
            st.sampled_from(["words", "multi"]),
        )
    )
)
def test_whatever_overlaps_only_what_no_expression_speaks_for_is_hard(items: list[Scored]) -> None:
    items.sort(key=lambda item: (item.start, item.end))
    more = {"words": 0.0, "multi": EXPRESSION_MARGIN}
    chosen = [item for item in items if item.score >= 0.5 + more[item.target.kind]]
    expected = [
        item
        for item in chosen
        if not any(
            other is not item
            and other.target.kind == "multi"
            and other.start <= item.start
            and item.end <= other.end
            and other.score >= item.score
            for other in chosen
        )
    ]
    assert [id(item) for item in hard(items, 0.5)] == [id(item) for item in expected]


def test_text_without_full_stops_is_read_in_pieces() -> None:
    text = "kinase " * 700 + "x" * 7_000 + " homeostasis"
    spans = list(pieces(text, "en", ()))
    assert max(end - start for start, end in spans) <= MAX_SENTENCE_CHARACTERS
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == text.replace(
        " ", ""
    )
    items = scored(text, "en")
    assert max(len(item.target.sentence) for item in items) <= MAX_SENTENCE_CHARACTERS
    for item in items:
        assert text[item.start : item.end] == item.target.token


def test_what_is_scored_together_is_limited() -> None:
    spans = [(i * 1_000, i * 1_000 + 900) for i in range(100)] + [(100_000, 200_000)]
    found = list(together(spans))
    assert [span for part in found for span in part] == spans
    assert all(sum(end - start for start, end in part) <= BATCH_CHARACTERS for part in found[:-1])
