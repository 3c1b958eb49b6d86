"""The recorded cases of an official scorer, and how our answer is compared with them."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

TOLERANCE = 1e-9


def cases(folder: str) -> list[Any]:
    """One parameter per recorded case; a single skipped one where there is no oracle."""
    root = os.environ.get("MARGINALIA_ORACLE")
    if not root:
        reason = "no data: MARGINALIA_ORACLE is not set"
        return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="no-oracle")]
    found = sorted((Path(root) / folder).glob("case-*"))
    assert found, f"no cases in {root}/{folder}"
    return [pytest.param(case, id=case.name) for case in found]


def expected(case: Path) -> dict[str, Any]:
    return json.loads((case / "expected.json").read_text(encoding="utf-8"))


def assert_same(ours: Any, official: Any, where: str = "") -> None:
    """Every recorded key is there and equal; numbers to 1e-9, "nan" being not a number."""
    if isinstance(official, Mapping):
        assert isinstance(ours, Mapping), f"{where}: {ours!r} is not a mapping"
        for key, value in official.items():
            assert key in ours, f"{where}.{key} is missing"
            assert_same(ours[key], value, f"{where}.{key}")
    elif official == "nan":
        assert isinstance(ours, float) and math.isnan(ours), f"{where}: {ours!r} is a number"
    elif isinstance(official, float) and not isinstance(ours, str):
        assert ours == pytest.approx(official, abs=TOLERANCE, rel=0), where
    else:
        assert ours == official, where
