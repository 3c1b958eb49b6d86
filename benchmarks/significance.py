"""How often each test of `marginalia bench compare` claims a difference where there is none, and where there is one.

    python benchmarks/significance.py --runs 2000

Two systems are drawn at random on invented gold shaped like each task: the same groups of items, errors that the items
of a group share. They are equally good, and in a quarter as many draws more one of them makes larger errors. All figures
are made of sums over groups, so thousands of samples are scored at once; the first draws of each row go through the bench
itself as well and must give the same p. Writes results/significance.json and the tables in docs/explanation/significance.md.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load
from scipy.stats import t as student

from marginalia import Split, get_benchmark
from marginalia.bench.compare import judge
from marginalia.bench.significance import EXACT_GROUPS, MIN_GROUPS, mcnemar, pair, williams
from marginalia.bench.uncertainty import GroupStatistic, jackknife
from marginalia.core.stats import Interval, percentiles, resampled
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating, label_of
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.similarity.official.data import Pair as Sentences
from marginalia.tasks.similarity.official.data import Score
from marginalia.tasks.variables.official.data import Label, Mention, Statement

RESULT = RESULTS / "significance.json"
PAGE = ROOT / "docs" / "explanation" / "significance.md"
SIZES = (6, 12, 24, 100)
FLIPS, DRAWS = 399, 399
LEVEL = 0.05
WORSE = 1.3
CHECKED = 5
"""Draws of each row that go through the bench itself."""
TESTS = ("randomisation", "bootstrap", "williams", "fisher", "mcnemar")
INTERVALS = ("percentile", "BCa", "Student")
Rng = np.random.Generator
Floats = NDArray[np.float64]
Drawn = tuple[Split, dict[str, Any], dict[str, Any]]


@dataclass(frozen=True)
class Shape:
    """A task's figure, how two systems on n groups are drawn, and how the figure is made of sums over groups."""

    path: str
    draw: Callable[[Rng, int, float], Drawn]
    sums: Callable[[Split, dict[str, Any]], Floats]
    """Groups in sorted order x summands."""
    figure: Callable[[Floats], Floats]
    """... x summands, added up over groups -> the figure."""


def _split(items: dict[str, Any], gold: dict[str, Any], group: dict[str, str]) -> Split:
    return Split(name="dev", items=items, gold=gold, group=group)


def _group(number: int) -> str:
    return f"{number:04d}"


def complexity(rng: Rng, n: int, worse: float) -> Drawn:
    """One to five sentences for a word, whose complexity varies mostly by word."""
    items, gold, group = {}, {}, {}
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    target = Target("bible", "A word.", "word", "words")
    for g in range(n):
        base, shared = rng.normal(0.3, 0.12), rng.normal(0, 0.06, 2)
        k = int(rng.integers(1, 6))
        own, errors = rng.normal(0, 0.05, k), rng.normal(0, 0.05, (2, k))
        for i in range(k):
            id = f"{g}-{i}"
            items[id], gold[id], group[id] = target, float(base + own[i]), _group(g)
            for side, scale in enumerate((1.0, worse)):
                sides[side][id] = float(gold[id] + scale * (shared[side] + errors[side, i]))
    return _split(items, gold, group), *sides


def similarity(rng: Rng, n: int, worse: float) -> Drawn:
    """Independent pairs of one set."""
    gold = {_group(g): float(value) for g, value in enumerate(rng.uniform(0, 5, n))}
    items = dict.fromkeys(gold, Sentences("a", "b", "2014-test/images"))
    one, other = (
        {
            id: Score(value + scale * float(error))
            for (id, value), error in zip(gold.items(), rng.normal(0, 1, n), strict=True)
        }
        for scale in (1.0, worse)
    )
    return _split(items, gold, {id: id for id in gold}), one, other


def clarification(rng: Rng, n: int, worse: float) -> Drawn:
    """Five fillers of a sentence."""
    items, gold, group = {}, {}, {}
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    item = Item("FUSED HEAD", "", "", "", "______", "", "it", ())
    for g in range(n):
        base, shared = rng.normal(3.3, 0.5), rng.normal(0, 0.5, 2)
        own, errors = rng.normal(0, 1, 5), rng.normal(0, 0.7, (2, 5))
        for i in range(5):
            id = f"{g}_{i + 1}"
            value = float(np.clip(base + own[i], 1, 5))
            items[id], gold[id], group[id] = item, _rating(value), _group(g)
            for side, scale in enumerate((1.0, worse)):
                sides[side][id] = _rating(value + scale * float(shared[side] + errors[side, i]))
    return _split(items, gold, group), *sides


def _rating(value: float) -> Rating:
    return Rating(label=label_of(value), score=value)


def measurement(rng: Rng, n: int, worse: float) -> Drawn:
    """Two to fifteen quantities of an article; each is found, missed or accompanied by a false one."""
    items, gold, group = {}, {}, {}
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for g in range(n):
        id = f"S{g}-1"
        k = int(rng.integers(2, 16))
        items[id], group[id] = Paragraph("S", "Biology", "x" * 400), _group(g)
        gold[id] = tuple(_quantity(i, 20 * i) for i in range(k))
        shared = rng.normal(0, 0.12, 2)
        for side, scale in enumerate((1.0, worse)):
            miss = np.clip(0.3 * scale + shared[side], 0.02, 0.95)
            found = [_quantity(i, 20 * i) for i in range(k) if rng.random() > miss]
            false = int(rng.binomial(k, miss / 2))
            sides[side][id] = tuple(found + [_quantity(50 + i, 20 * i + 10) for i in range(false)])
    return _split(items, gold, group), *sides


def _quantity(number: int, start: int) -> Span:
    return Span(number, "Quantity", start, start + 5, f"T{number}", "xxxxx")


def variables(rng: Rng, n: int, worse: float) -> Drawn:
    """Ten to sixty sentences of a document, English or German."""
    items, gold, group = {}, {}, {}
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for g in range(n):
        shared, share = rng.normal(0, 0.06, 2), rng.uniform(0.2, 0.6)
        k = int(rng.integers(10, 60))
        statement = Statement("A sentence.", "en" if g % 2 else "de", str(g))
        truths, wrongs = rng.random(k) < share, rng.random((2, k))
        for i in range(k):
            id = f"{g}-{i}"
            items[id], group[id], gold[id] = statement, _group(g), Label(int(truths[i]))
            for side, scale in enumerate((1.0, worse)):
                wrong = wrongs[side, i] < np.clip(0.3 * scale + shared[side], 0.02, 0.95)
                sides[side][id] = Mention(int(truths[i]) ^ int(wrong))
    return _split(items, gold, group), *sides


def _added(split: Split, rows: dict[str, tuple[float, ...]]) -> Floats:
    """The summands of each item, added up by group."""
    names = {name: place for place, name in enumerate(sorted(set(split.group.values())))}
    found = np.zeros((len(names), len(next(iter(rows.values())))))
    for id, row in rows.items():
        found[names[split.group[id]]] += row
    return found


def moments(split: Split, pred: dict[str, Any]) -> Floats:
    gold = split.require_gold()
    values = {id: p.score if isinstance(p, Score) else p for id, p in pred.items()}
    return _added(
        split,
        {id: (1, g, values[id], g * g, values[id] ** 2, g * values[id]) for id, g in gold.items()},
    )


def correlation(sums: Floats) -> Floats:
    n, g, p, gg, pp, gp = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (n * gp - g * p) / np.sqrt((n * gg - g * g) * (n * pp - p * p))  # type: ignore[no-any-return]


def right_labels(split: Split, pred: dict[str, Any]) -> Floats:
    gold = split.require_gold()
    return _added(split, {id: (gold[id].label == pred[id].label, 1) for id in gold})


def right_sentences(split: Split, pred: dict[str, Any]) -> Floats:
    plausible = _added(
        split,
        {
            id: (g.label == "PLAUSIBLE", pred[id].label == "PLAUSIBLE")
            for id, g in split.require_gold().items()
        },
    )
    agree = (plausible[:, 0] >= 2) == (plausible[:, 1] >= 2)
    return np.column_stack([agree, np.ones(len(agree))]).astype(float)


def tallies(split: Split, pred: dict[str, Any]) -> Floats:
    """Quantities here are found as they are or not at all."""
    rows = {}
    for id, gold in split.require_gold().items():
        hits = len({span.start for span in gold} & {span.start for span in pred[id]})
        rows[id] = (hits, len(gold) + len(pred[id]) - hits)
    return _added(split, rows)


def share(sums: Floats) -> Floats:
    return sums[..., 0] / sums[..., 1]  # type: ignore[no-any-return]


def documents(split: Split, pred: dict[str, Any]) -> Floats:
    """Macro F1 of each document, in the columns of its language."""
    counts = _added(
        split,
        {
            id: (g.is_variable & p, (1 - g.is_variable) & (1 - p), g.is_variable, p, 1)
            for id, g in split.require_gold().items()
            if (p := pred[id].is_variable) is not None
        },
    )
    tp, tn, gold, said, n = counts.T
    with np.errstate(invalid="ignore"):
        both = [
            np.where(a + b > 0, 2 * h / (a + b), np.nan)
            for h, a, b in ((tp, gold, said), (tn, n - gold, n - said))
        ]
    f1 = np.nanmean(both, axis=0)
    langs = np.array([g % 2 for g in range(len(f1))])
    return np.column_stack([f1 * (langs == 1), langs == 1, f1 * (langs == 0), langs == 0]).astype(
        float
    )


def by_language(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.nanmean(
            np.stack([sums[..., 0] / sums[..., 1], sums[..., 2] / sums[..., 3]]), axis=0
        )  # type: ignore[no-any-return]


SHAPES = {
    "complexity": Shape("words.pearson", complexity, moments, correlation),
    "similarity": Shape("sets.images.pearson", similarity, moments, correlation),
    "clarification": Shape("accuracy", clarification, right_labels, share),
    "clarification, by sentence": Shape(
        "multiple_plausible.accuracy", clarification, right_sentences, share
    ),
    "measurement": Shape("overall.f1_overlap", measurement, tallies, share),
    "variables": Shape("detection.f1", variables, documents, by_language),
}


def patterns(n: int, seed: int) -> NDArray[np.bool_]:
    """The sign patterns that the bench tries."""
    if n <= EXACT_GROUPS:
        return (np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1).astype(bool)
    return np.random.default_rng(seed).random((FLIPS, n)) < 0.5


def claims(shape: Shape, drawn: Drawn, seed: int) -> dict[str, float | None]:
    """p of every test, None where it refuses, and for each interval whether it holds 0."""
    split, *preds = drawn
    one, other = (shape.sums(split, pred) for pred in preds)
    n = len(one)

    def difference(a: Floats, b: Floats) -> Floats:
        return shape.figure(a) - shape.figure(b)

    observed = float(difference(one.sum(0), other.sum(0)))
    found: dict[str, float | None] = dict.fromkeys(TESTS)
    if n >= MIN_GROUPS:
        flips = patterns(n, seed).astype(float)
        moved = flips @ (other - one)
        changed = np.abs(difference(one.sum(0) + moved, other.sum(0) - moved))
        edge = abs(observed) - 1e-9 * max(1.0, abs(observed))
        large = int((~(changed < edge)).sum())
        exact = n <= EXACT_GROUPS
        found["randomisation"] = large / len(flips) if exact else (1 + large) / (1 + FLIPS)
    rng = np.random.default_rng(seed)
    counts = np.stack([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(DRAWS)])
    draws = difference(counts @ one, counts @ other)
    draws = draws[~np.isnan(draws)]
    tail = min(int((draws <= 0).sum()), int((draws >= 0).sum()))
    found["bootstrap"] = min(1.0, 2 * (1 + tail) / (len(draws) + 1))
    _item_tests(shape, drawn, found)
    low, high = np.quantile(draws, [0.025, 0.975])
    without = difference(one.sum(0) - one, other.sum(0) - other)
    error = math.sqrt((n - 1) / n * np.square(without - without.mean()).sum())
    half = student.ppf(0.975, n - 1) * error
    counted = (
        bias_corrected(
            lambda rows: float(difference(one[rows].sum(0), other[rows].sum(0))), n, n=99, seed=seed
        )
        if seed % 4 == 0
        else None
    )
    found["percentile"] = float(low <= 0 <= high)
    found["Student"] = float(observed - half <= 0 <= observed + half)
    found["BCa"] = None if counted is None else float(counted.low <= 0 <= counted.high)
    return found


def bias_corrected(
    statistic: GroupStatistic, n_groups: int, *, n: int = 1000, level: float = 0.95, seed: int = 0
) -> Interval:
    """BCa: percentiles shifted by the bias of the bootstrap and by how the error grows with the figure.

    a = sum u^3 / (6 (sum u^2)^1.5) with u = mean d_(.) - d_(i). Source: Efron, JASA 82, 1987.
    """
    from scipy.stats import norm

    draws = resampled(statistic, n_groups, n=n, seed=seed)
    observed = statistic(np.arange(n_groups))
    below = float((draws < observed).mean() + (draws == observed).mean() / 2) if len(draws) else 0
    if not 0 < below < 1:
        return percentiles(draws, level)
    bias = norm.ppf(below)
    u = (left := jackknife(statistic, n_groups).without).mean() - left
    scale = float(np.square(u).sum())
    acceleration = float((u**3).sum() / (6 * scale**1.5)) if scale > 0 else 0.0
    z = norm.ppf([(1 - level) / 2, (1 + level) / 2])
    shares = norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
    low, high = np.quantile(draws, shares)
    return Interval(float(low), float(high), level)


def _item_tests(shape: Shape, drawn: Drawn, found: dict[str, float | None]) -> None:
    """Tests that take items for independent, where they are."""
    split, one, other = drawn
    gold = split.require_gold()
    if shape.path.startswith("sets.") and len(split) >= MIN_GROUPS:
        columns = [[each[id].score for id in gold] for each in (one, other)]
        found["williams"] = williams(list(gold.values()), *columns).p
    if shape.path.startswith("multiple") and len(split) // 5 >= MIN_GROUPS:
        sides = [shape.sums(split, pred)[:, 0] == 1 for pred in (one, other)]
        found["mcnemar"] = mcnemar(*sides).p


def check(name: str, drawn: Drawn, seed: int, found: dict[str, float | None]) -> None:
    """The bench itself says the same."""
    task, shape = get_benchmark(name.partition(",")[0]), SHAPES[name]
    split, one, other = drawn
    both = pair(task, split, one, other)[shape.path]
    for test in ("randomisation", "williams", "fisher", "mcnemar"):
        verdict = judge(task, test, shape.path, both, split, (one, other), FLIPS, seed)
        said = None if verdict.refusal else verdict.p
        same = said is None if found[test] is None else math.isclose(said or 0, found[test] or 0)
        if not same:
            raise AssertionError(f"{name}, {test}: the bench says {said}, here it is {found[test]}")


def measure(name: str, n: int, runs: int) -> dict[str, Any]:
    """Errors, power and coverage on one shape and number of groups."""
    shape = SHAPES[name]
    row: dict[str, Any] = {"shape": name, "figure": shape.path, "groups": n, "runs": runs}
    for what, worse in (("error", 1.0), ("power", WORSE)):
        rng = np.random.default_rng(n)
        every = []
        for seed in range(runs if what == "error" else runs // 4):
            drawn = shape.draw(rng, n, worse)
            every.append(claims(shape, drawn, seed))
            if seed < CHECKED:
                check(name, drawn, seed, every[-1])
        row[what] = {test: _share(every, test) for test in TESTS}
        if what == "error":
            held = {name: [d[name] for d in every if d[name] is not None] for name in INTERVALS}
            row["coverage"] = {name: float(np.mean(values)) for name, values in held.items()}  # type: ignore[arg-type]
    return row


def _share(every: list[dict[str, float | None]], test: str) -> float | None:
    values = [each[test] for each in every]
    if any(value is None for value in values):
        return None
    return float(np.mean([not math.isnan(p) and p <= LEVEL for p in values if p is not None]))


def tables(results: dict[str, Any]) -> dict[Any, str]:
    def shown(value: float | None) -> str:
        return "refuses" if value is None else f"{value:.3f}"

    errors = [
        [row["shape"], str(row["groups"])]
        + [shown(row["error"][test]) for test in TESTS]
        + [shown(row["power"]["randomisation"])]
        for row in results["rows"]
    ]
    coverage = [
        [row["shape"], str(row["groups"]), *(shown(row["coverage"][name]) for name in INTERVALS)]
        for row in results["rows"]
    ]
    head = ("shape of", "groups")
    return {
        (PAGE, "significance:error"): markdown((*head, *TESTS, "power of randomisation"), errors),
        (PAGE, "significance:coverage"): markdown((*head, *INTERVALS), coverage),
    }


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(description=__doc__)
    result.add_argument("--runs", type=int, default=2000)
    return result


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    results["rows"] = []
    for name in SHAPES:
        for n in SIZES:
            results["rows"].append(measure(name, n, given.runs))
            print(results["rows"][-1], flush=True)
    keep(RESULT, results, options=f"--runs {given.runs}")
    fill(tables(results))


if __name__ == "__main__":
    main()
