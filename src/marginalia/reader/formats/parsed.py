"""Formats of documents that are parsed and not written; HTML and PDF, which are both, have modules of their own."""

from __future__ import annotations

import re

from marginalia.core.lazy import lazy
from marginalia.reader.formats.format import Extra, Format

_MAIL = re.compile(
    rb"(?:(?:Date|Delivered-To|From|MIME-Version|Message-ID|Received|Return-Path|Subject|To):[^\n]*\n(?:[ \t][^\n]*\n)*){2}",
    re.IGNORECASE,
)
"""Two headers in a row; each may go on on further lines."""
_ASCIIDOC = re.compile(rb"\s*= \S[^\n]*\n(?:[^\n]*\n){0,3}?(?::[\w-]+:|\n)")
"""A title, and an attribute or a blank line below it."""
_MARKDOWN = re.compile(rb"^(?:#{1,6} \S|```|~~~)", re.MULTILINE)

DOCX = Format(
    name="docx",
    suffixes=(".docx",),
    media="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    is_signature=lambda data: data.startswith(b"PK\x03\x04"),
    parse=lazy("marginalia.reader", "parse.docx.parse"),
)
EPUB = Format(
    name="epub",
    suffixes=(".epub",),
    media="application/epub+zip",
    is_signature=lambda data: data[30:58] == b"mimetypeapplication/epub+zip",
    parse=lazy("marginalia.reader", "parse.epub.parse"),
)
ODT = Format(
    name="odt",
    suffixes=(".odt",),
    media="application/vnd.oasis.opendocument.text",
    is_signature=lambda data: data[30:77] == b"mimetypeapplication/vnd.oasis.opendocument.text",
    parse=lazy("marginalia.reader", "parse.odt.parse"),
)
NOTEBOOK = Format(
    name="notebook",
    suffixes=(".ipynb",),
    media="application/x-ipynb+json",
    is_signature=lambda data: data.lstrip()[:1] == b"{" and b'"nbformat"' in data,
    parse=lazy("marginalia.reader", "parse.notebook.parse"),
)
MAIL = Format(
    name="mail",
    suffixes=(".eml",),
    media="message/rfc822",
    is_signature=lambda data: _MAIL.match(data) is not None,
    parse=lazy("marginalia.reader", "parse.mail.parse"),
)
LATEX = Format(
    name="latex",
    suffixes=(".tex", ".latex"),
    media="application/x-latex",
    is_signature=lambda data: b"\\documentclass" in data or b"\\begin{document}" in data,
    extra=Extra(name="latex", package="pylatexenc", module="pylatexenc", actions=("parse",)),
    parse=lazy("marginalia.reader", "parse.latex.parse"),
)
ASCIIDOC = Format(
    name="asciidoc",
    suffixes=(".adoc", ".asciidoc"),
    media="text/asciidoc",
    is_signature=lambda data: _ASCIIDOC.match(data) is not None,
    parse=lazy("marginalia.reader", "parse.asciidoc.parse"),
)
RST = Format(
    name="rst",
    suffixes=(".rst",),
    media="text/x-rst",
    extra=Extra(name="rst", package="docutils", module="docutils", actions=("parse",)),
    parse=lazy("marginalia.reader", "parse.rst.parse"),
)
JATS = Format(
    name="jats",
    suffixes=(".nxml", ".xml"),
    media="application/xml",
    roots=(
        *("article", "pmc-articleset", "OAI-PMH", "book", "chapter"),
        *("converted-article", "simple-article", "full-text-retrieval-response", "doc"),
    ),
    parse=lazy("marginalia.reader", "parse.jats.parse"),
)
TEI = Format(
    name="tei",
    suffixes=(".tei", ".xml"),
    media="application/tei+xml",
    roots=("TEI", "TEI.2", "teiCorpus", "tei", "tei.2"),
    parse=lazy("marginalia.reader", "parse.tei.parse"),
)
MARKDOWN = Format(
    name="markdown",
    suffixes=(".md", ".markdown"),
    media="text/markdown",
    is_signature=lambda data: _MARKDOWN.search(data) is not None,
    parse=lazy("marginalia.reader", "parse.markdown.parse"),
)
TEXT = Format(
    name="text",
    suffixes=(".txt", ".text"),
    media="text/plain",
    is_signature=lambda data: True,
    parse=lazy("marginalia.reader", "parse.plain.parse"),
    write_findings=lazy("marginalia.reader", "formats.lint.dump_text"),
)
