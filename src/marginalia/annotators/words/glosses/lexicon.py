"""The senses of English words that are not common, from WordNet 3.0; ``build`` says how they were chosen."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import require_file
from marginalia.nlp.inflection import lemmas
from marginalia.nlp.weights import MANIFEST, open_weights
from marginalia.tasks.complexity.systems.shipped import WEIGHTS

NAME = "glosses.tsv.gz"
MAX_BYTES = 32 * 2**20
MAX_WORD = 40
SEPARATOR = "%%"
"""The line between glosses and rows."""
TAGS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
"""Tags of Universal Dependencies -> WordNet's parts of speech."""


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a word: its gloss, and easier words of the same meaning."""

    lemma: str
    part: str
    ending: str
    """The form in which the lemma stands in the text: ``s``, ``ed``, ``ing``, ``er``, ``est`` or nothing."""
    related: str
    """Words of the same meaning and, in brackets, one that is more general."""
    gloss: str
    clear: bool
    """Whether the gloss explains the word by easier ones."""
    count: int
    """How often WordNet's tagged texts have the word in this sense."""
    easier: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The unpacked file: glosses by offset, rows by ``lemma TAB part``, all as bytes, which take a third of the memory."""

    glosses: bytes
    rows: dict[bytes, bytes]

    def row(self, form: str, part: str) -> str:
        return self.rows.get(f"{form}\t{part}".encode(), b"").decode()

    def line(self, offset: int) -> str:
        return self.glosses[offset : self.glosses.index(b"\n", offset)].decode()


@lru_cache(maxsize=20_000)
def senses(word: str, tag: str, folder: Path = WEIGHTS) -> tuple[Sense, ...]:
    """The senses of a word or noun of two words, of this tag (Universal Dependencies), the commonest first; none if it has no entry."""
    part = TAGS.get(tag, "")
    if not part or not word or len(word) > MAX_WORD:
        return ()
    lexicon = read_lexicon(folder)
    for lemma, ending in _lemmas(lexicon, word.lower(), part):
        if row := lexicon.row(lemma, part):
            return tuple(_sense(lexicon, lemma, part, ending, cell) for cell in row.split(","))
    return ()


def _lemmas(lexicon: Lexicon, form: str, part: str) -> Iterator[tuple[str, str]]:
    if exception := lexicon.row(form, f"x{part}"):
        ending = {"n": "s", "v": "ing" if form.endswith("ing") else "ed"}.get(part)
        yield exception, ending or ("est" if form.endswith("est") else "er")
    first, space, last = form.rpartition(" ")
    yield from ((f"{first}{space}{lemma}", ending) for lemma, ending in lemmas(last, part))


def _sense(lexicon: Lexicon, lemma: str, part: str, ending: str, cell: str) -> Sense:
    offset, count, clear, easier = cell.split(":")
    related, _, gloss = lexicon.line(int(offset)).partition("\t")
    words = tuple(word for word in easier.split("/") if word)
    shown = clear == "1" and bool(gloss)
    return Sense(lemma, part, ending, related, gloss, shown, int(count), words)


@cache
def read_lexicon(folder: Path = WEIGHTS) -> Lexicon:
    """The file, checked against the manifest."""
    if NAME not in open_weights(folder)["files"]:
        raise MissingError(f"{folder / MANIFEST} does not name {NAME}: run glosses.build again.")
    path = require_file(folder / NAME)
    try:
        with gzip.open(path) as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"the file cannot be unpacked: {error}", path=path) from error
    if len(data) > MAX_BYTES:
        raise FormatError(f"the file unpacks to more than {MAX_BYTES:,} bytes", path=path)
    head, _, rest = data.partition(b"\n")
    glosses, gap, rows = rest.partition(f"\n{SEPARATOR}\n".encode())
    if not head.startswith(b"#") or not gap:
        raise FormatError("expected glosses, a line %% and rows", path=path)
    pairs = (line.rpartition(b"\t") for line in rows.split(b"\n") if line)
    return Lexicon(glosses + b"\n", {key: row for key, _, row in pairs})
