"""E-mail: the subject and the text of a message. Attachments and all other headers are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import MessageError
from email.headerregistry import HeaderRegistry
from email.parser import BytesParser
from email.policy import EmailPolicy
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.parse import html
from marginalia.reader.parse.content import Builder, Content
from marginalia.reader.parse.ledger import TEXT, Piece
from marginalia.reader.parse.plain import check

MAX_PARTS = 1_000
MAX_HEADER = 4_000
"""Characters of a header that is looked at: Python takes the square of their number in time, and in memory for encoded words."""
MAX_HEADERS = 200_000
"""Characters of all of them, those of the parts too."""

_WROTE = re.compile(
    r"(?:on|am|le)\b[^\n]{5,200}\b(?:wrote|schrieb|a écrit)[^\n]{0,80}:\s*|-{3,} ?(?:original message|"
    r"ursprüngliche nachricht|forwarded message|weitergeleitete nachricht) ?-{3,}\s*",
    re.IGNORECASE,
)
"""The line before what is quoted."""


class _Headers:
    """Parses headers as they are asked for, each one once, under limits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.registry = HeaderRegistry()
        self.parsed: dict[tuple[str, str], Any] = {}
        self.left = MAX_HEADERS

    def __call__(self, name: str, value: str) -> Any:
        if (name, value) not in self.parsed:
            self.left -= len(value)
            if len(value) > MAX_HEADER:
                said = f"the header {name[:40]} is longer than {MAX_HEADER:,} characters"
                raise FormatError(said, path=self.path)
            if self.left < 0:
                said = f"the headers are longer than {MAX_HEADERS:,} characters together"
                raise FormatError(said, path=self.path)
            self.parsed[name, value] = self.registry(name, value)
        return self.parsed[name, value]


def parse(data: bytes, path: Path) -> Content:
    try:
        message = BytesParser(policy=EmailPolicy(header_factory=_Headers(path))).parsebytes(data)
        if sum(1 for _ in zip(message.walk(), range(MAX_PARTS + 1), strict=False)) > MAX_PARTS:
            raise FormatError(f"the message has more than {MAX_PARTS:,} parts", path=path)
        subject = " ".join(str(message.get("Subject") or "").split())
        part = message.get_body(("plain", "html"))
        text = part.get_content() if part is not None else ""
    except FormatError:
        raise
    except (MessageError, LookupError, ValueError, RecursionError, TypeError, AttributeError):
        # The package raises what its parts raise where a header or an encoding is broken.
        raise FormatError("not a message that can be read: it is damaged", path=path) from None
    if part is None or not isinstance(text, str):
        raise FormatError("the message has no text", path=path)
    text = check(text.encode("utf-8", "replace").decode(), path)
    builder = Builder()
    if subject:
        with builder.block("heading", level=1):
            builder.add(check(subject.encode("utf-8", "replace").decode(), path))
    pieces = list[Piece]()
    if part.get_content_type() == "text/html":
        pieces += html.add(builder, text)
    else:
        is_flowed = part.get_param("format") == "flowed"
        _add_plain(builder, _unfolded(text) if is_flowed else text)
    return builder.build(title=subject, pieces=[*pieces, *_other_parts(message, part)])


def _other_parts(message: Any, body: Any) -> Iterator[Piece]:
    """What else is in a message: attachments, further texts, and the same text in another form."""
    beside: Any = None
    for part in message.walk():
        if part.get_content_type() == "multipart/alternative" and body in part.walk():
            beside = part
    same = set(beside.walk()) if beside is not None else set()
    for part in message.walk():
        if part is body or part.is_multipart():
            continue
        try:
            name = part.get_filename()
            if name or part.is_attachment() or part.get_content_maintype() != "text":
                yield "attachment", str(name or part.get_content_type())
            elif part not in same and part.get_content_type() == "text/plain":
                yield TEXT, str(part.get_content())
        except (MessageError, LookupError, ValueError, TypeError, AttributeError):
            continue  # a part that is damaged


def _unfolded(text: str) -> str:
    """Lines that end in a space go on on the next one (RFC 3676), if that is quoted as deeply."""
    pieces: list[str] = []
    goes_on, depth = False, 0
    for line in text.split("\n"):
        before, depth = depth, len(line) - len(line.lstrip(">"))
        if goes_on and depth == before:
            pieces.append(line[depth:].removeprefix(" "))
            goes_on = pieces[-1].endswith(" ") or not pieces[-1]
        else:
            pieces += ["\n", line]
            goes_on = line.endswith(" ") and line != "-- "
    return "".join(pieces[1:])


def _add_plain(builder: Builder, text: str) -> None:
    """The text line by line: what is quoted as a quote, what comes after ``-- `` as the author's signature."""
    kind = ""
    lines = text.strip("\n").split("\n")
    for place, line in enumerate(lines):
        if kind != "authors":
            now = _kind(lines, place)
            if now != kind:
                if kind:
                    builder.close()
                if now:
                    builder.open(now)
                kind = now
        if line.strip():
            builder.add(line.rstrip())
            builder.gap("\n")
        else:
            builder.gap("\n\n")
    if kind:
        builder.close()


def _kind(lines: list[str], place: int) -> str:
    line = lines[place]
    if line.rstrip() == "--":
        return "authors"
    if line.startswith(">"):
        return "quote"
    # Blank lines may stand between the line that says who wrote and what was written.
    is_before = any(other.startswith(">") for other in lines[place + 1 : place + 3])
    return "quote" if _WROTE.fullmatch(line) and is_before else ""
