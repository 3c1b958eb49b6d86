"""Notes as a linter reports them: with a place in the file, a code, a severity, and ways to be ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.registry import task_names
from marginalia.reader.formats.signature import parsed_suffixes
from marginalia.reader.hooks import find_task
from marginalia.reader.view.caption import caption
from marginalia.reader.view.places import Places

SEVERITIES = ("note", "warning", "error")
_COMMENT = re.compile(r"<!--\s*marginalia:\s*(ignore|off|on)\b([^>]*?)-->", re.IGNORECASE)
FORMATS_WITH_LINES = {"text", "markdown", "rst", "html", "jats", "tei"}
"""Formats whose files have lines that a person edits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Which findings count. Codes are ``task.label`` or a pattern such as ``complexity.*``."""

    select: tuple[str, ...] = ()
    """Only these; what a task calls a finding, if empty."""
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    """Code or pattern -> severity, over what the task says."""
    least: str = "note"

    def __post_init__(self) -> None:
        for severity in (*self.severity.values(), self.least):
            if severity not in SEVERITIES:
                raise FormatError(f"the severity {severity!r} is none of {', '.join(SEVERITIES)}")
        for code in self.select:  # a misspelled one would report nothing, as if all were well
            task, dot, _ = code.partition(".")
            if dot and not set("*?[") & set(task) and find_task(task) is None:
                raise UnknownNameError("task", task, task_names())


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

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def has_lines(path: Path) -> bool:
    """Whether a file of this name has lines to point to."""
    found = parsed_suffixes().get(path.suffix.lower())
    return found is None or found[0].name in FORMATS_WITH_LINES


def require_lines(doc: Document) -> Document:
    """The document itself, if findings in it can be told by line and column."""
    if doc.meta.get("format") not in FORMATS_WITH_LINES:
        raise FormatError(
            f"a {doc.meta.get('format')} file has no lines to point to; lint takes text, Markdown, reStructuredText, HTML and XML",
            path=Path(str(doc.meta.get("path", doc.id))),
        )
    return doc


def find(doc: Document, source: str, rules: Rules) -> Iterator[Finding]:
    """What is to be reported of a document that was read from this source, in its order."""
    require_lines(doc)
    places = Places(source, doc.text)
    silenced = Silenced(source, places)
    found = []
    for note in doc.annotations:
        severity = judge(note, rules)
        if severity is None:
            continue
        start, end = places.offset(note.start), places.offset(max(note.start, note.end - 1)) + 1
        line, column = places.line(start)
        end_line, end_column = places.line(end)
        code = code_of(note)
        if silenced.is_silenced(line, code):
            continue
        said = caption(note)
        found.append(
            Finding(
                path=str(doc.meta.get("path", doc.id)),
                line=line,
                column=column,
                end_line=end_line,
                end_column=end_column,
                code=code,
                severity=severity,
                message=f"{' '.join(note.quote.split())}: {said}" if said else note.quote,
                quote=note.quote,
            )
        )
    yield from sorted(found, key=lambda one: (one.line, one.column, one.code))


def code_of(note: Annotation) -> str:
    return f"{note.task}.{note.label.replace(' ', '-')}"


def judge(note: Annotation, rules: Rules) -> str | None:
    """The severity of a note; None if it is not to be reported."""
    code = code_of(note)
    task = find_task(note.task)
    own = task.findings.get(note.label) if task else None
    if matches(code, rules.ignore) or (rules.select and not matches(code, rules.select)):
        return None
    severity = next((s for p, s in rules.severity.items() if matches(code, (p,))), None) or own
    if severity is None and rules.select:
        severity = "note"  # asked for by name
    if severity is None or SEVERITIES.index(severity) < SEVERITIES.index(rules.least):
        return None
    return severity


def matches(code: str, patterns: Iterable[str]) -> bool:
    """Whether a code is one of these, by its whole name, its task, its label or a pattern."""
    task, _, label = code.partition(".")
    return any(pattern in (code, task, label) or fnmatchcase(code, pattern) for pattern in patterns)


class Silenced:
    """Lines on which comments forbid findings.

    ``<!-- marginalia: ignore -->`` silences its own line, or where it stands alone the paragraph after it;
    with codes, only these. ``<!-- marginalia: off -->`` silences all up to ``<!-- marginalia: on -->``.
    """

    def __init__(self, source: str, places: Places) -> None:
        self._spans: list[tuple[int, int, tuple[str, ...]]] = []
        lines = source.split("\n")
        off: int | None = None
        for match in _COMMENT.finditer(source):
            line, _ = places.line(match.start())
            last, _ = places.line(match.end())
            word, codes = match[1].lower(), tuple(re.split(r"[\s,]+", match[2].strip()))
            codes = tuple(code for code in codes if code)
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

    def is_silenced(self, line: int, code: str) -> bool:
        return any(
            first <= line <= last and (not codes or matches(code, codes))
            for first, last, codes in self._spans
        )


def _paragraph_end(lines: list[str], line: int) -> int:
    """The last line of the paragraph that follows this line (both counted from 1)."""
    while line < len(lines) and not lines[line].strip():
        line += 1
    while line < len(lines) and lines[line].strip():
        line += 1
    return line
