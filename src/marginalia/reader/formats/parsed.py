"""Formats of documents that are parsed and not written; HTML and PDF, which are both, have modules of their own."""

from __future__ import annotations

import re

from marginalia.core.task import lazy
from marginalia.reader.formats.format import Format

_MARKDOWN = re.compile(rb"^(?:#{1,6} \S|```|~~~)", re.MULTILINE)

DOCX = Format(
    name="docx",
    suffixes=(".docx",),
    media="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    is_signature=lambda data: data.startswith(b"PK\x03\x04"),
    parse=lazy("marginalia.reader", "parse.docx.parse"),
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
    roots=("TEI", "TEI.2", "teiCorpus"),
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
