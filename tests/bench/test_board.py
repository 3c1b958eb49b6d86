"""Published boards with our runs among them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from marginalia import Run, get_benchmark
from marginalia.bench.board import OURS, boards
from marginalia.core.registry import BENCHMARKS


def invented_run(**changes) -> Run:
    run = Run(
        task="complexity",
        split="test",
        system="frequency",
        command="marginalia bench run complexity --system frequency --split test",
        created="2026-01-01T00:00:00Z",
        versions={},
        data_hash="",
        seed=0,
        seen_in_training=False,
        seconds=1.0,
        fit_seconds=0.0,
        peak_memory_mb=None,
        predictions={},
        scores={"words": {"pearson": 0.78}, "multi": {"pearson": 0.1}},
        intervals={"words.pearson": {"low": 0.7, "high": 0.8, "level": 0.95}},
    )
    return replace(run, **changes)


def test_a_test_run_takes_its_place_on_the_board() -> None:
    words, multi = boards(get_benchmark("complexity"), [invented_run()])
    names = [row.system for row in words.rows]
    assert names[:2] == ["JUST BLUE", "DeepBlueAI"]
    place = names.index("frequency")
    assert words.rows[place].kind == OURS
    assert words.rows[place].interval == {"low": 0.7, "high": 0.8, "level": 0.95}
    assert words.rows[place - 1].value > 0.78 > words.rows[place + 1].value
    assert multi.rows[-1].system == "frequency"


def test_only_the_newest_run_of_a_system_on_the_same_split_counts() -> None:
    old = invented_run(created="2025-01-01T00:00:00Z", scores={"words": {"pearson": 0.2}})
    dev = invented_run(split="dev", system="length")
    words, _ = boards(get_benchmark("complexity"), [old, invented_run(), dev])
    assert [row.value for row in words.rows if row.kind == OURS] == [0.78]


@pytest.mark.parametrize("name", BENCHMARKS.names())
def test_every_published_board_is_in_order_and_has_its_sources(name: str) -> None:
    for board in boards(get_benchmark(name), []):
        assert board.rows, board.name
        assert all(row.source for row in board.rows)
        known = [row.value for row in board.rows if row.value is not None]
        assert known == sorted(known, reverse=True) or known == sorted(known)
