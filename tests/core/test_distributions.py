"""Weights that another distribution brings: found, missing, and wrongly named."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import marginalia
from marginalia.core import distributions
from marginalia.core.distributions import (
    NONCOMMERCIAL,
    WEIGHTS,
    Distribution,
    find_weights,
    installed,
    require_weights,
)
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


ROOT = Path(__file__).parents[2]
HOMES = {
    "marginalia": (ROOT, ROOT / "src" / "marginalia"),
    "marginalia-noncommercial": (
        ROOT / "noncommercial",
        ROOT / "noncommercial" / "src" / "marginalia_noncommercial",
    ),
}
"""Distribution -> where its pyproject.toml and its package are."""
PAGE = ROOT / "docs" / "explanation" / "licences.md"


@pytest.fixture(params=HOMES)
def one(request: pytest.FixtureRequest) -> Distribution:
    return next(each for each in installed() if each.name == request.param)


def names_in(expression: str) -> set[str]:
    return set(expression.split(" AND "))


def test_ours_comes_first() -> None:
    assert [one.name for one in installed()][:2] == list(HOMES)
    assert installed()[0].version == marginalia.__version__


def test_every_file_belongs_to_a_part(one: Distribution) -> None:
    package = HOMES[one.name][1]
    covered = {path for part in one.parts for glob in part.paths for path in package.glob(glob)}
    files = {p for p in package.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
    assert not files - covered
    for part in one.parts:
        for glob in part.paths:
            assert any(package.glob(glob)), f"{part.name}: nothing is {glob}"


def test_the_expression_is_that_of_all_parts(one: Distribution) -> None:
    home = HOMES[one.name][0]
    project = tomllib.loads((home / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert one.licence == project["license"]
    assert names_in(one.licence) == {n for part in one.parts for n in names_in(part.licence)}


def test_the_text_of_every_licence_is_in_the_distribution(one: Distribution) -> None:
    home = HOMES[one.name][0]
    texts = {path.stem: path.read_text(encoding="utf-8") for path in home.glob("licences/*.txt")}
    texts.setdefault("Apache-2.0", (ROOT / "LICENSE").read_text(encoding="utf-8"))
    for name in names_in(one.licence):
        assert len(texts[name]) > 1_000, name


def test_only_the_second_distribution_forbids_commercial_use() -> None:
    found = {one.name: one for one in installed()}
    assert found["marginalia"].commercial
    weights = [p for p in found["marginalia-noncommercial"].parts if p.licence != "Apache-2.0"]
    assert len(weights) == 3 and not any(part.commercial for part in weights)
    for part in found["marginalia"].parts:
        assert not re.search("NC|MSR|GPL", part.licence), part


def test_notice_and_page_name_every_part(one: Distribution) -> None:
    notice = (HOMES[one.name][0] / "NOTICE").read_text(encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    for part in one.parts:
        assert part.name == "code and documentation" or part.name.lower() in notice.lower(), part
        assert f"| {part.name} |" in page and f"`{part.licence}`" in page, part


def test_licences_that_cannot_be_read_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("marginalia", "marginalia.core", distributions.LICENCES)
    monkeypatch.setattr(distributions, "entries", lambda group: [entry])
    with pytest.raises(ContractError, match="the licences of 'marginalia' cannot be read"):
        installed()
