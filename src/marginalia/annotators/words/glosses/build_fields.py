"""How ``weights/fields.tsv.gz`` was made, and how to make it again.

    python -m marginalia.annotators.words.glosses.build_fields --wordnet FOLDER [--data DIR]

Three sources, all of them open:

- WordNet 3.0: words of its topics (``law``, ``computer science``) and of some of its files (animals, parts of the body);
- counts in the sentences of CompLex 2.0 (CC BY 4.0): biomedical articles, Europarl and the Bible;
- counts in the documentation of Python's standard library (PSF licence), and for mathematics of numpy, scipy and
  scikit-learn (BSD licence), as they are installed here.

Only words that are not common are kept: the others are easy for everyone.
"""

from __future__ import annotations

import argparse
import ast
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from marginalia.annotators.words.easier.build import PARTS
from marginalia.annotators.words.glosses.fields import FIELDS, NAME
from marginalia.core.data_folder import data_folder
from marginalia.nlp.frequency import zipf
from marginalia.nlp.tokens import lower_words
from marginalia.nlp.weights import write_weights
from marginalia.nlp.wordnet import Synset, compressed, is_plain, read_senses, read_synsets
from marginalia.tasks.complexity.official.data import load
from marginalia.tasks.complexity.systems.shipped import WEIGHTS

COMMON_ZIPF = 4.5
MIN_SENTENCES = 3
"""In so many sentences of CompLex a word must stand, and in so many modules of Python:"""
MIN_MODULES = 6
TOPICS = {
    "biology": "biology botany zoology genetics ecology biochemistry physiology taxonomy",
    "chemistry": "chemistry organic_chemistry biochemistry chemical_analysis",
    "computing": "computer_science computing programming",
    "law": "law jurisprudence criminal_law contract_law civil_law legal_code",
    "mathematics": "mathematics geometry statistics arithmetic algebra calculus logic trigonometry",
    "medicine": "medicine pathology surgery anatomy physiology psychiatry pharmacology dentistry "
    "ophthalmology obstetrics immunology psychology",
    "physics": "physics nuclear_physics electricity electronics optics mechanics thermodynamics astronomy",
    "politics": "politics government diplomacy",
    "religion": "religion theology christianity roman_catholic_church bible judaism",
}
FILES = {"biology": {5, 20}, "chemistry": {27}, "medicine": {8}}
"""Files of WordNet that belong to a field: animals and plants, substances, parts of the body."""
MORE_GENERAL = {
    "medicine": ("illness", "drug", "medical procedure", "medical instrument", "symptom", "bandage")
}
"""Nouns of WordNet whose kinds all belong to a field."""
GENRES = {
    "biomed": ("medicine", "biology"),
    "europarl": ("politics", "law"),
    "bible": ("religion",),
}


def topic_words(folder: Path) -> dict[str, set[str]]:
    """The words of WordNet that belong to each field."""
    nouns = read_synsets(folder / "data.noun")
    senses = read_senses(folder / "index.noun")
    topics = {
        offset: field
        for field, names in TOPICS.items()
        for name in names.split()
        for offset in senses.get(name.replace("_", " "), ())[:1]
    }
    kinds = {
        field: _below(nouns, {senses[name][0] for name in names})
        for field, names in MORE_GENERAL.items()
    }
    found: dict[str, set[str]] = {field: set() for field in FIELDS}
    for name in PARTS.values():
        synsets = nouns if name == "noun" else read_synsets(folder / f"data.{name}")
        for offset, synset in synsets.items():
            fields = {topics[at] for at in synset.pointed(";c") if at in topics}
            if name == "noun":
                fields |= {field for field, files in FILES.items() if synset.field in files}
                fields |= {field for field, offsets in kinds.items() if offset in offsets}
            for field in fields:
                found[field] |= set(synset.words)
    return found


def _below(nouns: dict[int, Synset], roots: set[int]) -> set[int]:
    """All that these are more general than."""
    found, new = set(roots), set(roots)
    while new:
        new = {offset for at in new for offset in nouns[at].pointed("~")} - found
        found |= new
    return found


def documentation(folder: Path, without: Iterable[str] = ()) -> Iterator[set[str]]:
    """The words of the documentation of each module in a folder."""
    for path in sorted(folder.rglob("*.py")):
        if {"test", "tests", "idlelib", *without} & set(path.relative_to(folder).parts):
            continue
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        kinds = ast.Module | ast.ClassDef | ast.FunctionDef
        said = (ast.get_docstring(n) or "" for n in ast.walk(tree) if isinstance(n, kinds))
        yield set(lower_words(" ".join(said)))


def counted(texts: Iterable[set[str]], least: int) -> set[str]:
    counts = Counter(word for text in texts for word in text)
    return {word for word, count in counts.items() if count >= least}


def build(wordnet: Path, data: Path) -> bytes:
    found = topic_words(wordnet)
    paths = sysconfig.get_paths()
    library = documentation(Path(paths["stdlib"]), ("site-packages", "dist-packages"))
    found["computing"] |= counted(library, MIN_MODULES)
    packages = (
        documentation(Path(paths["purelib"]) / name) for name in ("numpy", "scipy", "sklearn")
    )
    found["mathematics"] |= counted(chain.from_iterable(packages), MIN_MODULES)
    sentences = {item.sentence: item.corpus for item in load("train", data).items.values()}
    for genre, fields in GENRES.items():
        own = [set(lower_words(text)) for text, corpus in sentences.items() if corpus == genre]
        for field in fields:
            found[field] |= counted(own, MIN_SENTENCES)
    rows = [
        f"{field}\t{' '.join(sorted(word for word in found[field] if _is_rare(word)))}"
        for field in FIELDS
    ]
    return compressed("\n".join([*rows, ""]))


def _is_rare(word: str) -> bool:
    return " " not in word and is_plain(word) and len(word) > 3 and 0 < zipf(word) < COMMON_ZIPF


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--data")
    args = parser.parse_args()
    write_weights(WEIGHTS, {NAME: build(args.wordnet, data_folder(args.data))})


if __name__ == "__main__":
    main()
