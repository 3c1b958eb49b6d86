"""A small competition on invented CompLex files, and submissions for it."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = (
    "cloud enzyme covenant harvest tariff ligand prophet committee river genome altar quota".split()
)
SETTINGS = """\
title = "Hard words"
task = "complexity"
data = "data"
[limits]
per_day = {per_day}
seconds = {seconds}
upload_mb = 2
[[phases]]
name = "main"
split = "dev"
opens = 2020-01-01T00:00:00Z
{phase}
"""


def make_competition(
    folder: Path, *, phase: str = "", per_day: int = 1000, seconds: float = 60
) -> Path:
    """A folder that ``bench serve`` takes, with gold of its own."""
    trial = folder / "data" / "complex-lcp" / "trial"
    trial.mkdir(parents=True)
    chance = random.Random(1)
    for part, ids in (("single", ids_of("s")), ("multi", ids_of("m"))):
        rows = ["id\tcorpus\tsentence\ttoken\tcomplexity"]
        for id, word in zip(ids, WORDS, strict=True):
            rows.append(f"{id}\tbible\tThe {word} stood there.\t{word}\t{chance.random():.3f}")
        (trial / f"lcp_{part}_trial.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    text = SETTINGS.format(phase=phase, per_day=per_day, seconds=seconds)
    (folder / "competition.toml").write_text(text, encoding="utf-8")
    return folder


def ids_of(letter: str) -> list[str]:
    return [f"{letter}{number}" for number in range(len(WORDS))]


def predictions(seed: int = 0) -> bytes:
    """One file with a prediction for each item; another seed, another system."""
    chance = random.Random(seed)
    return "".join(f"{id},{chance.random()}\n" for id in (*ids_of("s"), *ids_of("m"))).encode()
