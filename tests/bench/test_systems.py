"""Systems of others: a file, a module, an installed package, a program."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from marginalia import ContractError, MissingError, Run, UnknownNameError
from marginalia.bench import systems
from marginalia.bench.program import Program
from marginalia.bench.run import learning_curve, run
from marginalia.bench.systems import find_card, installed_cards
from marginalia.core.entry_points import Entry
from tests.sixth import DATA, sixth_task

TASK = sixth_task()
OWN = '''
from dataclasses import dataclass


@dataclass
class Kept:
    """Says yes to whatever has brackets."""

    seen: int = 0

    def predict(self, items):
        return {id: "(" in item.text for id, item in items.items()}


class Learned(Kept):
    def fit(self, split):
        self.seen = len(split)
        return self
'''


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_a_class_in_a_file(own: Path, tmp_path: Path) -> None:
    name = f"{own}:Kept"
    card = find_card(TASK, name)
    assert card.summary == "Says yes to whatever has brackets." and not card.trains
    done = run(TASK, data=DATA, system=name, resamples=0)
    assert done.run.scores == {"accuracy": pytest.approx(5 / 6)}
    path = done.run.save(tmp_path / "runs")
    assert path.parent == tmp_path / "runs" and Run.load(path) == done.run
    assert f"--system {name} " in done.run.command
    learned = find_card(TASK, f"{own}:Learned")
    assert learned.trains and run(TASK, data=DATA, system=learned.name, resamples=0).run.scores


def test_a_class_in_a_module() -> None:
    assert find_card(TASK, "marginalia_acronyms.system:Brackets").make


def test_a_system_of_an_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Entry("acronyms.theirs", "marginalia_acronyms.system:Brackets", systems.GROUP)
    monkeypatch.setattr(systems, "entries", lambda group: [entry])
    assert [card.name for card in installed_cards(TASK)] == ["theirs"]
    assert run(TASK, data=DATA, system="theirs", resamples=0).run.system == "theirs"
    with pytest.raises(UnknownNameError, match="theirs"):
        find_card(TASK, "their")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.py:Any", "there is no such file"),
        ("{own}:Absent", "has no 'Absent'"),
        ("no_such_module_of_ours:Any", "ModuleNotFoundError"),
        (":Any", "names no system"),
    ],
)
def test_what_cannot_be_found_is_said(own: Path, name: str, said: str) -> None:
    with pytest.raises((MissingError, ContractError), match=said):
        find_card(TASK, name.format(own=own))


def program(tmp_path: Path, body: str, **limits) -> Program:  # type: ignore[no-untyped-def]
    path = tmp_path / "predict.py"
    path.write_text(f"import json, sys\n{body}\n", encoding="utf-8")
    return Program(TASK, f"{sys.executable} {path}", **limits)


ECHO = """
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({"id": row["id"], "prediction": "(" in row["item"]["text"]}))
"""


def test_a_program_in_any_language(tmp_path: Path) -> None:
    made = program(tmp_path, ECHO)
    done = run(TASK, data=DATA, system=f"cmd: {made.command}", resamples=0).run
    assert done.scores == {"accuracy": pytest.approx(5 / 6)}
    assert made.predict({}) == {}


@pytest.mark.parametrize("folds", [0, 2])
def test_the_peak_of_memory_is_that_of_the_program(tmp_path: Path, folds: int) -> None:
    ballast = bytearray(200 * 2**20)  # this process is larger than the small program
    ballast[:: 2**12] = b"x" * len(ballast[:: 2**12])
    small = program(tmp_path, ECHO).command
    done = run(TASK, data=DATA, system=f"cmd: {small}", folds=folds, resamples=0).run
    assert done.peak_memory_mb is not None and 1 < done.peak_memory_mb < 100
    large = program(tmp_path, f"x = bytearray(b'x' * (300 * 2**20))\n{ECHO}").command
    done = run(TASK, data=DATA, system=f"cmd: {large}", folds=folds, resamples=0).run
    assert done.peak_memory_mb is not None and 300 < done.peak_memory_mb < 700
    assert ballast


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.exit('no model here')", "exit code 1: no model here"),
        ("print('not json')", "line 1 of its output is no prediction"),
        ("""print('{"id": "other", "prediction": true}')""", "unknown id 'other'"),
        ("print('[' * 100000)", "line 1 of its output is no prediction"),
        ("x = bytearray(2**31)", "exit code 1"),
    ],
)
def test_a_program_that_fails(tmp_path: Path, body: str, said: str) -> None:
    items = TASK.load("dev", DATA).items
    with pytest.raises(ContractError, match=said):
        program(tmp_path, body, max_bytes=2**30).predict(items)


def test_a_program_that_hangs_or_is_not_there(tmp_path: Path) -> None:
    items = TASK.load("dev", DATA).items
    with pytest.raises(ContractError, match=r"not done after 0.2 seconds"):
        program(tmp_path, "while True: pass", max_seconds=0.2).predict(items)
    with pytest.raises(MissingError, match="there is no such program"):
        Program(TASK, "no-such-program-of-ours").predict(items)


def test_a_program_that_leaves_items_out(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="no prediction for 6 of 6"):
        run(TASK, data=DATA, system=f"cmd: {program(tmp_path, 'pass').command}", resamples=0)


LEARN = """
train, model = sys.argv[1:]
rows = [json.loads(line) for line in open(train, encoding="utf-8")]
yes = sum(bool(row["gold"]) for row in rows)
open(model + "/most", "w").write(json.dumps(2 * yes > len(rows)))
"""
GUESS = """
most = json.load(open(sys.argv[1] + "/most"))
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "prediction": most}))
"""


def learning(tmp_path: Path, learn: str = LEARN) -> str:
    for name, body in (("learn", learn), ("guess", GUESS)):
        (tmp_path / f"{name}.py").write_text(f"import json, sys\n{body}\n", encoding="utf-8")
    parts = ("learn.py {train} {model}", "guess.py {model}")
    return "cmd: " + " && ".join(f"{sys.executable} {tmp_path}/{part}" for part in parts)


@pytest.mark.parametrize("folds", [0, 2])
def test_a_program_that_learns(tmp_path: Path, folds: int) -> None:
    name = learning(tmp_path)
    assert find_card(TASK, name).trains
    done = run(TASK, data=DATA, system=name, folds=folds, resamples=0, name="mine").run
    usual = run(TASK, data=DATA, system="majority", folds=folds, resamples=0).run
    assert done.scores == usual.scores
    assert done.system == "mine" and "--name mine" in done.command
    assert done.fit_seconds > 0 and done.peak_memory_mb is not None


def test_a_program_that_fails_to_learn_says_why(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="exit code 1: too little"):
        run(TASK, data=DATA, system=learning(tmp_path, "sys.exit('too little')"), resamples=0)


def test_a_learning_curve_of_a_program(tmp_path: Path) -> None:
    points = learning_curve(TASK, system=learning(tmp_path), shares=(0.5, 1.0), data=DATA)
    assert [point.share for point in points] == [0.5, 1.0]
