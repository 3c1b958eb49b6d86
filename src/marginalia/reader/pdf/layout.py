"""From the characters of PDF pages to their paragraphs in reading order, page after page."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from marginalia.reader.pdf.columns import Column, columns
from marginalia.reader.pdf.figures import mark_drawn, mark_labels, part_figures
from marginalia.reader.pdf.headings import is_address
from marginalia.reader.pdf.hyphens import HYPHENS, WORD
from marginalia.reader.pdf.kinds import Body, Paragraph
from marginalia.reader.pdf.lines import Ligatures, Line, is_rightmost, make_lines, turn
from marginalia.reader.pdf.margins import Counts, part_notes, put_notes
from marginalia.reader.pdf.paragraphs import goes_on, is_cut, is_surely_cut, paragraphs
from marginalia.reader.pdf.ruled_tables import part_grids, put_tables
from marginalia.reader.pdf.running import Mark, marks, without_running

MAX_ORDERED_LINES = 3_000
"""Lines of a page that are put into order."""
NEIGHBOUR_PAGES = 2
"""Running heads are sought on as many pages before and after."""

MIN_ENTRIES = 3
"""Lines of a page that lead to a number by dots, from which on they are contents."""

MAX_BETWEEN = 8
"""Paragraphs of another kind between two parts of one."""
MIN_CHARACTERS = 40
"""A shorter paragraph at the edge of a page may be anything."""

_FLOATS = frozenset({"caption", "figure", "footnote", "table"})
"""What may stand between two parts of a paragraph."""


@dataclass(slots=True, eq=False)
class Page:
    """A page on its way from lines to paragraphs; an error if it could not be read."""

    number: int
    width: int = 0
    height: int = 0
    error: str = ""
    lines: list[Line] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)
    following: str = ""
    """How its last paragraph goes on on the next page, if it does."""
    is_continued: bool = False
    """Whether its first paragraph began on the page before."""
    figures: list[list[int]] = field(default_factory=list)
    """The sides of each figure's box."""
    rules: list[list[int]] = field(default_factory=list)
    """The sides of each line that is drawn."""
    annotations: list[dict[str, Any]] = field(default_factory=list)
    """What people marked on it in a viewer."""
    left_out: list[tuple[str, str]] = field(default_factory=list)
    """Kinds and texts of what it shows besides: running heads, and text that does not stand upright."""
    is_mirrored: bool = False
    """Whether it is read from right to left: then its lines are laid out as in a mirror."""


class Layout:
    """The pages of one document. ``words`` are those seen so far, lower-cased, for hyphens at line ends."""

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.body = Body()
        self.gutters: list[int] = []
        self.ligatures = Ligatures()
        self.counts = Counts()

    def pages(self, stream: Iterable[dict[str, Any]]) -> Iterator[Page]:
        """The pages with their paragraphs. Three are read ahead, so that the first are soon there."""
        last: Page | None = None
        for page in self._settled(stream):
            if last is not None:
                _meet(last, page)
                yield last
            last = page
        if last is not None:
            yield last

    def _settled(self, stream: Iterable[dict[str, Any]]) -> Iterator[Page]:
        before: deque[Page] = deque(maxlen=NEIGHBOUR_PAGES)
        ahead: deque[Page] = deque()
        for data in stream:
            ahead.append(self._page(data))
            if len(ahead) > NEIGHBOUR_PAGES:
                yield self._lay_out(before, ahead)
        while ahead:
            yield self._lay_out(before, ahead)

    def _page(self, data: dict[str, Any]) -> Page:
        if "error" in data:
            return Page(data["page"], error=data["error"])
        page = Page(data["page"], data["width"], data["height"])
        page.left_out = [("turned", data["turned"])] if "turned" in data else []
        page.annotations = [{"page": page.number, **one} for one in data.get("annotations", ())]
        page.is_mirrored = is_rightmost(data["runs"])
        turn(data["runs"], page.width, mirrored=page.is_mirrored)
        if not page.is_mirrored:
            page.figures, page.rules = data.get("figures", []), data.get("rules", [])
        page.lines = self.counts.remove(make_lines(data["runs"]))
        self.ligatures.repair(page.lines)
        page.marks = marks(page.lines, page.height)
        for line in page.lines:
            found = WORD.findall(line.text.lower())
            self.words.update(found[:-1] if line.text[-1] in HYPHENS else found)
        self.body.add(page.lines)
        return page

    def _lay_out(self, before: deque[Page], ahead: deque[Page]) -> Page:
        page = ahead.popleft()
        known = [mark for other in (*before, *ahead) for mark in other.marks]
        lines = without_running(page.lines, page.height, known, self.body.size)
        there = set(map(id, lines))
        page.left_out += [("running", line.text) for line in page.lines if id(line) not in there]
        lines, tables = part_grids(lines, page.rules)
        lines, drawn = part_figures(lines, page.figures, self.body.size)
        lines, notes = part_notes(lines)
        before.append(page)
        page.lines = []
        found: list[Paragraph] = []
        # So many pieces are a drawing or an attack, and are taken in the order of the file.
        few = 0 < len(lines) <= MAX_ORDERED_LINES
        order = columns(lines, self.gutters) if few else [Column(lines, 0, page.width)]
        for number, column in enumerate(order):
            for one in paragraphs(column, self.body):
                one.column = number
                found.append(one)
        _doubt_contents(found)
        found = put_notes(_joined(mark_labels(found)), notes)
        page.paragraphs = put_tables(_with_figures(found, drawn), tables)
        mark_drawn(page.paragraphs)
        return page


def _doubt_contents(found: list[Paragraph]) -> None:
    """A line or two with dots before a number are no table of contents: a price list, or a form."""
    entries = [one for one in found if one.kind == "contents"]
    if sum(len(one.lines) for one in entries) < MIN_ENTRIES:
        for one in entries:
            one.kind = "paragraph"


def _with_figures(found: list[Paragraph], drawn: list[list[Line]]) -> list[Paragraph]:
    """The paragraphs, and the text of each figure right before the caption below it, or else at the end."""
    for lines in drawn:
        left, right = min(line.left for line in lines), max(line.right for line in lines)
        one = Paragraph("figure", lines, left, right)
        below = [
            other
            for other in found
            if other.kind == "caption" and other.lines[0].top >= lines[-1].top
        ]
        near = min(below, key=lambda other: other.lines[0].top, default=None)
        found.insert(found.index(near) if near else len(found), one)
    return found


def _joined(found: list[Paragraph]) -> list[Paragraph]:
    """The paragraphs, those that go on in the next column or after a table made whole."""
    done: list[Paragraph] = []
    rest = deque(found)
    while rest:
        last = rest.popleft()
        while (other := _continuation(last, rest)) is not None:
            rest.remove(other)
            last.lines += other.lines
            last.column, last.left, last.right = other.column, other.left, other.right
        done.append(last)
    return done


def _continuation(last: Paragraph, rest: Iterable[Paragraph]) -> Paragraph | None:
    """The paragraph in which another goes on, with what floats between them."""
    if last.kind in _FLOATS:
        return None
    floats, asides = 0, list[Paragraph]()
    for one in rest:
        if one.kind in _FLOATS:
            floats += 1
        elif (floats or asides or one.column != last.column) and goes_on(last, one):
            if not asides:
                return one
            # The number of a page may stand right below its text.
            is_apart = one.column != last.column or max(len(aside.text) for aside in asides) <= 4
            others = (aside for aside in asides if not is_address(aside.text))
            is_own = is_surely_cut(last, one) and not any(goes_on(other, one) for other in others)
            return one if is_apart and is_own else None
        elif len(asides) == MAX_BETWEEN or not _is_aside(one, last):
            return None
        else:
            asides.append(one)
    return None


def _is_aside(one: Paragraph, last: Paragraph) -> bool:
    """Whether this may stand between two parts of a paragraph: a licence, an address, the number of a page."""
    if last.kind not in ("paragraph", "item") or len(last.lines) < 2 or not is_cut(last):
        return False
    other_size = abs(one.size - last.size) > 0.04 * last.size
    return other_size or len(one.lines) <= 2 or is_address(one.text)


def _meet(page: Page, following: Page) -> None:
    """Let the last paragraph of a page end it and its other part begin the next one, if it goes on."""
    outer, inner = (_edges(one) for one in (page.paragraphs[::-1], following.paragraphs))
    pairs = [(last, first) for last in outer for first in inner if goes_on(last, first)]
    if not pairs:
        return
    last, first = pairs[0]
    if (last, first) != (outer[0], inner[0]) and not is_surely_cut(last, first):
        return
    page.following, following.is_continued = first.lines[0].text, True
    page.paragraphs.remove(last)
    page.paragraphs.append(last)
    following.paragraphs.remove(first)
    following.paragraphs.insert(0, first)


def _edges(found: Sequence[Paragraph]) -> list[Paragraph]:
    """The outermost paragraph of a page, and the outermost that is set as most of the page is."""
    body = [one for one in found if one.kind not in _FLOATS]
    sizes = Counter(one.size for one in body for _ in one.lines)
    usual = sizes.most_common(1)[0][0] if sizes else 0
    near = (one for one in body[1 : MAX_BETWEEN + 1] if abs(one.size - usual) <= 0.04 * usual)
    same = next((one for one in near if len(one.text) > MIN_CHARACTERS), None)
    return [*body[:1], *([same] if same else [])]
