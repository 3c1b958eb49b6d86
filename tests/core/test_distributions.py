"""Weights that another distribution brings: found, missing, and wrongly named."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from marginalia.core import distributions
from marginalia.core.distributions import NONCOMMERCIAL, WEIGHTS, find_weights, require_weights
from marginalia.core.errors import ContractError, MissingError
from marginalia.nlp.weights import open_weights


@pytest.mark.parametrize("task", ["clarification", "similarity"])
def test_both_folders_are_found_and_whole(task: str) -> None:
    folder = require_weights(task)
    assert folder == find_weights(task) and open_weights(folder)["files"]


def test_a_task_with_weights_of_its_own_needs_no_other_distribution() -> None:
    assert find_weights("complexity") is None


@pytest.mark.usefixtures("without_weights")
def test_what_is_missing_is_said_with_the_command_that_brings_it() -> None:
    with pytest.raises(
        MissingError, match=f"similarity are not installed: pip install {NONCOMMERCIAL}"
    ):
        require_weights("similarity")


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize(
    ("value", "said"),
    [("nowhere.at.all:FOLDER", "cannot be found"), ("os:sep", "must name a Path")],
)
def test_an_entry_that_does_not_name_a_folder_is_said(
    monkeypatch: pytest.MonkeyPatch, value: str, said: str
) -> None:
    entry = EntryPoint("odd", value, WEIGHTS)
    monkeypatch.setattr(distributions, "entries", lambda group: [entry])
    with pytest.raises(ContractError, match=said):
        find_weights("odd")
