"""Build the dictionary that ships from its sources.

    python -m marginalia.annotators.words.build_dictionary lexicon/ [--without-vectors]

``lexicon/LANG/*.jsonl`` are the sources; ``src/marginalia/lexicon/LANG.sqlite`` and, for the languages of the shared encoder,
``LANG.npz`` with the vectors of the senses are written.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.lang import language
from marginalia.lexicon.dictionary import GAP, HOME, unit
from marginalia.nlp.encoder import for_language
from marginalia.nlp.inflection import inflect

DIMENSIONS = 64
"""Of the vectors of senses: of 384, these keep nearly all of what the cosine between a context and a gloss says."""
SCALE = 127.0
TAGS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_GAP_WORDS = re.compile(
    r"^(?:somebody|someone|something|sb|sth|one|oneself|…|\.\.\.|jemanden?|jdn|jdm|etwas|etw|sich)(?:'s|’s)?$"
)
_POSSESSIVE = frozenset("my your his her its our their one's somebody's someone's".split())
_LETTERS = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")

_SCHEMA = """
CREATE TABLE entries (id INTEGER PRIMARY KEY, word TEXT, kinds TEXT, native REAL, learner REAL);
CREATE TABLE senses (id INTEGER PRIMARY KEY, entry INTEGER, part TEXT, gloss TEXT, easier TEXT, example TEXT, field TEXT,
  register TEXT, native REAL, learner REAL, long TEXT);
CREATE TABLE forms (form TEXT PRIMARY KEY, entry INTEGER) WITHOUT ROWID;
CREATE TABLE expressions (word TEXT, pattern TEXT);
CREATE INDEX senses_of ON senses (entry);
"""


def read_sources(folder: Path) -> list[dict[str, Any]]:
    """All entries that mean something, each word once; what stands in an earlier file counts."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            known = found.setdefault(row["word"], row)
            if known is not row and not known["senses"] and row["senses"]:
                found[row["word"]] = row
    return [found[word] for word in sorted(found)]


def forms_of(row: dict[str, Any], lang: str) -> Iterator[str]:
    """The word as it is written and in all its forms: by rule for English, elsewhere by the endings of the language."""
    word = row["word"]
    yield word
    if " " in word or (lang == "en" and not word.islower()):
        return
    yield word.lower()
    for part in dict.fromkeys(sense["pos"] for sense in row["senses"]):
        if lang != "en":
            stem = (
                word.lower().removesuffix("n").removesuffix("e") if part == "verb" else word.lower()
            )
            yield from (
                stem + ending for ending in sorted(language(lang).words("inflection", part))
            )
            continue
        tag = TAGS.get(part)
        if tag == "n":
            yield inflect(word, "n", "s")
        elif tag == "v":
            yield from (inflect(word, "v", form) for form in ("s", "ed", "ing"))
            yield inflect(word, "v", "ed", participle=True)
        elif tag == "a":
            made = (inflect(word, "a", form) for form in ("er", "est"))
            yield from (form for form in made if " " not in form)


def pattern_of(row: dict[str, Any], lang: str) -> str:
    """An expression as it stands in text: alternatives with ``|`` between them, a gap where other words may come in."""
    said = next((s.get("pattern") for s in row["senses"] if s.get("pattern")), None) or ""
    open_places = _open_places(row["word"], said)
    words = [word.lower() for word in _LETTERS.findall(row["word"])]
    is_verb = row["senses"][0]["pos"] == "verb"
    parts = []
    for number, word in enumerate(words):
        if word in _POSSESSIVE:
            forms = sorted(_POSSESSIVE - {"one's", "somebody's", "someone's"})
        elif lang == "en" and number == 0 and is_verb:
            made = [inflect(word, "v", form) for form in ("s", "ed", "ing")]
            forms = [word, *made, inflect(word, "v", "ed", participle=True)]
        elif lang == "en" and number == len(words) - 1 and row["senses"][0]["pos"] == "noun":
            forms = [word, inflect(word, "n", "s")]
        else:
            forms = [word]
        parts.append("|".join(dict.fromkeys(forms)))
        if number in open_places and number < len(words) - 1:
            parts.append(GAP)
    return " ".join(parts)


def _open_places(word: str, pattern: str) -> set[int]:
    """After which words of the expression others may stand: where the pattern has somebody, something or dots between them."""
    fixed = [each.lower() for each in _LETTERS.findall(word)]
    places, at = set(), 0
    for token in re.split(r"[;,]", pattern)[0].split():
        bare = token.lower().strip("()")
        if at < len(fixed) and bare.split("/")[0] == fixed[at]:
            at += 1
        elif at and all(_GAP_WORDS.match(one) for one in bare.split("/")):
            places.add(at - 1)
    return places


def write_dictionary(rows: list[dict[str, Any]], path: Path, lang: str) -> list[tuple[str, str]]:
    """The database; what comes back are gloss and example of each sense, in the order of their ids."""
    path.unlink(missing_ok=True)
    texts: list[tuple[str, str]] = []
    with sqlite3.connect(path) as file:
        file.executescript(_SCHEMA)
        forms: dict[str, int] = {}
        exact = {
            row["word"] if lang == "en" else row["word"].lower() for row in rows if row["senses"]
        }
        for number, row in enumerate(rows):
            senses = row["senses"]
            if not senses:
                continue
            best = max(s["native"] for s in senses), max(s["learner"] for s in senses)
            file.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?)",
                (number, row["word"], " ".join(row["kind"]), *best),
            )
            for sense in senses:
                values = (
                    len(texts), number, sense["pos"], sense["gloss"], sense["easier"] or "", sense["example"],
                    sense["field"], sense["register"] or "", sense["native"], sense["learner"], sense.get("long") or "",
                )  # fmt: skip
                file.execute("INSERT INTO senses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
                texts.append((sense["gloss"], sense["example"]))
            if " " in row["word"]:
                pattern = pattern_of(row, lang)
                file.execute("INSERT INTO expressions VALUES (?, ?)", (row["word"], pattern))
            for form in dict.fromkeys(forms_of(row, lang)):
                own = row["word"] if lang == "en" else row["word"].lower()
                if form in (row["word"], own) or form not in exact:
                    forms.setdefault(form, number)
        # A form that the sources list as inflected belongs to its lemma.
        known = {row["word"]: number for number, row in enumerate(rows) if row["senses"]}
        for row in rows:
            if not row["senses"] and row.get("lemma") in known:
                forms.setdefault(row["word"], known[row["lemma"]])
        file.executemany("INSERT INTO forms VALUES (?, ?)", sorted(forms.items()))
    with sqlite3.connect(path) as file:
        file.execute("VACUUM")
    return texts


def write_vectors(texts: list[tuple[str, str]], path: Path, lang: str) -> None:
    """Glosses and examples as the encoder sees them, turned to their main axes and kept as bytes."""
    encoder = for_language(lang)
    gloss, example = (
        np.concatenate(
            [
                encoder.vectors([pair[side] for pair in texts[start : start + 512]])
                for start in range(0, len(texts), 512)
            ]
        )
        for side in (0, 1)
    )
    both = np.concatenate([gloss, example])
    mean = both.mean(axis=0)
    _, _, axes = np.linalg.svd(both[:: max(1, len(both) // 20_000)] - mean, full_matrices=False)
    axes = axes[:DIMENSIONS].T
    small = [np.rint(unit((one - mean) @ axes) * SCALE).astype(np.int8) for one in (gloss, example)]
    np.savez(
        path,
        gloss=small[0],
        example=small[1],
        mean=mean.astype(np.float16),
        axes=axes.astype(np.float16),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path)
    parser.add_argument("--without-vectors", action="store_true")
    given = parser.parse_args()
    for folder in sorted(given.sources.glob("??/")):  # named by the code of a language
        rows = read_sources(folder)
        texts = write_dictionary(rows, HOME / f"{folder.name}.sqlite", folder.name)
        if not given.without_vectors and folder.name == "en":  # the one that a model reads
            write_vectors(texts, HOME / f"{folder.name}.npz", folder.name)


if __name__ == "__main__":
    main()
