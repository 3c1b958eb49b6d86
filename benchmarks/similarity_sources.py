"""Choosing among systems of similarity: each source of the STS sets judged by what was learned from all the others.

A source is the name of a set: what MSRpar, headlines and images are in two files counts once, and is left out as a
whole, so that no system has seen a text of the same kind.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pages import markdown
from similarity_tuned import retuned

from marginalia import Split, get_benchmark
from marginalia.core.data_folder import data_folder

Floats = NDArray[np.float64]

SPLITS = ("train", "dev", "2015-test")
PAIRS_PER_SET = 200
"""At most so many pairs of a set are taken, evenly spaced, so that the sets count alike and a run takes minutes."""
BASELINE = "encoder"
MAX_KEPT = 4 << 30
"""Bytes of passes that are kept."""
DRAWS = 2000


def sources() -> dict[str, Any]:
    """``encoder`` as it is; ``learned``, ``features`` and ``tuned`` fitted anew for each source, without it."""
    from marginalia.nlp.encoder import english
    from marginalia.nlp.pass_cache import Recent

    task = get_benchmark("similarity")
    splits = [task.load(name, data_folder()) for name in SPLITS]
    split = together(splits)
    gold = split.require_gold()
    english().recent = Recent(MAX_KEPT)  # both systems read the same texts
    learned = refitted(split)
    untrained = task.system(BASELINE).predict(split.items)
    base = np.array([untrained[id].score for id in gold])
    tuned = retuned(together(splits, limit=None), split, learned["learned"])
    half = {"mean of `encoder` and `learned`": (base + learned["learned"]) / 2}
    return judged(
        {BASELINE: base, **tuned, **learned, **half},
        np.array(list(gold.values())),
        [split.items[id].dataset for id in gold],
        [split.group[id] for id in gold],
    )


def together(splits: Sequence[Split], limit: int | None = PAIRS_PER_SET) -> Split:
    """Several splits as one, with some pairs of each set."""
    items = {id: item for split in splits for id, item in split.items.items()}
    by_set: dict[str, list[str]] = {}
    for id, item in items.items():
        by_set.setdefault(item.dataset, []).append(id)
    ids = []
    for some in by_set.values():
        places = np.linspace(0, len(some) - 1, min(limit or len(some), len(some)))
        ids += [some[int(place)] for place in places]
    whole = Split(
        name="+".join(split.name for split in splits),
        items=items,
        gold={id: one for split in splits for id, one in split.require_gold().items()},
        group={id: one for split in splits for id, one in split.group.items()},
    )
    return whole.take(ids)


def source_of(dataset: str) -> str:
    """``2012-test/surprise.OnWN`` -> ``OnWN``."""
    return dataset.rpartition("/")[2].removeprefix("surprise.")


def refitted(split: Split) -> dict[str, Floats]:
    """The scores of the systems that learn, each pair by one that was fitted on the other sources."""
    from marginalia.nlp.encoder import english
    from marginalia.tasks.similarity.systems import regression
    from marginalia.tasks.similarity.systems.meaning import NAMES, Meaning, compare
    from marginalia.tasks.similarity.systems.ours import obvious
    from marginalia.tasks.similarity.systems.train import recipe

    rows = recipe.labelled(split)
    kept = recipe.keep(english(), rows)
    surface, below = recipe.table(rows, kept, None)
    print(f"{len(rows.pairs):,} pairs read", file=sys.stderr, flush=True)
    kinds = np.array([source_of(name) for name in rows.sets])
    known = [obvious(*pair) for pair in rows.pairs]
    texts = list(kept.read)
    found = {name: np.zeros(len(kinds)) for name in ("learned", "features")}
    for kind in sorted(set(kinds)):
        rest, out = kinds != kind, np.flatnonzero(kinds == kind)
        part = rows.take(rest)
        weighting, mix = recipe.train_weighting(part, kept)
        tokens = kept.tokens(texts, weighting.layers)
        meant = {t: Meaning.of(o, weighting) for t, o in zip(texts, tokens, strict=True)}
        above = [list(compare(meant[a], meant[b]).values()) for a, b in rows.pairs]
        names, x = [*NAMES, *surface], np.column_stack([above, below])
        fitted = {
            "learned": recipe.regress(part, names, x[rest], mix),
            "features": regression.fit(surface, below[rest], part.gold, part.sets, alpha=0.1),
        }
        for name, one in fitted.items():
            for row in out:
                same = known[row]
                measures = dict(zip(names, x[row], strict=True))
                found[name][row] = same.score if same else one.score(measures).score
        print(f"{kind} done", file=sys.stderr, flush=True)
    return found


def judged(
    scores: Mapping[str, Floats], gold: Floats, sets: Sequence[str], groups: Sequence[str]
) -> dict[str, Any]:
    """By source: Pearson and mean error of each system, and how far it is from the untrained one."""
    kinds = np.array([source_of(name) for name in sets])
    rng = np.random.default_rng(0)
    found: dict[str, Any] = {}
    for kind in sorted(set(kinds)):
        some = kinds == kind
        part = Source(gold[some], np.array(sets)[some], np.array(groups)[some])
        counts = np.vstack([np.ones(int(some.sum())), part.draws(rng)])
        drawn = {name: part.pearson(values[some], counts) for name, values in scores.items()}
        systems: dict[str, Any] = {}
        for name, values in scores.items():
            error = float(np.abs(values[some] - part.gold).mean())
            systems[name] = {"pearson": float(drawn[name][0]), "error": error}
            if name != BASELINE:
                apart = drawn[name] - drawn[BASELINE]
                low, high = np.quantile(apart[1:], (0.025, 0.975))
                systems[name]["against"] = {
                    "difference": float(apart[0]),
                    "low": float(low),
                    "high": float(high),
                }
        found[kind] = {"pairs": int(some.sum()), "systems": systems}
    return found


class Source:
    """The pairs of one source, which may have several sets."""

    def __init__(self, gold: Floats, sets: NDArray[Any], groups: NDArray[Any]) -> None:
        self.gold, self.sets = gold, sets
        self.group = np.unique(groups, return_inverse=True)[1]

    def draws(self, rng: np.random.Generator) -> Floats:
        """How often each pair is in each bootstrap sample; the same pair rated twice is drawn together."""
        groups = int(self.group.max()) + 1
        drawn = rng.multinomial(groups, np.full(groups, 1 / groups), size=DRAWS)
        return drawn[:, self.group].astype(float)

    def pearson(self, scores: Floats, counts: Floats) -> Floats:
        """For each row of counts, the mean Pearson of the sets, each as its number of pairs."""
        total = np.zeros(len(counts))
        for name in np.unique(self.sets):
            own = self.sets == name
            total += own.sum() / len(own) * weighted(scores[own], self.gold[own], counts[:, own])
        return total


def weighted(x: Floats, y: Floats, counts: Floats) -> Floats:
    """Pearson of x and y, each row of counts saying how often a pair is there."""
    x, y = x - x.mean(), y - y.mean()
    size = counts.sum(axis=1)
    mean = [counts @ values / size for values in (x, y)]
    spread = [
        np.sqrt(counts @ values**2 / size - m**2) for values, m in zip((x, y), mean, strict=True)
    ]
    found: Floats = (counts @ (x * y) / size - mean[0] * mean[1]) / (spread[0] * spread[1])
    return found


def is_allowed(found: Mapping[str, Any], name: str) -> bool:
    """The rule: a system that learns may be the default if on no source it is worse than the untrained one
    beyond the interval."""
    return not below(found, name)


def below(found: Mapping[str, Any], name: str) -> list[str]:
    """The sources on which the whole interval of the difference lies below 0."""
    return [kind for kind, one in found.items() if one["systems"][name]["against"]["high"] < 0]


def shown(name: str) -> str:
    """The name of a system as code, and what is said beside it as it is."""
    system, comma, beside = name.partition(",")
    return name if "`" in name else f"`{system}`{comma}{beside}"


def by_source(found: Mapping[str, Any]) -> str:
    """A row for each source."""
    names = list(next(iter(found.values()))["systems"])
    led = "tuned" if "tuned" in names else "learned"
    rows = []
    for kind, one in found.items():
        apart = one["systems"][led]["against"]
        rows.append(
            [
                kind,
                f"{one['pairs']:,}",
                *(f"{one['systems'][name]['pearson']:.3f}" for name in names),
                f"{apart['difference']:+.3f} [{apart['low']:+.3f}, {apart['high']:+.3f}]",
            ]
        )
    columns = ("source", "pairs", *map(shown, names), f"`{led}` less `encoder`")
    return markdown(columns, rows)


def by_system(found: Mapping[str, Any]) -> str:
    """A row for each system: its mean, how stable it is, and whether it may be the default."""
    names = list(next(iter(found.values()))["systems"])
    rows = []
    for name in names:
        ones = {kind: one["systems"][name] for kind, one in found.items()}
        mean, error = (
            float(np.mean([one[key] for one in ones.values()])) for key in ("pearson", "error")
        )
        worst = "–", "–", "yes"
        if name != BASELINE:
            kind = min(ones, key=lambda kind: ones[kind]["against"]["difference"])
            worst = (
                f"{ones[kind]['against']['difference']:+.3f} ({kind})",
                ", ".join(below(found, name)) or "none",
                "yes" if is_allowed(found, name) else "no",
            )
        rows.append([shown(name), f"{mean:.4f}", *worst, f"{error:.2f}"])
    columns = (
        "system",
        "mean of the sources",
        "worst against `encoder`",
        "worse beyond the interval",
        "may be the default",
        "mean error, points",
    )
    return markdown(columns, rows)
