"""reStructuredText: its text without the mark-up, its blocks as regions.

docutils parses it; no file is included, no raw text of other formats is kept. Roles and directives of Sphinx, which
docutils does not know, leave the text that they show, or are code.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.parse.content import Builder, Content, shifted
from marginalia.reader.parse.ledger import TEXT
from marginalia.reader.parse.plain import clean, require_length

MAX_CHARACTERS = 2_000_000
"""docutils reads about a hundred thousand characters a second."""

MAX_LINE = 100_000
"""Characters of a line; beyond, docutils gives up without a word."""

_SETTINGS = {
    "_disable_config": True,
    "docinfo_xform": True,
    "embed_images": False,
    "file_insertion_enabled": False,
    "halt_level": 6,  # never: what is wrong in a source is read as well as it can be
    "line_length_limit": MAX_LINE,
    "raw_enabled": False,
    "report_level": 6,
    "sectsubtitle_xform": False,
    "syntax_highlight": "none",
    "warning_stream": "",
}
_SKIPPED = frozenset(
    "comment decoration image meta pending raw substitution_definition target".split()
)
_REGIONS = {
    "block_quote": "quote",
    "caption": "caption",
    "citation": "references",
    "definition": "item",
    "docinfo": "authors",
    "doctest_block": "code",
    "footnote": "footnote",
    "list_item": "item",
    "literal": "code",
    "literal_block": "code",
    "math": "formula",
    "math_block": "formula",
    "topic": "contents",
}
_INLINE = frozenset({"literal", "math"})
_BLOCKS = frozenset(
    "admonition attribution caution danger docinfo_item error hint important line note paragraph rubric sidebar "
    "subtitle term tip title warning".split()
)
_VERBATIM = frozenset({"doctest_block", "literal_block", "math_block"})
_SCRIPTS = {"superscript": "sup", "subscript": "sub"}
_ROLE = re.compile(r":([\w:.+-]+):`([^`]*)`", re.DOTALL)
_TITLED = re.compile(r"(.*?)\s*<[^<>]*>\s*", re.DOTALL)
_PROSE_ROLES = frozenset({"doc", "ref", "term", "numref", "dfn", "abbr", "guilabel", "menuselection"})  # fmt: skip
_EXPLICIT = re.compile(r"\s*\.\. (?:[\w|:. -]+::|_|\[)")
_NO_TEXT = re.compile(
    r"\.\. (?:auto\w+|currentmodule|include|index|literalinclude|module|raw|toctree)::"
)
_PROSE_DIRECTIVES = re.compile(
    r"\.\. (?:versionadded|versionchanged|deprecated|seealso|only|todo)::[^\n]*\n((?:[ \t]+[^\n]*\n?|\n)*)"
)


def parse(data: bytes, path: Path) -> Content:
    from docutils.core import publish_doctree
    from docutils.utils import SystemMessage

    source = clean(data, path)
    if len(source) > MAX_CHARACTERS:
        raise FormatError(f"reStructuredText may have {MAX_CHARACTERS:,} characters", path=path)
    if any(len(line) > MAX_LINE for line in source.split("\n")):
        raise FormatError(f"a line of it has more than {MAX_LINE:,} characters", path=path)
    try:
        tree = publish_doctree(source, settings_overrides=_SETTINGS)
        text = _Text(path)
        text.walk(tree, 0)
    except RecursionError:
        raise FormatError("the reStructuredText is nested too deeply", path=path) from None
    except FormatError:
        raise
    except (SystemMessage, ValueError, AttributeError, TypeError, LookupError, AssertionError, NotImplementedError):  # fmt: skip
        # docutils raises what its directives raise where their options are wrong.
        raise FormatError("not reStructuredText that docutils can read", path=path) from None
    builder = text.builder
    title = str(tree.get("title") or "") or builder.heading(1) or builder.heading()
    builder.ledger.audit_source(builder.text, source, _kind_left_out)
    return builder.build(title=" ".join(title.split()))


def _kind_left_out(paragraph: str) -> str:
    if not paragraph.lstrip().startswith(".. "):
        return TEXT
    return "directive" if _EXPLICIT.match(paragraph) else "comment"


class _Text:
    def __init__(self, path: Path) -> None:
        self.builder, self.path = Builder(), path
        self.in_table = 0

    def walk(self, node: Any, level: int, script: str = "") -> None:
        """Add a node with all that is in it. Nesting is bounded by Python's own stack, as the parser's is."""
        name = node.tagname
        if name == "#text":
            self.builder.flow(shifted(node.astext(), script))
            require_length(self.builder.length, self.path)
        elif name in ("document", "section"):
            for child in node.children:
                self.walk(child, level + (name == "section"))
        elif name == "title":
            self.title(node, level)
        elif name == "table":
            self.table(node, level)
        elif name == "problematic":
            self.role(node.astext())
        elif name == "system_message":
            self.directive(node)
        elif name in ("footnote_reference", "citation_reference"):
            self.builder.drop_space()
        elif name in _SKIPPED or (name == "label" and node.parent.tagname in ("footnote", "citation")):  # fmt: skip
            return
        else:
            self.block(node, level, script)

    def block(self, node: Any, level: int, script: str) -> None:
        name = node.tagname
        kind = _REGIONS.get(name)
        if name == "topic" and "contents" not in node.get("classes", ()):
            kind = None
        is_block = name in _BLOCKS or (kind is not None and name not in _INLINE)
        is_block |= node.parent is not None and node.parent.tagname == "docinfo"
        gap = ("\n" if name == "line" else " " if self.in_table else "\n\n") if is_block else ""
        self.builder.gap(gap)
        if kind:
            self.builder.open(kind, **_options(node))
        if name in _VERBATIM and not self.in_table:
            self.builder.add(node.astext().strip("\n"))
        else:
            for child in node.children:
                self.walk(child, level, _SCRIPTS.get(name, script))
        if kind:
            self.builder.close()
        self.builder.gap(gap)

    def title(self, node: Any, level: int) -> None:
        """The title of the document, of a section, or of a box."""
        parent = node.parent.tagname
        if parent not in ("document", "section"):
            self.block(node, level, "")
            return
        # Where the document has a title of its own, the sections are below it.
        has_title = node.document.first_child_matching_class(type(node)) is not None
        with self.builder.block("heading", level=min(6, max(1, level + has_title))):
            for child in node.children:
                self.walk(child, level)

    def table(self, node: Any, level: int) -> None:
        for title in (child for child in node.children if child.tagname == "title"):
            self.builder.gap("\n\n")
            self.builder.open("caption")
            self.block(title, level, "")
            self.builder.close()
        self.builder.gap("\n\n")
        self.builder.open_table()
        self.in_table += 1
        for row in node.findall(lambda one: getattr(one, "tagname", "") == "row"):
            self.builder.open_row()
            for entry in row.children:
                self.builder.open_cell(
                    head=row.parent.tagname == "thead" or "stub" in entry.get("classes", ()),
                    rows=1 + entry.get("morerows", 0),
                    columns=1 + entry.get("morecols", 0),
                )
                for child in entry.children:
                    self.walk(child, level)
                self.builder.close_cell()
        self.in_table -= 1
        self.builder.close_table()
        self.builder.gap("\n\n")

    def role(self, source: str) -> None:
        """A role that is not known shows its title or its target."""
        found = _ROLE.fullmatch(source)
        if found is None:
            self.builder.flow(source.strip("`*|_"))
            return
        titled = _TITLED.fullmatch(found.group(2))
        text = titled.group(1) if titled and titled.group(1) else found.group(2)
        if found.group(1).rpartition(":")[2] in _PROSE_ROLES or titled:
            self.builder.flow(text)
            return
        self.builder.open("code", inline=True)
        self.builder.add(text.rpartition(".")[2] if text.startswith("~") else text.strip("~!"))
        self.builder.close()

    def directive(self, node: Any) -> None:
        """A directive that is not known: what is in it, as code; of those that hold prose, the prose."""
        for block in (child for child in node.children if child.tagname == "literal_block"):
            if _NO_TEXT.match(block.astext()):
                continue
            found = _PROSE_DIRECTIVES.match(block.astext() + "\n")
            self.builder.gap("\n\n")
            if found and found.group(1).strip():
                self.builder.flow(found.group(1))
            elif not found:
                self.builder.open("code")
                self.builder.add(block.astext().strip("\n"))
                self.builder.close()
            self.builder.gap("\n\n")


def _options(node: Any) -> dict[str, Any]:
    """What is known of a region beyond its kind."""
    if node.tagname in _INLINE:
        return {"inline": True}
    parent = node.parent
    if node.tagname == "list_item" and parent.tagname == "enumerated_list":
        return {"number": parent.get("start", 1) + parent.index(node)}
    return {}
