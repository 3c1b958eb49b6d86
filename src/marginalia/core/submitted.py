"""The ids of a submission: each is known and given once, and none is missing."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, TypeVar

from marginalia.core.errors import FormatError

T = TypeVar("T")


def require_new_id(
    id: str, known: Container[str], seen: Container[str], path: Path, line: int | None = None
) -> None:
    """Refuse an id that the split lacks, or that was given before."""
    if id not in known:
        raise FormatError(f"the id {id[:40]!r} is not in the split", path=path, line=line)
    if id in seen:
        raise FormatError(f"the id {id[:40]!r} is given twice", path=path, line=line)


def complete(found: Mapping[str, T], wanted: Mapping[str, Any], path: Path) -> dict[str, T]:
    """What was found in the order of the split; an id without it is an error."""
    missing = [id for id in wanted if id not in found]
    if missing:
        raise FormatError(
            f"{len(missing):,} of {len(wanted):,} ids have no prediction, the first is {missing[0]!r}",
            path=path,
        )
    return {id: found[id] for id in wanted}
