"""Documents as one HTML page: the text with its marks, the notes beside it. No script, no network.

Marks may overlap: the text is cut wherever one starts or ends, so that no element is left open. The
numbers of the notes are drawn by the style sheet, so that the page's text is the document's.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.lazy import lazy
from marginalia.core.page import whole_page
from marginalia.core.registry import all_annotators, find_annotator
from marginalia.reader.formats.format import Format
from marginalia.reader.skipped_regions import skipped_regions
from marginalia.reader.view.blocks import Block, blocks, tab_size
from marginalia.reader.view.caption import caption, is_part, is_wide, shorten

COLOURS = 8
"""How many kinds of notes the style sheet tells apart."""

_SIGNATURE = re.compile(rb"\s*(?:<!doctype html|<html|<\?xml[^>]*>\s*<(?:!doctype )?html)", re.I)
_TAGS = {"code": "pre", "table": "pre", "quote": "blockquote"}


def dump(docs: Sequence[Document]) -> str:
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    kinds = colours({note.task for doc in docs for note in doc.annotations})
    lang = docs[0].meta.get("lang", "en") if docs else "en"
    title = ", ".join(_title(doc) for doc in docs[:3]) or "Marginalia"
    body = "\n".join(_article(doc, number, kinds) for number, doc in enumerate(docs, 1))
    return whole_page(
        title,
        f"{_legend(docs, kinds)}\n{body}",
        style=f"{style}{''.join(_filters(kinds))}",
        lang=lang,
    )


def colours(annotators: Collection[str]) -> dict[str, int]:
    """The colour of each kind of note: that of its task's place among all, so that it is the same on every page."""
    known = [annotator.name for annotator in all_annotators()]
    places = {name: place for place, name in enumerate([*known, *sorted({*annotators} - {*known})])}
    return {annotator: places[annotator] % COLOURS for annotator in sorted(annotators)}


def _title(doc: Document) -> str:
    return str(doc.meta.get("title") or doc.id)


def _legend(docs: Sequence[Document], kinds: dict[str, int]) -> str:
    """The kinds of notes with their counts, each with a box that hides them."""
    entries = []
    for number, (name, kind) in enumerate(kinds.items()):
        annotator = find_annotator(name)
        count = sum(not is_part(note) for doc in docs for note in doc.notes(name))
        question = f" <small>{escape(annotator.question)}</small>" if annotator else ""
        entries.append(
            f'<label class="k{kind}"><input type="checkbox" id="show{number}" checked> '
            f"<b>{escape(name)}</b> {count}{question}</label>"
        )
    return f'<nav aria-label="Kinds of notes">{"".join(entries) or "There are no notes."}</nav>'


def _filters(kinds: dict[str, int]) -> Iterator[str]:
    for number in range(len(kinds)):
        hidden = f"body:has(#show{number}:not(:checked))"
        yield f"{hidden} .notes .t{number}, {hidden} .ref.t{number} {{ display: none }}\n"
        yield f"{hidden} mark.t{number}.only {{ background: none; box-shadow: none }}\n"


def _article(doc: Document, number: int, kinds: dict[str, int]) -> str:
    """A document. Notes are numbered in reading order and stand beside the block they start in.

    The note on a whole says what its parts are; they are marked in the text and have no note of their own.
    """
    turn = {annotator: place for place, annotator in enumerate(kinds)}
    heads = [note for note in doc.annotations if not is_part(note)]
    names = {
        note.id: _Name(number, place, kinds[note.task], turn[note.task])
        for place, note in enumerate(heads, 1)
    }
    for note in doc.annotations:
        if is_part(note):
            names[note.id] = _Name(number, 0, kinds[note.task], turn[note.task])
    aside = "".join(f"<p>{escape(sentence)}</p>" for sentence in skipped_regions(doc).sentences())
    head = f"<header>{escape(str(doc.meta.get('path', doc.id)))}{aside}</header>"
    notes = sorted(doc.annotations, key=lambda note: (note.start, note.end))
    parts = []
    index = 0
    carried: list[Annotation] = []
    paragraphs = list(blocks(doc))
    tables = {table["start"]: table for table in doc.meta.get("tables", ())}
    for place, block in enumerate(paragraphs):
        # What starts in the white space after a block belongs to it.
        until = paragraphs[place + 1].start if place + 1 < len(paragraphs) else len(doc.text) + 1
        own = []
        while index < len(notes) and notes[index].start < until:
            own.append(notes[index])
            index += 1
        here = carried + own
        whole = [note for note in own if not is_part(note)]
        table = cells_of(doc.text, block, tables)
        parts.append(
            _table(doc, table, here, whole, names)
            if table
            else _section(doc, block, here, whole, names)
        )
        carried = [note for note in here if note.end > until]
    return (
        f'<article lang="{escape(str(doc.meta.get("lang", "")))}">\n{head}\n'
        + "\n".join(parts)
        + "\n</article>"
    )


class _Name:
    """How a note is called in the page: its number, and the classes of its task."""

    def __init__(self, document: int, number: int, colour: int, turn: int) -> None:
        self.number, self.colour, self.turn = number, f"k{colour}", f"t{turn}"
        self.classes = f"{self.colour} {self.turn}"
        self.note, self.mark = f"d{document}n{number}", f"d{document}m{number}"


def _section(
    doc: Document,
    block: Block,
    here: Sequence[Annotation],
    own: Sequence[Annotation],
    names: dict[str, _Name],
) -> str:
    kind, tag = block.kind, _TAGS.get(block.kind, "p")
    if kind == "heading":
        tag = f"h{min(6, max(1, block.regions[-1]['level']))}"
    text = "".join(_marked(doc.text, block, here, {note.id for note in own}, names))
    notes = _margin(doc, own, names)
    style = (
        f' style="tab-size: {tab_size(doc.text[block.start : block.end])}"'
        if kind == "table"
        else ""
    )
    marker = f' data-marker="{escape(block.marker)}"' if block.marker else ""
    return f'<section class="{kind}"><{tag} class="text"{style}{marker}>{text}</{tag}>{notes}</section>'


def _margin(doc: Document, own: Sequence[Annotation], names: dict[str, _Name]) -> str:
    notes = "".join(_note(doc, note, names[note.id]) for note in own)
    return f'<ol class="notes">{notes}</ol>' if notes else ""


def _table(
    doc: Document,
    table: Cells,
    here: Sequence[Annotation],
    own: Sequence[Annotation],
    names: dict[str, _Name],
) -> str:
    """A table. The white space between its cells stays in the page, where it is not seen."""
    parts = []
    for cell, lying, numbered in table.divide(here, {note.id for note in own}):
        inner = Block(cell.start, cell.end, ())
        text = "".join(_marked(doc.text, inner, lying, numbered, names))
        parts.append(f"{escape(cell.gap)}{cell.before}{text}{cell.after}")
    body = "".join(parts)
    notes = _margin(doc, own, names)
    return f'<section class="table"><table class="text">{body}</table>{notes}</section>'


def _marked(
    text: str,
    block: Block,
    here: Sequence[Annotation],
    own: set[str],
    names: dict[str, _Name],
) -> Iterator[str]:
    """The text of a block in pieces, each marked with all the notes that lie on it."""
    starting: dict[int, list[Annotation]] = {}
    ending: dict[int, list[Annotation]] = {}
    for note in here:
        starting.setdefault(min(max(note.start, block.start), block.end), []).append(note)
        ending.setdefault(min(max(note.end, block.start), block.end), []).append(note)
    cuts = sorted({block.start, block.end, *starting, *ending})
    active: dict[str, Annotation] = {}
    for cut, following in zip(cuts, [*cuts[1:], block.end], strict=True):
        active |= {note.id: note for note in starting.get(cut, ())}
        for note in ending.get(cut, ()):
            active.pop(note.id, None)
            if note.id in own:
                name = names[note.id]
                yield (
                    f'<a class="ref {name.classes}" id="{name.mark}" href="#{name.note}" '
                    f'data-n="{name.number}" aria-label="note {name.number}"></a>'
                )
        piece = escape(text[cut:following])
        yield _mark(piece, list(active.values()), names) if active and piece else piece


def _mark(piece: str, notes: Sequence[Annotation], names: dict[str, _Name]) -> str:
    """One piece of text. The shortest note gives the colour, so that what is nested stands out."""
    shortest = min(notes, key=lambda note: note.end - note.start)
    turns = {names[note.id].turn for note in notes}
    classes = [names[shortest.id].colour, *sorted(turns), "only" if len(turns) == 1 else "both"]
    # Whole sentences are marked so lightly that the words in them stand out.
    if is_wide(shortest):
        classes.append("wide")
    elif len({names[note.id].turn for note in notes if not is_wide(note)}) > 1:
        classes.append("deep")
    title = "\n".join(f"{note.label}: {caption(note)}".rstrip(": ") for note in notes[:5])
    return f'<mark class="{" ".join(classes)}" title="{escape(title)}">{piece}</mark>'


def _note(doc: Document, note: Annotation, name: _Name) -> str:
    said = caption(note)
    page = doc.page(note.start)
    quote = note.label if is_wide(note) else shorten(note.quote, 60)
    parts = [
        f'<a href="#{name.mark}">{escape(quote) or "here"}</a>',
        "" if is_wide(note) else f"<b>{escape(note.label)}</b>",
        f"<span>{escape(said)}</span>" if said else "",
        f"<span>p. {page}</span>" if page else "",
    ]
    inner = " ".join(part for part in parts if part)
    return f'<li id="{name.note}" value="{name.number}" class="{name.classes}">{inner}</li>'


HTML = Format(
    name="html",
    suffixes=(".html", ".htm"),
    media="text/html",
    also_parsed=(".xhtml", ".xml"),
    roots=("html",),
    is_signature=lambda data: _SIGNATURE.match(data) is not None,
    parse=lazy("marginalia.reader", "parse.html.parse"),
    write=dump,
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A span of the text with the tags around it; ``gap`` is the white space before."""

    start: int
    end: int
    gap: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Cells:
    cells: tuple[Cell, ...]

    def divide(
        self, notes: Sequence[Annotation], numbered: Collection[str]
    ) -> Iterator[tuple[Cell, list[Annotation], set[str]]]:
        """Each cell with the notes that lie on it and the ids of those whose number it gets: each once, where it ends."""
        lying: list[list[Annotation]] = [[] for _ in self.cells]
        telling: list[set[str]] = [set() for _ in self.cells]
        for note in notes:
            first = bisect_right(self.cells, note.start, key=lambda cell: cell.end)
            last = bisect_left(self.cells, note.end, key=lambda cell: cell.end)
            last = min(last, len(self.cells) - 1)
            for place in range(min(first, last), last + 1):
                lying[place].append(note)
            if note.id in numbered:
                telling[last].add(note.id)
        return zip(self.cells, lying, telling, strict=True)


def cells_of(text: str, block: Block, tables: Mapping[int, Mapping[str, Any]]) -> Cells | None:
    """The cells of the table that a block is, in their order; None where they are not all of its text."""
    table = tables.get(block.start) if block.kind == "table" else None
    if table is None or table["end"] != block.end:
        return None
    cells: list[Cell] = []
    position = block.start
    caption = table.get("caption")
    if caption and block.start <= caption["start"] and caption["end"] <= block.end:
        cells.append(Cell(caption["start"], caption["end"], "", "<caption>", "</caption>"))
        position = caption["end"]
    for row in table["rows"]:
        for number, cell in enumerate(row):
            start, end = cell["start"], cell["end"]
            gap = text[position:start]
            if start < position or gap.strip():
                return None
            tag = "th" if cell["head"] else "td"
            before = f"<{tag}{_spans(cell)}>"
            cells.append(
                Cell(
                    start,
                    end,
                    gap,
                    before if number else f"<tr>{before}",
                    f"</{tag}></tr>" if number == len(row) - 1 else f"</{tag}>",
                )
            )
            position = end
    whole = cells and not text[position : block.end].strip() and cells[0].start == block.start
    return Cells(tuple(cells)) if whole else None


def _spans(cell: Mapping[str, Any]) -> str:
    names = {"row_span": "rowspan", "col_span": "colspan"}
    return "".join(
        f' {html}="{cell[name]}"' for name, html in names.items() if type(cell.get(name)) is int
    )
