"""Lines that were broken to fit a width, read as one: "ten to⏎fifteen minutes" is a range.

Plain text keeps its line breaks, and a phrase that one of them cuts would be read in halves. What is found in the joined text
gets the offsets of the text as it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from marginalia.annotators.measurements.context import Part, part_of
from marginalia.annotators.measurements.records import Measurement
from marginalia.nlp.prose import SpanSet, paragraphs
from marginalia.quantities.values import Value
from marginalia.tasks.measurement.official.spans import Span

MIN_WRAPPED = 40
"""Characters of a line that may have been broken for want of room; shorter ones are items of a list or of a verse."""
SLACK = 4
"""Characters that a line may fall short of the width and still count as full: people break lines by eye."""
_LINE = re.compile(r"[^\n]+")
_BREAK = re.compile(r"[ \t]*\n[ \t]*")
_COLUMNS = re.compile(r"\S(?:[ ]{3}|[ ]?\t)")
_ENDS = re.compile(
    r"[.:;!?|\\]\Z(?<!\bca\.)(?<!\bapprox\.)(?<!\bmax\.)(?<!\bmin\.)(?<!\bmind\.)(?<!\bbzw\.)"
)
_STARTS_ITEM = re.compile(r"[-–—*•▪‣+#>|=~]|\(?(?:\d{1,3}|[a-z])[.)](?:\s|\Z)|\[\d")


@dataclass(frozen=True, slots=True)
class JoinedLines:
    """``text`` has one blank for each break of a wrapped line and the indentation behind it."""

    text: str
    original: str
    places: tuple[int, ...] = ()
    """Where in ``text`` characters are left out, rising."""
    left_out: tuple[int, ...] = (0,)
    """How many up to there in all; the first is for what stands before them."""
    starts: tuple[int, ...] = ()
    """``places`` in the original."""

    def back(self, offset: int) -> int:
        """The offset in the original of one in ``text``."""
        return offset + self.left_out[bisect_right(self.places, offset)]

    def forth(self, offset: int) -> int:
        """The offset in ``text`` of one in the original."""
        i = bisect_right(self.starts, offset)
        at = offset - self.left_out[i]
        return at if i == len(self.places) else min(at, self.places[i])

    def spans_forth(self, spans: SpanSet) -> SpanSet:
        return SpanSet.merge((self.forth(start), self.forth(end)) for start, end in spans)

    def span_back(self, span: Span) -> Span:
        start, end = self.back(span.start), self.end_back(span.end)
        return replace(span, start=start, end=end, text=self.original[start:end])

    def end_back(self, end: int) -> int:
        """The end of a span, which reaches up to its last character and no further."""
        return self.back(end - 1) + 1 if end else 0

    def record_back(self, record: Measurement) -> Measurement:
        """The record with all its parts where they stand in the original."""
        quantity = self._part(record.quantity)
        said = record.statistics
        return replace(
            record,
            quantity=quantity,
            value=self._value(record.value, record.quantity.start, quantity.start),
            unit_part=record.unit_part and self._part(record.unit_part),
            entity=record.entity and self._part(record.entity),
            property=record.property and self._part(record.property),
            qualifiers=tuple(map(self._part, record.qualifiers)),
            alternatives=tuple(
                one._replace(start=self.back(one.start), end=self.end_back(one.end))
                for one in record.alternatives
            ),
            statistics=said and replace(said, end=self.end_back(said.end)),
        )

    def _part(self, part: Part) -> Part:
        found = part_of(self.original, self.back(part.start), self.end_back(part.end))
        return replace(found, name=part.name)

    def _value(self, value: Value, begins: int, begin: int) -> Value:
        """Numbers are counted from the start of their quantity."""
        numbers = (
            replace(
                one,
                start=self.back(begins + one.start) - begin,
                end=self.end_back(begins + one.end) - begin,
            )
            for one in value.numbers
        )
        return replace(value, numbers=tuple(numbers))


def join_lines(text: str, tables: SpanSet, silent: SpanSet) -> JoinedLines:
    """The text with its wrapped lines joined; those of tables and code stay as they are."""
    breaks = [
        match
        for start, end in paragraphs(text)
        if "\n" in text[start:end]
        for match in _wraps(text, start, end)
        if not tables.touch(match.start(), match.end() + 1)
        and not silent.touch(match.start(), match.end() + 1)
    ]
    if not breaks:
        return JoinedLines(text, text)
    pieces: list[str] = []
    places, left_out, last = [], [0], 0
    for match in breaks:
        pieces += [text[last : match.start()], " "]
        last = match.end()
        left_out.append(left_out[-1] + len(match.group()) - 1)
        places.append(last - left_out[-1])
    starts = [place + out for place, out in zip(places, left_out[1:], strict=True)]
    joined = "".join([*pieces, text[last:]])
    return JoinedLines(joined, text, tuple(places), tuple(left_out), tuple(starts))


def _wraps(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The breaks of a paragraph behind which the next word would not have fitted into the line."""
    start = text.rfind("\n", 0, start) + 1
    lines = [(match.start(), match.group().rstrip()) for match in _LINE.finditer(text, start, end)]
    width = max(len(line) for _, line in lines)
    for (at, line), (_, following) in pairwise(lines):
        word, behind = (following.split(maxsplit=1) or [""])[0], following.lstrip()
        if (
            len(line) >= MIN_WRAPPED
            and len(line) + 1 + len(word) > width - SLACK
            and not _ENDS.search(line)
            and not _STARTS_ITEM.match(behind)
            and not _COLUMNS.search(line)
            and not _COLUMNS.search(following)
            and (match := _BREAK.match(text, at + len(line)))
        ):
            yield match
