"""Documents to measure with: seeded, of any number and length, no sentence cached from another by accident.

Words come from the twenty thousand most frequent ones, sentences from patterns of papers: prose, measurements with units, survey
questions. One sentence in fifty is taken from a few that all documents may quote, so that passages repeat across documents, and each
document gives one of ten constants a value, mostly the same one, so that some contradict each other.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from wordfreq import top_n_list

WORDS_PER_DOCUMENT = 2_000
SENTENCES_PER_PARAGRAPH = 5
PARAGRAPHS_PER_SECTION = 4

PATTERNS = (
    "The {n} of the {n} was {a} in most of the {n}s that we {v}.",
    "Although the {n} seemed {a}, its {n} depended on the {n} and the {a} {n}.",
    "We {v} the {n} with a {a} {n} and compared it with that of the {n}.",
    "In {place}, {a} {n}s were more common than {a} {n}s, which the {n} may explain.",
    "This {n} has rarely been {v}, and the {n} behind it remains {a}.",
    "It is unclear whether the {n} changes the {n} or the {n} changes with it.",
    "{n2}, {n} and {n} formed the {a} part of the {n} in {year}.",
    "Earlier work on the {n} of {n}s in {place} found no {a} {n}.",
    "After the {n}, each {n} was {v} twice and stored in a {a} {n}.",
    "A {a} {n} and a {a} {n} were used to {n} the {n}.",
)
MEASURED = (
    "The {n} reached a temperature of {x} K after {y} min.",
    "We added {x} mg of {n} to {y} mL of water.",
    "The mean {n} concentration was {x} ± {z} µg/L in {place}.",
    "Samples were heated at {x} °C for {y} h before the {n} was {v}.",
    "The pressure in the {n} rose from {z} to {x} kPa.",
    "The {n} had a length of {x} cm and a mass of {y} kg.",
)
ASKED = (
    "Respondents in {place} were asked whether most people can be trusted, and how the {n} shaped their answer.",
    "General health was rated on a scale from very good to very bad by {c} respondents.",
    "The number of hours worked in a week was higher among those with a {a} {n}.",
)
SHARED = (
    "All procedures were approved by the ethics committee of the university and followed its guidelines.",
    "Data were analysed with standard methods, and differences with a probability below five percent were called significant.",
    "The authors declare that they have no competing interests of any kind in this work.",
    "Further research is needed before these findings can be generalised to other populations.",
)
PLACES = "Aarhus Bergen Cork Delft Essen Ferrara Ghent Halle Ithaca Jena Kiel Lund Malmö Nantes Oulu Porto".split()
CONSTANTS = tuple(
    (name, value)
    for name, value in zip(
        "corundum periclase rutile zincite baddeleyite cassiterite hematite anatase fluorite halite".split(),
        (2345, 3125, 2116, 2248, 2988, 1903, 1838, 2103, 1691, 1074),
        strict=True,
    )
)


@cache
def vocabulary() -> tuple[str, ...]:
    known = top_n_list("en", 30_000)
    return tuple(word for word in known if word.isascii() and word.isalpha() and 4 < len(word) < 13)


def sentence(random: random.Random) -> str:
    if random.random() < 0.02:
        return random.choice(SHARED)
    kind = random.choices((PATTERNS, MEASURED, ASKED), (70, 22, 8))[0]
    words = vocabulary()
    pattern = random.choice(kind)
    while "{n}" in pattern:
        pattern = pattern.replace("{n}", random.choice(words), 1)
    while "{a}" in pattern:
        pattern = pattern.replace("{a}", random.choice(words), 1)
    return pattern.format(
        n2=random.choice(words).capitalize(),
        v=random.choice(("measured", "observed", "described", "sampled", "recorded")),
        place=random.choice(PLACES),
        year=random.randint(1950, 2025),
        x=round(random.uniform(10, 900), random.randint(0, 2)),
        y=random.randint(2, 95),
        z=round(random.uniform(0.1, 9), 1),
        c=random.randint(40, 4000),
    )


def document(number: int, *, words: int = WORDS_PER_DOCUMENT, seed: int = 0) -> str:
    """A Markdown document; the same number and seed give the same text."""
    chance = random.Random(f"{seed} {number}")
    parts = [f"# A {chance.choice(vocabulary())} study of {chance.choice(vocabulary())}s\n"]
    mineral, value = chance.choice(CONSTANTS)
    odd = chance.random() < 0.05
    said = (
        f"The melting point of {mineral} was {value + (700 if odd else chance.randint(-3, 3))} K."
    )
    count, paragraph = 0, 0
    while count < words:
        if paragraph % PARAGRAPHS_PER_SECTION == 0:
            parts.append(
                f"## {chance.choice(vocabulary()).capitalize()} and {chance.choice(vocabulary())}\n"
            )
        sentences = [sentence(chance) for _ in range(SENTENCES_PER_PARAGRAPH)]
        if paragraph == 1:
            sentences.append(said)
        count += sum(len(one.split()) for one in sentences)
        parts.append(" ".join(sentences) + "\n")
        paragraph += 1
    return "\n".join(parts)


def documents(count: int, *, words: int = WORDS_PER_DOCUMENT, seed: int = 0) -> Iterator[str]:
    return (document(number, words=words, seed=seed) for number in range(count))


def write_lines(path: Path, count: int, *, words: int = WORDS_PER_DOCUMENT, seed: int = 0) -> Path:
    """A file of JSON lines, with years and the names of five journals."""
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(documents(count, words=words, seed=seed)):
            row = {
                "id": f"doc-{number:06}",
                "text": text,
                "lang": "en",
                "year": 2000 + number % 20,
                "source": f"journal-{number % 5}",
            }
            file.write(json.dumps(row) + "\n")
    return path
