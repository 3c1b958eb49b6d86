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
    used = [variant for variant in variants if variant.spans]
    if len(used) < 2 and wanted is None:
        return
    wanted = wanted or max(used, key=lambda one: (len(one.spans), -one.spans[0][0]))
    for variant in used:
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
    if not wanted.spans:
        return draft.say(f"write “{wanted.shown}”", f"besser „{wanted.shown}“")
    line = draft.line_count(wanted.spans[0][0]) if draft.doc.meta.get("format") == "text" else None
    return draft.say(
        f"“{variant.shown}” {_times(variant)}, “{wanted.shown}” {_times(wanted)}: write it in one way",
        f"„{variant.shown}“ {_mal(variant)}, „{wanted.shown}“ {_mal(wanted)}: einheitlich schreiben",
    ) + (draft.say(f" (line {line})", f" (Zeile {line})") if line else "")


def _times(variant: Variant) -> str:
    count = len(variant.spans)
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _mal(variant: Variant) -> str:
    return f"{len(variant.spans)}-mal"
