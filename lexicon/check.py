"""Check the sources of the dictionary: schema, lengths, circles, plain words, examples. Prints what to fix.

python lexicon/check.py [lexicon/en/words.jsonl ...]
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wordfreq import zipf_frequency

HERE = Path(__file__).parent
KINDS = set("word name inflected abbreviation fragment foreign junk phrase term".split())
PARTS = set("noun verb adj adv phrase other".split())
FIELDS = set(
    "general medicine biology chemistry physics earth computing statistics mathematics engineering law finance politics military "
    "religion arts sports food history language psychology society transport weather".split()
)
REGISTERS = {None, "formal", "slang", "old", "literary", "technical", "informal"}
MAX_GLOSS_WORDS = 14
COMMON_ZIPF = 3.2
"""A word of a gloss that is at least so frequent is plain, whatever it explains."""


def faults(row: dict[str, Any], lang: str) -> Iterator[str]:
    """What is wrong with an entry."""
    kinds = row.get("kind")
    if not isinstance(kinds, list) or not kinds or not set(kinds) <= KINDS:
        yield f"kind {kinds}"
    if "word" in (kinds or ()) and not row["senses"]:
        yield "a word without senses"
    for number, sense in enumerate(row["senses"], 1):
        for fault in sense_faults(row["word"], sense, lang):
            yield f"sense {number}: {fault}"


def sense_faults(word: str, sense: dict[str, Any], lang: str) -> Iterator[str]:
    if (
        sense["pos"] not in PARTS
        or sense["field"] not in FIELDS
        or sense["register"] not in REGISTERS
    ):
        yield f"part {sense['pos']}, field {sense['field']} or register {sense['register']}"
    if not all(0 <= sense[who] <= 1 for who in ("native", "learner")):
        yield "a share is not between 0 and 1"
    gloss = re.sub(r"^\(.*?\)", "", sense["gloss"])
    tokens = re.findall(r"[^\W\d_]+", gloss.lower())
    if not 1 <= len(sense["gloss"].split()) <= MAX_GLOSS_WORDS:
        yield f"a gloss of {len(sense['gloss'].split())} words"
    if word.lower() in tokens and " " not in word:
        yield f"a circle: {sense['gloss']}"
    if lang == "en" and " " not in word and word.islower():
        own = zipf_frequency(word, lang)
        hard = [t for t in tokens if len(t) > 3 and zipf_frequency(t, lang) < min(COMMON_ZIPF, own)]
        if hard:
            yield f"harder than the word: {', '.join(hard)}"
    if not 5 <= len(sense["example"].split()) <= 19:
        yield f"an example of {len(sense['example'].split())} words"
    if sense["easier"] is not None and sense["easier"].lower() == word.lower():
        yield "the easier word is the word itself"


def main() -> None:
    paths = [Path(one) for one in sys.argv[1:]] or sorted(HERE.glob("??/*.jsonl"))
    entries = senses = wrong = 0
    for path in paths:
        seen: set[str] = set()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            row = json.loads(line)
            entries += 1
            senses += len(row["senses"])
            found = list(faults(row, path.parent.name))
            if row["word"] in seen:
                found.append("twice")
            seen.add(row["word"])
            wrong += len(found)
            for fault in found:
                print(f"{path}:{number}: {row['word']}: {fault}")
    print(f"{entries} entries, {senses} senses, {wrong} to look at")


if __name__ == "__main__":
    main()
