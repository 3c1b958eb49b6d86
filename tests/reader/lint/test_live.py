"""A text that changes: what stays keeps its notes, what changed is read, and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from marginalia import Annotation, Document, get_annotator
from marginalia.reader.lint.live import LiveText, Seen
from marginalia.reader.lint.wanted import Wanted, choose_wanted

PATH = Path("draft.md")


def wanted(annotate: Callable[[Document], Iterator[Annotation]], *, whole: bool) -> Wanted:
    task = replace(get_annotator("words"), annotate=annotate, whole=whole, summary=None, options={})
    return replace(choose_wanted(PATH, select=["words"]), annotators=(task,), options={})


def note(doc: Document, match: re.Match[str], number: int, **fields: object) -> Annotation:
    values = {"id": f"w-{number}", "task": "words", "label": "hard word", **fields}
    return Annotation(start=match.start(), end=match.end(), quote=match.group(), **values)


def each(doc: Document) -> Iterator[Annotation]:
    for number, match in enumerate(re.finditer("red", doc.text), 1):
        yield note(doc, match, number, attrs={"word_start": match.start()})


def first_of_each(doc: Document) -> Iterator[Annotation]:
    """Needs the whole document: a word has one note, at its first use."""
    seen: set[str] = set()
    for number, match in enumerate(re.finditer(r"\b[a-z]*red\b", doc.text), 1):
        if match.group() not in seen:
            yield note(doc, match, number)
        seen.add(match.group())


def all_of_one(doc: Document) -> Iterator[Annotation]:
    """Each place points to the others."""
    found = list(re.finditer("red", doc.text))
    ids = [f"w-{number}" for number in range(1, len(found) + 1)]
    for number, match in enumerate(found if len(found) > 1 else [], 1):
        others = tuple(id for id in ids if id != f"w-{number}")
        yield note(doc, match, number, links={"same": others})


def lines(seen: Seen) -> list[tuple[int, int, str]]:
    return [(m.finding.line, m.finding.column, m.finding.quote) for m in seen.matters]


PARAGRAPHS = st.lists(
    st.sampled_from(
        ["a red box", "red red", "blue", "# red", "- red\n- blue", "`red` code", "```\nred\n```"]
    ),
    max_size=6,
)


@given(st.lists(PARAGRAPHS, min_size=2, max_size=4))
def test_notes_of_paragraphs_are_those_of_a_whole_reading(states: list[list[str]]) -> None:
    """For a task that reads each paragraph by itself, reading what changed is reading everything."""
    looked_for = wanted(each, whole=False)
    live = LiveText(PATH, looked_for)
    for state in states:
        source = "\n\n".join(state)
        seen, anew = live.change(source), LiveText(PATH, looked_for).read(source)
        assert lines(seen) == lines(anew)
        spans = [(n.start, n.end, n.attrs) for n in anew.doc.annotations]
        assert [(n.start, n.end, n.attrs) for n in seen.doc.annotations] == spans
        assert len({n.id for n in seen.doc.annotations}) == len(seen.doc.annotations)


def test_only_what_changed_is_read() -> None:
    read: list[str] = []

    def watched(doc: Document) -> Iterator[Annotation]:
        read.append(doc.text)
        return each(doc)

    live = LiveText(PATH, wanted(watched, whole=False))
    live.read("a red box\n\nblue\n\nred")
    read.clear()
    seen = live.change("new\n\na red box\n\nblue red\n\nred")
    assert read == ["new", "blue red"]
    assert seen.read_characters == len("new") + len("blue red")
    assert lines(seen) == [(3, 3, "red"), (5, 6, "red"), (7, 1, "red")]


def test_a_task_of_the_whole_says_nothing_that_it_did_not_say_before() -> None:
    live = LiveText(PATH, wanted(first_of_each, whole=True))
    assert lines(live.read("one red\n\nno red here")) == [(1, 5, "red")]
    changed = live.change("one red\n\nno red there, no bored one")
    assert lines(changed) == [(1, 5, "red"), (3, 18, "bored")], "its second use is still no news"
    again = live.change("one red\n\nno red there, no very bored one")
    assert (3, 23, "bored") in lines(again), "what was new stays while its paragraph changes"
    live.change("one\n\nno red there, no very bored one")
    undone = live.change("one red\n\nno red there, no very bored one")
    assert (1, 5, "red") in lines(undone), "what was undone is back"
    moved = live.change("one red pen\n\nno red there, no very bored one")
    assert (1, 5, "red") in lines(moved)


def test_a_note_goes_with_what_it_pointed_to() -> None:
    live = LiveText(PATH, wanted(all_of_one, whole=True))
    assert len(live.read("one red\n\ntwo\n\nthree red").doc.annotations) == 2
    assert live.change("one red\n\ntwo\n\nthree blue").doc.annotations == ()


def test_the_first_look_needs_no_notes_and_an_empty_text_has_none() -> None:
    live = LiveText(PATH, wanted(each, whole=False))
    assert live.check("a red box").doc.annotations == ()
    assert live.read("").matters == () == live.change(" \n").matters
    assert lines(live.change("red")) == [(1, 1, "red")]
