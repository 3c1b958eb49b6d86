"""PDF: its text in reading order, with paragraphs, headings and tables, and where all of it stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.parse.content import Content
from marginalia.reader.parse.ledger import Ledger
from marginalia.reader.parse.plain import require_length
from marginalia.reader.pdf.encodings import UNREAD
from marginalia.reader.pdf.figures import caption_pictures
from marginalia.reader.pdf.geometry import line_geometry
from marginalia.reader.pdf.grids import find_grids
from marginalia.reader.pdf.headings import (
    Heading,
    find_addresses,
    find_authors,
    find_title,
    levels,
    same_title,
)
from marginalia.reader.pdf.hyphens import joint
from marginalia.reader.pdf.kinds import Paragraph, unmarked
from marginalia.reader.pdf.layout import Layout, Page
from marginalia.reader.pdf.lines import Line
from marginalia.reader.pdf.ocr import NO_TEXT
from marginalia.reader.pdf.process import pages as child_pages
from marginalia.reader.pdf.viewer_notes import place

BETWEEN = "\n\n"

_VERBATIM = frozenset({"code", "contents", "figure", "table"})
"""Their lines stay lines."""


def parse(data: bytes, path: Path) -> Content:
    """The text of all pages. ``meta`` has their offsets and geometry, and problems where there were some."""
    text = _Text()
    for _ in text.read(data, path):
        pass
    if not text.length:
        raise FormatError(
            f"the PDF cannot be read: {text.problems[0]}" if text.problems else NO_TEXT,
            path=path,
        )
    content = text.content()
    found = text.ledger.meta(content.text) | text.problem_meta()
    return replace(content, meta={**content.meta, **found})


def parse_pages(data: bytes, path: Path) -> Iterator[tuple[int, Content]]:
    """Each page as soon as it is read: where its text begins in the whole, and its content."""
    text = _Text()
    for start, part in text.read(data, path):
        yield start, text.content(start, part)


class _Text:
    """The text of the pages so far, and what is known of it."""

    def __init__(self) -> None:
        self.layout = Layout()
        self.length = 0
        self.title = self.heading = ""
        self.pages: list[list[int]] = []
        self.ledger = Ledger()
        self.unread: list[int] = []
        self.problems: list[str] = []
        self._parts: list[str] = []
        self._gap = ""
        self._regions: list[dict[str, Any]] = []
        self._headings: list[tuple[dict[str, Any], Heading]] = []
        self._sizes: list[list[int]] = []
        self._lines: list[dict[str, Any]] = []
        self._figures: list[dict[str, Any]] = []
        self._annotations: list[dict[str, Any]] = []
        self._unfinished: dict[str, Any] | None = None
        """The item that goes on on the next page."""

    def read(self, data: bytes, path: Path) -> Iterator[tuple[int, int]]:
        """Add the pages one by one; after each, the offset and the part at which it begins."""
        stream = child_pages(data, path)
        self.title = next(stream)["title"]
        for page in self.layout.pages(stream):
            part = len(self._parts)
            yield self._page(page), part
            require_length(self.length, path)

    def content(self, start: int = 0, part: int = 0) -> Content:
        """All of the text, or what comes after an offset and a part, with offsets of its own."""
        text = "".join(self._parts[part:])
        text = text[len(text) - (self.length - start) :]
        for (region, _), level in zip(
            self._headings, levels([heading for _, heading in self._headings]), strict=True
        ):
            region["level"] = level
        lines = _after(self._lines, start)
        pages = [[max(0, low - start), max(0, high - start)] for low, high in self.pages]
        meta: dict[str, Any] = {
            "pages": pages,
            "geometry": {"pages": self._sizes, "lines": lines},
        }
        if noted := list(place(self._annotations, lines, text)):
            meta["viewer_notes"] = noted
        regions, tables = find_grids(text, _after(self._regions, start), lines)
        return Content(
            text=text,
            title=self._named(text),
            regions=regions,
            tables=tables,
            figures=_after(self._figures, start),
            meta=meta,
        )

    def problem_meta(self) -> dict[str, Any]:
        """What of the pages could not be read."""
        problems = list(self.problems)
        if signs := sum(part.count(UNREAD) for part in self._parts):
            problems.append(f"{signs:,} characters could not be read and stand as {UNREAD}")
        pages = {"unread": self.unread} if self.unread else {}
        return pages | ({"problems": problems} if problems else {})

    def _page(self, page: Page) -> int:
        """Add a page; where its text begins."""
        for kind, text in page.left_out:
            self.ledger.leave_out(kind, text, self.length)
        self._sizes.append([page.width, page.height])
        self._annotations += page.annotations
        if page.error:
            self.unread.append(page.number)
            self.problems.append(f"page {page.number} {page.error}")
        start = self.length
        if page.number == 1:
            self._front(page)
        shown = {} if page.is_mirrored else dict(self._pictures(page))
        for number, one in enumerate(page.paragraphs):
            is_last = number == len(page.paragraphs) - 1
            begin = self._paragraph(page, one, page.following if is_last else "")
            if one in shown:
                self._figures.append({"start": begin, "end": self.length, **shown[one]})
            if not number:
                start = begin
                if page.is_continued and self._unfinished:
                    self._unfinished["end"] = self.length
        self.pages.append([start, self.length])
        return start

    def _pictures(self, page: Page) -> Iterator[tuple[Paragraph, dict[str, Any]]]:
        """The captions of the page that have a figure, with its place there."""
        boxes = caption_pictures(page.paragraphs, page.figures, page.width, page.height)
        for caption, box in boxes:
            yield caption, {"alt": "", "page": page.number, "box": list(box)}

    def _front(self, page: Page) -> None:
        """What the first page says of the document: its title and its authors."""
        title = find_title(page.paragraphs, self.layout.body.size)
        self.heading = " ".join(" ".join(one.text for one in title).replace("\xad ", "").split())
        for one in title[:1]:
            one.kind = "heading"
            for other in title[1:]:
                one.lines += other.lines
                page.paragraphs.remove(other)
        authors = find_authors(page.paragraphs, title[:1])
        for one in [*authors, *find_addresses(page.paragraphs, self.layout.body.size)]:
            one.kind = "authors"

    def _paragraph(self, page: Page, one: Paragraph, following: str) -> int:
        """Add a paragraph; where it begins. ``following`` is how it goes on on the next page."""
        begin = self.length + len(self._gap)
        number = unmarked(one)
        texts = [line.text for line in one.lines[1:]] + [following]
        for line, after in zip(one.lines, texts, strict=True):
            if one.kind in _VERBATIM:
                self._line(page, line, _indent(one, line) if one.kind == "code" else "")
                self._gap = line.after
                continue
            lost, gap = joint(line.text, after, self.layout.words) if after else (0, BETWEEN)
            line.cut(lost)
            if line.text.endswith("\xad"):
                line.text = line.text[:-1] + "-"
            self._line(page, line)
            self._gap = gap
        if not following:
            self._gap = BETWEEN
        if one.kind != "paragraph":
            region = {"kind": one.kind, **number, "start": begin, "end": self.length}
            if one.kind == "heading":
                bold = any(line.share(line.bold) > 0.9 for line in one.lines)
                text = " ".join(line.text for line in one.lines)
                self._headings.append((region, Heading(text, one.size, bold, page.number)))
            self._regions.append(region)
        if not page.is_continued or one.kind != "paragraph":
            self._unfinished = self._regions[-1] if following and one.kind == "item" else None
        return begin

    def _line(self, page: Page, line: Line, indent: str = "") -> None:
        start = self.length + len(self._gap) + len(indent)
        edges = [page.width - x for x in line.edges] if page.is_mirrored else line.edges
        self._lines.append(line_geometry(page.number, start, line.top, line.bottom, edges))
        self._parts += [self._gap, indent, line.text]
        self.length = start + len(line.text)
        self._gap = ""

    def _named(self, text: str) -> str:
        """The title that the file declares, if its first page has it too; else what stands out there."""
        declared = " ".join(self.title.split())
        heads = ((region, heading.text) for region, heading in self._headings)
        heading = self.heading or next((text for region, text in heads if region["level"] == 1), "")
        opening = " ".join(text[:2000].split()).casefold()
        if declared and (
            not heading or declared.casefold() in opening or same_title(declared, heading)
        ):
            return declared
        return heading


def _indent(one: Paragraph, line: Line) -> str:
    """The spaces before a line of code."""
    left = min(other.left for other in one.lines)
    return " " * round((line.left - left) / max(1, line.width / len(line.text)))


def _after(places: list[dict[str, Any]], start: int) -> list[dict[str, Any]]:
    """What begins at an offset or after it, moved by it."""
    if not start:
        return places
    first = bisect_left(places, start, key=lambda place: place["start"])
    return [
        {**place, "start": place["start"] - start, "end": place["end"] - start}
        for place in places[first:]
    ]
