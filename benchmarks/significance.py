"""How often each test of `marginalia bench compare` claims a difference where there is none, and where there is one.

    python benchmarks/significance.py --runs 2000

Two systems are drawn at random on invented gold shaped like each task: the same groups of items, errors that the items
of a group share. They are equally good, and in a quarter as many draws more one of them makes larger errors. Writes
results/significance.json and the table in docs/explanation/significance.md.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import Split, Task, get_task
from marginalia.bench import uncertainty
from marginalia.bench.compare import judge
from marginalia.bench.pairing import pair
from marginalia.core.stats import percentiles, resampled
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.similarity.official.data import Pair as Sentences
from marginalia.tasks.similarity.official.data import Score
from marginalia.tasks.variables.official.data import Label, Statement
from marginalia.tasks.variables.official.prediction import Mention

RESULT = RESULTS / "significance.json"
PAGE = ROOT / "docs" / "explanation" / "significance.md"
SIZES = (6, 12, 24, 100)
FLIPS, DRAWS = 99, 99
LEVEL = 0.05
TESTS = ("randomisation", "bootstrap", "williams", "fisher", "mcnemar")
INTERVALS = ("percentile", "BCa", "Student")
Rng = np.random.Generator


@dataclass(frozen=True)
class Shape:
    """A task's figure, and how two systems on n groups are drawn; ``worse`` scales the errors of the second."""

    path: str
    draw: Callable[[Rng, int, float], tuple[Split, dict[str, Any], dict[str, Any]]]


def _split(items: dict[str, Any], gold: dict[str, Any], group: dict[str, str]) -> Split:
    return Split(name="dev", items=items, gold=gold, group=group)


def complexity(rng: Rng, n: int, worse: float) -> tuple[Split, dict[str, Any], dict[str, Any]]:
    """One to five sentences for a word, whose complexity varies mostly by word."""
    items, gold, group = {}, {}, {}
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for g in range(n):
        base, shared = rng.normal(0.3, 0.12), rng.normal(0, 0.06, 2)
        for k in range(rng.integers(1, 6)):
            id = f"{g}-{k}"
            items[id] = Target("bible", "A word.", "word", "words")
            gold[id], group[id] = base + rng.normal(0, 0.05), str(g)
            for side, scale in enumerate((1.0, worse)):
                sides[side][id] = gold[id] + scale * (shared[side] + rng.normal(0, 0.05))
    return _split(items, gold, group), *sides


def similarity(rng: Rng, n: int, worse: float) -> tuple[Split, dict[str, Any], dict[str, Any]]:
    """Independent pairs of one set."""
    gold = {str(g): rng.uniform(0, 5) for g in range(n)}
    items = dict.fromkeys(gold, Sentences("a", "b", "2014-test/images"))
    sides = [
        {id: Score(value + scale * rng.normal(0, 1)) for id, value in gold.items()}
        for scale in (1.0, worse)
    ]
    return _split(items, gold, {id: id for id in gold}), *sides  # type: ignore[return-value]


def clarification(rng: Rng, n: int, worse: float) -> tuple[Split, dict[str, Any], dict[str, Any]]:
    """Five fillers of a sentence."""
    items, gold, group = {}, {}, {}
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for g in range(n):
        base, shared = rng.normal(3.3, 0.5), rng.normal(0, 0.5, 2)
        for k in range(1, 6):
            id = f"{g}_{k}"
            items[id] = Item("FUSED HEAD", "", "", "", "______", "", "it", ())
            value = float(np.clip(base + rng.normal(0, 1), 1, 5))
            gold[id], group[id] = _rating(value), str(g)
            for side, scale in enumerate((1.0, worse)):
                sides[side][id] = _rating(value + scale * (shared[side] + rng.normal(0, 0.7)))
    return _split(items, gold, group), *sides


def _rating(value: float) -> Rating:
    label = "IMPLAUSIBLE" if value <= 2.5 else "NEUTRAL" if value < 4 else "PLAUSIBLE"
    return Rating(label=label, score=value)


def measurement(rng: Rng, n: int, worse: float) -> tuple[Split, dict[str, Any], dict[str, Any]]:
    """Two to fifteen quantities of an article; each is found, missed or accompanied by a false one."""
    items, gold, group = {}, {}, {}
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for g in range(n):
        id = f"S{g}-1"
        k = int(rng.integers(2, 16))
        items[id], group[id] = Paragraph("S", "Biology", "x" * 400), str(g)
        gold[id] = tuple(_quantity(i, 20 * i) for i in range(k))
        shared = rng.normal(0, 0.12, 2)
        for side, scale in enumerate((1.0, worse)):
            miss = np.clip(0.3 * scale + shared[side], 0.02, 0.95)
            found = [_quantity(i, 20 * i) for i in range(k) if rng.random() > miss]
            false = rng.binomial(k, miss / 2)
            sides[side][id] = tuple(found + [_quantity(50 + i, 20 * i + 10) for i in range(false)])
    return _split(items, gold, group), *sides


def _quantity(number: int, start: int) -> Span:
    return Span(number, "Quantity", start, start + 5, f"T{number}", "xxxxx")


def variables(rng: Rng, n: int, worse: float) -> tuple[Split, dict[str, Any], dict[str, Any]]:
    """Twenty to two hundred sentences of a document, English or German."""
    items, gold, group = {}, {}, {}
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for g in range(n):
        shared, share = rng.normal(0, 0.06, 2), rng.uniform(0.2, 0.6)
        for k in range(int(rng.integers(20, 200))):
            id = f"{g}-{k}"
            items[id] = Statement("A sentence.", "en" if g % 2 else "de", str(g), (), None, None)  # type: ignore[arg-type]
            truth = int(rng.random() < share)
            gold[id], group[id] = Label(truth, frozenset(), ""), str(g)
            for side, scale in enumerate((1.0, worse)):
                wrong = rng.random() < np.clip(0.3 * scale + shared[side], 0.02, 0.95)
                sides[side][id] = Mention(truth ^ int(wrong))
    return _split(items, gold, group), *sides


SHAPES = {
    "complexity": Shape("words.pearson", complexity),
    "similarity": Shape("sets.images.pearson", similarity),
    "clarification": Shape("accuracy", clarification),
    "clarification, by sentence": Shape("multiple_plausible.accuracy", clarification),
    "measurement": Shape("overall.f1_overlap", measurement),
    "variables": Shape("detection.f1", variables),
}
WORSE = 1.3


def claims(
    task: Task, shape: Shape, split: Split, preds: tuple[Any, Any], seed: int, *, intervals: bool
) -> dict[str, float | None]:
    """p of every test, None where it refuses, and for each interval whether it holds 0."""
    both = pair(task, split, *preds)[shape.path]
    draws = resampled(both.less, both.n, n=DRAWS, seed=seed)
    found: dict[str, float | None] = {"bootstrap": _bootstrap(draws)}
    for test in TESTS:
        if test != "bootstrap":
            verdict = judge(task, test, shape.path, both, split, preds, FLIPS, seed)
            found[test] = None if verdict.refusal else verdict.p
    if intervals:
        between = {
            "percentile": percentiles(draws),
            "BCa": uncertainty.bias_corrected(both.less, both.n, n=DRAWS, seed=seed),
            "Student": uncertainty.student(both.less, both.n),
        }
        found |= {name: float(each.low <= 0 <= each.high) for name, each in between.items()}
    return found


def _bootstrap(draws: Any) -> float:
    """What the bench did before: twice the smaller tail of the resampled differences."""
    tail = min(int((draws <= 0).sum()), int((draws >= 0).sum()))
    return min(1.0, 2 * (1 + tail) / (len(draws) + 1))


def measure(name: str, n: int, runs: int) -> dict[str, Any]:
    """Errors, power and coverage on one shape and number of groups."""
    task = get_task(name.partition(",")[0])
    shape = SHAPES[name]
    row: dict[str, Any] = {"shape": name, "figure": shape.path, "groups": n, "runs": runs}
    for what, worse in (("error", 1.0), ("power", WORSE)):
        rng = np.random.default_rng(n)
        drawn = []
        for seed in range(runs if what == "error" else runs // 4):
            split, one, other = shape.draw(rng, n, worse)
            some = what == "error" and seed < runs // 4
            drawn.append(claims(task, shape, split, (one, other), seed, intervals=some))
        row[what] = {test: _share(drawn, test) for test in TESTS}
        if what == "error":
            held = {each: [d[each] for d in drawn if each in d] for each in INTERVALS}
            row["coverage"] = {each: float(np.mean(values)) for each, values in held.items()}  # type: ignore[arg-type]
    return row


def _share(drawn: list[dict[str, float | None]], test: str) -> float | None:
    values = [each[test] for each in drawn]
    if any(value is None for value in values):
        return None
    return float(np.mean([not math.isnan(p) and p <= LEVEL for p in values if p is not None]))


def tables(results: dict[str, Any]) -> dict[Any, str]:
    def shown(value: float | None) -> str:
        return "refuses" if value is None else f"{value:.3f}"

    errors = [
        (
            r["shape"],
            str(r["groups"]),
            *(shown(r["error"][test]) for test in TESTS),
            shown(r["power"]["randomisation"]),
        )
        for r in results["rows"]
    ]
    coverage = [
        (r["shape"], str(r["groups"]), *(shown(r["coverage"][each]) for each in INTERVALS))
        for r in results["rows"]
    ]
    return {
        (PAGE, "significance:error"): markdown(
            ("shape of", "groups", *TESTS, "power of randomisation"), errors
        ),
        (PAGE, "significance:coverage"): markdown(("shape of", "groups", *INTERVALS), coverage),
    }


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(description=__doc__)
    result.add_argument("--runs", type=int, default=2000)
    return result


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    done = {(row["shape"], row["groups"]): row for row in results.get("rows", [])}
    for name in SHAPES:
        for n in SIZES:  # a row that is there is not measured again: all of them take an hour
            if done.get((name, n), {}).get("runs") != given.runs:
                done[name, n] = measure(name, n, given.runs)
                results["rows"] = [done[key] for key in sorted(done, key=_order)]
                keep(RESULT, results, options=f"--runs {given.runs}")
                print(done[name, n], flush=True)
    fill(tables(results))


def _order(key: tuple[str, int]) -> tuple[int, int]:
    return list(SHAPES).index(key[0]), key[1]


if __name__ == "__main__":
    main()
