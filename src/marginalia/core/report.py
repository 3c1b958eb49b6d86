"""What a scorer found, and the headline figures in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Metric:
    """A headline figure: a path into the scores (``words.pearson``) and the published board it is on."""

    path: str
    board: str = ""

    def __str__(self) -> str:
        return self.path

    def of(self, scores: Mapping[str, Any]) -> float | None:
        """Its value, or None where the scores lack it."""
        value: Any = scores
        for key in self.path.split("."):
            if not isinstance(value, Mapping) or key not in value:
                return None
            value = value[key]
        return float(value) if isinstance(value, (int, float)) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a scorer found.

    ``scores`` holds the official figures under the official names. ``also`` holds what the official
    program does not say where it should, and ``warnings`` say in words what to look at.
    """

    scores: Mapping[str, Any]
    also: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; an undefined figure is None."""
        whole = {**self.scores, "also_report": self.also, "warnings": list(self.warnings)}
        return dict(plain(whole))


def plain(value: Any) -> Any:
    """Data as JSON can hold it: an undefined number becomes null."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
