"""How ``weights/glosses.tsv.gz`` was made from WordNet 3.0, and how to make it again.

    python -m marginalia.annotators.words.glosses.build --wordnet FOLDER [--out FILE]

FOLDER holds ``data.noun``, ``index.noun`` and so on: /usr/share/wordnet of the Debian package ``wordnet-base``. The same
WordNet and the same ``wordfreq`` lists give the same file.

Kept are the senses of words that are not common. A gloss that explains a word by itself ("in an ostentatious manner") or
by words rarer than it is marked: its sense can be chosen, but is not shown. The first part of the file has a line per
sense, its words (and a more general one) and its gloss; the second has rows ``lemma, part of speech, senses``, where a sense is
``offset of its line:times it was tagged:1 if it may be shown:easier words``.
Rows of the parts ``xn``, ``xv``, ``xa`` and ``xr`` map irregular forms to lemmas.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from marginalia.annotators.words.easier.build import PARTS, Part, general, plain
from marginalia.annotators.words.glosses.lexicon import NAME, SEPARATOR
from marginalia.core.files import read_lines
from marginalia.nlp.weights import write_weights
from marginalia.nlp.wordnet import Synset, compressed, frequency, is_plain, read_irregular
from marginalia.tasks.complexity.systems.shipped import WEIGHTS

COMMON_ZIPF = 4.5
"""A word as frequent as this needs no gloss for anyone."""
MAX_SENSES = 8
MAX_GLOSS = 110
MIN_CUT = 30
"""A long gloss is cut between its parts, but not so soon."""
MAX_RELATED = 4
RARE_ZIPF = 3.0
LONG_GLOSS = 8
"""A gloss has no word that is rarer than this; one if it has so many words."""
EASY_ZIPF = 4.5
EXPRESSION_ZIPF = (2.0, 4.2)
"""Between these is the rarer word of an expression of two."""
MIN_SHARE = 0.2
"""How often an easier word has this sense, of all its uses in WordNet's tagged texts: else readers think of something else."""
MAX_OWN_RANK = {"n": 2, "v": 3, "a": 3, "r": 1}
"""The easier word's own sense of that number or before: else readers think of something else."""
HEADER = "# From WordNet 3.0, Copyright 2006 by Princeton University; see WORDNET-LICENSE.txt.\n"


def short(gloss: str) -> str:
    """The gloss, cut between its parts where it is long; what stays long is too long for a margin."""
    gloss = " ".join(gloss.split())
    while len(gloss) > MAX_GLOSS and (cut := max(gloss.rfind(";"), gloss.rfind(" ("))) > MIN_CUT:
        gloss = gloss[:cut].rstrip(" ;,")
    return gloss if len(gloss) <= MAX_GLOSS + 30 and gloss.count("(") == gloss.count(")") else ""


def is_clear(lemma: str, gloss: str) -> bool:
    """Whether it explains the word by others that are easier."""
    words = re.findall(r"[a-z]{3,}", gloss.lower())
    roots = {part[:5] for part in lemma.split() if frequency(part) < EASY_ZIPF}
    if any(word[:5] in roots for word in words):
        return False
    rare = sum(frequency(word) < RARE_ZIPF for word in words)
    return len(words) > 1 and rare <= (len(words) >= LONG_GLOSS)


def wanted(part: Part) -> Iterator[str]:
    """The lemmas that get an entry."""
    for lemma in sorted(part.senses):
        words = lemma.split()
        if not is_plain(lemma) or len(lemma) < 3 or len(words) > 2:
            continue
        low, high = (0.01, COMMON_ZIPF) if len(words) == 1 else EXPRESSION_ZIPF
        if low <= frequency(lemma) < high and (len(words) == 1 or part.tag == "n"):
            yield lemma


def senses_of(part: Part, lemma: str, counts: Counts) -> Iterator[tuple[Synset, int, list[str]]]:
    """Its senses that are no names, with how often each was tagged and words that are easier."""
    for offset in part.senses[lemma][:MAX_SENSES]:
        synset = part.synsets[offset]
        if lemma not in synset.words or synset.pointed("@i"):
            continue
        same = [word for word in synset.words if suits(part, lemma, word, offset, counts)]
        same.sort(key=lambda word: (-frequency(word), word))
        yield synset, counts.of(synset, lemma), same


def suits(part: Part, lemma: str, word: str, offset: int, counts: Counts) -> bool:
    """Whether a word of the synset is an easier one that readers take in this sense."""
    if " " in word or " " in lemma or len(word) < 3 or not part.fits(lemma, word, offset):
        return False
    if part.senses[word].index(offset) >= MAX_OWN_RANK[part.tag]:
        return False
    return counts.of(part.synsets[offset], word) >= MIN_SHARE * counts.total(word)


def related(part: Part, synset: Synset) -> str:
    """Words that tell one sense from another: those of the synset and the first that is more general."""
    above = [part.synsets[offset].words[0] for offset in general(synset)[:1]]
    return f"{', '.join(synset.words[:MAX_RELATED])}{f' ({above[0]})' if above else ''}"


class Counts:
    """How often each sense was found in WordNet's tagged texts; a line of the file: key, number of the sense, count."""

    def __init__(self, path: Path) -> None:
        self.by_key: dict[str, int] = {}
        self.by_word: Counter[str] = Counter()
        for _, text in read_lines(path):
            key, _, count = text.split()
            self.by_key[key] = int(count)
            self.by_word[key.split("%")[0]] += int(count)

    def of(self, synset: Synset, word: str) -> int:
        return self.by_key.get(synset.keys[synset.words.index(word)], 0)

    def total(self, word: str) -> int:
        """In all senses and parts of speech."""
        return self.by_word[word.replace(" ", "_")]


def build(folder: Path) -> bytes:
    glosses: dict[str, int] = {}
    rows = []
    size = 0
    counts = Counts(folder / "cntlist.rev")
    for tag in PARTS:
        part = Part(folder, tag)
        known = set()
        for lemma in wanted(part):
            senses = []
            for synset, count, easier in senses_of(part, lemma, counts):
                gloss = short(synset.gloss)
                line = f"{related(part, synset)}\t{gloss}"
                if line not in glosses:
                    glosses[line] = size
                    size += len(line.encode()) + 1
                clear = int(is_clear(lemma, gloss))
                senses.append(f"{glosses[line]}:{count}:{clear}:{'/'.join(easier)}")
            if senses:
                known.add(lemma)
                rows.append(f"{lemma}\t{tag}\t{','.join(senses)}")
        for form, lemma in read_irregular(folder / f"{PARTS[tag]}.exc"):
            if lemma in known and plain(form):
                rows.append(f"{form}\tx{tag}\t{lemma}")
    return compressed("\n".join([HEADER + "\n".join(glosses), SEPARATOR, *sorted(rows), ""]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS / NAME)
    args = parser.parse_args()
    write_weights(args.out.parent, {args.out.name: build(args.wordnet)})


if __name__ == "__main__":
    main()
