"""Build the dictionary that ships from its sources.

    python -m marginalia.annotators.words.build_dictionary lexicon/ [--without-vectors]

``lexicon/LANG/*.jsonl`` are the sources; ``src/marginalia/lexicon/LANG.sqlite`` and ``LANG.npz`` with the vectors of the senses
are written.
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

from marginalia.core.files import read_lines
from marginalia.lang import language
from marginalia.lexicon.dictionary import GAP, HOME, unit
from marginalia.nlp.encoder import for_language
from marginalia.nlp.frequency import zipf
from marginalia.nlp.inflection import inflect

SOURCES = ("words", "terms", "expressions", "names")
DIMENSIONS = 64
"""Of the vectors of senses: of 384, these keep nearly all of what the cosine between a context and a sense says."""
SCALE = 127.0
MAX_LEMMAS = 2
"""A form has the senses of so many words: "leaves" of a tree, and she leaves."""
FIELD_PENALTY, FIELD_STEPS = 10.0, 300
SPELLINGS = (
    (r"(?<=\w{{3}}){}(?=(?:e[sd]?|ers?|ing|ations?)$)", "is", "iz"),
    (r"(?<=\w{{3}}){}(?=(?:e[sd]?|ers?|ing)$)", "ys", "yz"),
    (r"(?<=\w{{2}}){}(?=(?:s|ed|ing|able|ful|less|ite|ites|hood)?$)", "our", "or"),
    (r"(?<=\w{{3}}[aeiou]){}(?=(?:ed|ing|ers?)$)", "ll", "l"),
)
"""British and American endings, within a pattern of what stands around them."""
Text = tuple[str, str, str]
"""Gloss, example and field of a sense."""
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
CREATE TABLE forms (form TEXT, rank INTEGER, entry INTEGER, PRIMARY KEY (form, rank)) WITHOUT ROWID;
CREATE TABLE expressions (word TEXT, pattern TEXT);
CREATE INDEX senses_of ON senses (entry);
"""


def read_sources(folder: Path) -> list[dict[str, Any]]:
    """All entries, each word once: what several files say of it, those of a later one where it knows another field."""
    entries: dict[str, dict[str, Any]] = {}
    for name in SOURCES:
        path = folder / f"{name}.jsonl"
        for _, line in read_lines(path) if path.is_file() else ():
            row = json.loads(line)
            known = entries.setdefault(row["word"], row)
            if known is not row:
                fields = {sense["field"] for sense in known["senses"]}
                known["senses"] += [one for one in row["senses"] if one["field"] not in fields]
                known["kind"] = list(dict.fromkeys([*known["kind"], *row["kind"]]))
    return [entries[word] for word in sorted(entries)]


def forms_of(row: dict[str, Any], lang: str) -> Iterator[str]:
    """The word as it is written and in all its forms: by rule for English, elsewhere by the endings of the language."""
    word = row["word"]
    yield word
    if " " in word or (lang == "en" and not word.islower()):
        return
    for part in dict.fromkeys(sense["pos"] for sense in row["senses"]):
        if lang != "en":  # a noun keeps its capital: "greifen" is no form of "Greif"
            stem = word.removesuffix("n").removesuffix("e") if part == "verb" else word
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


def other_spellings(form: str) -> Iterator[str]:
    """British for American spelling and the reverse; what is no word does no harm."""
    for pattern, one, other in SPELLINGS:
        for old, new in ((one, other), (other, one)):
            made, many = re.subn(pattern.format(old), new, form)
            if many:
                yield made


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
        # One small word after a gap says little: in the texts of the marks readers had stopped at 18 of 77 such places.
        if number in open_places and number < len(words) - 2:
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


def write_dictionary(rows: list[dict[str, Any]], path: Path, lang: str) -> list[Text]:
    """The database; what comes back are gloss, example and field of each sense, in the order of their ids."""
    path.unlink(missing_ok=True)
    texts: list[Text] = []
    with sqlite3.connect(path) as file:
        file.executescript(_SCHEMA)
        forms: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            senses = row["senses"]
            if not senses and "native" not in row:
                continue
            known_by = senses or [row]  # a name has no senses, only shares
            best = max(s["native"] for s in known_by), max(s["learner"] for s in known_by)
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
                texts.append((sense["gloss"], sense["example"], sense["field"]))
            if " " in row["word"]:
                pattern = pattern_of(row, lang)
                file.execute("INSERT INTO expressions VALUES (?, ?)", (row["word"], pattern))
            for form in dict.fromkeys(forms_of(row, lang)):
                forms.setdefault(form, []).append(number)
        # A form that the sources list as inflected belongs to its lemma.
        known = {row["word"]: number for number, row in enumerate(rows) if row["senses"]}
        for row in rows:
            lemma = known.get(row.get("lemma") or "")
            if lemma is not None and lemma not in forms.setdefault(row["word"], []):
                forms[row["word"]].append(lemma)
        if lang == "en":
            for form, numbers in list(forms.items()):
                for other in other_spellings(form):
                    forms.setdefault(other, numbers)
        file.executemany(
            "INSERT INTO forms VALUES (?, ?, ?)",
            (
                (form, rank, number)
                for form, numbers in sorted(forms.items())
                for rank, number in enumerate(_own_first(form, numbers, rows, lang))
            ),
        )
    with sqlite3.connect(path) as file:
        file.execute("VACUUM")
    return texts


def _own_first(form: str, numbers: list[int], rows: list[dict[str, Any]], lang: str) -> list[int]:
    """The entries of a form, at most ``MAX_LEMMAS``: its own, then the words that it is a form of, the commonest first."""
    ordered = sorted(
        numbers, key=lambda n: (rows[n]["word"] != form, -zipf(rows[n]["word"].lower(), lang))
    )
    return ordered[:MAX_LEMMAS]


def write_vectors(texts: list[Text], path: Path, lang: str) -> None:
    """Gloss and example together as the encoder sees them, turned to their main axes and kept as bytes; and what examples of
    each field have in common."""
    from sklearn.linear_model import LogisticRegression

    encoder = for_language(lang)
    gloss, example = (
        np.concatenate(
            [
                encoder.vectors([text[side] for text in texts[start : start + 512]])
                for start in range(0, len(texts), 512)
            ]
        )
        for side in (0, 1)
    )
    both = np.concatenate([gloss, example])
    mean = both.mean(axis=0)
    _, _, axes = np.linalg.svd(both[:: max(1, len(both) // 20_000)] - mean, full_matrices=False)
    axes = axes[:DIMENSIONS].T
    gloss, example = (unit((vectors - mean) @ axes) for vectors in (gloss, example))
    fields = LogisticRegression(C=FIELD_PENALTY, max_iter=FIELD_STEPS)
    fields.fit(example, [field for _, _, field in texts])
    np.savez(
        path,
        senses=np.rint(unit(gloss + example) * SCALE).astype(np.int8),
        mean=mean.astype(np.float16),
        axes=axes.astype(np.float16),
        fields=fields.classes_.astype(str),
        field_weights=np.vstack([fields.coef_.T, fields.intercept_]).astype(np.float16),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path)
    parser.add_argument("--without-vectors", action="store_true")
    given = parser.parse_args()
    for folder in sorted(given.sources.glob("??/")):  # named by the code of a language
        rows = read_sources(folder)
        texts = write_dictionary(rows, HOME / f"{folder.name}.sqlite", folder.name)
        if not given.without_vectors:
            write_vectors(texts, HOME / f"{folder.name}.npz", folder.name)


if __name__ == "__main__":
    main()
