"""How ``weights/synonyms.tsv.gz`` was made from WordNet 3.0, and how to make it again.

    python -m marginalia.tasks.complexity.build_synonyms --wordnet FOLDER [--out FILE]

FOLDER holds ``data.noun``, ``index.noun`` and so on: /usr/share/wordnet of the Debian package
``wordnet-base``. The same WordNet and the same ``wordfreq`` lists give the same file.

Kept are candidates that are clearly more frequent than the word and often meant in that sense. Names,
spellings of the same word and rude words are left out. Rows are ``lemma, part of speech, candidates``;
a ``+`` marks a more general word. Rows of the parts ``xn``, ``xv`` and ``xa`` map irregular forms to lemmas.
"""

from __future__ import annotations

import argparse
import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines
from marginalia.nlp.frequency import zipf
from marginalia.nlp.weights import write_weights
from marginalia.tasks.complexity.data import WEIGHTS
from marginalia.tasks.complexity.synonyms import NAME

OUT = WEIGHTS / NAME
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

COMMON = 5.0
"""A word as frequent as this needs no easier one."""
CLEARLY = 0.5
PLAIN = 3.0
"""A candidate is at least as frequent as this, once in a million words."""
PLAIN_PHRASE = 4.0
MOST = 6
SENSES = 4
GENERAL_SENSES = {"n": 2, "v": 2, "a": 3, "r": 0}
"""How many senses of a word are looked at: the commonest come first."""
OWN_RANK = {"n": 3, "v": 6, "a": 4, "r": 4}
"""The candidate's own sense of that number or before: else readers think of something else."""
DEPTH = 5
"""Nouns nearer to the top (entity, object, artifact, act) say nothing."""
SAME_SPELLING = 0.85
HEADER = (
    "# From WordNet 3.0, Copyright 2006 by Princeton University; see WORDNET-LICENSE.txt. "
    "Chosen and ordered by wordfreq.\n"
)
_RUDE = frozenset(
    """arse ass bastard bitch bugger butt cock crap cunt damn dick fag faggot fuck fucking hooker jap jerk nigger
    piss poof prick pussy queer screw shit slut sod tit tits twat whore darky fairy nazi moron idiot retard
    """.split()
)
# Words of grammar, which a reader does not take for a noun or verb, and words that say next to nothing.
_EMPTY = frozenset(
    """act as at be can change do go have he i in interact it make may might move must no off on one or out
    over so up us will""".split()
)


@dataclass(frozen=True, slots=True)
class Synset:
    words: tuple[str, ...]
    general: tuple[int, ...]
    """Offsets of hypernyms, or of the head of an adjective's cluster."""


def read_synsets(path: Path) -> dict[int, Synset]:
    """Synsets by offset. A line: offset, file, type, count (hex), words, pointers | gloss."""
    synsets = {}
    for line, text in read_lines(path):
        if text.startswith("  "):
            continue  # the licence
        cells = text.split("|")[0].split()
        try:
            count = int(cells[3], 16)
            words = tuple(
                word.split("(")[0].replace("_", " ") for word in cells[4 : 4 + 2 * count : 2]
            )
            at = 4 + 2 * count
            pointers = [cells[i : i + 4] for i in range(at + 1, at + 1 + 4 * int(cells[at]), 4)]
            wanted = "&" if cells[2] == "s" else "@"
            general = tuple(int(offset) for symbol, offset, *_ in pointers if symbol == wanted)
            synsets[int(cells[0])] = Synset(words, general)
        except (IndexError, ValueError):
            raise FormatError("not a line of a WordNet data file", path=path, line=line) from None
    return synsets


def read_senses(path: Path) -> dict[str, list[int]]:
    """The synsets of each lemma, the commonest sense first."""
    senses = {}
    for line, text in read_lines(path):
        if text.startswith("  "):
            continue
        cells = text.split()
        try:
            senses[cells[0].replace("_", " ")] = [int(cell) for cell in cells[-int(cells[2]) :]]
        except (IndexError, ValueError):
            raise FormatError("not a line of a WordNet index file", path=path, line=line) from None
    return senses


@cache
def frequency(phrase: str) -> float:
    """Zipf frequency of the rarest word."""
    return min((zipf(word) for word in phrase.split()), default=0.0)


def plain(phrase: str) -> bool:
    """Lower-case words of letters, at most three, and none that is rude."""
    words = phrase.split()
    return (
        1 <= len(words) <= 3
        and all(word.isascii() and word.isalpha() and word.islower() for word in words)
        and not _RUDE.intersection(words)
    )


class Part:
    """The nouns, verbs, adjectives or adverbs of WordNet."""

    def __init__(self, folder: Path, tag: str) -> None:
        self.tag = tag
        self.synsets = read_synsets(folder / f"data.{PARTS[tag]}")
        self.senses = read_senses(folder / f"index.{PARTS[tag]}")
        self.depths: dict[int, int] = {}

    def depth(self, offset: int) -> int:
        if offset not in self.depths:
            above = self.synsets[offset].general
            self.depths[offset] = 1 + min(map(self.depth, above)) if above else 0
        return self.depths[offset]

    def fits(self, lemma: str, word: str, offset: int) -> bool:
        """Whether a word of the synset is an easier one for the lemma."""
        if word == lemma or word in _EMPTY or not plain(word):
            return False
        floor = PLAIN_PHRASE if " " in word else PLAIN
        if frequency(word) < max(floor, frequency(lemma) + CLEARLY):
            return False
        if self.senses[word].index(offset) >= OWN_RANK[self.tag]:
            return False
        return SequenceMatcher(None, lemma, word).ratio() < SAME_SPELLING

    def candidates(self, lemma: str) -> list[str]:
        """Easier words by sense, then the frequent first; more general ones of a sense after them."""
        found: dict[str, str] = {}
        for rank, offset in enumerate(self.senses[lemma][:SENSES]):
            synset = self.synsets[offset]
            if lemma not in synset.words:
                continue  # a name: the index has it in lower case
            same = [word for word in synset.words if self.fits(lemma, word, offset)]
            for word in sorted(same, key=lambda word: (-frequency(word), word)):
                found.setdefault(word, word)
            if rank >= GENERAL_SENSES[self.tag]:
                continue
            for above in synset.general:
                if self.tag == "n" and self.depth(above) < DEPTH:
                    continue
                word = self.synsets[above].words[0]
                if self.fits(lemma, word, above):
                    found.setdefault(word, f"+{word}")
        return list(found.values())[:MOST]

    def rows(self) -> Iterator[tuple[str, str, str]]:
        for lemma in sorted(self.senses):
            if len(lemma.split()) > 2 or not plain(lemma) or frequency(lemma) >= COMMON:
                continue
            if " " in lemma and frequency(lemma) == 0:
                continue
            if listed := self.candidates(lemma):
                yield lemma, self.tag, ",".join(listed)


def irregular(folder: Path, tag: str, known: set[str]) -> Iterator[tuple[str, str, str]]:
    """Forms of known lemmas that small rules do not undo."""
    path = folder / f"{PARTS[tag]}.exc"
    for line, text in read_lines(path):
        cells = text.split()
        if len(cells) < 2:
            raise FormatError("expected a form and its lemma", path=path, line=line)
        if cells[1] in known and plain(cells[0]):
            yield cells[0], f"x{tag}", cells[1]


def build(folder: Path) -> bytes:
    """The file, compressed without time or name so that it is the same each time."""
    rows: list[tuple[str, str, str]] = []
    for tag in PARTS:
        part = list(Part(folder, tag).rows())
        rows += part
        if tag != "r":
            rows += irregular(folder, tag, {lemma for lemma, _, _ in part})
    text = HEADER + "".join("\t".join(row) + "\n" for row in sorted(set(rows)))
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--wordnet", type=Path, required=True, help="folder of the WordNet 3.0 files"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    data = build(arguments.wordnet)
    write_weights(arguments.out.parent, {arguments.out.name: data})


if __name__ == "__main__":
    main()
