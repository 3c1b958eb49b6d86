"""Headings of a PDF: the title on its first page with the authors below it, and which heading is above which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from marginalia.reader.pdf.kinds import Paragraph

MAX_TITLE_CHARACTERS = 300
MIN_TITLE_SIZE = 1.12
"""A title is set this many times larger than the text, or bold."""
MIN_PROSE_WORDS = 25
"""From so many words on a paragraph below the title is text, unless it has an address."""
MAX_AUTHOR_PARAGRAPHS = 40
MAX_AUTHOR_WORDS = 80
MAX_ADDRESS_SIZE = 0.95

_LABEL = re.compile(
    r"(?:original |full |short |brief )?(?:research|review|case|technical|meta)?\s*"
    r"(?:article|paper|report|communication|letter|note|study)s?(?:\s+open access)?"
    r"|open access|proceedings of .*|arxiv:.*|doi:.*|https?://.*|vol(?:ume|\.)? .*|preprint.*|draft.*"
    r"|(?:page|seite|p\.)?\s*\d+(?:\s*(?:of|von|/)\s*\d+)?|abstract|summary|zusammenfassung|contents",
    re.IGNORECASE,
)
_SPACED = re.compile(r"(?:\b\w{1,3}\b\s*){6,}")
"""Letters set apart, as in R E S E A R C H."""
_END = re.compile(
    r"(?:abstract|summary|zusammenfassung|kurzfassung|résumé|keywords|key words|introduction|einleitung"
    r"|contents|inhalt(?:sverzeichnis)?)\b|(?:1|I)[.)]?\s+[A-ZÄÖÜ]",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"[\w.}]+\s?@\s?\w|\b(?:university|universit(?:y|ät|é)|department|institut[eo]?|faculty|laborator|"
    r"hospital|college|school of|inc\.|gmbh|corresponding author|correspondence)",
    re.IGNORECASE,
)

_MAIL = re.compile(r"[\w.}]+\s?@\s?\w+\.")

MAX_LEVEL = 6

_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s")


def find_title(page: Sequence[Paragraph], body: int) -> list[Paragraph]:
    """The paragraphs of the first page that make up its title; none where nothing stands out."""
    able = [
        one
        for one in page
        if one.kind in ("heading", "paragraph")
        and one.size >= MIN_TITLE_SIZE * body
        and len(one.text) <= MAX_TITLE_CHARACTERS
        and not _is_label(one.text)
    ]
    if not able:
        return []
    size = max(one.size for one in able)
    first = next(one for one in able if one.size == size)
    found = [first]
    for one in page[page.index(first) + 1 :]:
        # Its next line may have been taken for another heading.
        same = abs(one.size - size) <= 0.03 * size and one.kind in ("heading", "paragraph")
        near = one.lines[0].top - found[-1].lines[-1].bottom < 1.2 * size
        if not (same and near) or sum(len(part.text) for part in found) > MAX_TITLE_CHARACTERS:
            break
        found.append(one)
    return found


def find_authors(page: Sequence[Paragraph], title: Sequence[Paragraph]) -> list[Paragraph]:
    """What stands between the title and the abstract or the text, if it has an address somewhere."""
    if not title:
        return []
    found: list[Paragraph] = []
    for one in page[page.index(title[-1]) + 1 :]:
        words = len(one.text.split())
        if _END.match(one.text):
            # What stands between a title and its abstract is who wrote it, whether or not it has an address.
            if sum(len(other.text.split()) for other in found) <= MAX_AUTHOR_WORDS:
                return found
            break
        if len(found) == MAX_AUTHOR_PARAGRAPHS:
            break
        if words >= MIN_PROSE_WORDS and not _ADDRESS.search(one.text):
            break
        if one.kind not in ("heading", "paragraph", "footnote", "item"):
            continue
        found.append(one)
    else:
        return []  # no text follows: this is a cover, not an article
    while found and not _ADDRESS.search(found[-1].text):
        found.pop()
    return found


def find_addresses(page: Sequence[Paragraph], body: int) -> list[Paragraph]:
    """Mail addresses and affiliations elsewhere on a first page, in small letters or with nothing beside them."""
    return [
        one
        for one in page
        if one.kind in ("paragraph", "footnote", "code")
        and is_address(one.text)
        and (one.size < MAX_ADDRESS_SIZE * body or one.kind == "code" or _MAIL.search(one.text))
    ]


def is_address(text: str) -> bool:
    """Whether this is a mail address or where an author works, and not a sentence about one."""
    return len(text.split()) < MIN_PROSE_WORDS and _ADDRESS.search(text) is not None


def same_title(declared: str, found: str) -> bool:
    """Whether the title that a file declares is the one on its first page, however that came out."""
    from rapidfuzz.fuzz import partial_ratio, ratio

    one, other = (re.sub(r"\W+", "", text).casefold() for text in (declared, found))
    if min(len(one), len(other)) < 5:
        return one == other != ""
    return ratio(one, other) >= 75 or (len(one) >= len(other) and partial_ratio(one, other) >= 85)


def _is_label(text: str) -> bool:
    plain = " ".join(text.split())
    if not any(sign.isalpha() for sign in plain):
        return True
    return _LABEL.fullmatch(plain) is not None or _SPACED.match(plain) is not None


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    size: int
    is_bold: bool
    page: int

    @property
    def style(self) -> tuple[int, bool, bool]:
        """What headings of one level have in common; half a point makes no difference."""
        return (round(self.size / 5), self.is_bold, self.text.isupper())

    @property
    def depth(self) -> int | None:
        """How many numbers it has but one: 0 for ``2 Methods``, 1 for ``2.1 Sample``."""
        number = _NUMBER.match(self.text)
        return number.group(1).count(".") if number else None


def levels(headings: Sequence[Heading]) -> list[int]:
    """The level of each heading, from 1. The largest on the first page is the title if there is no other like it."""
    if not headings:
        return []
    first = max(headings, key=lambda heading: heading.size)
    title = first.style if first.page == headings[0].page else None
    if sum(heading.style == title and heading.page != first.page for heading in headings):
        title = None
    top = 1 if title is None else 2
    styles = sorted({heading.style for heading in headings} - {title}, reverse=True)
    ranks = {style: top + rank for rank, style in enumerate(styles)}
    depths: dict[tuple[int, bool, bool], int] = {}
    for heading in headings:
        if heading.depth is not None:
            depths[heading.style] = min(heading.depth, depths.get(heading.style, heading.depth))
    found = []
    for heading in headings:
        if heading.style == title:
            level = 1
        elif heading.depth is not None:
            level = top + heading.depth
        elif heading.style in depths:
            level = top + depths[heading.style]
        else:
            level = ranks[heading.style]
        found.append(min(level, MAX_LEVEL))
    return found
