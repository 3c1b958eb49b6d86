"""What ``marginalia similar`` found as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PLACE = ("document", "page", "section", "start", "end", "text")
MATCHES = (
    "cluster", "score", "kind", "differs",
    *(f"{name}_{side}" for side in "ab" for name in PLACE),
)  # fmt: skip


def table(kind: str, data: Mapping[str, Any]) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Columns and rows: a row for each pair of passages, each aligned word, or each kind of similarity."""
    if kind == "passages":
        return MATCHES, [dict(row) for row in data["matches"]]
    if kind == "records":
        return ("type", "score", "why"), [
            {"type": name, "score": score, "why": data["why"][name]}
            for name, score in data["scores"].items()
        ]
    if kind == "sentences":
        return ("kind", "score", "left", "right"), [
            {
                "kind": link["kind"],
                "score": link["score"],
                "left": link["left"]["text"],
                "right": link["right"]["text"],
            }
            for link in data["aligned"]
        ]
    columns = tuple(name for name in MATCHES if name not in ("cluster", "kind"))
    if kind == "lookup":
        return columns, [_pair(one) for one in data["passages"]]
    found = [_pair(one) for side in ("left", "right") for one in data[side]]
    return columns, found


def _pair(one: Mapping[str, Any]) -> dict[str, Any]:
    row = {"score": one["score"], "differs": one["differs"]}
    for side, passage in (("a", one["passage"]), ("b", one["other"])):
        row |= {f"{name}_{side}": passage[name] for name in PLACE}
    return row
