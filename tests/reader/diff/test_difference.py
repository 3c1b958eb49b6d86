"""What changed between two documents: in text, notes and numbers."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from marginalia import Annotation, Document
from marginalia.core.extraction import Across
from marginalia.core.registry import get_annotator
from marginalia.reader.diff.alignment import Alignment
from marginalia.reader.diff.difference import Difference, compare_versions
from marginalia.reader.diff.render import as_page, as_text

PATTERNS = {"quantity": r"\d+ mg", "hard word": r"\b\w*phobia\b"}


def doc(text: str, id: str = "d", **meta: object) -> Document:
    notes = [
        Annotation(
            id=f"{label}-{number}",
            task="measurements",
            label=label,
            start=match.start(),
            end=match.end(),
            quote=match.group(),
            attrs={"value": match.group().split()[0], "why": "why", "value_start": match.start()},
        )
        for label, pattern in PATTERNS.items()
        for number, match in enumerate(re.finditer(pattern, text))
    ]
    return Document(id=id, text=text, meta={"lang": "en", **meta}).annotate(notes)


def told(old: str, new: str) -> list[tuple[str, str | None, str | None]]:
    found = compare_versions(doc(old), doc(new))
    return [
        (one.kind, one.old and one.old.quote, one.new and one.new.quote) for one in found.changes
    ]


def test_a_value_that_changed_a_word_that_is_new_and_a_note_that_is_gone() -> None:
    old = "We gave 5 mg of the drug to all.\n\nThe rest got 20 mg in the end.\n\nSame 7 mg."
    new = "We gave 8 mg of the drug to all.\n\nThe rest got nothing in the end.\n\nSame 7 mg.\n\nNo phobia."
    assert told(old, new) == [
        ("changed", "5 mg", "8 mg"),
        ("gone", "20 mg", None),
        ("new", None, "phobia"),
    ]
    found = compare_versions(doc(old), doc(new))
    assert found.changes[0].values == {"value": ("5", "8")}
    assert found.paragraphs == {"same": 1, "changed": 2, "new": 1, "gone": 0}
    numbers = {one.name: (one.old, one.new) for one in found.numbers}
    assert numbers["measurements: quantity"] == (3, 2)


def test_what_only_moved_or_was_wrapped_anew_is_the_same() -> None:
    assert told("One 5 mg dose.\n\nTwo words.", "Two words.\n\nOne 5 mg dose.") == []
    assert told("One 5 mg dose and more.", "One 5 mg\ndose and more.") == []


PARAGRAPHS = st.lists(
    st.sampled_from(["A dose of 5 mg for all", "A dose of 7 mg for all", "Claustrophobia", "x"]),
    max_size=5,
)


@given(PARAGRAPHS, PARAGRAPHS)
def test_every_note_of_both_is_accounted_for(left: list[str], right: list[str]) -> None:
    old, new = doc("\n\n".join(left)), doc("\n\n".join(right))
    found = compare_versions(old, new)
    olds = [one.old.id for one in found.changes if one.old]
    news = [one.new.id for one in found.changes if one.new]
    assert len(set(olds)) == len(olds) and len(set(news)) == len(news)
    assert len(old.annotations) - len(olds) == len(new.annotations) - len(news)
    rows = [(row.old, row.new) for row in found.rows]
    assert [a.start for a, _ in rows if a] == sorted(a.start for a, _ in rows if a)
    assert [b.start for _, b in rows if b] == sorted(b.start for _, b in rows if b)
    assert compare_versions(old, old).changes == ()


def test_places_of_the_old_text_are_found_in_the_new() -> None:
    old, new = doc("one two three four"), doc("zero one 2 three four")
    alignment = Alignment(old, new)
    assert alignment.find(0, 3) == (5, 8)
    assert alignment.find(4, 7) == (9, 10), "a word that was replaced is where its replacement is"
    assert alignment.find(8, 13) == (11, 16)


def difference() -> Difference:
    old, new = (
        doc("Take 5 mg <b>now</b> or later."),
        doc("Take 6 mg <b>now</b> or later.", path="b"),
    )

    def across(one: Document, other: Document, *, progress: object = None) -> list[Across]:
        ends = {"old_end": len(one.text), "new_end": len(other.text)}
        return [Across(kind="contradiction", old_start=0, new_start=0, why="5 against 6", **ends)]

    task = replace(get_annotator("consistency"), across=across)
    return compare_versions(old, new, [task])


def test_for_the_terminal_and_as_data() -> None:
    text = as_text(difference())
    assert "measurements: quantity\n  changed 5 mg → 6 mg" in text
    assert "contradicted\n  - Take 5 mg <b>now</b> or later.\n  + Take 6 mg" in text
    data = difference().to_dict()
    assert data["changes"][0]["values"] == {"value": ["5", "6"]}
    assert data["across"][0]["new"].startswith("Take 6 mg")


def test_the_page_shows_both_sides_and_runs_nothing_of_theirs() -> None:
    page = as_page(difference())
    assert "<del>5</del>" in page and "<ins>6</ins>" in page
    assert "<b>now</b>" not in page and "&lt;b&gt;now" not in "".join(re.findall("<b>", page))
    assert "default-src 'none'" in page
