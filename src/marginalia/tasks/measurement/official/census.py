"""What the MeasEval 2021 overview says of its corpus, and how often each component is annotated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from marginalia.core.census import Count
from marginalia.tasks.measurement.official.agreement import ANNOTATORS
from marginalia.tasks.measurement.official.data import FOLDER, OFFICIAL, UNKNOWN, load, published
from marginalia.tasks.measurement.official.match import CLASSES
from marginalia.tasks.measurement.official.spans import Span

TEXT = "text, section 4"
WITHHELD = "the annotations of eval are withheld"
PARAGRAPHS = "313 + 135 = 448, as the paper says of its parts: 428 of them have annotations"
ARTICLES = "the list of subjects has 110 articles; paragraphs of 90 of them are in the files"
FILES = (
    "248 is the number of files of an annotator. Four of them are empty, each for a paragraph without a quantity, so that "
    "there are 244 quantities"
)
TRIAL = "train and trial together, which the paper calls training data"


def census(folder: Path) -> list[Count]:
    """Articles, paragraphs and quantities by split, components by split, and the files of both annotators."""
    splits = {name: load(name, folder) for name in OFFICIAL}
    whole, train, test, both = (
        row for part in published()["data_statistics"][:1] for row in part["rows"]
    )
    articles = {id: item for split in splits.values() for id, item in split.items.items()}
    spans = {name: _spans(split.gold) for name, split in splits.items() if split.gold is not None}
    labelled = [*spans.get("train", ()), *spans.get("dev", ())]
    quantities = _components(labelled)["Quantity"]
    tested = _components(spans["test"])["Quantity"] if "test" in spans else None
    result = [
        _count(
            "articles",
            len({item.article for item in articles.values()}),
            whole["articles"],
            ARTICLES,
        ),
        _count(
            "subject areas",
            len({item.subject for item in articles.values()} - {UNKNOWN}),
            whole["subject_areas"],
        ),
        _count("paragraphs", len(articles), whole["paragraphs"], PARAGRAPHS),
        _count(
            "paragraphs: train",
            len(splits["train"]) + len(splits["dev"]),
            train["paragraphs"],
            TRIAL,
        ),
        _count("paragraphs: eval", len(splits["test"]), test["paragraphs"]),
        _count(
            "quantities",
            None if tested is None else quantities + tested,
            whole["quantities"],
            WITHHELD if tested is None else "",
        ),
        _count("quantities: train", quantities, train["quantities"], TRIAL),
        _count("quantities: eval", tested, test["quantities"], WITHHELD if tested is None else ""),
    ]
    own = folder / FOLDER / "iaa" / ANNOTATORS[0]
    files = list(own.glob("*.ann"))
    full = sum(path.stat().st_size > 0 for path in files)
    result += [
        _count("annotated twice: quantities", full if files else None, both["quantities"], FILES),
        _count("annotated twice: files", len(files) or None, both["quantities"]),
    ]
    for name, found in spans.items():
        counts = _components(found)
        result += [
            Count(
                table="components",
                item=f"{component}: {OFFICIAL[name]}",
                ours=counts[component],
                why="not in the paper",
            )
            for component in CLASSES
        ]
    return result


def _count(item: str, ours: int | None, published: int, why: str = "") -> Count:
    return Count(table=TEXT, item=item, ours=ours, published=published, why=why)


def _spans(gold: Mapping[str, Iterable[Span]]) -> list[Span]:
    return [span for own in gold.values() for span in own]


def _components(spans: Iterable[Span]) -> Counter[str]:
    """How often each of the nine components is annotated; a quantity with several modifiers counts once."""
    counts: Counter[str] = Counter()
    for span in spans:
        counts[span.type] += 1
        counts["Unit"] += span.unit is not None
        counts["modifier"] += bool(span.mods)
        if span.relation is not None:
            counts[span.relation[0]] += 1
    return counts
