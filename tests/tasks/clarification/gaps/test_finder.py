"""Places that say too little: each phenomenon, its look-alikes, limits, and the sentences of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia import Document, UnknownNameError
from marginalia.tasks.clarification.gaps import places as module
from marginalia.tasks.clarification.gaps.finder import find, instructive, places
from marginalia.tasks.clarification.gaps.lexicon import (
    base_form,
    is_noun,
    needs_object,
    noun,
    plural,
    singular,
)
from marginalia.tasks.clarification.gaps.places import Place, read_guide
from marginalia.tasks.clarification.official.data import GAP, PHENOMENA

HERE = Path(__file__).parent


def doc(text: str, **meta: object) -> Document:
    return Document(id="x", text=text, meta={"lang": "en", **meta})


def found(text: str, **options) -> dict[str, str]:
    """Quote -> phenomenon of all likely places."""
    options = {"per_100_words": None, **options}
    return {place.quote: place.phenomenon for place in find(doc(text), **options)}


@pytest.mark.parametrize(
    ("text", "quote", "cloze"),
    [
        ("Hold for ten seconds.", "Hold", "Hold ______ for ten seconds."),
        ("Wipe dry with a cloth.", "Wipe", "Wipe ______ dry with a cloth."),
        ("Cover the pot and let rest.", "let", "Cover the pot and let ______ rest."),
        ("Do not wring; lay it flat.", "wring", "Do not wring ______; lay it flat."),
        ("After washing with soap, dry it.", "washing", "After washing ______ with soap, dry it."),
        ("You should tighten only by hand.", "tighten", "You should tighten ______ only by hand."),
        ("Turn off before the cake burns.", "Turn off", "Turn off ______ before the cake burns."),
        ("Cut the sides so it lies flat.", "sides", "Cut the sides of ______ so it lies flat."),
        ("Peel the carrots and chop.", "chop", "Peel the carrots and chop ______."),
    ],
)
def test_a_verb_whose_object_is_missing(text: str, quote: str, cloze: str) -> None:
    [place] = [place for place in find(doc(text), per_100_words=None) if place.quote == quote]
    assert place.phenomenon == "implicit reference"
    assert place.cloze(read_guide(doc(text)).sentences[0]) == cloze
    assert text[place.start : place.end] == quote


@pytest.mark.parametrize(
    "text",
    [
        "Hold the rope for ten seconds.",
        "Wash and dry the jars.",
        "Rinse, peel and chop the carrots.",
        "Turn off the light before you go.",
        "Wait for the bus and get off at the last stop.",
        "Walk slowly and breathe deeply.",
        "Press on the wall with both hands.",
        "Use the cloth you want to wash.",
        "The bread is easy to slice.",
        "Some want to add more.",
        'Click "Save" and go back.',
        "Add about 4 tablespoons of oil.",
        "The rope was pulled and cut.",
        "The glue should hold for a year.",
        "Decide whether to paint it.",
        "Dispose of the gloves.",
        "Sew",
    ],
)
def test_no_object_is_missing(text: str) -> None:
    assert "implicit reference" not in found(text).values()


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("You may well alter these.", "these"),
        ("Use the long for the base.", "long"),
        ("Boil it for 15 minutes on medium.", "medium"),
        ("Beat three and add the sugar.", "three"),
        ("Take the smallest and dip it in.", "smallest"),
        ("Both will hold for a year.", "Both"),
        ("This will take an hour.", "This"),
        ("Fill another and close the lid.", "another"),
    ],
)
def test_a_determiner_without_its_noun(text: str, quote: str) -> None:
    assert found(text).get(quote) == "fused head"


@pytest.mark.parametrize(
    "text",
    [
        "Change these plans.",
        "Use the long screws for the base.",
        "Use a large, fluffy brush.",
        "Connect the red and blue wires.",
        "It is a little fresh.",
        "Turn the box to the right.",
        "Fry it until golden.",
        "Cut it in two.",
        "Each sheet stands on its own and dries.",
        "Do it like this.",
        "It's too warm to be outside.",
    ],
)
def test_no_noun_is_missing(text: str) -> None:
    assert "fused head" not in found(text).values()


def test_a_noun_of_which_the_text_named_two_kinds() -> None:
    named = "The panel has a power button and a reset button. "
    assert found(named + "Press the button.")["button"] == "noun compound"
    assert "button" not in found(named + "Press the reset button.")


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Measure the window before you buy cloth.", "window"),
        ("Adjust the chair until your feet rest on the floor.", "chair"),
        ("Park the van at your aunt's and walk.", "aunt's"),
    ],
)
def test_a_noun_that_stands_for_a_part_or_aspect(text: str, quote: str) -> None:
    assert found(text).get(quote) == "metonymy"


@pytest.mark.parametrize(
    "text",
    [
        "Measure the width of the window.",
        "Check the temperature.",
        "Lower your left leg.",
        "Park the van at your aunt's house.",
        "The dog's sleeping.",
    ],
)
def test_no_part_or_aspect_is_missing(text: str) -> None:
    assert "metonymy" not in found(text).values()


def test_the_likeliest_problems_come_first_and_are_few() -> None:
    text = "Fold it. " * 60 + "Hold for a while. Measure the wall. This will help. " * 3
    some = find(doc(text))
    words = read_guide(doc(text)).size
    assert 0 < len(some) <= max(1, words * 3 / 100)
    assert [place.score for place in some] == sorted((p.score for p in some), reverse=True)
    every = find(doc(text), per_100_words=None, threshold=0)
    assert len(every) > len(some) and set(some) <= set(every)
    assert len(find(doc("Hold for a while. Press."))) == 1, "a short text has one place at most"
    assert find(doc(text), per_100_words=0) == []


def test_one_phenomenon() -> None:
    text = "Hold for a while. Measure the wall."
    assert set(found(text, phenomena=["metonymy"]).values()) == {"metonymy"}
    with pytest.raises(UnknownNameError, match="no phenomenon 'irony'"):
        find(doc(text), phenomena=["irony"])


def test_headings_code_and_tables_are_not_read() -> None:
    text = "Hold\n\nHold for a while.\n\nstir --until done\n\nStir\tPress\n\nGo on."
    spans = {"heading": (0, 4), "code": (25, 42), "table": (44, 54)}
    regions = [{"kind": kind, "start": a, "end": b} for kind, (a, b) in spans.items()]
    guide = read_guide(doc(text, regions=regions))
    assert [s.text for s in guide.sentences] == ["Hold for a while.", "Go on."]
    assert {s.header for s in guide.sentences} == {"Hold"}
    assert all(text[s.start :].startswith(s.text) for s in guide.sentences)


def test_code_within_a_line_gets_no_place() -> None:
    text = "Type stir for a moment. Stir for a moment."
    inline = {"kind": "code", "inline": True, "start": 24, "end": 28}
    assert [p.start for p in find(doc(text), per_100_words=None) if p.quote == "Stir"] == [24]
    places = find(doc(text, regions=[inline]), per_100_words=None)
    assert "Stir" not in [place.quote for place in places]


def test_items_of_a_list_are_sentences_of_their_own() -> None:
    guide = read_guide(doc("1. Cut the rope\n2. Fold in half\n- Press for a second"))
    assert [s.text for s in guide.sentences] == [
        "Cut the rope",
        "Fold in half",
        "Press for a second",
    ]
    assert all(s.listed for s in guide.sentences)


def test_a_place_becomes_an_item_of_the_task() -> None:
    text = "Lift your leg. Hold for ten seconds. Then rest."
    [place] = find(doc(text, title="How to Stretch"))
    item = place.item(read_guide(doc(text, title="How to Stretch")), "the pose", ("your leg",))
    assert item.filled == "Hold the pose for ten seconds."
    assert (item.pattern, item.title) == ("IMPLICIT REFERENCE", "How to Stretch")
    assert (item.previous, item.followup) == ("Lift your leg.", "Then rest.")


@pytest.mark.parametrize(
    "text",
    [
        "", "  \n\n ", "😀 😀.", "123 456.", "שלום עולם.", "<br/><p>", "a. b. c.", "x" * 7_000,
        "hold " * 900, "and chop " * 700, "very " * 600 + "hold", "fold, " * 900, "the sides the sides " * 300,
        "'s 's 's", "______ ______", "Hold\u0301 it\u00ad.",
    ],
)  # fmt: skip
def test_odd_texts_do_no_harm(text: str) -> None:
    for place in find(doc(text), per_100_words=None, threshold=0):
        assert text[place.start : place.end] == place.quote


WORDS = st.sampled_from(
    "hold the and cut , . this these for , red two let your your aunt's of window measure then to not \n do you".split(
        " "
    )
)


@settings(max_examples=40)
@given(st.lists(WORDS, max_size=30))
def test_places_slice_back_and_their_clozes_have_one_gap(words: list[str]) -> None:
    text = " ".join(words)
    guide = read_guide(doc(text))
    for place in places(guide):
        own = guide.sentences[place.number]
        assert text[place.start : place.end] == place.quote
        assert place.cloze(own).count(GAP) == 1
        assert 0 < place.score <= 1


def test_guides_are_told_from_other_texts() -> None:
    guide = "Cut the rope. Fold it. The ends should meet. If they do not, pull."
    assert instructive(read_guide(doc(guide))) == {0, 1, 2, 3}
    report = "The rope was cut. It was folded in half. The ends met. We were pleased. So were they."
    assert instructive(read_guide(doc(report))) == frozenset()
    assert instructive(read_guide(doc("The rope is long. Cut it.", title="How to Cut"))) == {0, 1}
    text = f"Theory\n\n{report * 3}\n\nProcedure\n\n{guide}"
    at = text.index("Procedure")
    regions = [
        {"kind": "heading", "start": 0, "end": 6},
        {"kind": "heading", "start": at, "end": at + 9},
    ]
    read = read_guide(doc(text, regions=regions))
    assert {read.sentences[i].header for i in instructive(read)} == {"Procedure"}


def test_the_lexicon_knows_verbs_and_nouns() -> None:
    assert needs_object("rinse") > 0.8 > needs_object("walk")
    assert needs_object("download") > 0.8 > needs_object("xyzzy") == 0
    assert [base_form(w) for w in ("rinsing", "Cut", "tied", "stopped")] == [
        "rinse",
        "cut",
        "tie",
        "stop",
    ]
    assert [singular(w) for w in ("teeth", "boxes", "cherries", "glass")] == [
        "tooth",
        "box",
        "cherry",
        "glass",
    ]
    assert [plural(w) for w in ("tooth", "box", "cherry", "key")] == [
        "teeth",
        "boxes",
        "cherries",
        "keys",
    ]
    assert noun("chair").parts and noun("account").heads > 20 and noun("tooth").field == "body"
    assert is_noun("tank") and not is_noun("xyzzy")


def test_the_sentences_of_our_own_are_found_as_the_research_page_says() -> None:
    rows = [json.loads(line) for line in (HERE / "gaps.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 100 and sum(row["pattern"] is None for row in rows) == 50
    assert {row["pattern"] for row in rows} == {None, *PHENOMENA}
    for part, known in (("tuned", (21, 2)), ("held-out", (20, 2))):
        gaps = [row for row in rows if row["part"] == part and row["pattern"]]
        others = [row for row in rows if row["part"] == part and not row["pattern"]]
        assert len(gaps) == len(others) == 25
        right = sum(
            any(p.pattern == row["pattern"] and row["on"] in p.quote for p in places_in(row))
            for row in gaps
        )
        assert (right, sum(bool(places_in(row)) for row in others)) == known
        assert sum(bool(places_in(row)) for row in gaps) == right


def places_in(row: dict[str, str]) -> list[Place]:
    """What is found in the sentence, not in the one before it."""
    whole = doc(f"{row['before']} {row['sentence']}")
    at = len(row["before"]) + 1
    return [place for place in find(whole, per_100_words=None) if place.start >= at]


def test_blank_lines_cost_no_more_than_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark is sought in each line by itself; sought over blank lines, 200,000 of them took more than five minutes."""
    real, looked = module._MARK, []

    class Counting:
        def match(self, text: str, start: int, end: int) -> object:
            looked.append(end - start)
            return real.match(text, start, end)

    monkeypatch.setattr(module, "_MARK", Counting())
    text = "Fold the sheet." + "\n" * 5_000 + "1. Cut it." + "\n \n" * 2_000 + "- Press it."
    guide = read_guide(doc(text))
    assert [sentence.text for sentence in guide.sentences] == [
        "Fold the sheet.",
        "Cut it.",
        "Press it.",
    ]
    assert sum(looked) <= 2 * len(text)
