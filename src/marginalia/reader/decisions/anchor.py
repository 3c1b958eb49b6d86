"""Where a quoted passage stands in a text that may have changed since it was quoted."""

from __future__ import annotations

from dataclasses import dataclass

from marginalia.core.decisions import CONTEXT_CHARACTERS

MIN_CONTEXT = 55.0
"""How similar the text around a short quote must be, from 0 to 100, for it to be the same place."""
MIN_CONTEXT_OF_LONG = 30.0
"""The same for a quote that is long enough to be found by itself."""
LONG_CHARACTERS = 40
MIN_QUOTE = 88.0
"""How similar a long passage must be, from 0 to 100, that was changed itself."""
EDGE_CHARACTERS = 12
MAX_OCCURRENCES = 2_000
"""A quote that is more frequent is looked for near its old place only."""
MAX_SEARCHED_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage with the text around it, and where it stood."""

    start: int
    quote: str
    before: str
    after: str


def anchor(text: str, passage: Quoted) -> tuple[int, int] | None:
    """The span of the passage; None where there is nothing that can be told to be it."""
    start, quote = passage.start, passage.quote
    end = start + len(quote)
    if text[start:end] == quote and _around(text, start, end, passage) == 100.0:
        return start, end
    if not quote:
        return None
    best: tuple[float, int, int] | None = None
    for place in _occurrences(text, quote, start):
        likeness = _around(text, place, place + len(quote), passage)
        ranked = (likeness, -abs(place - start), place)
        if best is None or ranked > best:
            best = ranked
    least = MIN_CONTEXT_OF_LONG if len(quote) >= LONG_CHARACTERS else MIN_CONTEXT
    if best is not None and best[0] >= least:
        return best[2], best[2] + len(quote)
    return _changed(text, quote) if len(quote) >= LONG_CHARACTERS else None


def _occurrences(text: str, quote: str, near: int) -> list[int]:
    found: list[int] = []
    place = text.find(quote)
    while place >= 0 and len(found) <= MAX_OCCURRENCES:
        if _is_whole(text, place, quote):
            found.append(place)
        place = text.find(quote, place + 1)
    if len(found) <= MAX_OCCURRENCES:
        return found
    window = 50_000
    base = max(0, near - window)
    part = text[base : near + window]
    return [base + at for at in range(len(part)) if part.startswith(quote, at)]


def _is_whole(text: str, place: int, quote: str) -> bool:
    """Not in the midst of a longer word or number: "5 kg" is not in "15 kg"."""
    end = place + len(quote)
    cut_before = quote[0].isalnum() and place > 0 and text[place - 1].isalnum()
    cut_after = quote[-1].isalnum() and end < len(text) and text[end].isalnum()
    return not (cut_before or cut_after)


def _around(text: str, start: int, end: int, passage: Quoted) -> float:
    """How similar the text around a span is to that around the passage; the better side counts more.

    One side may have been rewritten altogether, so the two are not simply averaged.
    """
    from rapidfuzz import fuzz

    before = text[max(0, start - CONTEXT_CHARACTERS) : start]
    after = text[end : end + CONTEXT_CHARACTERS]
    if before == passage.before and after == passage.after:
        return 100.0
    sides = sorted((fuzz.ratio(before, passage.before), fuzz.ratio(after, passage.after)))
    return float((sides[0] + 3 * sides[1]) / 4)


def _changed(text: str, quote: str) -> tuple[int, int] | None:
    """A long passage with a few changes of its own, moved out to whole words."""
    from rapidfuzz import fuzz

    found = fuzz.partial_ratio_alignment(
        quote, text[:MAX_SEARCHED_CHARACTERS], score_cutoff=MIN_QUOTE
    )
    if found is None or found.score < MIN_QUOTE:
        return None
    # The span found is as long as the quote; how the passage begins and ends tells its true bounds.
    start, end = found.dest_start, found.dest_end
    reach = max(EDGE_CHARACTERS, len(quote) // 4)
    head = text.find(quote[:EDGE_CHARACTERS], max(0, start - reach), start + reach)
    tail = text.rfind(quote[-EDGE_CHARACTERS:], max(0, end - reach), end + reach)
    start = head if head >= 0 else start
    end = tail + EDGE_CHARACTERS if tail >= 0 else end
    if fuzz.ratio(quote, text[start:end]) < MIN_QUOTE:
        return None
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    trimmed = text[start:end]
    start += len(trimmed) - len(trimmed.lstrip())
    return start, start + len(trimmed.strip())
