"""LaTeX sources: text, headings, lists, tables, captions and notes. Nothing is run, no other file is read.

Mathematics are formulae, unless they are no more than a number. A command that is not known leaves its arguments.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.parse import siunitx
from marginalia.reader.parse.content import Builder, Content, shifted
from marginalia.reader.parse.latex_commands import (
    ABSTRACT,
    BREAKS,
    CODE,
    FRONT,
    HEADINGS,
    LISTS,
    LOGOS,
    MATHS,
    PICTURES,
    PLAIN_MATHS,
    QUOTES,
    REFERRING,
    SHOWN,
    SILENT,
    SPECIALS,
    TABLES,
    arguments_of,
    inside,
    is_blank,
    name_of,
    read_nodes,
    source_of,
    verbatim_of,
)
from marginalia.reader.parse.ledger import TEXT
from marginalia.reader.parse.plain import clean, require_length
from marginalia.reader.parse.tables import span_of

MAX_CHARACTERS = 1_000_000
"""The parser reads about a hundred thousand characters a second, and fewer where there are more."""
MAX_EXPANSIONS = 20_000
"""Uses of the commands that a source defines for itself; they may use each other."""
MAX_PARAMETERS = 20
"""Pieces between the name of a command and what it stands for."""
MAX_DEPTH = 10
"""Commands in commands that are replaced by what they stand for."""

_CLOSING = frozenset(".,;:!?)]")
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_LABEL = re.compile(r"\\(?:label|tag)\{[^}]*\}|\\(?:nonumber|notag)\b")
_UPRIGHT = re.compile(
    r"\\(?:mathrm|text|textrm|mbox|mathsf)\s*\{(?:[^{}]|\{[^{}]*\})*\}|\\[,;: ]|\\(?:times|pm|cdot|approx|sim)\b"
)
"""Words, units and chemical formulae in mathematics, and the signs between them."""
_BODY = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.DOTALL)
_LINE_COMMENT = re.compile(r"(?<!\\)%[^\n]*|\\iffalse\b.*?\\fi\b", re.DOTALL)
_NO_TEXT = re.compile(
    r"\\begin\{(comment|filecontents\*?|tikzpicture|picture|pgfpicture|pspicture)\}.*?\\end\{\1\}"
    r"|\\(?:author|affiliation|address|email|institute|date|keywords|thanks|\w*cite\w*|\w*ref|label|input|include\w*"
    r"|bibliography\w*|begin|end|url|\w*command|\w*environment|def|set\w*|usepackage)\*?\s*(?:\[[^\]]*\])*(?:\{[^{}]*\})*",
    re.DOTALL,
)
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?")
_SCRIPT = re.compile(r"([\^_])\s*(?:\{([^{}]*)\}|([+\-−]?\d+|\S))")


def parse(data: bytes, path: Path) -> Content:
    source = clean(data, path)
    if len(source) > MAX_CHARACTERS:
        raise FormatError(f"LaTeX may have {MAX_CHARACTERS:,} characters", path=path)
    try:
        text = _Text(path)
        text.document(read_nodes(source, path))
    except RecursionError:
        raise FormatError("the LaTeX is nested too deeply", path=path) from None
    builder = text.builder
    builder.ledger.audit_source(builder.text, _shown(source), lambda _: TEXT)
    return builder.build(title=builder.heading(1) or builder.heading())


def _shown(source: str) -> str:
    """The body of a source without comments, names of commands, and arguments that are no text."""
    body = _BODY.search(source)
    text = _LINE_COMMENT.sub("", body[1] if body else source)
    return _COMMAND.sub(" ", _NO_TEXT.sub(" ", text))


class _Text:
    def __init__(self, path: Path) -> None:
        from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db

        self.builder, self.path = Builder(), path
        self.symbols = get_default_latex_context_db()
        self.converter = LatexNodes2Text(latex_context=self.symbols, math_mode="text")
        self.defined: dict[str, list[Any]] = {}
        self.expansions = self.depth = 0
        self.below = 0
        """1 once there was a title: headings are below it."""
        self.waiting: list[Any] = []
        """Footnotes of the paragraph at hand, which come after it."""
        self.held = 0
        """How many headings, cells, captions and notes are open, in which paragraphs do not end."""

    def document(self, nodes: list[Any]) -> None:
        """The title and the body; of a source without a body all of it."""
        body = next(
            (node for node in nodes if getattr(node, "environmentname", "") == "document"), None
        )
        for node in nodes if body is not None else ():
            self.define(node)
            if name_of(node) == "title" or name_of(node) in FRONT:
                self.macro(node)
        self.nodes(list(body.nodelist) if body is not None else nodes)
        self.follow()

    def nodes(self, nodes: list[Any]) -> None:
        before: Any = None
        defining: list[Any] | None = None
        for node in nodes:
            kind = type(node).__name__
            if defining is not None:
                # TeX's own way to define a command: its name, its parameters, and what it stands for.
                defining.append(node)
                if kind == "LatexGroupNode" or len(defining) > MAX_PARAMETERS:
                    if len(defining) == 2:
                        self.defined[name_of(defining[0])] = inside(node)
                    defining = None
            elif name_of(node) in ("def", "edef", "gdef", "xdef"):
                defining = []
            elif kind == "LatexCharsNode":
                text = node.chars
                # What an unknown command takes is not known; in brackets it is no text.
                if name_of(before) and not arguments_of(before) and text.startswith("["):
                    text = text.partition("]")[2]
                if name_of(before) in REFERRING and text[:1] in _CLOSING:
                    self.builder.drop_space()
                self.chars(text)
            elif kind == "LatexGroupNode":
                self.nodes(list(node.nodelist))
            elif kind == "LatexMacroNode":
                self.macro(node)
            elif kind == "LatexEnvironmentNode":
                self.environment(node)
            elif kind == "LatexMathNode":
                self.maths(list(node.nodelist), display=node.displaytype == "display")
            elif kind == "LatexSpecialsNode":
                self.special(node.specials_chars)
            before = node
            require_length(self.builder.length, self.path)

    def chars(self, text: str) -> None:
        first, *rest = _PARAGRAPH.split(text)
        self.builder.flow(first)
        for part in rest:
            self.paragraph()
            self.builder.flow(part)

    def special(self, signs: str) -> None:
        if not signs.strip():
            self.paragraph()
        elif signs == "~":
            self.builder.gap(" ")
        else:
            self.builder.add(SPECIALS.get(signs, ""))

    def paragraph(self) -> None:
        self.builder.gap(" " if self.held else "\n\n")
        self.follow()

    def follow(self) -> None:
        while self.waiting and not self.held:
            self.region("footnote", inside(self.waiting.pop(0)))

    def region(self, kind: str, nodes: list[Any], **more: Any) -> None:
        """A region of one paragraph."""
        self.builder.gap(" " if self.held else "\n\n")
        self.builder.open(kind, **more)
        self.held += 1
        self.nodes(nodes)
        self.held -= 1
        self.builder.close()
        self.paragraph()

    def heading(self, arguments: list[Any], level: int) -> None:
        if arguments:
            self.region("heading", inside(arguments[0]), level=min(6, level))

    def macro(self, node: Any) -> None:
        name, arguments = node.macroname, arguments_of(node)
        self.define(node)
        if name == "title":
            self.heading(arguments[-1:], 1)
            self.below = 1
        elif name in HEADINGS:
            self.heading(arguments[-1:], HEADINGS[name] + self.below)
        elif name == "footnote":
            self.waiting += arguments[-1:]
        elif name == "caption":
            self.region("caption", inside(arguments[-1]) if arguments else [])
        elif name == "verb":
            self.code(str(getattr(node.nodeargd, "verbatim_text", "")), inline=True)
        elif name == "texttt":
            self.code(self.converted(inside(arguments[-1])) if arguments else "", inline=True)
        elif name in siunitx.ARGUMENTS:
            given = [None if one is None else source_of(one) for one in arguments]
            self.builder.flow(siunitx.text_of(name, given) if given else "")
        elif name in LOGOS:
            self.builder.flow(LOGOS[name])
        elif name in BREAKS:
            self.builder.gap(" " if self.held else BREAKS[name])
        elif name in ("textsuperscript", "textsubscript"):
            text = self.converted(inside(arguments[-1])) if arguments else ""
            self.builder.flow(shifted(text, "sup" if "super" in name else "sub"))
        elif name in FRONT:
            self.builder.leave_out(
                FRONT[name], self.converted(inside(arguments[-1])) if arguments else ""
            )
        elif name in SHOWN:
            self.nodes(inside(arguments[SHOWN[name]]) if arguments else [])
        elif name in self.defined:
            self.expand(name)
        elif name not in SILENT and self.symbols.get_macro_spec(name) is not None:
            self.symbol(node)

    def define(self, node: Any) -> None:
        """Keep a command without arguments that the source defines for itself."""
        if name_of(node) in ("newcommand", "renewcommand", "providecommand"):
            arguments = arguments_of(node)
            if len(arguments) == 5 and arguments[2] is None and arguments[3] is None:
                named = source_of(arguments[1]).strip().removeprefix("\\")
                self.defined[named] = inside(arguments[4])

    def expand(self, name: str) -> None:
        self.expansions += 1
        if self.expansions > MAX_EXPANSIONS:
            raise FormatError("the LaTeX defines commands that never end", path=self.path)
        if self.depth < MAX_DEPTH:
            self.depth += 1
            self.nodes(self.defined[name])
            self.depth -= 1

    def symbol(self, node: Any) -> None:
        """A command that stands for a sign, or for what is in its arguments."""
        text, arguments = self.converted([node]), arguments_of(node)
        if len(text) <= 3 or not arguments:
            self.builder.flow(text)
            return
        for argument in arguments:
            self.nodes(inside(argument))

    def converted(self, nodes: list[Any]) -> str:
        """The text of nodes that hold no more than text and signs."""
        try:
            return str(self.converter.nodelist_to_text([one for one in nodes if one is not None]))
        except (ValueError, IndexError, AttributeError, TypeError, KeyError):
            return ""  # of a command that lacks its arguments

    def code(self, text: str, *, inline: bool) -> None:
        self.builder.gap("" if inline else "\n\n")
        self.builder.open("code", **({"inline": True} if inline else {}))
        self.builder.add(text.strip("\n"))
        self.builder.close()
        self.builder.gap("" if inline else "\n\n")

    def maths(self, nodes: list[Any], *, display: bool) -> None:
        text = self.converted(nodes) if not display else ""
        plain = _SCRIPT.sub(_shift, text).replace("-", "−")
        source = _LABEL.sub("", "".join(one.latex_verbatim() for one in nodes))
        rest = _UPRIGHT.sub("", source)
        is_upright = rest != source and not re.search(r"[A-Za-z\\]", rest)
        if not display and (is_upright or len(plain) == 1 or PLAIN_MATHS.fullmatch(plain)):
            self.builder.flow(plain)
            return
        gap = "\n\n" if display and not self.held else ""
        self.builder.gap(gap)
        self.builder.open("formula", **({} if display else {"inline": True}))
        self.builder.flow(source.strip())
        self.builder.close()
        self.builder.gap(gap)

    def environment(self, node: Any) -> None:
        name, nodes = node.environmentname.removesuffix("*"), list(node.nodelist)
        if name in PICTURES:
            self.paragraph()
            self.builder.leave_out("figure", self.converted(nodes))
        elif name in MATHS:
            self.maths(nodes, display=name != "math")
        elif name in CODE:
            self.code(verbatim_of(node) or source_of(node), inline=False)
        elif name in LISTS:
            self.items(nodes, numbered=name == "enumerate")
        elif name in TABLES:
            self.table(nodes)
        elif name in QUOTES:
            self.around("quote", nodes)
        elif name == "thebibliography":
            self.around("references", nodes)
        else:
            self.paragraph()
            if name == "abstract":
                self.builder.open("heading", level=1 + self.below)
                self.builder.add(ABSTRACT)
                self.builder.close()
                self.paragraph()
            self.nodes(nodes)
            self.paragraph()

    def around(self, kind: str, nodes: list[Any]) -> None:
        """A region of any number of paragraphs."""
        self.paragraph()
        self.builder.open(kind)
        self.nodes(nodes)
        self.builder.close()
        self.paragraph()

    def items(self, nodes: list[Any], *, numbered: bool) -> None:
        parts: list[list[Any]] = [[]]
        for node in nodes:
            if name_of(node) == "item":
                parts.append([one for one in arguments_of(node) if one is not None])
            else:
                parts[-1].append(node)
        for number, part in enumerate(parts[1:], 1):
            self.paragraph()
            self.builder.open("item", **({"number": number} if numbered else {}))
            self.nodes(part)
            self.builder.close()
            self.paragraph()

    def table(self, nodes: list[Any]) -> None:
        self.builder.gap("\n\n")
        self.builder.open_table()
        self.held += 1
        rows: list[list[list[Any]]] = [[[]]]
        for node in nodes:
            if name_of(node) in ("\\", "tabularnewline"):
                rows.append([[]])
            elif getattr(node, "specials_chars", "") == "&":
                rows[-1].append([])
            else:
                rows[-1][-1].append(node)
        for row in rows:
            if len(row) > 1 or any(not is_blank(node) for node in row[0]):
                self.builder.open_row()
                for cell in row:
                    self.cell(cell)
        self.held -= 1
        self.builder.close_table()
        self.paragraph()

    def cell(self, nodes: list[Any]) -> None:
        wide = next((node for node in nodes if name_of(node) == "multicolumn"), None)
        columns = span_of(source_of((arguments_of(wide) or [None])[0]).strip()) if wide else 1
        self.builder.open_cell(columns=columns)
        self.nodes(nodes)
        self.builder.close_cell()


def _shift(found: re.Match[str]) -> str:
    text = found.group(2) if found.group(2) is not None else found.group(3)
    return shifted(text, "sup" if found.group(1) == "^" else "sub") if text != "∘" else "°"
