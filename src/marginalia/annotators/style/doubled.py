"""A word written twice, which the eye passes over at the end of a line."""

from __future__ import annotations

from collections.abc import Iterator

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Edit, Issue


def check(draft: Draft) -> Iterator[Issue]:
    never, in_a_line = draft.listed("never_twice"), draft.listed("twice_in_a_line")
    for left, right in draft.pairs:
        low = left.text.lower()
        if right.text != low or low not in never or left.text.isupper():
            continue  # vitamin A a day; AT at
        if low in in_a_line and "\n" not in draft.text[left.end : right.start]:
            continue
        if draft.text[right.end : right.end + 1] in ".-":
            continue  # man man.7, und und-Verknüpfung
        edit = Edit(left.start, right.end, left.text)
        yield Issue(left.start, right.end, draft.say("written_twice", word=low), (edit,))
