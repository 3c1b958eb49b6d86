"""What is measured in a document: a system reads its paragraphs, and their spans get the document's offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from marginalia.annotators.measurements.annotator import ANNOTATOR
from marginalia.annotators.measurements.lists import with_lists
from marginalia.annotators.measurements.records import Measurement, records
from marginalia.annotators.measurements.tables import with_tables
from marginalia.annotators.measurements.wrapped import join_lines
from marginalia.core.document import SILENT, Document
from marginalia.core.resolution import system_for_documents
from marginalia.lang import language
from marginalia.nlp.prose import LINE, SpanSet, beside_tables, paragraphs, spans_of
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.quantity import Quantity
from marginalia.quantities.units.defined import DefinedUnits, UnitTable, define_units
from marginalia.tasks.measurement.benchmark import BENCHMARK
from marginalia.tasks.measurement.official.data import UNKNOWN, Paragraph
from marginalia.tasks.measurement.official.spans import Span, Spans, by_set

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

PARAGRAPHS_PER_BATCH = 32
"""Paragraphs that a system predicts at a time; it still has them in its cache when asked for contexts."""
_WORDS = re.compile(r"[^\W\d_]|[%‰°€$£¥]")
"""A paragraph without any letter or sign of a unit is the number of a page or of a line."""
_BEFORE_TEXT = re.compile(r"(?:\A|\n[ \t]*\n)[ \t]*(?P<number>\d{1,3})(?=[ \t]+[^\W\d_]{2})")
MIN_RISING = 3
"""Paragraphs that begin with a greater number than the one before: fewer may be chance."""
_SECTION = re.compile(r"\d+(?:\.\d+)*\.?(?=\s)")


@dataclass(frozen=True, slots=True)
class MeasuredDocument:
    """The spans of a document, with its offsets and sets numbered through, and the records made from them."""

    system: str
    language: str
    spans: Spans
    records: tuple[Measurement, ...]
    model: str = ""
    """The language model that gave a second opinion, where one did."""
    corrected: Mapping[int, bool] = field(default_factory=dict)
    """Number of a set that the model saw -> whether it corrected what the quantity is of."""


def measure(
    doc: Document,
    system: str | None = None,
    *,
    alternatives: bool = False,
    min_confidence: float | None = None,
    units: UnitTable | None = None,
    llm: LanguageModel | None = None,
) -> MeasuredDocument:
    """What a system finds in the document; without a name, the one for documents in its language.

    Its prose is read paragraph by paragraph and its tables row by row; no quantity is taken from code or
    formulae, and the number of a heading is not one. With ``alternatives`` the records have the candidates that
    were not chosen, if the system gives them. ``min_confidence`` is the least confidence of an entity, property or
    qualifier in a record; without it the shipped thresholds hold. The official spans are never left out, nor changed by
    the ``units`` that a user defines. A document in a language that the rules do not know is refused. A language model
    (``llm``) says what the quantities are of; the quantities themselves are the system's.
    """
    defined = define_units(units)
    ANNOTATOR.require_language(doc)
    tables = spans_of(doc, {"table"})
    headings = (_SECTION.match(doc.text, start) for start, _ in spans_of(doc, {"heading"}))
    numbers = [match.span() for match in headings if match]
    silent = SpanSet.merge([*spans_of(doc, SILENT), *numbers, *_numbered(doc.text)])
    lang = language(str(doc.meta.get("lang"))).code
    name = system_for_documents(BENCHMARK, system, language=lang).name
    found = _measure(
        doc.text, lang, tables, silent, name, alternatives, min_confidence, defined, llm
    )
    grids = doc.meta.get("tables", ())
    made = with_tables(
        doc.text, grids, found.records, language=lang, silent=silent, defined=defined
    )
    return replace(found, records=tuple(made)) if grids else found


@lru_cache(maxsize=2)  # notes and files of the same document
def _measure(
    text: str,
    lang: str,
    tables: SpanSet,
    silent: SpanSet,
    name: str,
    alternatives: bool,
    min_confidence: float | None,
    defined: DefinedUnits,
    llm: LanguageModel | None,
) -> MeasuredDocument:
    system: Any = system_for_documents(BENCHMARK, name).loaded()
    if llm is not None:
        from marginalia.tasks.measurement.systems.prompted import Reviewed

        system = Reviewed(system, llm)
    joined = join_lines(text, tables, silent)
    text, tables, silent = joined.text, joined.spans_forth(tables), joined.spans_forth(silent)
    places = [
        place
        for place in read_in(text, tables)
        if not silent.cover(*place) and _WORDS.search(text, *place)
    ]
    items = {
        str(number): Paragraph("", UNKNOWN, text[start:end], lang)
        for number, (start, end) in enumerate(places)
    }
    found: dict[str, Spans] = {}
    judged: dict[str, Mapping[int, Quantity]] = {}
    ids = list(items)
    for begin in range(0, len(ids), PARAGRAPHS_PER_BATCH):
        part = {id: items[id] for id in ids[begin : begin + PARAGRAPHS_PER_BATCH]}
        found |= system.predict(part)
        if hasattr(system, "contexts"):
            judged |= system.contexts(part)
    spans: list[Span] = []
    contexts: dict[int, Quantity] = {}
    corrected: dict[int, bool] = {}
    last = 0
    for id, (offset, _) in zip(items, places, strict=True):
        for number, members in by_set(found[id]).items():
            own = [_moved(span, offset, last) for span in members]
            if any(silent.touch(s.start, s.end) for s in own if s.type == "Quantity"):
                continue
            spans += own
            if llm is not None and number in system.verdicts.get(id, {}):
                corrected[last + number] = system.verdicts[id][number]
            if number in judged.get(id, {}):
                contexts[last + number] = judged[id][number].moved(offset)
        last += max((span.set for span in found[id]), default=0)
    made = records(
        text,
        tuple(spans),
        language=lang,
        contexts=contexts,
        alternatives=alternatives,
        min_confidence=min_confidence,
        defined=defined,
    )
    made = with_lists(text, made, lang)
    return MeasuredDocument(
        name,
        lang,
        tuple(map(joined.span_back, spans)),
        tuple(map(joined.record_back, made)),
        llm.name if llm else "",
        corrected,
    )


def _numbered(text: str) -> list[tuple[int, int]]:
    """The numbers before footnotes, pages or lines: where many paragraphs begin with one, and they rise."""
    found = [match.span("number") for match in _BEFORE_TEXT.finditer(text)]
    rising = sum(int(text[slice(*a)]) < int(text[slice(*b)]) for a, b in pairwise(found))
    return found if rising >= MIN_RISING and 2 * rising >= len(found) - 1 else []


def read_in(text: str, tables: Iterable[tuple[int, int]] = ()) -> Iterator[tuple[int, int]]:
    """What is read at a time: the paragraphs of a text, and the rows of its tables."""
    for start, end, is_row in beside_tables(text, tables, LINE):
        if is_row:
            yield start, end
        else:
            yield from paragraphs(text, start, end)


def _moved(span: Span, offset: int, last: int) -> Span:
    """A span of a paragraph with the offsets of the document and a set number after those before it."""
    number = span.set + last
    if last == 0:
        return replace(span, start=span.start + offset, end=span.end + offset)

    def named(id: str) -> str:
        own = id.removesuffix(f"-{span.set}")
        return id if own == id else f"{own}-{number}"

    relations = {
        key: value if key in ("unit", "mods") else named(value) for key, value in span.other.items()
    }
    return Span(
        number,
        span.type,
        span.start + offset,
        span.end + offset,
        named(span.id),
        span.text,
        relations,
    )


def tally(doc: Document) -> int:
    """Quantities with a unit, by the rules alone: how many a margin has that does not show them."""
    silent, code = spans_of(doc, SILENT), language(str(doc.meta.get("lang"))).code
    found = find_quantities(doc.text, language=code)
    return sum(
        quantity.unit is not None and not silent.touch(quantity.start, quantity.end)
        for quantity in found
    )
