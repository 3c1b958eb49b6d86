"""Easier words for a hard one, from WordNet 3.0.

The file holds, for each word that is not common, more frequent words of the same meaning and more
general ones; ``build_synonyms`` says how they were chosen. Whether one fits a sentence it does not say:
that is what ``alternatives`` ranks by.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import decode, require_file
from marginalia.nlp.inflection import inflect, lemmas
from marginalia.nlp.weights import MANIFEST, open_weights
from marginalia.tasks.complexity.systems.shipped import WEIGHTS

NAME = "synonyms.tsv.gz"
MAX_BYTES = 16 * 2**20
MAX_WORD = 60

TAGS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
"""Tags of Universal Dependencies -> WordNet's parts of speech."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An easier word in the form of the hard one."""

    word: str
    kind: str
    """``same meaning`` or ``more general``."""
    tag: str


def candidates(
    word: str, tag: str | None = None, *, participle: bool = False, folder: Path = WEIGHTS
) -> list[Candidate]:
    """Easier words for a word or two-word expression: the commonest sense first.

    ``tag`` is a tag of Universal Dependencies; without one, all parts of speech are looked at, and with
    one that has no easier words (a name, a number) there are none. A verb in ``-ed`` may be a participle
    (was bestowed, was given) or not (bestowed, gave): ``participle`` says so.
    """
    if not word or len(word) > MAX_WORD or (tag and tag not in TAGS):
        return []
    rows = read_synonyms(folder)
    form = " ".join(word.lower().split())
    found: dict[str, Candidate] = {}
    for name, part in TAGS.items():
        if not tag or tag == name:
            _collect(rows, form, name, part, participle, found)
    if tag == "ADJ" and not found and form.endswith(("ed", "en", "ing")):
        _collect(rows, form, "VERB", "v", True, found)  # exalted, forsaken
    return [
        Candidate(_cased(item.word, word), item.kind, item.tag)
        for item in found.values()
        if item.word != form
    ]


def _collect(
    rows: Mapping[str, str],
    form: str,
    name: str,
    part: str,
    participle: bool,
    found: dict[str, Candidate],
) -> None:
    seen: set[tuple[str, str]] = set()
    for lemma, ending in _lemmas(rows, form, part):
        if (lemma, ending) in seen:
            continue
        seen.add((lemma, ending))
        for listed in rows.get(f"{lemma}\t{part}", "").split(","):
            base = listed.removeprefix("+")
            if base:
                made = inflect(base, part, ending, participle=participle)
                kind = "more general" if listed.startswith("+") else "same meaning"
                found.setdefault(made, Candidate(made, kind, name))


def _lemmas(rows: Mapping[str, str], form: str, part: str) -> Iterator[tuple[str, str]]:
    """Irregular forms first, then what the rules say; of two words, the one that carries the form."""
    if exception := rows.get(f"{form}\tx{part}"):
        ending = {"n": "s", "v": "ing" if form.endswith("ing") else "ed"}.get(part)
        yield exception, ending or ("est" if form.endswith("est") else "er")
    first, space, last = form.partition(" ")
    if not space:
        yield from lemmas(form, part)
    elif part == "v":
        yield from ((f"{lemma} {last}", ending) for lemma, ending in lemmas(first, part))
    else:
        yield from ((f"{first} {lemma}", ending) for lemma, ending in lemmas(last, part))


def _cased(made: str, word: str) -> str:
    """Capitals as in the word that is replaced."""
    if len(word) > 1 and word.isupper():
        return made.upper()
    return made[0].upper() + made[1:] if word[0].isupper() else made


@cache
def read_synonyms(folder: Path = WEIGHTS) -> Mapping[str, str]:
    """``lemma TAB part`` -> its candidates with commas; the file is checked against the manifest."""
    if NAME not in open_weights(folder)["files"]:
        raise MissingError(f"{folder / MANIFEST} does not name {NAME}: run build_synonyms again.")
    path = require_file(folder / NAME)
    rows: dict[str, str] = {}
    try:
        with gzip.open(path) as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"the file cannot be unpacked: {error}", path=path) from error
    if len(data) > MAX_BYTES:
        raise FormatError(f"the file unpacks to more than {MAX_BYTES:,} bytes", path=path)
    for line, text in enumerate(decode(data, path).split("\n"), start=1):
        if text and not text.startswith("#"):
            key, tab, listed = text.rpartition("\t")
            if not tab or "\t" not in key:
                raise FormatError("expected lemma, part and candidates", path=path, line=line)
            rows[key] = listed
    return rows
