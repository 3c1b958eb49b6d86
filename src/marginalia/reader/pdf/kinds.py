"""What a paragraph of a PDF is: heading, caption, item, formula, code, footnote or plain text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from marginalia.nlp.prose import is_reference_heading
from marginalia.reader.pdf.lines import Line

MIN_PARAGRAPH_PITCH = 1.35
"""A distance of this many usual ones to the line above starts a paragraph."""
MAX_HEADING_CHARACTERS = 200
MIN_HEADING, MIN_CAPITALS = 0.9, 0.7
"""A heading is no smaller than this part of the text's size; small capitals may be."""

ITEM = re.compile(r"(?:[•◦▪‣●○■□–—*·]|\(?\d{1,2}[.)])\s+(?=\S)")
BULLET = re.compile(r"[•◦▪‣●○■□]\s")
_CAPTION = re.compile(
    r"(?:table|figure|fig\.|tab\.|scheme|box|plate|tabelle|abbildung|abb\.|tableau)\s*(?:[A-Z]?\d+[a-z]?|[IVX]{1,5})\s*([.:|–—-]?)(?:\s|\Z)",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(
    r"[¹²³⁰⁴-⁹*∗†‡§©]|\d{1,2}\s?[A-ZÄÖÜ]|c\s?(?:19|20)\d\d|copyright|proceedings of|permission to|doi|issn"
    r"|correspond(?:ence|ing)|received|licen[sc]e",
    re.IGNORECASE,
)
"""A note below the text, or what a publisher puts there."""
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z]\.\d{1,2}|[IVX]{1,4})\.?\s+(?=[A-ZÄÖÜ])")
_EQUALS = re.compile(r"[=≈≤≥<>∑∫∝±√∂∇∈→]")
EQUATION_NUMBER = re.compile(r"\(\d{1,3}[a-z]?\)\Z")
_FUNCTIONS = frozenset("logit probit sinh cosh".split())


@dataclass(slots=True, eq=False)
class Paragraph:
    """Lines that belong together, and what they are: a kind of region, or ``paragraph``."""

    kind: str
    lines: list[Line]
    left: int
    right: int
    above: float = 99.0
    """The distance to the line above it in its column, in usual distances."""
    column: int = 0

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    @property
    def size(self) -> int:
        return max(self.lines, key=lambda line: len(line.text)).size


@dataclass(slots=True)
class Body:
    """The letters that most of the text is set in, counted from page to page."""

    sizes: Counter[int] = field(default_factory=Counter)
    mono: int = 0

    def add(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self.sizes[line.size] += len(line.text)
            self.mono += line.mono

    @property
    def size(self) -> int:
        return self.sizes.most_common(1)[0][0] if self.sizes else 100

    @property
    def is_mono(self) -> bool:
        """Where everything is typewritten, it is no code."""
        return self.mono > 0.5 * self.sizes.total()


def kind_of(one: Paragraph, letters: Body, below: float) -> str:
    text, lines, body = one.text, one.lines, letters.size
    if lines[0].is_entry:
        return "contents"
    if lines[0].cells > 1:
        return "table"
    if BULLET.match(text):
        return "item"
    if all(is_mono(line) for line in lines) and not letters.is_mono:
        return "code"
    if is_caption(text, apart=one.above > MIN_PARAGRAPH_PITCH or one.size < 0.95 * body):
        return "caption"
    if _is_heading(one, text, body, below):
        return "heading"
    maths = sum(line.maths for line in lines) / max(1, len(text.replace(" ", "")))
    if len(lines) <= 4 and len(text) <= 160 and is_formula(text, maths):
        return "formula"
    if one.size < 0.93 * body and _FOOTNOTE.match(text):
        return "footnote"
    return "item" if ITEM.match(text) else "paragraph"


def unmarked(one: Paragraph) -> dict[str, int]:
    """Take the bullet or number off an item, which is added again when it is shown; its number."""
    mark = ITEM.match(one.lines[0].text)
    if one.kind != "item" or mark is None:
        return {}
    one.lines[0].behead(mark.end())
    number = mark.group().strip(" (.)")
    return {"number": int(number)} if number.isdecimal() else {}


def is_caption(text: str, *, apart: bool = True) -> bool:
    """``Table 1. Means``, and ``Table 1 Means`` if it stands apart, but not ``Table 1 shows``."""
    label = _CAPTION.match(text)
    if label is None:
        return False
    following = text[label.end() :]
    return label.group(1) != "" or (apart and (not following or not following[0].islower()))


def _is_heading(one: Paragraph, text: str, body: int, below: float) -> bool:
    if len(text) > MAX_HEADING_CHARACTERS or not any(sign.isalpha() for sign in text):
        return False
    if is_reference_heading(text) and (one.above > 1.1 or is_bold(one.lines[0])):
        return True
    if text[-1] in ".,;" and not (one.size > 1.3 * body):
        return False
    if one.size > 1.12 * body:
        return True
    small = one.size < (MIN_CAPITALS if text.isupper() else MIN_HEADING) * body
    if len(one.lines) > 2 or len(text) > 100 or small:
        return False
    bold = all(is_bold(line) for line in one.lines)
    if bold and (one.above > 1.1 or below > 1.1):
        return True
    number = _NUMBERED.match(text)
    apart = one.above > 1.2 and below > 1.1
    return apart and (
        (number is not None and len(text) < 70)
        or (text.isupper() and 3 < len(text) < 60 and 2 * sum(map(str.isalpha, text)) > len(text))
    )


def is_formula(text: str, maths: float) -> bool:
    """Signs instead of words; ``maths`` is the share of letters from mathematical fonts."""
    # Letters with others below them look like short words.
    words = [word for word in re.findall(r"[^\W\d_]{4,}", text) if word.lower() not in _FUNCTIONS]
    signs = len(_EQUALS.findall(text))
    numbered = EQUATION_NUMBER.search(text) is not None
    return (
        (maths > 0.4 or signs > 0)
        and (len(words) <= 1 or (numbered and len(words) <= 3))
        and (maths > 0.4 or numbered or not words)
    )


def is_bold(line: Line) -> bool:
    return line.share(line.bold) > 0.9


def is_mono(line: Line) -> bool:
    return line.share(line.mono) > 0.9
