"""The files of WordNet 3.0, for those who build lexicons from it; see wndb(5)."""

from __future__ import annotations

import gzip
import io
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines
from marginalia.nlp.frequency import zipf

_EXAMPLE = re.compile(r';?\s*"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Synset:
    kind: str
    """``n``, ``v``, ``a``, ``r``, or ``s`` for an adjective in the cluster of another."""
    field: int
    """The lexicographer's file; see lexnames(5)."""
    words: tuple[str, ...]
    keys: tuple[str, ...]
    """The sense of each word, written as ``cntlist.rev`` has it, but for adjectives in a cluster."""
    pointers: tuple[tuple[str, int], ...]
    """Symbol and offset of the synset it points to."""
    frames: tuple[tuple[int, int], ...]
    """Number of a verb's sentence frame, and of the word it is about; 0 for all words."""
    gloss: str = ""
    """What it means, without examples."""
    examples: tuple[str, ...] = ()

    def pointed(self, symbol: str) -> tuple[int, ...]:
        return tuple(offset for own, offset in self.pointers if own == symbol)


def read_synsets(path: Path) -> dict[int, Synset]:
    """Synsets by offset. A line: offset, file, type, count (hex), words, pointers, frames | gloss."""
    synsets = {}
    for line, text in read_lines(path):
        if text.startswith("  "):
            continue  # the licence
        facts, _, said = text.partition("|")
        cells = facts.split()
        try:
            field, kind, count = int(cells[1]), cells[2], int(cells[3], 16)
            named = [(cells[4 + 2 * i], int(cells[5 + 2 * i], 16)) for i in range(count)]
            number = "nvar".find(kind) + 1
            at = 4 + 2 * count
            after = at + 1 + 4 * int(cells[at])
            synsets[int(cells[0])] = Synset(
                kind,
                field,
                tuple(word.split("(")[0].replace("_", " ") for word, _ in named),
                tuple(f"{word.lower()}%{number}:{field:02}:{id:02}::" for word, id in named),
                tuple((cells[i], int(cells[i + 1])) for i in range(at + 1, after, 4)),
                tuple(
                    (int(cells[i + 1]), int(cells[i + 2], 16))
                    for i in range(after + 1, len(cells), 3)
                ),
                _EXAMPLE.split(said)[0].strip(" ;"),
                tuple(example[1] for example in _EXAMPLE.finditer(said)),
            )
        except (IndexError, ValueError):
            raise FormatError("not a line of a WordNet data file", path=path, line=line) from None
    return synsets


def read_irregular(path: Path) -> list[tuple[str, str]]:
    """Forms that small rules do not undo, with their lemma."""
    forms = []
    for line, text in read_lines(path):
        cells = text.split()
        if len(cells) < 2:
            raise FormatError("expected a form and its lemma", path=path, line=line)
        forms.append((cells[0], cells[1]))
    return forms


@cache
def frequency(phrase: str) -> float:
    """Zipf frequency of the rarest word."""
    return min((zipf(word) for word in phrase.split()), default=0.0)


def is_plain(phrase: str) -> bool:
    """Whether it is lower-case words of letters: no name, no number."""
    return all(word.isascii() and word.isalpha() and word.islower() for word in phrase.split())


def compressed(text: str) -> bytes:
    """Without time or name, so that it is the same each time."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()
