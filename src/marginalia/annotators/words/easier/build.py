"""How ``weights/synonyms.tsv.gz`` was made from WordNet 3.0, and how to make it again.

    python -m marginalia.annotators.words.easier.build --wordnet FOLDER [--out FILE]

FOLDER holds ``data.noun``, ``index.noun`` and so on: /usr/share/wordnet of the Debian package
``wordnet-base``. The same WordNet and the same ``wordfreq`` lists give the same file.

Kept are candidates that are clearly more frequent than the word and often meant in that sense. Names,
spellings of the same word and rude words are left out. Rows are ``lemma, part of speech, candidates``;
a ``+`` marks a more general word. Rows of the parts ``xn``, ``xv`` and ``xa`` map irregular forms to lemmas.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from marginalia.annotators.words.easier.synonyms import NAME
from marginalia.nlp.weights import write_weights
from marginalia.nlp.wordnet import (
    Synset,
    compressed,
    frequency,
    is_plain,
    read_irregular,
    read_senses,
    read_synsets,
)
from marginalia.tasks.complexity.systems.shipped import WEIGHTS

OUT = WEIGHTS / NAME
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

COMMON_ZIPF = 5.0
"""A word as frequent as this needs no easier one."""
MIN_GAIN_ZIPF = 0.5
MIN_ZIPF = 3.0
"""A candidate is at least as frequent as this, once in a million words."""
MIN_PHRASE_ZIPF = 4.0
MAX_CANDIDATES = 6
MAX_SENSES = 4
GENERAL_SENSES = {"n": 2, "v": 2, "a": 3, "r": 0}
"""How many senses of a word are looked at: the commonest come first."""
OWN_RANK = {"n": 3, "v": 6, "a": 4, "r": 4}
"""The candidate's own sense of that number or before: else readers think of something else."""
MIN_HYPERNYM_DEPTH = 5
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


def plain(phrase: str) -> bool:
    """Lower-case words of letters, at most three, and none that is rude."""
    words = phrase.split()
    return 1 <= len(words) <= 3 and is_plain(phrase) and not _RUDE.intersection(words)


def general(synset: Synset) -> tuple[int, ...]:
    """Its hypernyms, or the head of an adjective's cluster."""
    return synset.pointed("&" if synset.kind == "s" else "@")


class Part:
    """The nouns, verbs, adjectives or adverbs of WordNet."""

    def __init__(self, folder: Path, tag: str) -> None:
        self.tag = tag
        self.synsets = read_synsets(folder / f"data.{PARTS[tag]}")
        self.senses = read_senses(folder / f"index.{PARTS[tag]}")
        self.depths: dict[int, int] = {}

    def depth(self, offset: int) -> int:
        if offset not in self.depths:
            above = general(self.synsets[offset])
            self.depths[offset] = 1 + min(map(self.depth, above)) if above else 0
        return self.depths[offset]

    def fits(self, lemma: str, word: str, offset: int) -> bool:
        """Whether a word of the synset is an easier one for the lemma."""
        if word == lemma or word in _EMPTY or not plain(word):
            return False
        floor = MIN_PHRASE_ZIPF if " " in word else MIN_ZIPF
        if frequency(word) < max(floor, frequency(lemma) + MIN_GAIN_ZIPF):
            return False
        if self.senses[word].index(offset) >= OWN_RANK[self.tag]:
            return False
        return SequenceMatcher(None, lemma, word).ratio() < SAME_SPELLING

    def candidates(self, lemma: str) -> list[str]:
        """Easier words by sense, then the frequent first; more general ones of a sense after them."""
        found: dict[str, str] = {}
        for rank, offset in enumerate(self.senses[lemma][:MAX_SENSES]):
            synset = self.synsets[offset]
            if lemma not in synset.words:
                continue  # a name: the index has it in lower case
            same = [word for word in synset.words if self.fits(lemma, word, offset)]
            for word in sorted(same, key=lambda word: (-frequency(word), word)):
                found.setdefault(word, word)
            if rank >= GENERAL_SENSES[self.tag]:
                continue
            for above in general(synset):
                if self.tag == "n" and self.depth(above) < MIN_HYPERNYM_DEPTH:
                    continue
                word = self.synsets[above].words[0]
                if self.fits(lemma, word, above):
                    found.setdefault(word, f"+{word}")
        return list(found.values())[:MAX_CANDIDATES]

    def rows(self) -> Iterator[tuple[str, str, str]]:
        for lemma in sorted(self.senses):
            if len(lemma.split()) > 2 or not plain(lemma) or frequency(lemma) >= COMMON_ZIPF:
                continue
            if " " in lemma and frequency(lemma) == 0:
                continue
            if listed := self.candidates(lemma):
                yield lemma, self.tag, ",".join(listed)


def irregular(folder: Path, tag: str, known: set[str]) -> Iterator[tuple[str, str, str]]:
    """Forms of known lemmas that small rules do not undo."""
    for form, lemma in read_irregular(folder / f"{PARTS[tag]}.exc"):
        if lemma in known and plain(form):
            yield form, f"x{tag}", lemma


def build(folder: Path) -> bytes:
    """The file, the same each time."""
    rows: list[tuple[str, str, str]] = []
    for tag in PARTS:
        part = list(Part(folder, tag).rows())
        rows += part
        if tag != "r":
            rows += irregular(folder, tag, {lemma for lemma, _, _ in part})
    text = HEADER + "".join("\t".join(row) + "\n" for row in sorted(set(rows)))
    return compressed(text)


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
