"""Damaged files of every kind: a result that keeps its promises, or one sentence, and nothing else written.

``make fuzz`` takes 100,000 inputs for each target; every finding becomes a test of its own.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from marginalia import MarginaliaError
from tests.fuzz.mutation import mutate
from tests.fuzz.targets import Target, targets

INPUTS = int(os.environ.get("MARGINALIA_FUZZ", "500"))
FIRST = int(os.environ.get("MARGINALIA_FUZZ_FROM", "0"))
NAMES = os.environ.get("MARGINALIA_FUZZ_TARGETS", "").split()


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return {target.name: target for target in targets(tmp_path_factory.mktemp("seeds"))}


def _names() -> list[str]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return [target.name for target in targets(Path(folder))]


@pytest.mark.parametrize("name", NAMES or _names())
def test_damaged_files(name: str, found: dict[str, Target], tmp_path: Path) -> None:
    target = found[name]
    for seed in target.seeds:
        target.run(seed, _empty(tmp_path))  # what is fuzzed works when it is whole
    for number in range(FIRST, FIRST + max(1, INPUTS // target.slow)):
        data = mutate(target.seeds[number % len(target.seeds)], number)
        place = _empty(tmp_path)
        try:
            target.run(data, place)
        except MarginaliaError as error:
            said = str(error)
            assert "\n" not in said and len(said) < 600, (number, said)
            assert "\x1b" not in said, (number, said)
        except Exception as error:
            raise AssertionError(
                f"{name}: input {number}: {type(error).__name__}: {error}"
            ) from error


def _empty(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return place
