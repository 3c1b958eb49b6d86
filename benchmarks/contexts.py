"""How sure a measurement's entity and property are: fits the confidence, and says how far it can be believed.

    python benchmarks/contexts.py [fit] [reliability]

``judged_contexts.json`` has phrases of 300 quantities in paragraphs that the shipped network was not trained on
(MeasEval's eval paragraphs, the training texts of GROBID-quantities, web pages, manuals, articles), each judged
by one person as right or wrong in its role; it has the evidence for each phrase and where it stands, not the
texts. ``fit`` writes systems/confidence.json from all of them. ``reliability`` cross-fits by document: what is said
of a document comes from a model that saw none of its phrases. Brier score: mean of (confidence − right)².
ECE: mean difference of confidence and share of right ones over ten bins, weighted by their size.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown, research_page, task_page
from recording import fill, keep, load

from marginalia.tasks.measurement.systems.confidence import (
    PAIR_FEATURES,
    SHOWN_FROM,
    best_property,
    numbers_of,
    role_confidence,
)
from marginalia.tasks.measurement.systems.evidence import FEATURES, RoleCandidate

RESULT = RESULTS / "contexts.json"
JUDGED = Path(__file__).parent / "judged_contexts.json"
WEIGHTS = ROOT / "src" / "marginalia" / "tasks" / "measurement" / "systems" / "confidence.json"
ENTITY, PROPERTY = "MeasuredEntity", "MeasuredProperty"
NAMES = {ENTITY: "entity", PROPERTY: "property"}
PARTS = ("fit", "reliability")
FOLDS = 10
INVERSE_PENALTY = 1.0
BINS = 10
CURVE = (0.5, 0.6, 0.7, 0.8)

Model = dict[str, float]
Quantity = Mapping[str, Any]
Judged = list[tuple[RoleCandidate, bool]]


def quantities(source: str) -> list[Quantity]:
    """The judged quantities with the candidates of this source: ``network`` or ``rules``."""
    found = json.loads(JUDGED.read_text(encoding="utf-8"))["quantities"]
    return [one for one in found if one["source"] == source]


def candidates(one: Quantity) -> Judged:
    return [
        (
            RoleCandidate(
                role=c["role"],
                start=c["start"],
                end=c["end"],
                numbers=tuple(c["numbers"]),
                tied=tuple((a, b) for a, b in c["tied"]),
            ),
            bool(c["right"]),
        )
        for c in one["candidates"]
    ]


def fit_models(learned: Sequence[Quantity], folds: int = FOLDS) -> dict[str, Model]:
    """The property first; the entity then sees a confidence of the property that is itself cross-fitted."""
    groups = fold_of(learned, folds)
    rows: list[tuple[dict[str, float], bool]] = []
    for one in learned:
        rows += [(numbers_of(c, None), right) for c, right in candidates(one) if c.role == PROPERTY]
    whole = logistic(rows, FEATURES)
    entities: list[tuple[dict[str, float], bool]] = []
    for fold in range(folds):
        others = [
            (numbers_of(c, None), right)
            for one in learned
            if groups[one["document"]] != fold
            for c, right in candidates(one)
            if c.role == PROPERTY
        ]
        model = logistic(others, FEATURES)
        for one in learned:
            if groups[one["document"]] == fold:
                own = candidates(one)
                best = best_property([c for c, _ in own], model)
                entities += [(numbers_of(c, best), r) for c, r in own if c.role == ENTITY]
    return {PROPERTY: whole, ENTITY: logistic(entities, (*FEATURES, *PAIR_FEATURES))}


def logistic(rows: Sequence[tuple[dict[str, float], bool]], names: Sequence[str]) -> Model:
    """Logistic regression with an L2 penalty; rounded, as it is shipped."""
    from sklearn.linear_model import LogisticRegression

    numbers = np.array([[row[name] for name in names] for row, _ in rows])
    right = np.array([right for _, right in rows], dtype=int)
    made = LogisticRegression(C=INVERSE_PENALTY, max_iter=2000).fit(numbers, right)
    weights = {name: round(float(w), 3) for name, w in zip(names, made.coef_[0], strict=True)}
    return {"bias": round(float(made.intercept_[0]), 3), **weights}


def fold_of(learned: Sequence[Quantity], folds: int) -> dict[str, int]:
    """Documents in folds of about as many quantities, the largest documents dealt first."""
    sizes: dict[str, int] = {}
    for one in learned:
        sizes[one["document"]] = sizes.get(one["document"], 0) + 1
    load = [0] * folds
    found = {}
    for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
        found[name] = load.index(min(load))
        load[found[name]] += sizes[name]
    return found


def cross_fitted(given: Sequence[Quantity]) -> list[dict[str, Any]]:
    """For each quantity its candidates with the confidence of a model that saw nothing of the document."""
    groups = fold_of(given, FOLDS)
    found = []
    for fold in range(FOLDS):
        models = fit_models([one for one in given if groups[one["document"]] != fold])
        for one in given:
            if groups[one["document"]] != fold:
                continue
            own = candidates(one)
            best = best_property([c for c, _ in own], models[PROPERTY])
            found.append(
                {
                    role: sorted(
                        (
                            (role_confidence(c, best, models[role]), right, c)
                            for c, right in own
                            if c.role == role
                        ),
                        key=lambda row: -row[0],
                    )
                    for role in NAMES
                }
            )
    return found


def reliability(source: str) -> dict[str, Any]:
    """Bins, Brier and ECE of all candidates, before (the network's probability) and after; curves of what is shown."""
    given = quantities(source)
    found = cross_fitted(given)
    made: dict[str, Any] = {
        "documents": len({one["document"] for one in given}),
        "quantities": len(given),
    }
    for role, name in NAMES.items():
        rows = [row for one in found for row in one[role]]
        right = np.array([row[1] for row in rows], dtype=float)
        after = np.array([row[0] for row in rows])
        before = np.array([row[2].numbers[FEATURES.index("network")] for row in rows])
        made[name] = {
            "candidates": len(rows),
            "after": quality(after, right),
            "curve": curve(found, lambda one, least, role=role: first(one, role, least)),
        }
        if source == "network":
            made[name]["before"] = quality(before, right)
    made["note"] = {"curve": curve(found, note)}
    made["shown_from"] = {name: SHOWN_FROM[role] for role, name in NAMES.items()}
    return made


def quality(said: Any, right: Any) -> dict[str, Any]:
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    bins = [
        {
            "from": place / BINS,
            "count": int((places == place).sum()),
            "confidence": float(said[places == place].mean()),
            "right": float(right[places == place].mean()),
        }
        for place in range(BINS)
        if (places == place).any()
    ]
    ece = sum(b["count"] * abs(b["confidence"] - b["right"]) for b in bins) / len(said)
    return {"brier": float(((said - right) ** 2).mean()), "ece": ece, "bins": bins}


def first(one: Mapping[str, Any], role: str, least: float) -> bool | None:
    """Whether what is shown in the role is right; None where nothing is."""
    best = one[role][:1]
    return bool(best[0][1]) if best and best[0][0] >= least else None


def note(one: Mapping[str, Any], least: float) -> bool | None:
    """Whether all that a note says beside the quantity is right."""
    given = [right for role in NAMES if (right := first(one, role, least)) is not None]
    return all(given) if given else None


def curve(
    found: Sequence[Mapping[str, Any]],
    says: Callable[..., bool | None],
    levels: Sequence[float] = CURVE,
) -> list[dict[str, Any]]:
    made = []
    for least in levels:
        given = [right for one in found if (right := says(one, least)) is not None]
        made.append(
            {
                "from": least,
                "shown": len(given),
                "coverage": len(given) / len(found),
                "right": sum(given) / len(given) if given else None,
            }
        )
    return made


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    network = results["reliability"]["network"]
    scores = [
        [name, str(own["candidates"])]
        + [f"{own[when][what]:.3f}" for what in ("brier", "ece") for when in ("before", "after")]
        for name, own in ((name, network[name]) for name in NAMES.values())
    ]
    levels = [
        [f"{least:.1f}"] + [_share(network[name]["curve"][i]) for name in (*NAMES.values(), "note")]
        for i, least in enumerate(CURVE)
    ]
    heads = ("role", "candidates", "Brier before", "after", "ECE before", "after")
    return {
        (research_page("measurement"), "contexts:scores"): markdown(heads, scores),
        (task_page("measurement"), "contexts:curve"): markdown(
            ("shown from", "entity", "property", "all of the note"), levels
        ),
    }


def _share(row: Mapping[str, Any]) -> str:
    if row["right"] is None:
        return "–"
    return f"{row['right']:.2f} of {row['shown']} ({100 * row['coverage']:.0f} %)"


def fit() -> dict[str, Any]:
    models = {source: fit_models(quantities(source)) for source in ("network", "rules")}
    made = {"made_by": "python benchmarks/contexts.py fit", "models": models}
    text = json.dumps(made, indent=1, ensure_ascii=False)
    WEIGHTS.write_text(text + "\n", encoding="utf-8")
    return {source: {"quantities": len(quantities(source))} for source in models}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all without any")
    return made


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    for part in given.parts or PARTS:
        if part == "fit":
            results[part] = fit()
        else:
            results[part] = {source: reliability(source) for source in ("network", "rules")}
        keep(RESULT, results, part)
    fill(tables(results))


if __name__ == "__main__":
    main()
