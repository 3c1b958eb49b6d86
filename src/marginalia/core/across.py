"""What one document says that another contradicts or says too."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """Two passages of two documents; the offsets are those of each document's text."""

    kind: str
    """``contradiction`` or ``repetition``."""
    old_start: int
    old_end: int
    new_start: int
    new_end: int
    why: str = ""
    score: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
