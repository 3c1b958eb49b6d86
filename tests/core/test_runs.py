"""Runs that somebody changed by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from marginalia import FormatError, Run

WHOLE = {
    "task": "complexity", "split": "dev", "system": "any", "command": "", "created": "2026-01-01T00:00:00Z",
    "versions": {}, "data_hash": "", "seed": 0, "seen_in_training": False, "seconds": 1.0, "fit_seconds": 0,
    "peak_memory_mb": None, "predictions": {"a": 0.5},
}  # fmt: skip


def load(tmp_path: Path, data: Any) -> Run:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(data))
    return Run.load(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("created", 3),
        ("predictions", []),
        ("scores", "high"),
        ("seconds", "long"),
        ("versions", None),
    ],
)
def test_a_value_of_the_wrong_type_is_named(tmp_path: Path, name: str, value: object) -> None:
    assert load(tmp_path, WHOLE).seed == 0
    with pytest.raises(FormatError, match=f"not a run: '{name}'"):
        load(tmp_path, {**WHOLE, name: value})


@pytest.mark.parametrize("data", [[], 3, None, {}, {**WHOLE, "more": 1}])
def test_what_is_no_run(tmp_path: Path, data: object) -> None:
    with pytest.raises(FormatError, match="not a run"):
        load(tmp_path, data)
