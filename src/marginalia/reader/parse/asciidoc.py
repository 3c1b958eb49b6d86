"""AsciiDoc: its blocks as regions, its text without the mark-up.

There is no mature parser for Python, so this reads the block syntax line by line and the usual inline mark-up.
Nothing is included; what a condition or an attribute of another file would change is read as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.reader.parse.content import Builder, Content, shifted
from marginalia.reader.parse.ledger import TEXT
from marginalia.reader.parse.plain import clean, require_length
from marginalia.reader.parse.tables import span_of

MAX_CHARACTERS = 5_000_000

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_ATTRIBUTE = re.compile(r":!?([\w][\w-]*)!?:(?:[ \t]+(.*))?")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```\w*|[|,:!]===)[ \t]*")
_OPTIONS = re.compile(r"\[(?!\[)([^\]]*)\][ \t]*|\[\[[^\]]*\]\][ \t]*")
_TITLE = re.compile(r"\.([^\s.].*)")
_MACRO = re.compile(r"(?:image|video|audio|include|toc|ifdef|ifndef|ifeval|endif)::\S*\[.*\][ \t]*")
_ITEM = re.compile(r"[ \t]*(?:(\*{1,5}|-|•)|(\.{1,5}|\d+\.|[a-z]\.))[ \t]+(\S.*)")
_TERM = re.compile(r"[ \t]*(\S.*?)(?:::{1,3}|;;)(?:[ \t]+(.*))?")
_ADMONITION = re.compile(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
_CELL = re.compile(r"(?:(\d+)?(?:\.(\d+))?\+)?[<^>.]*([aehlmsvd])?\|")
_COMMENTS = re.compile(r"^/{4,}\n.*?^/{4,}$", re.MULTILINE | re.DOTALL)
_MATHS = frozenset({"stem", "latexmath", "asciimath"})

_PIECE = re.compile(
    r"""
    (?P<code>``[^`]{1,500}``|`[^`\s](?:[^`]{0,500}[^`\s])?`)
  | \+\+\+(?P<raw>[^+]{0,500})\+\+\+
  | (?P<maths>(?:stem|latexmath|asciimath):\[(?P<formula>[^\[\]]{0,500}+)\])
  | (?:kbd|btn|menu):\S{0,50}\[(?P<key>[^\[\]]{0,500}+)\]
  | (?:image|icon|indexterm2?|anchor):[^\s\[]{0,500}\[[^\[\]]{0,500}+\]
  | footnote(?:ref)?:[^\s\[]{0,50}\[(?P<note>(?:[^\[\]]|\[[^\[\]]{0,200}+\]){0,500}+)\]
  | (?:link|xref|mailto):[^\s\[]{1,500}\[(?P<link>[^\[\]]{0,500}+)\]
  | (?P<url>(?:https?|ftp|irc)://[^\s\[\]<>]+)(?:\[(?P<label>[^\[\]]{0,500}+)\])?
  | <<[^,<>]{0,200}+(?:,(?P<cross>[^<>]{0,500}+))?>>
  | \[\[[^\[\]]{0,200}+\]\]
  | \(\(\([^()]{0,200}+\)\)\)
  | \[[^\]\s]{0,100}\](?=[\#*_`])
  | \^(?P<sup>[^\s^]{1,100})\^
  | ~(?P<sub>[^\s~]{1,100})~
  | \{(?P<name>[\w-]{1,100})\}
  | (?P<mark>\*\*|__|\#\#|(?<!\w)[*_\#](?=\S)|(?<=\S)[*_\#](?!\w))
    """,
    re.VERBOSE,
)
"""One piece of mark-up. What may repeat is bounded, so that an unclosed one costs little."""
_NAMED = {
    "amp": "&", "apos": "'", "asterisk": "*", "backtick": "`", "deg": "°", "empty": "", "gt": ">", "lt": "<",
    "nbsp": "\u00a0", "plus": "+", "sp": " ", "zwsp": "", "vbar": "|", "startsb": "[", "endsb": "]",
}  # fmt: skip


def parse(data: bytes, path: Path) -> Content:
    source = clean(data, path)
    if len(source) > MAX_CHARACTERS:
        raise FormatError(f"AsciiDoc may have {MAX_CHARACTERS:,} characters", path=path)
    text = _Text(source.split("\n"), path)
    text.header()
    text.blocks(len(text.lines))
    builder = text.builder
    builder.ledger.audit_source(builder.text, _COMMENTS.sub("", source), _kind_left_out)
    return builder.build(title=builder.heading(1) or builder.heading())


def _kind_left_out(paragraph: str) -> str:
    first = paragraph.lstrip()
    if first.startswith("//"):
        return "comment"
    return "" if _ATTRIBUTE.fullmatch(first.partition("\n")[0]) or first.startswith("= ") else TEXT


class _Text:
    def __init__(self, lines: list[str], path: Path) -> None:
        self.lines, self.path = lines, path
        self.builder = Builder()
        self.place = 0
        self.attributes: dict[str, str] = {}
        self.options: list[str] = []
        """What stands in brackets before a block."""
        self.notes: list[str] = []
        """Footnotes of the block at hand, which come after it."""

    def header(self) -> None:
        """The title, and below it the author and revision, which are no text of the document."""
        while self.place < len(self.lines) and not self.lines[self.place].strip():
            self.place += 1
        line = self.lines[self.place] if self.place < len(self.lines) else ""
        found = _HEADING.fullmatch(line)
        if found is None or len(found.group(1)) > 1:
            return
        self.place += 1
        self.region("heading", found.group(2), level=1)
        while self.place < len(self.lines) and self.lines[self.place].strip():
            if not self.attribute(self.lines[self.place]):
                self.builder.leave_out("authors", self.lines[self.place])
            self.place += 1

    def attribute(self, line: str) -> bool:
        found = _ATTRIBUTE.fullmatch(line)
        if found:
            self.attributes[found.group(1)] = (found.group(2) or "").strip()
        return found is not None

    def blocks(self, end: int) -> None:
        """All blocks up to a line, without recursion: what a delimiter encloses is read on in the same way."""
        while self.place < end:
            line = self.lines[self.place]
            self.place += 1
            require_length(self.builder.length, self.path)
            if (
                not line.strip()
                or line.strip() == "+"
                or (line.startswith("//") and line[2:3] != "/")
            ):
                continue
            if self.attribute(line) or _MACRO.fullmatch(line):
                continue
            options, delimiter = _OPTIONS.fullmatch(line), _DELIMITER.fullmatch(line)
            if options:
                self.options = (options.group(1) or "").split(",")
                continue
            if delimiter:
                self.delimited(delimiter.group(1))
            else:
                self.paragraph(line, end)
            self.options = []
            while self.notes:
                self.region("footnote", self.notes.pop(0))

    def delimited(self, mark: str) -> None:
        """A block between two lines that are the same; without its end it goes on to the end of the file."""
        mark = "```" if mark.startswith("```") else mark
        start = end = self.place
        while end < len(self.lines) and self.lines[end].rstrip() != mark:
            end += 1
        self.place = end + 1
        body = self.lines[start:end]
        if mark[0] in "|,:!":
            self.table(body, mark[0])
        elif mark[0] == "/" or (mark[0] == "+" and not self.is_maths()):
            return
        elif mark[0] == "+" or self.is_maths():
            self.verbatim("formula", body)
        elif mark[0] in "-.`" and mark != "--":
            self.verbatim("code", body)
        elif mark[0] == "_" or self.options[:1] == ["quote"]:
            # Paragraphs stay; blocks within are rare.
            with self.builder.block("quote"):
                self.plain(body)
        else:
            # An example, sidebar or open block holds blocks like any other: go back and read them.
            self.place = start
            if end < len(self.lines):
                self.lines[end] = ""

    def is_maths(self) -> bool:
        return bool(self.options) and self.options[0] in _MATHS

    def verbatim(self, kind: str, body: list[str]) -> None:
        with self.builder.block(kind):
            self.builder.add("\n".join(body).strip("\n"))

    def plain(self, body: list[str]) -> None:
        for line in body:
            self.builder.gap(" " if line.strip() else "\n\n")
            self.inline(line)

    def inline(self, text: str) -> None:
        self.notes += add_inline(self.builder, text, self.attributes)

    def region(self, kind: str, text: str, **more: int) -> None:
        with self.builder.block(kind, **more):
            self.inline(text)

    def paragraph(self, line: str, end: int) -> None:
        heading, title = _HEADING.fullmatch(line), _TITLE.fullmatch(line)
        item = _ITEM.fullmatch(line)
        term = None if item else _TERM.fullmatch(line)
        if heading and self.options[:1] != ["discrete"]:
            self.region("heading", heading.group(2), level=len(heading.group(1)))
        elif heading:
            self.region("heading", heading.group(2), level=6)
        elif title:
            self.region("caption", title.group(1))
        elif item:
            self.region("item", " ".join([item.group(3), *self.rest(end)]))
        elif term and "::" in line:
            self.builder.gap("\n\n")
            self.inline(term.group(1))
            said = " ".join([term.group(2) or "", *self.rest(end)]).strip()
            if said:
                self.region("item", said)
        elif line[0] in " \t" or self.options[:1] in (["source"], ["listing"], ["literal"]):
            self.verbatim("code", [line, *self.rest(end, any_line=True)])
        elif self.is_maths():
            self.verbatim("formula", [line, *self.rest(end)])
        else:
            kind = "quote" if self.options[:1] in (["quote"], ["verse"]) else ""
            self.builder.gap("\n\n")
            if kind:
                self.builder.open(kind)
            for number, text in enumerate([line, *self.rest(end)]):
                self.builder.gap(" " if number else "")
                text = text if number else _ADMONITION.sub("", text, count=1)
                self.inline(text.removesuffix(" +"))
                self.builder.gap("\n" if text.endswith(" +") else "")
            if kind:
                self.builder.close()
            self.builder.gap("\n\n")

    def rest(self, end: int, *, any_line: bool = False) -> list[str]:
        """The further lines of a paragraph or item."""
        start = self.place
        while self.place < end and (line := self.lines[self.place]).strip():
            if line.strip() == "+" or _DELIMITER.fullmatch(line) or _OPTIONS.fullmatch(line):
                break
            if not any_line and (_ITEM.fullmatch(line) or ("::" in line and _TERM.fullmatch(line))):
                break
            self.place += 1
        found = self.lines[start : self.place]
        return found if any_line else [line.strip() for line in found]

    def table(self, body: list[str], mark: str) -> None:
        """Cells begin with a bar. The first row tells how many there are in one, unless the options do."""
        is_headed = any("header" in one for one in self.options) or (
            len(body) > 1 and bool(body[0].strip()) and not body[1].strip()
        )
        lines = [_cells(line, mark) for line in body]
        width = _width(self.options) or max(1, len(next((line for line in lines if line), [])))
        cells = [cell for line in lines for cell in line]
        self.builder.gap("\n\n")
        self.builder.open_table()
        column = row = 0
        for text, columns, rows in cells:
            if column == 0:
                self.builder.open_row()
                row += 1
            self.builder.open_cell(head=is_headed and row == 1, rows=rows, columns=columns)
            self.inline(text)
            self.builder.close_cell()
            column = column + columns if column + columns < width else 0
        self.builder.close_table()
        self.builder.gap("\n\n")


def _cells(line: str, mark: str) -> list[tuple[str, int, int]]:
    """The cells that begin on a line, with the columns and rows they span."""
    if not line.strip():
        return []
    if mark != "|":
        return [(cell.strip().strip('"'), 1, 1) for cell in line.split(mark)]
    found = list(_CELL.finditer(line))
    return [
        (
            line[one.end() : found[place + 1].start() if place + 1 < len(found) else None].strip(),
            span_of(one.group(1)),
            span_of(one.group(2)),
        )
        for place, one in enumerate(found)
    ]


def _width(options: list[str]) -> int:
    """How many columns the options of a table say it has."""
    said = ",".join(options)
    found = re.search(r'cols="?([^"\]%]*)', said)
    if found is None:
        return 0
    columns = [one.strip() for one in re.split(r"[,;]", found.group(1)) if one.strip()]
    many = re.fullmatch(r"(\d+)\*.*", columns[0]) if len(columns) == 1 else None
    return span_of(many.group(1)) if many else len(columns)


def add_inline(builder: Builder, text: str, attributes: Mapping[str, str]) -> list[str]:
    """Add the text of a line without its mark-up; the footnotes in it."""
    position, notes = 0, []
    for found in _PIECE.finditer(text):
        builder.flow(text[position : found.start()])
        position = found.end()
        _add(builder, found, attributes)
        notes += [found["note"]] if found["note"] else []
    builder.flow(text[position:])
    return notes


def _add(builder: Builder, found: re.Match[str], attributes: Mapping[str, str]) -> None:
    if found["code"] or found["maths"] or found["key"]:
        builder.open("formula" if found["maths"] else "code", inline=True)
        builder.flow(found["formula"] or found["key"] or (found["code"] or "").strip("`+"))
        builder.close()
    elif found["sup"] or found["sub"]:
        script = "sup" if found["sup"] else "sub"
        builder.add(shifted(found[script], script))
    elif found["url"]:
        builder.flow((found["label"] or "").split("^")[0] or found["url"])
    elif found["name"]:
        name = found["name"]
        builder.flow(attributes.get(name, _NAMED.get(name, "")))
    else:
        builder.flow(found["raw"] or (found["link"] or "").rstrip("^") or found["cross"] or "")
