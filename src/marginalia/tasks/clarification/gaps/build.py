"""How ``lexicon.json.gz`` was made from WordNet 3.0, and how to make it again.

    python -m marginalia.tasks.clarification.gaps.build --wordnet FOLDER [--out FILE]

FOLDER holds ``data.noun``, ``index.adj``, ``noun.exc`` and ``cntlist.rev``: /usr/share/wordnet of the Debian package ``wordnet-base``. The same WordNet and the same ``wordfreq`` lists give the same file.

A noun gets its field, how many names of things end in it (fish tank, gas tank), with
what before it, and its parts.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marginalia.core.files import read_lines, write_file
from marginalia.nlp.wordnet import (
    Synset,
    compressed,
    frequency,
    is_plain,
    read_irregular,
    read_synsets,
)
from marginalia.tasks.clarification.gaps.lexicon import PATH

FIELDS = {
    4: "act", 5: "animal", 6: "artifact", 7: "attribute", 8: "body", 9: "cognition",
    10: "communication", 11: "event", 12: "feeling", 13: "food", 14: "group", 15: "location",
    16: "motive", 17: "object", 18: "person", 19: "phenomenon", 20: "plant", 21: "possession",
    22: "process", 23: "quantity", 24: "relation", 25: "shape", 26: "state", 27: "substance",
    28: "time",
}  # fmt: skip
"""Lexicographer files of nouns; see lexnames(5)."""
COMMON_NOUN = 3.0
COMMON_PART = 3.2
MODIFIERS = 8
PARTS = 6
PART_SENSES = 2
SELDOM_NOUN = 4
RARE_SENSE = 0.5
"""Added to the count of each sense, so that those that were never counted have a share too."""


def read_counts(path: Path) -> dict[str, float]:
    """How often each sense was met in the texts that WordNet's makers annotated."""
    rows = (text.split() for _, text in read_lines(path))
    return {cells[0]: float(cells[2]) for cells in rows if len(cells) == 3}


def nouns(folder: Path, counts: dict[str, float]) -> dict[str, list[Any]]:
    """Noun -> its field, how many names of things end in it, what stands before it there, its parts."""
    synsets = read_synsets(folder / "data.noun")
    counted = by_part(counts)
    senses: dict[str, list[tuple[float, int]]] = defaultdict(list)
    before: dict[str, set[str]] = defaultdict(set)
    for offset, synset in synsets.items():
        for word, key in zip(synset.words, synset.keys, strict=True):
            senses[word].append((counts.get(key, 0.0) + RARE_SENSE, offset))
            modifier, _, head = word.rpartition(" ")
            if modifier and is_plain(word):
                before[head].add(modifier)
    found = {}
    for word, each in senses.items():
        if not is_plain(word) or " " in word or frequency(word) < COMMON_NOUN:
            continue
        each.sort(key=lambda pair: -pair[0])
        fields: Counter[int] = Counter()
        for weight, offset in each:
            fields[synsets[offset].field] += weight  # type: ignore[assignment]
        field = FIELDS.get(fields.most_common(1)[0][0], "")
        single = [m for m in before[word] if frequency(m) >= COMMON_PART and is_noun(m, counted)]
        single.sort(key=lambda m: (-frequency(m), m))
        parts = dict.fromkeys(
            part for _, offset in each[:PART_SENSES] for part in parts_of(synsets, offset)
        )
        found[word] = [field, len(before[word]), single[:MODIFIERS], list(parts)[:PARTS]]
    return dict(sorted(found.items()))


def by_part(counts: dict[str, float]) -> dict[str, dict[str, float]]:
    """Word -> how often it was met as a noun (1), verb (2), adjective (3)."""
    found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for key, count in counts.items():
        word, _, sense = key.partition("%")
        found[word]["3" if sense[0] == "5" else sense[0]] += count
    return found


def is_noun(word: str, counted: dict[str, dict[str, float]]) -> bool:
    """Whether the word is a noun more often than a verb or an adjective."""
    count = counted[word]
    return count["1"] > max(count["2"], count["3"])


def adjectives(folder: Path, counts: dict[str, float]) -> list[str]:
    """Words that are hardly ever nouns, though a tagger may take them for one: weak, medium."""
    counted = by_part(counts)
    words = (text.split()[0] for _, text in read_lines(folder / "index.adj") if text[0] != " ")
    return sorted(
        word
        for word in words
        if is_plain(word)
        and frequency(word) >= COMMON_NOUN
        and counted[word]["3"] > SELDOM_NOUN * counted[word]["1"]
    )


def parts_of(synsets: dict[int, Synset], offset: int, levels: int = 2) -> Iterator[str]:
    """The parts of a thing, then those of what it is a kind of."""
    for part in synsets[offset].pointed("%p"):
        word = synsets[part].words[0]
        if is_plain(word) and frequency(word) >= COMMON_PART:
            yield word
    if levels:
        for above in synsets[offset].pointed("@"):
            yield from parts_of(synsets, above, levels - 1)


def irregular(path: Path, known: dict[str, Any]) -> dict[str, str]:
    """Forms of known words that small rules do not undo."""
    return {
        form: lemma for form, lemma in read_irregular(path) if lemma in known and is_plain(form)
    }


def build(folder: Path) -> bytes:
    """The file, the same each time."""
    counts = read_counts(folder / "cntlist.rev")
    noun = nouns(folder, counts)
    data = {
        "about": "From WordNet 3.0, Copyright 2006 by Princeton University. Chosen by wordfreq.",
        "nouns": noun,
        "adjectives": adjectives(folder, counts),
        "noun_forms": irregular(folder / "noun.exc", noun),
    }
    return compressed(json.dumps(data, separators=(",", ":")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--wordnet", type=Path, required=True, help="folder of the WordNet 3.0 files"
    )
    parser.add_argument("--out", type=Path, default=PATH)
    arguments = parser.parse_args()
    write_file(arguments.out, build(arguments.wordnet))


if __name__ == "__main__":
    main()
