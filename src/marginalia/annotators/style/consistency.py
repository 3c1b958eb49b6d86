"""One thing written in several ways: which way the text prefers, and what to say about the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Edit, Issue

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to write something, with the places where the text does."""

    shown: str
    spans: Sequence[Span]


def report(
    draft: Draft,
    variants: Sequence[Variant],
    rewrite: Callable[[str, Variant], str | None],
    *,
    wanted: Variant | None = None,
) -> Iterator[Issue]:
    """An issue for each variant but the commonest (of equals, the one that comes first in the text).

    ``rewrite(quote, wanted)`` is what should stand in place of a quote, or None where only a person can say.
    """
    wanted = wanted or max(variants, key=lambda one: (len(one.spans), -one.spans[0][0]))
    for variant in variants:
        if variant is wanted:
            continue
        edits = []
        for start, end in variant.spans:
            text = rewrite(draft.doc.text[start:end], wanted)
            if text is not None:
                edits.append(Edit(start, end, text))
        start, end = variant.spans[0]
        yield Issue(start, end, _said(draft, variant, wanted), tuple(edits))


def _said(draft: Draft, variant: Variant, wanted: Variant) -> str:
    said = draft.say(
        "variants",
        variant=variant.shown,
        often=_times(draft, variant),
        wanted=wanted.shown,
        more_often=_times(draft, wanted),
    )
    if draft.doc.meta.get("format") == "text":
        said += draft.say("line", line=draft.line_count(wanted.spans[0][0]))
    return said


def _times(draft: Draft, variant: Variant) -> str:
    count = len(variant.spans)
    return draft.say({1: "once", 2: "twice"}.get(count, "times"), count=count)
