"""Cards are found by entry point, ours as those of others; a broken one costs only itself."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from marginalia import ContractError, UnknownNameError, all_benchmarks, get_benchmark
from marginalia.core import registry
from tests.sixth import sixth_task


@pytest.fixture
def entries(monkeypatch, tmp_path):
    """A registry with the sixth task, two that fail to import, and two that are not what they should be."""
    sixth_task()
    points = {
        "acronyms": "marginalia_acronyms.benchmark:BENCHMARK",
        "broken": "marginalia_acronyms.nowhere:BENCHMARK",
        "wrong": "marginalia_acronyms.system:ACRONYM",
        "misnamed": "marginalia_acronyms.benchmark:BENCHMARK",
        "failing": "failing_task:BENCHMARK",
    }
    # As a card written for another version of Benchmark would.
    (tmp_path / "failing_task.py").write_text(
        "from marginalia import Benchmark\nBENCHMARK = Benchmark(nam='x')"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = {
        name: EntryPoint(name, value, registry.BENCHMARKS.group) for name, value in points.items()
    }
    registry._load.cache_clear()
    monkeypatch.setattr(registry, "_entries", lambda group: found)
    yield
    registry._load.cache_clear()


def test_a_strangers_task_is_found(entries) -> None:
    assert get_benchmark("acronyms").question == "Which abbreviation is never explained?"


@pytest.mark.parametrize("name", ["broken", "wrong", "misnamed", "failing"])
def test_a_broken_task_says_what_is_wrong(entries, name: str) -> None:
    with pytest.raises(ContractError, match=f"'{name}'"):
        get_benchmark(name)


def test_a_broken_task_costs_only_itself(entries) -> None:
    with pytest.warns(UserWarning, match="task") as told:
        assert [task.name for task in all_benchmarks()] == ["acronyms"]
    assert len(told) == 4


def test_our_five_are_registered() -> None:
    ours = {"complexity", "measurement", "variables", "clarification", "similarity"}
    assert ours <= set(registry.BENCHMARKS.names())
    assert ours <= set(registry.BUILDERS.names())
    notes = {
        "words",
        "terms",
        "measurements",
        "variables",
        "unclear",
        "consistency",
        "style",
        "statistics",
    }
    assert notes <= set(registry.ANNOTATORS.names())


def test_an_unknown_task_lists_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'complexity'\?"):
        get_benchmark("complexty")
