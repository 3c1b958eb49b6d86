"""Official files in and out: what is written is read back, and what does not fit is told by file and line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from significance import SHAPES

from marginalia import FormatError, Split, get_benchmark
from marginalia.bench import submission
from marginalia.bench.submission import Submission, check_submission, import_run, rescore_run
from marginalia.cli.bench.submission import predict_command
from marginalia.core.benchmark import Benchmark


def drawn(name: str) -> tuple[Benchmark, Split, dict]:  # type: ignore[type-arg]
    split, pred, _ = SHAPES[name].draw(np.random.default_rng(4), 7, 1.0)
    if name == "similarity":  # an official file has a line for each pair, so ids end with a number
        number = {id: f"2014-test/images/{n}" for n, id in enumerate(split.items, start=1)}
        pred = {number[id]: value for id, value in pred.items()}
        split = Split(
            name="dev",
            items={number[id]: item for id, item in split.items.items()},
            gold={number[id]: value for id, value in (split.gold or {}).items()},
            group={id: id for id in number.values()},
        )
    return get_benchmark(name), split, pred


NAMES = ("complexity", "similarity", "clarification", "measurement", "variables")


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_read_back(name: str, zipped: bool, tmp_path: Path) -> None:
    task, split, pred = drawn(name)
    made = Submission(
        task=name,
        system="any",
        split="dev",
        items=len(split),
        files=task.write_submission(split, pred),
    )
    place = tmp_path / ("sub.zip" if zipped else "sub")
    made.write(place)
    assert dict(submission.read_submission(task, split, place)) == pred


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "said"),
    [
        (
            "complexity",
            "lcp_single_trial.csv",
            "0-0,",
            "0-9999,",
            r"lcp_single_trial.csv:1: the id '0-9999' is not in the split",
        ),
        ("complexity", "lcp_single_trial.csv", "0-0,0", "0-0,x", r"lcp_single_trial.csv:1: .*x"),
        (
            "clarification",
            "labels.tsv",
            "0_2\t",
            "0_1\t",
            r"labels.tsv:\d: the id '0_1' is given twice",
        ),
        ("variables", "detection.json", '"0-0": ', '"zzz": ', "the id 'zzz' is not in the split"),
        ("measurement", "S0-1.tsv", "S0-1\t", "S9-9\t", "the docId 'S9-9' is not in the split"),
    ],
)
def test_what_does_not_fit_is_told_by_file_and_line(
    name: str, file: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    task, split, pred = drawn(name)
    files = task.write_submission(split, pred)
    assert old in files[file]
    for where in (tmp_path / "sub", tmp_path / "sub.zip"):
        changed = {**files, file: files[file].replace(old, new, 1)}
        Submission(task=name, system="", split="dev", items=0, files=changed).write(where)
        with pytest.raises(FormatError, match=said) as error:
            submission.read_submission(task, split, where)
        assert str(error.value).startswith(str(where))


def test_a_missing_id_is_named(tmp_path: Path) -> None:
    task, split, pred = drawn("complexity")
    fewer = split.take(list(split.items)[1:])
    Submission(
        task="", system="", split="dev", items=0, files=task.write_submission(fewer, pred)
    ).write(tmp_path)
    with pytest.raises(FormatError, match=r"1 of .* ids have no prediction, the first is '0-0'"):
        submission.read_submission(task, split, tmp_path)


def test_a_submission_is_a_run_and_can_be_scored_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, split, pred = drawn("complexity")
    given = {"gold": None}
    monkeypatch.setattr(submission, "load_split", lambda *args: replace(split, gold=given["gold"]))
    Submission(
        task="", system="", split="dev", items=0, files=task.write_submission(split, pred)
    ).write(tmp_path / "sub.zip")
    assert check_submission("complexity", tmp_path / "sub.zip", split="dev", data=tmp_path) == len(
        pred
    )
    made = import_run(
        "complexity", tmp_path / "sub.zip", name="theirs", split="dev", data=tmp_path, resamples=20
    )
    assert made.run.scores is None and made.report is None
    assert made.run.system == "theirs" and made.run.environment["cores"]
    path = made.run.save(tmp_path / "runs")
    given["gold"] = split.gold  # type: ignore[assignment]
    scored = rescore_run("complexity", path, data=tmp_path, resamples=20).run
    assert scored.scores == task.score(split, pred).scores
    assert scored.intervals["words.pearson"]["low"] <= scored.scores["words"]["pearson"]


def test_a_set_that_the_split_lacks_is_told(tmp_path: Path) -> None:
    task, split, pred = drawn("similarity")
    files = task.write_submission(split, pred)
    made = Submission(
        task="similarity",
        system="any",
        split="dev",
        items=len(split),
        files={**files, "STS.output.SMT.txt": "1\t100\n"},
    )
    made.write(tmp_path / "sub.zip")
    with pytest.warns(UserWarning, match=r"STS.output.SMT.txt left out: the split 'dev' has no"):
        found = submission.read_submission(task, split, tmp_path / "sub.zip")
    assert dict(found) == pred


def test_files_in_a_zip_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task, split, pred = drawn("clarification")
    made = Submission(
        task="clarification",
        system="any",
        split="dev",
        items=len(split),
        files=task.write_submission(split, pred),
    )
    monkeypatch.setattr(submission, "make_submission", lambda *args, **options: made)
    for out in (tmp_path / "sub", tmp_path / "sub.zip"):
        result = CliRunner().invoke(predict_command, ["clarification", "-o", str(out)])
        assert result.stdout.startswith(f"2 files for {len(split)} items"), result.output
