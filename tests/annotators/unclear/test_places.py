"""Places of a document: what is read, what is marked, what notes say."""

from __future__ import annotations

import numpy as np
import pytest

from marginalia import Document, UnknownNameError, find_unclear
from marginalia.annotators.unclear.annotate import annotate
from marginalia.annotators.unclear.annotator import ANNOTATOR
from marginalia.annotators.unclear.kinds import KINDS, questions, word_question
from marginalia.annotators.unclear.places import MAX_WINDOW_WORDS, windows
from marginalia.annotators.unclear.tagger import MIN_TOKEN, Found, Read, find_places
from tests.annotators.unclear.listed import Listed, tagger

__all__ = ["tagger"]

TEXT = "Sieve some flour into a warm bowl.\n\nLeave the dough overnight. Add seeds, raisins etc.\n"


def doc(text: str, **meta: object) -> Document:
    return Document(id="bread", text=text, meta={"lang": "en", **meta})


def tokens(text: str, scores: dict[str, float], begins: tuple[str, ...] = ()) -> Read:
    """What the network would say of the words of a text, each a token."""
    spans, at = [(0, 0)], 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        spans.append((start, at))
    spans.append((0, 0))
    words = [text[a:b] for a, b in spans]
    places = np.array([[scores.get(w, 0), float(w in begins)] for w in words])
    kinds, asked = (np.zeros((len(words), n)) for n in (len(KINDS), len(questions())))
    kinds[:, list(KINDS).index("amount")] = 1
    asked[:, questions().index("long")] = 0.6
    return Read(np.array(spans), places.astype(np.float32), kinds, asked)


def test_runs_of_high_scores_are_places() -> None:
    text = "Bake it for some time and cool well."
    [found] = find_places(text, tokens(text, {"some": 0.8, "time": 0.7, "cool": MIN_TOKEN / 2}))
    assert text[found.start : found.end] == "some time"
    assert (found.kind, found.question, found.score) == ("amount", "long", pytest.approx(0.8))
    assert list(find_places(text, tokens(text, {}))) == []


def test_a_token_that_begins_a_place_ends_the_one_before() -> None:
    text = "Take some salt several times."
    scores = dict.fromkeys(("some", "salt", "several", "times."), 0.9)
    found = find_places(text, tokens(text, scores, ("several",)))
    assert [text[one.start : one.end] for one in found] == ["some salt", "several times."]


def test_places_are_whole_words() -> None:
    text = "Wait briefly."
    read = tokens(text, {"briefly.": 0.9})
    read.offsets[2] = (7, 9)  # a piece of the word
    [found] = find_places(text, read)
    assert text[found.start : found.end] == "briefly"


def test_probabilities_rise_with_the_score() -> None:
    found = [Found(0, 1, "amount", None, score).probability for score in (0.2, 0.5, 0.9)]
    assert found == sorted(found) and 0 < found[0] < found[-1] < 1


def test_questions_have_words() -> None:
    assert word_question("amount", "many", "a  few") == "“a few”: how many?"
    long = "higher among people with a university degree"
    assert (
        word_question("comparison", None, long)
        == "“higher among … university degree”: compared with what?"
    )
    assert word_question("reference", None, "it") == "What does “it” refer to?"
    assert all("{" not in word_question(kind, None, "x") for kind in KINDS)
    assert all("{" not in word_question("other", name, "x") for name in questions())


def test_places_lead_back_to_the_text(tagger: Listed) -> None:
    found = find_unclear(doc(TEXT))
    assert [place.quote for place in found] == ["some flour", "overnight", "etc."]
    assert all(TEXT[place.start : place.end] == place.quote for place in found)
    assert found[0].question == "“some flour”: how much?" and found[0].document == "bread"
    assert tuple(found[0].to_dict()) == found.columns
    assert [one.kind for one in find_unclear(doc(TEXT), kinds=["open list"])] == ["open list"]
    every = find_unclear(doc(TEXT), min_probability=0)
    assert "warm" in [place.quote for place in every]
    with pytest.raises(UnknownNameError, match="no kind of unclear place 'irony'"):
        find_unclear(doc(TEXT), kinds=["irony"])


def test_notes(tagger: Listed) -> None:
    notes = list(annotate(doc(TEXT)))
    assert [note.label for note in notes] == ["amount", "amount", "open list"]
    assert {note.label for note in notes} <= ANNOTATOR.kinds.keys()
    assert notes[0].attrs["why"] == "“some flour”: how much?" and notes[0].score > 0.5


def test_code_tables_and_headings_have_none(tagger: Listed) -> None:
    start = TEXT.index("Leave")
    for kind in ("code", "table", "references", "heading"):
        regions = [{"kind": kind, "start": start, "end": len(TEXT)}]
        assert [p.quote for p in find_unclear(doc(TEXT, regions=regions))] == ["some flour"]


def test_short_paragraphs_are_read_together(tagger: Listed) -> None:
    steps = "Knead the dough for ten minutes.\n\nLeave it in the bowl.\n\nBake it for an hour."
    assert list(windows(doc(steps))) == [(0, len(steps))]
    long = "\n\n".join(["word " * (MAX_WINDOW_WORDS - 10)] * 2).strip()
    assert len(list(windows(doc(long)))) == 2
    regions = [{"kind": "code", "start": steps.index("Leave"), "end": steps.index("Bake") - 2}]
    assert len(list(windows(doc(steps, regions=regions)))) == 2  # nothing is read over code


def test_nothing_to_read(tagger: Listed) -> None:
    assert not find_unclear(doc("")) and not find_unclear(doc("\n\n"))
    assert tagger.read == []


def test_the_shipped_network_asks_how_long_a_while_is() -> None:
    text = "Mix some rye flour and water in a bowl. Leave it in a warm place for a while. Bake it until done."
    found = find_unclear(doc(text))
    [place] = [place for place in found if "for a while" in place.quote]
    assert place.kind == "amount" and "how long" in place.question
    assert not find_unclear(doc("The committee met on 3 May 2019 in Oslo."))
