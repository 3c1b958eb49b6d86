"""Tasks are found by entry point, ours as a stranger's; a broken one costs only itself."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from marginalia import ContractError, UnknownNameError, all_tasks, get_task
from marginalia.core import registry
from tests.sixth import sixth_task


@pytest.fixture
def entries(monkeypatch):
    """A registry with the sixth task, one that fails to import, and one that is no task."""
    sixth_task()
    points = {
        "acronyms": "marginalia_acronyms.task:TASK",
        "broken": "marginalia_acronyms.nowhere:TASK",
        "wrong": "marginalia_acronyms.system:ACRONYM",
        "misnamed": "marginalia_acronyms.task:TASK",
    }
    found = {name: EntryPoint(name, value, registry.GROUP) for name, value in points.items()}
    get_task.cache_clear()
    monkeypatch.setattr(registry, "_entries", lambda: found)
    yield
    get_task.cache_clear()


def test_a_strangers_task_is_found(entries) -> None:
    assert get_task("acronyms").question == "Which abbreviation is never explained?"


@pytest.mark.parametrize("name", ["broken", "wrong", "misnamed"])
def test_a_broken_task_says_what_is_wrong(entries, name: str) -> None:
    with pytest.raises(ContractError, match=f"'{name}'"):
        get_task(name)


def test_a_broken_task_costs_only_itself(entries) -> None:
    with pytest.warns(UserWarning, match="task") as told:
        assert [task.name for task in all_tasks()] == ["acronyms"]
    assert len(told) == 3


def test_our_five_are_registered() -> None:
    ours = {"complexity", "measurement", "variables", "clarification", "similarity"}
    assert ours <= set(registry.task_names())


def test_an_unknown_task_lists_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'complexity'\?"):
        get_task("complexty")
