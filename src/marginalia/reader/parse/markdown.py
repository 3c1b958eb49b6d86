"""Markdown: its text without the mark-up, its blocks as regions."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from marginalia.core.errors import FormatError
from marginalia.reader.parse import html
from marginalia.reader.parse.content import Builder, Content
from marginalia.reader.parse.ledger import TEXT
from marginalia.reader.parse.plain import clean

MAX_CHARACTERS = 5_000_000
"""The parser reads about half a million characters a second."""
MAX_NESTING = 100
MAX_BRACKETS = 5_000
"""A paragraph with more opening brackets is no prose, and its links would be sought in quadratic time."""

_FRONT_MATTER = re.compile(r"---\n(?=[\w-]+:).*?\n(?:---|\.\.\.)(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_ADDRESS = re.compile(r"\]\([^()\s]*\)|https?://\S+")
_LINE_BREAK = re.compile(r"<br\b", re.IGNORECASE)
# What MyST writes like a block of code and is prose: ```{note}
_DIRECTIVE = re.compile(
    r"\{(admonition|attention|caution|danger|deprecated|error|hint|important|note|seealso|tip|versionadded"
    r"|versionchanged|warning)\}[ \t]*(.*)"
)
_DIRECTIVE_OPTIONS = re.compile(r"(?::[\w-]+:[^\n]*\n)+")
MAX_DIRECTIVES = 10
"""Directives within one another."""
_REGIONS = {"blockquote": "quote", "list_item": "item"}


def parse(data: bytes, path: Path) -> Content:
    text = clean(data, path)
    if len(text) > MAX_CHARACTERS:
        raise FormatError(f"Markdown may have {MAX_CHARACTERS:,} characters", path=path)
    front = _FRONT_MATTER.match(text)
    named = _TITLE.search(front.group()) if front else None
    builder = Builder()
    markdown, environment = _parser(), dict[str, Any]()
    for token in markdown.parse(text[front.end() :] if front else text, environment):
        # The parser leaves out, without a word, what is nested more deeply than it may be.
        if token.type in ("blockquote_open", "list_item_open") and token.level >= MAX_NESTING - 1:
            raise FormatError(f"Markdown may be nested {MAX_NESTING} levels deep", path=path)
        _add_block(builder, token, markdown, environment)
    title = named.group(1).strip("\"'") if named else builder.heading(1) or builder.heading()
    source = text[front.end() :] if front else text
    for comment in _COMMENT.findall(source):
        builder.ledger.leave_out("comment", comment, 0)
    shown = _ADDRESS.sub("", _COMMENT.sub("", source))
    builder.ledger.audit_source(builder.text, shown, _kind_left_out)
    return builder.build(title=title)


def _kind_left_out(paragraph: str) -> str:
    return (
        "" if paragraph.lstrip().startswith(("[", "!", "<")) else TEXT
    )  # links, pictures, mark-up


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    """CommonMark with tables. Inline mark-up is left for ``_add_inline``, which knows its limit."""
    markdown = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(
        ["table", "strikethrough"]
    )
    return markdown.disable(["inline", "text_join"])


def _add_block(builder: Builder, token: Token, markdown: MarkdownIt, environment: Any) -> None:
    name, _, edge = token.type.rpartition("_")
    if name == "heading" and edge == "open":
        builder.gap("\n\n")
        builder.open("heading", level=int(token.tag[1:]))
    elif name in _REGIONS and edge == "open":
        builder.gap("\n\n")
        # The number of an item as it was written; the parser keeps it for numbered lists only.
        builder.open(
            _REGIONS[name], **({"number": int(token.info)} if token.info.isdecimal() else {})
        )
    elif name in ("table", "tr", "th", "td"):
        _add_table(builder, name, edge == "open")
    elif edge == "close" and (name == "heading" or name in _REGIONS):
        builder.close()
        builder.gap("\n\n")
    elif token.type == "fence" and _is_directive(token, environment):
        _add_directive(builder, token, markdown, environment)
    elif token.type in ("fence", "code_block"):
        with builder.block("code"):
            builder.add(token.content.strip("\n"))
    elif token.type == "html_block":
        html.add(builder, token.content)
    elif token.type == "inline":
        _add_inline(builder, token, environment)
    elif token.type == "paragraph_open":
        builder.gap("\n\n")


def _is_directive(token: Token, environment: Any) -> bool:
    depth = environment.get("directives", 0)
    return depth < MAX_DIRECTIVES and _DIRECTIVE.fullmatch(token.info.strip()) is not None


def _add_directive(builder: Builder, token: Token, markdown: MarkdownIt, environment: Any) -> None:
    """A note or warning as a paragraph like others: its title, if it has one of its own, and its text."""
    said = _DIRECTIVE.fullmatch(token.info.strip())
    builder.gap("\n\n")
    builder.add(said[2] if said else "")
    builder.gap("\n\n")
    environment.pop("labels", None)  # what is inside may define some
    within = {**environment, "directives": environment.get("directives", 0) + 1}
    for inner in markdown.parse(_DIRECTIVE_OPTIONS.sub("", token.content, count=1), within):
        if inner.level < MAX_NESTING - 1:
            _add_block(builder, inner, markdown, within)
    builder.gap("\n\n")


def _add_table(builder: Builder, name: str, is_open: bool) -> None:
    if name == "table":
        builder.gap("\n\n")
        (builder.open_table if is_open else builder.close_table)()
        builder.gap("" if is_open else "\n\n")
    elif name == "tr" and is_open:
        builder.open_row()
    elif name != "tr" and is_open:
        builder.open_cell(head=name == "th")
    elif name != "tr":
        builder.close_cell()


def _add_inline(builder: Builder, token: Token, environment: Any) -> None:
    if token.content.count("[") > MAX_BRACKETS:
        builder.add(token.content)
        return
    # Only what is in brackets depends on the rest of the text: on the links that it defines.
    labels = _labels(environment) if "[" in token.content else frozenset[str]()
    for kind, content in _inline(token.content, labels):
        if kind in ("text", "text_special"):
            builder.add(content)
        elif kind == "code_inline":
            builder.open("code", inline=True)
            builder.add(content)
            builder.close()
        elif kind == "softbreak":
            builder.gap(" ")
        elif kind == "hardbreak" or _LINE_BREAK.match(content):
            builder.gap("\n")


def _labels(environment: Any) -> frozenset[str]:
    """The links that the text defines; all definitions are known once its blocks are."""
    if "labels" not in environment:
        environment["labels"] = frozenset(environment.get("references", ()))
    labels: frozenset[str] = environment["labels"]
    return labels


class _Defined:
    """Definitions of links as the parser asks for them; where they lead to is nothing to us."""

    def __init__(self, labels: frozenset[str]) -> None:
        self.labels = labels

    def get(self, label: str, default: None = None) -> dict[str, str] | None:
        return {"href": "", "title": ""} if label in self.labels else default


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def _inline(text: str, labels: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The kinds and contents of what is in a paragraph, given the names of the links that are defined."""
    markdown = _parser()
    children: list[Token] = []
    markdown.inline.parse(text, markdown, {"references": _Defined(labels)}, children)
    return tuple((child.type, child.content) for child in children)
