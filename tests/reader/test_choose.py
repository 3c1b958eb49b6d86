"""The most useful notes first."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from marginalia import Annotation, Document
from marginalia.reader.choose import MIN_NOTES, choose_notes, ranked


def note(number: int, task: str, score: float | None, **attrs: object) -> Annotation:
    return Annotation(
        id=f"{task}-{number}",
        task=task,
        label="x",
        start=number,
        end=number + 1,
        quote=TEXT[number],
        score=score,
        attrs=attrs,
    )


TEXT = "".join(chr(0x4E00 + n % 997) if n % 5 else " " for n in range(1_000))
"""200 words in which no letter comes twice, but those of the last places."""


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 1)), max_size=200))
def test_at_most_eight_in_a_hundred_words(kinds: list[tuple[str, float]]) -> None:
    notes = [note(place, task, score) for place, (task, score) in enumerate(kinds)]
    doc = Document(id="d", text=TEXT).annotate(notes)
    chosen = choose_notes(doc)
    assert len(chosen.annotations) == min(len(notes), 16)  # of 200 words
    assert sum(chosen.meta["left_out"].values()) == len(notes) - len(chosen.annotations)
    assert all(n in doc.annotations for n in chosen.annotations)


def test_what_readers_ask_for_most_comes_first_whoever_wrote_it() -> None:
    notes = [note(5 * n + 1, "many", n / 100) for n in range(1, 91)]
    notes += [note(5 * n + 502, "few", n / 10) for n in range(1, 11)]
    notes += [note(998, "sure", None)]
    chosen = choose_notes(Document(id="d", text=TEXT).annotate(notes))
    assert sorted(n.score for n in chosen.notes("few")) == [0.8, 0.9, 1.0]
    assert min(n.score for n in chosen.notes("many")) == 0.79
    assert len(list(chosen.notes("sure"))) == 1


def test_a_repetition_waits() -> None:
    first, again, other = note(1, "a", 0.9), note(998, "a", 0.95), note(3, "a", 0.1)
    assert first.quote == again.quote
    assert [n.start for n in ranked([first, again, other])] == [1, 3, 998]


def test_parts_go_with_what_they_are_part_of() -> None:
    notes = [note(n, "m", 1 - n / 1000) for n in range(40)]
    parts = [note(200 + n, "m", None, part_of=[f"m-{n}"]) for n in range(40)]
    chosen = choose_notes(Document(id="d", text=TEXT).annotate(notes + parts))
    heads = [n for n in chosen.annotations if not n.attrs]
    assert len(heads) == 16 and len(chosen.annotations) == 32
    assert chosen.meta["left_out"] == {"m": 24}


def test_a_short_text_may_have_a_few() -> None:
    doc = Document(id="d", text="a b c d e f g h i j k l").annotate(
        Annotation(id=f"n-{n}", task="t", label="l", start=0, end=1, quote="a") for n in range(20)
    )
    assert len(choose_notes(doc).annotations) == MIN_NOTES


def test_usefulness_goes_before_score() -> None:
    notes = [
        note(1, "a", 0.9, usefulness=0.1),
        note(6, "a", None, usefulness=0.8),
        note(11, "a", 0.5),
    ]
    assert [one.start for one in ranked(notes)] == [6, 11, 1]


def test_what_only_repeats_the_text_is_left_out() -> None:
    empty, says = note(1, "a", 0.9, why=f" {TEXT[1]}"), note(6, "a", 0.1, why="about it")
    chosen = choose_notes(Document(id="d", text=TEXT).annotate([empty, says]))
    assert [n.id for n in chosen.annotations] == ["a-6"]
    assert chosen.meta["left_out"] == {"a": 1}
    assert [n.id for n in ranked([empty, says])] == ["a-6", "a-1"]


def test_words_that_two_annotators_explain_have_one_note() -> None:
    def explained(task: str, meaning: str, score: float | None) -> Annotation:
        span = {"start": 0, "end": 3, "quote": "ICU"}
        return Annotation(
            id=task, task=task, label="x", **span, score=score, attrs={"meaning": meaning}
        )

    short = explained("terms", "Intensive Care Unit", None)
    long = explained("words", "intensive care unit: part of a hospital", 0.3)
    assert [one.id for one in ranked([short, long])] == ["words"], "it says all that the other says"
    other = explained("words", "a kind of club", 0.3)
    assert [one.id for one in ranked([other, short])] == ["terms"], "else the better one"
    decided = replace(other, attrs={**other.attrs, "decision": "accepted"})
    assert len(ranked([decided, short])) == 2, "what was decided stays"
