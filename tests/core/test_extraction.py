"""Tables of records: sequences, plain data, and data frames of whatever is installed."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from typing import Any

import pytest

from marginalia import MissingError, Table
from marginalia.core.extraction import make_frame


@dataclass(frozen=True)
class Tree:
    name: str
    height: float | None
    parts: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


TREES: Table[Tree] = Table(
    (Tree("oak", 20), Tree("ash", 17.5), Tree("elm", None)), ("name", "height")
)


def test_a_table_is_a_sequence_of_records() -> None:
    assert len(TREES) == 3 and TREES[1].name == "ash" and TREES[0] in TREES
    assert [tree.name for tree in TREES[1:]] == ["ash", "elm"]
    assert Table(tuple(TREES), TREES.columns) == TREES
    assert not Table((), ("name",))


def test_as_plain_data() -> None:
    data = TREES.to_dict()
    assert data["columns"] == ["name", "height"]
    assert data["rows"][2] == {"name": "elm", "height": None, "parts": ()}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_the_columns_and_rows(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = pytest.importorskip(library)
    if library == "polars":
        monkeypatch.setitem(sys.modules, "pandas", None)
    frame = TREES.to_frame()
    assert isinstance(frame, made.DataFrame)
    assert list(frame.columns) == ["name", "height"]
    assert list(frame["name"]) == ["oak", "ash", "elm"] and list(frame["height"])[:2] == [20, 17.5]
    empty = make_frame([], ("name", "height"))
    assert list(empty.columns) == ["name", "height"] and len(empty) == 0


def test_pandas_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pandas:
        @staticmethod
        def DataFrame(cells: dict[str, list[Any]]) -> tuple[str, dict[str, list[Any]]]:  # noqa: N802
            return "pandas", cells

    monkeypatch.setitem(sys.modules, "pandas", Pandas)
    assert make_frame([{"a": 1}, {"b": 2}], ("a", "b")) == (
        "pandas",
        {"a": [1, None], "b": [None, 2]},
    )


def test_without_either_both_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingError, match="pandas or polars"):
        TREES.to_frame()
