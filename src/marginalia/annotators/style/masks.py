"""What is never linted: code, mark-up, addresses, quotations, licences. It is blotted out, and offsets stay true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from marginalia.core.document import SILENT, Document
from marginalia.lang import compile_all
from marginalia.nlp.prose import paragraphs

_NOT_LINE_END = re.compile(r"[^\n]")
BLOT = "\ufffc"
"""Stands for each character that is not prose: no letter, no space, no punctuation mark."""
MIN_LETTERS = 0.7
"""Share of letters and spaces in a paragraph of prose; below are tables of signs, drawings and listings."""
MIN_LETTERS_CHARACTERS = 60
MAX_MENTION_WORDS = 4

NOT_PROSE = SILENT | {"table", "quote"}
_ADDRESS = re.compile(
    r"(?:https?|ftp|file|mailto)://?[^\s<>\"”)\]]+|\bwww\.[^\s<>\"”)\]]+|(?<![\w.+-])[\w.+-]{1,100}@[\w-]+(?:\.[\w-]+)+"
)
_IDENTIFIER = re.compile(
    r"(?<![\w/-])(?:[./~]{0,2}/)?[\w-]+(?:/[\w.-]*[\w-])+/?"  # a path
    r"|\b\w+(?:\.\w+)*\([^()\s]*\)"  # a call
    r"|\b\w*_\w+\b|\b\w+(?:::[\w-]+)+"  # snake_case, name::space
    r"|\b[A-Za-z]\w*(?:\.[A-Za-z]\w+)+\b(?!\s+[A-ZÄÖÜ])"  # dotted.name, file.ext
    r"|(?<!\w)--?[a-zA-Z][\w-]*"  # an option
    r"|[@#$%][A-Za-z_]\w*"  # a decorator, tag or variable
)
_MARKUP = re.compile(
    r"\{[\w:.+-]{1,60}\}`[^`\n]{0,300}`|:[\w.+-]{1,60}(?::[\w.+-]{1,60})?:`[^`]{0,300}`"  # a role of MyST, of Sphinx
    r"|</?[A-Za-z][^<>\n]{0,200}>|&\w+;"  # what HTML left
    r"|\\[A-Za-z]+\*?(?:\[[^\]\n]{0,200}\])?(?:\{[^{}\n]{0,200}\})*"  # a command of LaTeX
    r"|\$[^$\n]{1,200}\$|\{[^{}\n]{0,80}\}|\{\{[^{}\n]{0,200}\}\}|\[\[[^\[\]\n]{0,200}\]\]|``[^`]{1,300}``|`[^`\n]{1,300}`"
)
_MENTION = re.compile(
    r"“[^”\n]{1,60}”|„[^“”\n]{1,60}[“”]|»[^«\n]{1,60}«|\"[^\"\n]{1,60}\"|‘[^’\n]{1,40}’"
)
_LICENCE_TITLE = r"\W*(?:\d+\W+)?(?:<ALL>)\W*"


def masked(doc: Document) -> str:
    """The text of the document, as long as it was, with everything blotted out that is no prose of its writer."""
    text = doc.text
    spans = [*_regions(doc), *_licences(doc), *_drawings(text)]
    letters = list(text)
    for start, end in spans:
        letters[start:end] = _blots(text[start:end])
    cleared = "".join(letters)
    parts, last = [], 0
    for start, end in paragraphs(cleared):
        parts += [cleared[last:start], _without_names(cleared[start:end])]
        last = end
    return "".join([*parts, cleared[last:]])


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def _without_names(paragraph: str) -> str:
    """A paragraph without mark-up, addresses and names of code, as long as it was."""
    for pattern in (_MARKUP, _ADDRESS, _IDENTIFIER):
        paragraph = pattern.sub(lambda match: "".join(_blots(match.group())), paragraph)
    return _MENTION.sub(_mention, paragraph)


def _blots(text: str) -> list[str]:
    """As many characters; line ends stay, so that paragraphs do."""
    return list(_NOT_LINE_END.sub(BLOT, text))


def _mention(match: re.Match[str]) -> str:
    """A word in quotation marks is spoken of, not used; the marks themselves stay."""
    quoted = match.group()
    if len(quoted.split()) > MAX_MENTION_WORDS:
        return quoted
    end = -2 if quoted[-2] in ".!?," else -1  # what ends the sentence does so here too
    return quoted[0] + "".join(_blots(quoted[1:end])) + quoted[end:]


def _regions(doc: Document) -> Iterator[tuple[int, int]]:
    for region in doc.meta.get("regions", ()):
        if region["kind"] in NOT_PROSE:
            yield region["start"], region["end"]


def _licences(doc: Document) -> Iterator[tuple[int, int]]:
    """Sections on the licence, and paragraphs that are one."""
    title = compile_all(_LICENCE_TITLE, "style", "licence_titles", re.IGNORECASE)
    for section in doc.meta.get("sections", ()):
        if title.fullmatch(str(section.get("title", ""))):
            yield section["start"], section["end"]
    for start, end in paragraphs(doc.text):
        if _is_licence(doc.text[start:end]):
            yield start, end


@lru_cache(maxsize=2**12)
def _is_licence(paragraph: str) -> bool:
    licence = compile_all("©|<ALL>", "style", "licence_text", re.IGNORECASE)
    return licence.search(paragraph) is not None


def _drawings(text: str) -> Iterator[tuple[int, int]]:
    for start, end in paragraphs(text):
        if end - start >= MIN_LETTERS_CHARACTERS and _is_drawing(text[start:end]):
            yield start, end


@lru_cache(maxsize=2**12)
def _is_drawing(paragraph: str) -> bool:
    letters = sum(map(str.isalpha, paragraph)) + sum(map(str.isspace, paragraph))
    return letters < MIN_LETTERS * len(paragraph)
