"""A learned linker: which property, entity and qualifiers belong to which quantity.

A logistic regression over pairs of spans for each type, and one for each type that a qualifier may
qualify. A quantity has one entity and at most one property, and every span belongs to some quantity:
of all choices that fulfil this the most probable is taken, first of properties, then of entities, whose
features look at the chosen property too. A qualifier goes to its best quantity and to any other that is
more probable than not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from measurement_pairs import Page

from marginalia.core.errors import FormatError
from marginalia.core.files import read_json, write_file
from marginalia.tasks.measurement.official.spans import Spans, by_set
from marginalia.tasks.measurement.systems.tagger import TaggedSpan

PROPERTY, ENTITY, QUALIFIER = "MeasuredProperty", "MeasuredEntity", "Qualifier"
TARGETS = ("Quantity", PROPERTY, ENTITY)
"""What a qualifier may qualify."""
STRENGTH = 1.0
"""``C`` of the regressions: less keeps their weights smaller."""
BIAS = ""

Weights = Mapping[str, float]


@dataclass(slots=True)
class Members:
    """The spans of one quantity's set by position; qualifiers with the type that they qualify."""

    property: int | None = None
    entity: int | None = None
    qualifiers: dict[int, str] = field(default_factory=dict)

    def target(self, quantity: int, type: str) -> int | None:
        return {"Quantity": quantity, PROPERTY: self.property, ENTITY: self.entity}[type]


class Linker:
    """``weights`` are those of each regression by feature."""

    def __init__(self, weights: Mapping[str, Weights]) -> None:
        self.weights = weights

    @classmethod
    def fit(cls, paragraphs: Iterable[tuple[str, Spans]]) -> Self:
        rows: dict[str, list[tuple[list[str], bool]]] = {}
        for text, spans in paragraphs:
            for name, seen, label in examples(text, spans):
                rows.setdefault(name, []).append((seen, label))
        return cls({name: _regression(rows[name]) for name in sorted(rows)})

    def odds(self, name: str, seen: Iterable[str]) -> float:
        """Log odds; 0 of a regression for which there was nothing to learn from."""
        weights = self.weights.get(name, {})
        return math.fsum(weights.get(feature, 0.0) for feature in {BIAS, *seen})

    def link(self, page: Page) -> dict[int, Members]:
        """The set of each quantity."""
        sets = {i: Members() for i in page.of("Quantity")}
        properties, entities = page.of(PROPERTY), page.of(ENTITY)
        odds = {
            (i, j): self.odds(PROPERTY, about_property(page, i, j))
            for i in sets
            for j in properties
        }
        for i, j in _cover([*sets], properties, odds, optional=True).items():
            sets[i].property = j
        odds = {
            (i, j): self.odds(ENTITY, about_entity(page, i, sets[i].property, j))
            for i in sets
            for j in entities
        }
        for i, j in _cover([*sets], entities, odds, optional=False).items():
            sets[i].entity = j
        for j in page.of(QUALIFIER):
            self._qualify(page, sets, j)
        return sets

    def _qualify(self, page: Page, sets: dict[int, Members], j: int) -> None:
        odds = {
            i: self.odds(QUALIFIER, about_qualifier(page, i, own, j)) for i, own in sets.items()
        }
        best = max(odds, key=lambda i: (odds[i], -i), default=None)
        for i, own in sets.items():
            if i == best or odds[i] > 0:
                possible = [type for type in TARGETS if own.target(i, type) is not None]
                seen = list(about_target(page, i, own, j))
                own.qualifiers[j] = max(possible, key=lambda t: self.odds(f"of {t}", seen))

    def save(self, path: Path) -> None:
        """One JSON file; weights that round to nothing are left out."""
        kept = {
            name: {feature: round(value, 4) for feature, value in own.items() if abs(value) > 5e-5}
            for name, own in self.weights.items()
        }
        write_file(path, json.dumps(kept, ensure_ascii=False, indent=0, sort_keys=True) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        data = read_json(path)
        if not isinstance(data, dict) or not all(isinstance(own, dict) for own in data.values()):
            raise FormatError("weights by regression and feature were expected", path=path)
        return cls(data)


def examples(text: str, spans: Spans) -> Iterator[tuple[str, list[str], bool]]:
    """What each regression learns from a paragraph: its name, features, and whether it holds."""
    page = Page(text, [TaggedSpan(span.type, span.start, span.end) for span in spans])
    gold = members(page, spans)
    for i, own in gold.items():
        for j in page.of(PROPERTY):
            yield PROPERTY, list(about_property(page, i, j)), own.property == j
        for j in page.of(ENTITY):
            yield ENTITY, list(about_entity(page, i, own.property, j)), own.entity == j
        for j in page.of(QUALIFIER):
            yield QUALIFIER, list(about_qualifier(page, i, own, j)), j in own.qualifiers
        for j, target in own.qualifiers.items():
            seen = list(about_target(page, i, own, j))
            for type in TARGETS:
                if own.target(i, type) is not None:
                    yield f"of {type}", seen, type == target


def members(page: Page, spans: Spans) -> dict[int, Members]:
    """The sets of gold as positions on the page."""
    place = {span: i for i, span in enumerate(page.spans)}
    sets = {}
    for own in by_set(spans).values():
        found = Members()
        types = {span.id: span.type for span in own}
        for span in own:
            i = place[TaggedSpan(span.type, span.start, span.end)]
            if span.type == "Quantity":
                sets[i] = found
            elif span.type == PROPERTY:
                found.property = i
            elif span.type == ENTITY:
                found.entity = i
            elif span.relation:
                found.qualifiers[i] = types.get(span.relation[1], "Quantity")
    return sets


def about_property(page: Page, quantity: int, j: int) -> Iterator[str]:
    yield from page.pair(quantity, j)
    yield from _words(page, quantity, j)


def about_entity(page: Page, quantity: int, property: int | None, j: int) -> Iterator[str]:
    yield from page.pair(quantity, j)
    yield from _words(page, quantity, j)
    if property is None:
        yield "no property"
        for seen in page.pair(quantity, j):
            yield f"alone {seen}"
    else:
        for seen in page.pair(property, j):
            yield f"property {seen}"


def about_qualifier(page: Page, quantity: int, own: Members, j: int) -> Iterator[str]:
    yield from page.pair(quantity, j)
    for name, i in (("property", own.property), ("entity", own.entity)):
        if i is not None:
            yield f"{name} words={min(9, page.words_between(i, j))}"
            yield f"{name} sentences={page.sentence(j) - page.sentence(i) == 0}"


def about_target(page: Page, quantity: int, own: Members, j: int) -> Iterator[str]:
    """A qualifier's first word, and where what it may qualify stands."""
    yield f"first={page.quote(j).lower().split()[:1]}"
    there = {type: own.target(quantity, type) for type in TARGETS}
    known = {type: i for type, i in there.items() if i is not None}
    nearest = min(known, key=lambda type: page.gap(known[type], j))
    yield f"nearest={nearest}"
    yield f"there={'/'.join(known)}"
    for type, i in known.items():
        side = "before" if page.spans[i].start > page.spans[j].start else "after"
        yield f"{type} {side}"
        yield f"{type} {side} {min(5, page.words_between(i, j))}"


def _words(page: Page, quantity: int, j: int) -> Iterator[str]:
    """The last word of the span, and whether the quantity is a bare number."""
    bare = not any(letter.isalpha() or letter in "%°" for letter in page.quote(quantity))
    yield f"last={page.quote(j).lower().split()[-1:]}"
    yield f"bare={bare:d}"
    yield f"bare={bare:d} {'after' if j > quantity else 'before'}{min(3, abs(j - quantity))}"


def _cover(
    quantities: list[int],
    spans: list[int],
    odds: Mapping[tuple[int, int], float],
    *,
    optional: bool,
) -> dict[int, int]:
    """The best span of each quantity such that every span is some quantity's, as far as there are enough.

    A quantity may have none, at odds of 0, where that is ``optional``.
    """
    if not quantities or not spans:
        return {}
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    gains = np.array([[odds[i, j] for j in spans] for i in quantities])
    best = gains.argmax(axis=1)
    free = gains.max(axis=1)
    chosen: dict[int, int] = {
        i: spans[best[row]] for row, i in enumerate(quantities) if not optional or free[row] > 0
    }
    if optional:
        free = np.maximum(free, 0)
    # Whoever covers a span gives up the best choice of its own: the least that all lose together.
    rows, columns = linear_sum_assignment(free[:, None] - gains)
    chosen |= {quantities[row]: spans[column] for row, column in zip(rows, columns, strict=True)}
    return chosen


def _regression(rows: list[tuple[list[str], bool]]) -> dict[str, float]:
    """Weights by feature; where all rows say the same there is nothing to learn but that."""
    if len({label for _, label in rows}) < 2:
        return {BIAS: 5.0 if rows[0][1] else -5.0}
    import numpy as np
    from scipy.sparse import csr_array
    from sklearn.linear_model import LogisticRegression

    names = sorted({feature for seen, _ in rows for feature in seen})
    place = {feature: column for column, feature in enumerate(names)}
    columns = [sorted({place[feature] for feature in seen}) for seen, _ in rows]
    indices = np.array([column for row in columns for column in row], dtype=np.int32)
    ends = np.cumsum([0, *map(len, columns)], dtype=np.int32)
    matrix = csr_array((np.ones(len(indices)), indices, ends), shape=(len(rows), len(names)))
    model = LogisticRegression(C=STRENGTH, solver="liblinear", random_state=0)
    model.fit(matrix, [label for _, label in rows])
    return {
        BIAS: float(model.intercept_[0]),
        **dict(zip(names, map(float, model.coef_[0]), strict=True)),
    }
