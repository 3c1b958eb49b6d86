"""Small rating campaigns, one for each kind of question."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = "cloud enzyme covenant harvest tariff ligand prophet committee river genome".split()


def campaign(folder: Path, task: str, items: str, **settings: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f'title = "Rate {task}"', f'task = "{task}"', f'items = "{items}"']
    lines += [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    (folder / "annotation.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def words_campaign(folder: Path, **settings: object) -> Path:
    """Ten words to rate; the last two are gold questions, both very easy."""
    made = campaign(folder, "complexity", "targets.tsv", gold="gold.tsv", **settings)
    rows = ["id\tcorpus\tsentence\ttoken"]
    rows += [f"w{n}\tbible\tThe old {word} stood there.\t{word}" for n, word in enumerate(WORDS)]
    (made / "targets.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (made / "gold.tsv").write_text("id\trating\nw8\t1\nw9\t1\n", encoding="utf-8")
    return made


def measurement_campaign(folder: Path, **settings: object) -> Path:
    made = campaign(folder, "measurement", "text", ratings=2, per_rater=5, **settings)
    (made / "text").mkdir()
    text = "The 🪨 stone weighs 5 kg in air."
    (made / "text" / "d1.txt").write_text(text, encoding="utf-8")
    return made


def variables_campaign(folder: Path) -> Path:
    made = campaign(folder, "variables", "items.jsonl", ratings=2)
    row = {
        "uuid": "u1",
        "sentence": "We use age and trust.",
        "doc_id": "d",
        "lang": "en",
        "candidates": {"v1": "Age of respondent", "v2": "Trust in people"},
    }
    (made / "items.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return made
