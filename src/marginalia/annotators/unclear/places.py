"""The places of a document that an editor would ask about: what the margin, ``clarify find`` and programs show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from marginalia.annotators.unclear.kinds import KINDS, word_question
from marginalia.annotators.unclear.tagger import Found, shipped
from marginalia.core.document import SILENT, Document
from marginalia.core.errors import UnknownNameError
from marginalia.core.extraction import Table
from marginalia.core.long_work import pause
from marginalia.nlp.prompting.passages import Passage, passages
from marginalia.nlp.prose import spans_of

MIN_PROBABILITY = 0.3
"""Shown from here on: on articles left out, about two in five of those shown were asked for (``benchmarks/unclear.py``)."""
MAX_WINDOW_WORDS = 150
"""Short paragraphs, such as the steps of a list, are read together up to this length: about that of what was learned from."""
COLUMNS = ("document", "start", "end", "quote", "kind", "probability", "question", "page")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnclearPlace:
    """A place that an editor would ask about; ``doc.text[start:end] == quote``."""

    document: str
    start: int
    end: int
    quote: str
    kind: str
    """Such as ``amount``, ``comparison`` or ``reference``; see ``KINDS``."""
    probability: float
    """That a careful editor asks here."""
    question: str
    page: int | None

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COLUMNS}


def find_unclear(
    doc: Document,
    *,
    kinds: Iterable[str] | None = None,
    min_probability: float = MIN_PROBABILITY,
) -> Table[UnclearPlace]:
    """The places of an English text that an editor would ask about, in reading order.

    ``kinds`` are those that are wanted, all if None. Code, tables, references and headings are not read.
    """
    wanted = checked(kinds)
    silent = spans_of(doc, {*SILENT, "heading", "title", "table"})
    rows = []
    for start, found in _found(doc):
        place = UnclearPlace(
            document=doc.id,
            start=start + found.start,
            end=start + found.end,
            quote=doc.text[start + found.start : start + found.end],
            kind=KINDS[found.kind],
            probability=round(found.probability, 4),
            question=word_question(
                found.kind, found.question, doc.text[start + found.start : start + found.end]
            ),
            page=doc.page(start + found.start),
        )
        if (
            place.probability >= min_probability
            and place.kind in wanted
            and not silent.touch(place.start, place.end)
        ):
            rows.append(place)
    return Table(tuple(rows), COLUMNS)


def checked(kinds: Iterable[str] | None) -> frozenset[str]:
    """The names, if each is that of a kind."""
    known = tuple(KINDS.values())
    wanted = known if kinds is None else tuple(kinds)
    for name in wanted:
        if name not in known:
            raise UnknownNameError("kind of unclear place", name, known)
    return frozenset(wanted)


def _found(doc: Document) -> Iterator[tuple[int, Found]]:
    """What the network marks, with the offset of its window."""
    read = list(windows(doc))
    texts = [doc.text[start:end] for start, end in read]
    for (start, _), places in zip(read, shipped().find(texts), strict=True):
        pause()
        for place in places:
            yield start, place


def windows(doc: Document) -> Iterator[tuple[int, int]]:
    """The running text in pieces that are read at once: a paragraph, or short ones that follow each other."""
    held: list[Passage] = []
    for passage in passages(doc):
        words = sum(len(one.text.split()) for one in (*held, passage))
        if held and (words > MAX_WINDOW_WORDS or doc.text[held[-1].end : passage.start].strip()):
            yield held[0].start, held[-1].end
            held = []
        held.append(passage)
    if held:
        yield held[0].start, held[-1].end
