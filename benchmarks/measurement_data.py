"""What the parts of measurement.py share: all labelled paragraphs, predictions, figures with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from marginalia import FormatError, Split, get_benchmark
from marginalia.bench.run import cross_validate
from marginalia.core.benchmark import System
from marginalia.core.data_folder import data_folder
from marginalia.core.files import read_json
from marginalia.core.stats import bootstrap
from marginalia.tasks.measurement.official import data
from marginalia.tasks.measurement.official.match import CLASSES, Matched, total
from marginalia.tasks.measurement.official.score import match_all
from marginalia.tasks.measurement.official.spans import Spans, check_spans, decode
from marginalia.tasks.measurement.systems.ours import Pointer, TokenTagger

FOLDS = 5
RESAMPLES = 1000
TASK = get_benchmark("measurement")
SYSTEMS_OF_NETWORK: dict[str, Callable[[Path], System]] = {
    "pointer": Pointer,
    "strict": lambda folder: Pointer(folder, strict=True),
    "tagger": TokenTagger,
}


def labelled() -> Split:
    """Train and dev (official trial) together, 313 paragraphs; folds keep an article together."""
    return data.labelled(data_folder())


def predictions(name: str, split: Split, kept: Mapping[str, Path]) -> dict[str, Spans]:
    """From a file or weights where they are named, else by cross-validation: what can be fitted is fitted anew."""
    if name in kept:
        path = kept[name]
        return by_weights(name, split, path) if path.is_dir() else read_predictions([path], split)
    pred, _, _ = cross_validate(TASK.card(name), split, FOLDS)
    return pred


def by_weights(name: str, split: Split, folder: Path) -> dict[str, Spans]:
    """Each fold by the network that was trained without it: rules and decoding are those of today."""
    pred: dict[str, Spans] = {}
    for number, (_, left_out) in enumerate(split.folds(FOLDS)):
        pred |= SYSTEMS_OF_NETWORK[name](folder / str(number)).predict(left_out.items)
    return pred


def held_out(name: str, kept: Mapping[str, Path]) -> str:
    """Whether the predictions were made without their articles: yes, no, or partly.

    Who wrote the rules had these paragraphs to look at, and our best takes its quantities from them. Then dev
    is nearer to the truth than all, the more so the less it was looked at: compare the two.
    """
    if name in ("pointer", "strict"):
        return "partly"
    return "yes" if name in kept or hasattr(TASK.system(name), "fit") else "no"


def only_dev(split: Split) -> Split:
    return split.take(TASK.load("dev", data_folder()).items)


def read_predictions(files: Sequence[Path], split: Split) -> dict[str, Spans]:
    """``{id: [span, ...]}`` with the fields of ``Span``; every paragraph must be there and quoted rightly."""
    given: dict[str, Any] = {}
    for path in files:
        given |= read_json(path)
    path = files[0] if files else Path("predictions")
    missing = split.items.keys() - given.keys()
    if missing:
        raise FormatError(
            f"{len(missing)} paragraphs are missing, {min(missing)} is one", path=path
        )
    pred = {id: decode(given[id]) for id in split.items}
    for id, spans in pred.items():
        try:
            check_spans(spans)
        except FormatError as error:
            raise FormatError(f"{id}: {error.message}", path=path) from None
        text = split.items[id].text
        wrong = [span.id for span in spans if text[span.start : span.end] != span.text]
        if wrong:
            raise FormatError(f"{id}: {wrong[0]} quotes another text", path=path)
    return pred


def figures(
    gold: Mapping[str, Any],
    pred: Mapping[str, Any],
    group: Mapping[str, str],
    components: Mapping[str, Iterable[str]] | None = None,
) -> dict[str, dict[str, float]]:
    """Official ``f1_overlap`` of each component and overall, with 95 % intervals resampled by article."""
    wanted = components or {"overall": CLASSES, **{name: (name,) for name in CLASSES}}
    matched = match_all(gold, pred)
    return {name: _figure(matched, group, tuple(own)) for name, own in wanted.items()}


def _figure(
    matched: Mapping[str, Matched], group: Mapping[str, str], classes: tuple[str, ...]
) -> dict[str, float]:
    places = {name: place for place, name in enumerate(sorted(set(group.values())))}
    values, rows = np.zeros(len(places)), np.zeros(len(places))
    matches = submitted = wanted = 0
    for doc, found in matched.items():
        tally = total(found.classes[name] for name in classes)
        values[places[group[doc]]] += tally.overlap
        rows[places[group[doc]]] += tally.rows
        matches += tally.matches
        submitted += tally.submission_only
        wanted += tally.gold_only

    def mean(drawn: Any) -> float:
        whole = float(rows[drawn].sum())
        return float(values[drawn].sum()) / whole if whole else float("nan")

    between = bootstrap(mean, len(places), n=RESAMPLES)
    return {
        "f1_overlap": mean(np.arange(len(places))),
        "low": between.low,
        "high": between.high,
        "precision": matches / max(1, matches + submitted),
        "recall": matches / max(1, matches + wanted),
    }
