"""How far two people agree: the annotators of ``iaa/``, scored against each other and against gold.

Each annotated the same 75 paragraphs of train before the two were reconciled. A file is what one of them
says of one quantity (``<docId>-<n>.ann``), and files of the same name are about the same quantity, so
each is scored as a paragraph of its own; then it does not matter which of the two is taken for gold.
An empty ``<docId>.ann`` is a paragraph without a quantity. The numbers of gold's sets are others, so
there whole paragraphs are scored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.agreement import cohen_kappa
from marginalia.core.data_folder import require_data
from marginalia.core.report import Report
from marginalia.tasks.measurement.official.brat import read_brat
from marginalia.tasks.measurement.official.data import FOLDER, article_of, load
from marginalia.tasks.measurement.official.match import CLASSES
from marginalia.tasks.measurement.official.score import match_all, overall_and_class
from marginalia.tasks.measurement.official.spans import TYPES, Span, Spans, by_set
from marginalia.tasks.measurement.official.tokens import tokens

ANNOTATORS = ("annotator1", "annotator2")
FIGURES = ("f1_overlap", "exact_match", "f_measure")

Documents = Mapping[str, Spans]


@dataclass(frozen=True, slots=True)
class Annotations:
    """What each annotator says, and what was agreed on in the end, all by docId."""

    texts: Mapping[str, str]
    one: Documents
    other: Documents
    gold: Documents


def load_annotations(folder: Path) -> Annotations:
    """The paragraphs of ``iaa/`` in the data folder."""
    split = load("train", folder)
    texts = {id: item.text for id, item in split.items.items()}
    base = require_data(folder / FOLDER / "iaa", "measurement")
    one, other = (read_brat(require_data(base / name, "measurement"), texts) for name in ANNOTATORS)
    docs = sorted({*one, *other})
    gold = split.require_gold()
    return Annotations(
        texts={doc: texts[doc] for doc in docs},
        one={doc: one.get(doc, ()) for doc in docs},
        other={doc: other.get(doc, ()) for doc in docs},
        gold={doc: gold[doc] for doc in docs},
    )


def agreement(folder: Path) -> Report:
    """The official figures of one annotator against the other for each component, and kappa.

    ``kappa`` is Cohen's: of spans over the tokens of the paragraph, for each quantity anew, in the span
    or not; of units and modifiers over the quantities, the unit or the set of modifiers being the
    class. A relation has none, since without its spans there is nothing to agree on.
    ``annotator1_with_gold`` and ``annotator2_with_gold`` are ``f1_overlap`` against the gold of the same
    paragraphs, which was made from these very annotations: read it as the most a person reached.
    """
    found = load_annotations(folder)
    one, other = by_quantity(found.one), by_quantity(found.other)
    apart = _figures(one, other)
    with_gold = {
        f"{name}_with_gold": _figures(found.gold, docs)
        for name, docs in zip(ANNOTATORS, (found.one, found.other), strict=True)
    }
    kappas = chance_corrected(found.texts, one, other)
    scores = {
        name: {
            **{figure: apart[name].get(figure, math.nan) for figure in FIGURES},
            "kappa": kappas.get(name, math.nan),
            **{key: figures[name]["f1_overlap"] for key, figures in with_gold.items()},
        }
        for name in ("overall", *CLASSES)
    }
    both = one.keys() | other.keys()
    also = {
        "quantities": len(both),
        "quantities_of_one_annotator_only": len(both) - len(one.keys() & other.keys()),
        "paragraphs": len(found.texts),
        "articles": len({article_of(doc) for doc in found.texts}),
    }
    return Report(scores=scores, also=also)


def by_quantity(docs: Documents) -> dict[str, list[Span]]:
    """Every set on its own, under the name of its file."""
    return {f"{doc}-{n}": own for doc, spans in docs.items() for n, own in by_set(spans).items()}


def _figures(gold: Mapping[str, Any], pred: Mapping[str, Any]) -> dict[str, Any]:
    found = overall_and_class(match_all(gold, pred).values())
    return {"overall": found["overall"], **found["class"]}


def chance_corrected(
    texts: Mapping[str, str], one: Mapping[str, Iterable[Span]], other: Mapping[str, Iterable[Span]]
) -> dict[str, float]:
    """Cohen's kappa of the four kinds of spans, of units and of modifiers."""
    names = sorted(one.keys() | other.keys())
    sides = [{name: list(side.get(name, ())) for name in names} for side in (one, other)]
    places = {doc: tokens(text) for doc, text in texts.items()}
    result = {}
    for type in TYPES:
        marked = [
            [
                inside
                for name in names
                for inside in _marks(places[name.rpartition("-")[0]], side[name], type)
            ]
            for side in sides
        ]
        result[type] = cohen_kappa(*marked)
    values: dict[str, Callable[[Span], Hashable]] = {
        "Unit": lambda span: span.unit,
        "modifier": lambda span: frozenset(span.mods),
    }
    for component, value in values.items():
        result[component] = cohen_kappa(
            *([_of_quantity(side[name], value) for name in names] for side in sides)
        )
    return result


def _marks(places: list[tuple[int, int]], spans: Iterable[Span], type: str) -> list[bool]:
    """For each token whether a span of the type has a character of it."""
    own = [(span.start, span.end) for span in spans if span.type == type]
    return [any(a < end and start < b for start, end in own) for a, b in places]


def _of_quantity(spans: Iterable[Span], value: Callable[[Span], Hashable]) -> Hashable:
    """The value of a set's quantity; that there is none is a class of its own."""
    return next((value(span) for span in spans if span.type == "Quantity"), "no quantity")
