"""A document in the terminal: its sentences, and beside each the notes on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from marginalia.core.document import Annotation, Document
from marginalia.nlp.sentences import sentences
from marginalia.reader.skipped_regions import skipped_regions
from marginalia.reader.view.blocks import Block, blocks, tab_size
from marginalia.reader.view.caption import (
    about,
    caption,
    is_part,
    is_wide,
    shorten,
    without_controls,
)

COLOURS = ("yellow", "cyan", "green", "magenta", "blue", "red", "bright_cyan", "bright_green")
MIN_SIDE_COLUMNS = 90
"""From this many columns on, notes stand beside the text, else under it."""

_WHOLE = ("code", "table")
_STYLES = {"heading": "bold", "code": "dim", "table": "dim", "quote": "italic"}


def show(doc: Document, console: Console) -> None:
    """Print the document with its notes, then how many notes of each kind there are, what tasks say of it, what was skipped."""
    annotators = sorted({note.task for note in doc.annotations})
    styles = {
        annotator: COLOURS[number % len(COLOURS)] for number, annotator in enumerate(annotators)
    }
    path = str(doc.meta.get("path", doc.id))
    console.rule(Text(without_controls(path), style="bold"), align="left", style="dim")
    notes = sorted(doc.annotations, key=lambda note: (note.start, note.end))
    carried: list[Annotation] = []
    last: Block | None = None
    index = page = 0
    for block, start, end, until in _sentences(doc):
        # Items of a list stand close together, sentences of a paragraph too.
        if last is not None and last is not block and (last.kind, block.kind) != ("item", "item"):
            console.print()
        last = block
        number = doc.page(start) or 0
        if number != page:
            page = number
            console.print(Text(f"    page {page}", style="dim italic"))
        own = []
        while index < len(notes) and notes[index].start < until:
            own.append(notes[index])
            index += 1
        carried = [note for note in carried if note.end > start] + own
        text = _sentence(doc, block, start, end, carried, styles)
        marker = block.marker if start == block.start else ""
        # The note on a whole says what its parts are; they are underlined and need no line of their own.
        whole = [note for note in own if not is_part(note)]
        console.print(_row(marker, text, whole, styles, wide=console.width >= MIN_SIDE_COLUMNS))
    console.print()
    console.print(_summary(doc.annotations, styles))
    for annotator, values in doc.meta.get("summary", {}).items():
        if line := about(values):
            console.print(Text(without_controls(f"{annotator}: {line}"), style="dim"))
    for sentence in skipped_regions(doc).sentences():
        console.print(Text(without_controls(sentence), style="dim"))


def _sentences(doc: Document) -> Iterator[tuple[Block, int, int, int]]:
    """Each sentence with its block, its span, and where the next one starts."""
    sentences_shown = []
    lang = doc.meta.get("lang")
    for block in blocks(doc):
        text = doc.text[block.start : block.end]
        spans = [(0, len(text))] if block.kind in _WHOLE else sentences(text, lang)
        sentences_shown += [(block, block.start + low, block.start + high) for low, high in spans]
    ends = [start for _, start, _ in sentences_shown[1:]]
    for (block, start, end), until in zip(
        sentences_shown, [*ends, len(doc.text) + 1], strict=False
    ):
        yield block, start, end, until


def _sentence(
    doc: Document,
    block: Block,
    start: int,
    end: int,
    notes: Sequence[Annotation],
    styles: dict[str, str],
) -> Text:
    """The sentence as it is read, with the spans of its notes underlined."""
    raw = without_controls(doc.text[start:end])
    # One space for one line end keeps the offsets.
    text = Text(raw if block.kind in _WHOLE else raw.replace("\n", " "), tab_size=tab_size(raw))
    text.stylize(_STYLES.get(block.kind, ""))
    # The shortest last, so that what is nested stands out.
    for note in sorted(notes, key=lambda note: note.start - note.end):
        if is_wide(note):
            continue  # it is about the sentence, beside which it stands
        low, high = max(note.start, start) - start, min(note.end, end) - start
        text.stylize(f"underline {styles[note.task]}", low, high)
    return text


def _row(
    marker: str, text: Text, notes: Sequence[Annotation], styles: dict[str, str], *, wide: bool
) -> Table:
    row = Table.grid(padding=(0, 1), expand=True)
    row.add_column(width=3, justify="right", no_wrap=True)  # markers of lists
    row.add_column(ratio=3)
    lines = [_line(note, styles[note.task]) for note in notes]
    if wide:
        row.add_column(ratio=2)
        row.add_row(Text(marker, style="dim"), text, Padding(Text("\n").join(lines), (0, 0, 0, 2)))
        return row
    row.add_row(Text(marker, style="dim"), text)
    for line in lines:
        row.add_row("", Padding(line, (0, 0, 0, 4)))
    return row


def _line(note: Annotation, style: str) -> Text:
    named = (note.label, "") if is_wide(note) else (shorten(note.quote, 40), note.label)
    line = Text().append(without_controls(named[0]), style=style)
    said = " · ".join(part for part in (named[1], caption(note)) if part)
    return line.append(f"  {without_controls(said)}", style="dim")


def _summary(notes: Sequence[Annotation], styles: dict[str, str]) -> Text:
    """One line per kind of note: how many, and the first few."""
    if not notes:
        return Text("no notes", style="dim")
    counts = Counter((note.task, note.label) for note in notes if not is_part(note))
    lines = []
    for (annotator, label), count in sorted(counts.items()):
        quotes = (note.quote for note in notes if (note.task, note.label) == (annotator, label))
        first = list(dict.fromkeys(shorten(quote, 24) for quote in quotes))[:4]
        line = Text().append(without_controls(f"{annotator}: "), style=f"bold {styles[annotator]}")
        line.append(without_controls(f"{label} × {count}"))
        lines.append(line.append(without_controls(f"  {', '.join(first)}"), style="dim"))
    return Text("\n").join(lines)
