"""Figures of papers beside those of the files."""

from __future__ import annotations

import json
from pathlib import Path

import papers
import pytest

from marginalia.core.census import Count


def count(ours: float | None, published: float | None) -> Count:
    return Count(table="Table 1", item="pairs", ours=ours, published=published)


def test_figures_are_equal_as_far_as_they_are_printed() -> None:
    assert count(0.30214, 0.302).is_equal
    assert not count(0.3026, 0.302).is_equal
    assert count(750, 750).is_equal


def test_what_is_not_there_is_not_compared() -> None:
    assert count(None, 750).is_equal is None
    assert count(750, None).is_equal is None


@pytest.mark.parametrize("task", papers.TASKS)
def test_every_difference_is_explained(task: str) -> None:
    rows = json.loads(papers.RESULT.read_text(encoding="utf-8"))[task]["data"]
    assert rows
    assert [row["item"] for row in rows if not row["equal"] and not row["why"]] == []


@pytest.mark.parametrize("task", papers.TASKS)
def test_the_committed_figures_are_those_of_the_files(
    task: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARGINALIA_DATA", str(data))
    rows = json.loads(papers.RESULT.read_text(encoding="utf-8"))[task]
    assert json.loads(json.dumps(papers.measure(task))) == rows
