"""Where a document has words that a reader reads as words: not in code, addresses, names of files or foreign quotations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marginalia.core.document import SILENT, Document
from marginalia.nlp.frequency import zipf
from marginalia.nlp.prose import SpanSet, spans_of
from marginalia.nlp.tokens import words

# What may begin with a long run of letters is looked for where the run begins, or is bounded: a text may be one word.
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{0,40}://\S+|www\.\S+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+"  # URLs and e-mail
    r"|(?<!\w)(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]*)+|(?<![\w.-])[\w.-]+/[\w.-]+/[\w./-]*"  # paths
    r"|(?<![\w-])[\w-]+\.(?:[a-z]{2,4}|[ch]|toml|yaml|json|html)(?!\w)(?!\s+[A-Z])"  # names of files
    r"|\{[^{}\n]{0,40}\}|\[\[[^\]\n]{0,60}\]\]|<[^<>\n]{1,60}>|&\w+;"  # markup
    r"|:[\w.+-]+:(?:`[^`\n]*`)?|\\[a-zA-Z]+(?:\{[^{}\n]*\})?|`[^`\n]+`",  # roles and commands
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“„«\"]([^“”„«»\"\n]{8,160})[”“»\"]")
_BEFORE, _AFTER = (
    frozenset("-_./\\@#:$`{<=&~+|^*%0123456789"),
    frozenset("_/\\(@=`{<~|^+*0123456789"),
)
FOREIGN_ZIPF = 3.5
"""A quotation of which more than half of the words are rarer than this is in another language."""


def closed_spans(doc: Document, lang: str) -> SpanSet:
    """Where no word is looked at."""
    spans = [(m.start(), m.end()) for m in _ADDRESS.finditer(doc.text)]
    spans += _foreign_quotations(doc.text, lang)
    spans += spans_of(doc, {*SILENT, "table", "heading", "caption", "title"})
    return SpanSet.merge(spans)


def _foreign_quotations(text: str, lang: str) -> Iterator[tuple[int, int]]:
    for match in _QUOTED.finditer(text):
        inside = [word.group() for word in words(match[1]) if word.group().isalpha()]
        known = sum(zipf(word, lang) >= FOREIGN_ZIPF for word in inside)
        if len(inside) > 1 and 2 * known < len(inside):
            yield match.span()


def stands_free(text: str, start: int, end: int) -> bool:
    """Whether the word is no part of an identifier, option, call, number with unit or compound with a sign."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in _BEFORE or after in _AFTER:
        return before == after == ""
    if after in ".:" and text[end + 1 : end + 2].isalnum():
        return False
    # 5 farads: a unit
    return not text[max(0, start - 2) : start].rstrip().endswith(tuple("0123456789"))
