"""Table 3 of the CLAIRE 2022 overview, and what its section 4.3 says of sentences and plausible fillers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from marginalia.core.benchmark import Split
from marginalia.core.census import Count, rows_of
from marginalia.tasks.clarification.official.data import PHENOMENA, load, published

SPLITS = ("train", "dev", "test")
WITHHELD = "the labels of test are withheld"
MEAN = "the paper's own Table 3 has 916 plausible fillers of 500 sentences in dev, which is 1.83"
TEXT = "text, section 4.3"


def census(folder: Path) -> list[Count]:
    """Labels by split, sentences, and plausible fillers of a sentence: their mean and how often there are how many."""
    splits = {name: load(name, folder) for name in SPLITS}
    result = []
    for row in rows_of(published(), "class labels"):
        split = splits[row["split"]]
        ours: int | None = len(split)
        if row["label"] != "Total":
            ours = None if split.gold is None else _labels(split)[row["label"]]
        result.append(
            Count(
                table="Table 3",
                item=f"{row['label']}: {row['split']}",
                ours=ours,
                published=row["count"],
                why=WITHHELD if ours is None else "",
            )
        )
    for row in rows_of(published(), "construction"):
        name, split = row["split"], splits[row["split"]]
        sentences = len(set(split.group.values()))
        result.append(
            Count(table=TEXT, item=f"sentences: {name}", ours=sentences, published=row["sentences"])
        )
        mean = None if split.gold is None else _labels(split)["PLAUSIBLE"] / sentences
        result.append(
            Count(
                table=TEXT,
                item=f"plausible fillers of a sentence, mean: {name}",
                ours=mean,
                published=row["mean_plausible_per_sentence"],
                why=WITHHELD if mean is None else MEAN if name == "dev" else "",
            )
        )
        if split.gold is not None:
            result += [
                Count(
                    table=TEXT,
                    item=f"sentences with {n} plausible fillers: {name}",
                    ours=count,
                    why="not in the paper",
                )
                for n, count in sorted(_plausible(split).items())
            ]
    train = splits["train"]
    found = Counter(
        {train.group[id]: PHENOMENA[item.pattern] for id, item in train.items.items()}.values()
    )
    for row in rows_of(published(), "training sentences per phenomenon"):
        result.append(
            Count(
                table=f"{TEXT}, footnote 6",
                item=f"train, {row['phenomenon']}: sentences",
                ours=found[row["phenomenon"]],
                published=row["sentences"],
            )
        )
    return result


def _labels(split: Split) -> Counter[str]:
    return Counter(value.label for value in split.require_gold().values())


def _plausible(split: Split) -> Counter[int]:
    """How many sentences have how many plausible fillers."""
    own = Counter(
        split.group[id] for id, value in split.require_gold().items() if value.label == "PLAUSIBLE"
    )
    return Counter(own[sentence] for sentence in set(split.group.values()))
