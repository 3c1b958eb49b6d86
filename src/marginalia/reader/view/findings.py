"""Findings: what is reported of a place in a file, by which code and how severe; which of them count; how text silences them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError
from marginalia.core.registry import find_annotator
from marginalia.nlp.prose import NO_SPANS, SpanSet
from marginalia.reader.formats.signature import parsed_suffixes
from marginalia.reader.view.caption import caption, shorten
from marginalia.reader.view.places import Places

SEVERITIES = ("note", "warning", "error")
OFF = "off"
"""What an annotator says of a finding that must be asked for: by ``select``, by a genre, or by giving it a severity."""
_COMMENT = re.compile(
    r"<!--\s*marginalia:\s*(ignore|off|on)\b([^>]*?)-->"
    r"|^[ \t]*\.\.[ \t]+marginalia:[ \t]*(ignore|off|on)\b([^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A comment of HTML, Markdown and XML, or of reStructuredText."""
_TARGET = re.compile(
    r":[\w.+-]{1,60}(?::[\w.+-]{1,60})?:`[^`<]{0,300}`|`[^`<]{1,300}`__?|(?<![\w-])[\w-]+_(?!\w)|\|[^|\n]+\|"
)
PAGE = "https://github.com/marginalia-reader/marginalia/blob/main/docs/reference/lint-rules.md"
"""Where the kinds of findings are described."""
MAX_QUOTE_CHARACTERS = 60
FORMATS_WITH_LINES = {"text", "markdown", "rst", "html", "jats", "tei"}
"""Formats whose files have lines that a person edits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Which findings count. Codes are as in ``kind_code``, or a pattern such as ``spelling.*``."""

    select: tuple[str, ...] = ()
    """Only these; what an annotator calls a finding, if empty."""
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    """Code or pattern -> severity, over what the annotator says."""
    least: str = "note"
    also: tuple[str, ...] = ()
    """Codes that are off by themselves and on here."""

    def __post_init__(self) -> None:
        for severity in (*self.severity.values(), self.least):
            if severity not in SEVERITIES:
                raise FormatError(f"the severity {severity!r} is none of {', '.join(SEVERITIES)}")

    def judge(self, code: str, own: str | None, annotator: str = "") -> str | None:
        """The severity of a note that has ``own`` by itself ("" if it only informs); None if it is not to be reported."""
        if annotator in self.ignore or matches(code, self.ignore):
            return None
        if self.select and annotator not in self.select and not matches(code, self.select):
            return None
        if own == OFF:
            own = "note" if matches(code, self.also) else None
        severity = next((s for p, s in self.severity.items() if matches(code, (p,))), None) or own
        if not severity and self.select:
            severity = "note"  # asked for by name
        if not severity or SEVERITIES.index(severity) < SEVERITIES.index(self.least):
            return None
        return severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A place in the file and what should stand there; lines and columns are counted from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is to be reported of one place of a file; lines and columns are counted from 1."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: str
    message: str
    quote: str
    help: str = ""
    """Where its rule is described."""
    fix: tuple[Replacement, ...] = ()
    """What fixes it, here and where else the same is written; empty where only a person can."""

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "fix": [asdict(one) for one in self.fix]}


def has_lines(path: Path) -> bool:
    """Whether a file of this name has lines to point to."""
    found = parsed_suffixes().get(path.suffix.lower())
    return found is None or found[0].name in FORMATS_WITH_LINES


def require_lines(doc: Document) -> Document:
    """The document itself, if findings in it can be given by line and column."""
    if doc.meta.get("format") not in FORMATS_WITH_LINES:
        raise FormatError(
            f"a {doc.meta.get('format')} file has no lines to point to; lint takes text, Markdown, reStructuredText, HTML and XML",
            path=Path(str(doc.meta.get("path", doc.id))),
        )
    return doc


def place(doc: Document, places: Places, start: int, end: int, **said: Any) -> Finding:
    """A finding on a span of the document's text."""
    low, high = places.span(start, end)
    line, column = places.line(low)
    end_line, end_column = places.line(high)
    return Finding(
        path=str(doc.meta.get("path", doc.id)),
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        quote=doc.text[start:end],
        **said,
    )


def find_noted(doc: Document, places: Places, rules: Rules) -> Iterator[tuple[Finding, Annotation]]:
    """Each finding with the note that it comes from, in the order of the notes."""
    require_lines(doc)
    silenced = Silenced(places)
    # Where reStructuredText shows the name of what it refers to, another spelling would refer to nothing.
    targets = target_spans(places.source) if doc.meta.get("format") == "rst" else NO_SPANS
    reported: set[str] = set()
    for note in doc.annotations:
        if "part_of" in note.attrs or targets.hold(places.offset(note.start)):
            continue  # a mark that belongs to another note
        code = code_of(note)
        annotator = find_annotator(note.task)
        own = annotator.kinds.get(note.label) if annotator else None
        severity = rules.judge(code, own, note.task)
        if severity is None:
            continue
        # What two places have in common is one matter, and reported at the first of them.
        if any(f"{code} {id}" in reported for ids in note.links.values() for id in ids):
            continue
        reported.add(f"{code} {note.id}")
        said = caption(replace(note, score=None))
        quote = shorten(note.quote, MAX_QUOTE_CHARACTERS)
        about = annotator.about(note.label) if annotator else None
        one = place(
            doc,
            places,
            note.start,
            note.end,
            code=code,
            severity=severity,
            message=f"{quote}: {said}" if said else quote,
            help=(about.help if about else "") or f"{PAGE}#findings-of-the-notes",
        )
        if not silenced.is_silenced(one.line, code, note.task):
            yield one, note


def target_spans(source: str) -> SpanSet:
    return SpanSet.merge(match.span() for match in _TARGET.finditer(source))


def order(one: Finding) -> tuple[int, int, str]:
    return one.line, one.column, one.code


def code_of(note: Annotation) -> str:
    return kind_code(note.task, note.label)


def kind_code(annotator: str, label: str) -> str:
    """The code of a kind of note: its label where that has a family (``spelling.case``), else ``annotator.label``."""
    return label if "." in label else f"{annotator}.{label.replace(' ', '-')}"


def matches(code: str, patterns: Iterable[str]) -> bool:
    """Whether a code is one of these, by its whole name, its family, its label or a pattern."""
    family, _, label = code.partition(".")
    return any(
        pattern in (code, family, label) or fnmatchcase(code, pattern) for pattern in patterns
    )


class Silenced:
    """Lines on which comments forbid findings.

    ``<!-- marginalia: ignore -->`` silences its own line, or where it stands alone the paragraph after it;
    with codes or names of annotators, only these. ``<!-- marginalia: off -->`` silences all up to ``<!-- marginalia: on -->``. In
    reStructuredText the comments are ``.. marginalia: ignore`` and so on.
    """

    def __init__(self, places: Places) -> None:
        source = places.source
        self._spans: list[tuple[int, int, tuple[str, ...]]] = []
        lines = source.split("\n")
        off: int | None = None
        for match in _COMMENT.finditer(source):
            line, _ = places.line(match.start())
            last, _ = places.line(match.end())
            word, named = (match[1] or match[3]).lower(), match[2] or match[4] or ""
            codes = tuple(code for code in re.split(r"[\s,]+", named.strip()) if code)
            if word == "off":
                off = line if off is None else off
            elif word == "on" and off is not None:
                self._spans.append((off, line, ()))
                off = None
            elif word == "ignore":
                alone = not _COMMENT.sub("", lines[line - 1]).strip() and line == last
                until = _paragraph_end(lines, last) if alone else last
                self._spans.append((line, until, codes))
        if off is not None:
            self._spans.append((off, len(lines), ()))

    def is_silenced(self, line: int, code: str, annotator: str) -> bool:
        return any(
            first <= line <= last and (not codes or annotator in codes or matches(code, codes))
            for first, last, codes in self._spans
        )


def _paragraph_end(lines: list[str], line: int) -> int:
    """The last line of the paragraph that follows this line (both counted from 1)."""
    while line < len(lines) and not lines[line].strip():
        line += 1
    while line < len(lines) and lines[line].strip():
        line += 1
    return line
