"""Invented catalogue records in pairs, with invented ratings."""

from __future__ import annotations

from pathlib import Path

from marginalia import Split
from marginalia.tasks.similarity.official.typed import Record, RecordPair, load

MILL_1 = Record(
    title="The water mill at Houghton",
    subject="mills; rivers",
    description="Painted in 1889 by Clara Penfold, it shows the mill standing near Houghton Bridge.",
    creator="Penfold, Clara",
    date="1889",
    source="Fenland Museum",
)
MILL_2 = Record(
    title="Houghton mill in winter",
    subject="mills; snow",
    description="Clara Penfold painted the mill again in 1890, with children skating near Houghton Bridge.",
    creator="Penfold, Clara",
    date="1890",
    source="Fenland Museum",
)
BATTLE = Record(
    title="Medal of Captain John Orrell",
    subject="medals; wars",
    description="Awarded to Captain John Orrell, who fought in Spain in 1812.",
    creator="Royal Mint",
    date="19th century",
    source="Regimental Hall",
)
SPOON = Record(title="Wooden spoon", subject="kitchens", description="A plain spoon.")

PAIRS = {
    "same": RecordPair(MILL_1, MILL_1),
    "near": RecordPair(MILL_1, MILL_2),
    "far": RecordPair(MILL_1, BATTLE),
    "farther": RecordPair(SPOON, BATTLE),
    "bare": RecordPair(SPOON, SPOON),
}
GOLD = {
    "same": (5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0),
    "near": (4.5, 5.0, 4.5, 4.0, 5.0, 3.5, 3.5, 4.0),
    "far": (0.5, 0.0, 0.5, 2.0, 1.0, 0.5, 0.0, 0.5),
    "farther": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "bare": (5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 4.5),
}


def split() -> Split:
    return Split(name="typed", items=PAIRS, gold=GOLD, group={id: id for id in PAIRS})


def load_text(folder: Path, text: str) -> Split:
    """The split that a data folder with this one file has."""
    base = folder / "sts" / "typed"
    base.mkdir(parents=True, exist_ok=True)
    (base / "pairs.jsonl").write_text(text, encoding="utf-8")
    return load(folder)
