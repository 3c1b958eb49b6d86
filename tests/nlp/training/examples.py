"""A few labelled items of each task, enough for a training to go through."""

from __future__ import annotations

from random import Random

from marginalia.core.benchmark import Split
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.similarity.official.data import Pair
from marginalia.tasks.variables.official.data import Label, Paper, Statement
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable

WORDS = "man woman dog cat plays guitar runs sleeps river moon water year".split()


def _split(items: dict, gold: dict, groups: dict | None = None) -> Split:
    return Split(name="train", items=items, gold=gold, group=groups or {id: id for id in items})


def similarity() -> Split:
    random, items, gold = Random(0), {}, {}
    for number in range(48):
        first = random.sample(WORDS, 4)
        second = first[: random.randrange(5)] + random.sample(WORDS, 2)
        source = ("MSRpar", "MSRvid")[number % 2]
        left, right = ("the " + " ".join(words) for words in (first, second))
        items[f"p{number}"] = Pair(left, right, f"2012-train/{source}")
        shared = len(set(first) & set(second)) / len(set(first) | set(second))
        gold[f"p{number}"] = 5 * shared
    return _split(items, gold)


def complexity() -> Split:
    random, items, gold = Random(0), {}, {}
    for number in range(72):
        words = random.sample(WORDS, 6)
        kind = "multi" if number % 6 == 0 else "words"
        token = " ".join(words[2:4]) if kind == "multi" else words[2]
        items[f"t{number}"] = Target("bible", f"the {' '.join(words)}.", token, kind)
        gold[f"t{number}"] = len(token) / 20
    return _split(items, gold)


def measurement() -> Split:
    items, gold, groups = {}, {}, {}
    for number in range(6):
        text = f"We measured {number + 5} mg of water at a depth of {number + 10} m in the river."
        spans = []
        for place, (quantity, unit, entity) in enumerate(
            ((f"{number + 5} mg", "mg", "water"), (f"{number + 10} m", "m", "river")), start=1
        ):
            for kind, said, other in (
                ("Quantity", quantity, {"unit": unit}),
                ("MeasuredEntity", entity, {"HasQuantity": f"T{place}-1"}),
            ):
                start = text.index(said)
                name = f"T{place}-{1 if kind == 'Quantity' else 2}"
                spans.append(Span(place, kind, start, start + len(said), name, said, other))
        items[f"S{number}-1"] = Paragraph(f"S{number}", "physics", text)
        gold[f"S{number}-1"], groups[f"S{number}-1"] = tuple(spans), f"S{number}"
    return _split(items, gold, groups)


def clarification() -> Split:
    items, gold, groups = {}, {}, {}
    for number in range(24):
        fillers = ("river", "moon", "dog", "guitar", "year")
        for place, filler in enumerate(fillers, start=1):
            id = f"{number}_{place}"
            items[id] = Item(
                "IMPLICIT REFERENCE",
                f"How to Play {number}",
                "Steps",
                "Take the guitar.",
                "2. Hold ______ for a while.",
                "Then rest.",
                filler,
                tuple(other for other in fillers if other != filler),
            )
            score = 1 + (place * 7 + number) % 5
            label = ("IMPLAUSIBLE", "IMPLAUSIBLE", "NEUTRAL", "PLAUSIBLE", "PLAUSIBLE")[score - 1]
            gold[id], groups[id] = Rating(label, float(score)), f"guide {number}"
    return _split(items, gold, groups)


def variables() -> Split:
    said = ("how often do people vote", "trust in the government", "year of the survey")
    known = Catalogue(
        [
            Variable(id=f"v{n}", survey="S1", text=text, raw=text, fields={"question": text})
            for n, text in enumerate(said)
        ]
    )
    items, gold, groups = {}, {}, {}
    for paper in range(4):
        sentences = [f"We asked {text} in year {paper}." for text in said]
        sentences += [f"The river has water {n} {paper}." for n in range(4)]
        whole = Paper(sentences)
        for place, sentence in enumerate(sentences):
            id = f"{paper}-{place}"
            items[id] = Statement(sentence, "en", f"doc{paper}", ("S1",), known, whole)
            found = place < len(said)
            gold[id] = Label(int(found), (f"v{place}",) if found else ())
            groups[id] = f"doc{paper}"
    return _split(items, gold, groups)


SPLITS = {
    "clarification": clarification,
    "complexity": complexity,
    "measurement": measurement,
    "similarity": similarity,
    "variables": variables,
}
