"""The first settings of a competition, with every choice explained."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

from marginalia.bench.host.settings import FILE
from marginalia.core.errors import FormatError
from marginalia.core.files import write_file
from marginalia.core.registry import get_benchmark

TEMPLATE = """\
title = {title}
task = {task}
description = ""
registration = "open"        # "closed": only `bench competition team` registers teams
# data = "data"              # the data folder, from here; default: MARGINALIA_DATA
# metrics = [{metrics}]      # figures on the board, the first ranks; default: the task's

[limits]
per_day = 5                  # submissions of a team, each day (UTC)
per_phase = 100
upload_mb = 20
seconds = 60                 # for checking or scoring one submission
memory_mb = 2048

[[phases]]
name = "development"
split = {split}              # its gold must be in the data folder; or: gold = "gold", official gold files
opens = {opens}
closes = {closes}
public = 1.0                 # share of the groups with figures while it is open; the rest decides at the end
late = false                 # true: later submissions are taken, marked and not ranked
counts = "best"              # or "last": which submission of a team is ranked
"""


def new_competition(folder: str | Path, task: str, split: str, now: datetime) -> Path:
    """Write ``competition.toml`` into a folder that has none."""
    path = Path(folder) / FILE
    if path.exists():
        raise FormatError("it is there already: edit it, or name another folder", path=path)
    card = get_benchmark(task)
    card.check_split(split)
    start = now.replace(minute=0, second=0, microsecond=0)
    text = TEMPLATE.format(
        title=json.dumps(card.shared_task, ensure_ascii=False),
        task=json.dumps(task),
        split=json.dumps(split),
        metrics=", ".join(f'"{metric.path}"' for metric in card.metrics),
        opens=start.strftime("%Y-%m-%dT%H:%M:%SZ"),
        closes=(start + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
    return write_file(path, text)
