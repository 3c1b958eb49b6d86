"""Competitions of other platforms, in and out."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from marginalia.bench.host.bundles import export_competition, import_bundle
from marginalia.bench.host.judge import Judge
from marginalia.bench.host.settings import read_competition
from marginalia.core.archive import pack
from marginalia.core.errors import FormatError
from tests.bench.host.small import make_competition, predictions

CODALAB = """
title: Lexical Complexity
description: An old competition
end_date: 2021-06-01
html: {overview: overview.html}
phases:
  1:
    phasenumber: 1
    label: "Trial"
    start_date: 2020-12-01
    max_submissions: 100
    scoring_program: program.zip
    reference_data: reference.zip
  2:
    phasenumber: 2
    label: "Evaluation"
    start_date: 2021-01-10 12:00
    max_submissions_per_day: 10
    scoring_program: program.zip
    reference_data: reference.zip
leaderboard:
  leaderboards:
    RESULTS: &RESULTS {label: Results, rank: 1}
  columns:
    PEARSON: {leaderboard: *RESULTS, label: Pearson, rank: 1}
"""


def write_bundle(folder: Path, text: str, **files: bytes) -> Path:
    bundle = folder / "bundle.zip"
    named = {name.replace("_", "."): content for name, content in files.items()}
    bundle.write_bytes(pack({"competition.yaml": text, **named}))
    return bundle


def test_an_old_competition_moves_here(tmp_path: Path) -> None:
    reference = pack({"reference.csv": predictions(1), "metadata": b"truth"})
    bundle = write_bundle(tmp_path, CODALAB, reference_zip=reference, program_zip=pack({"a": b""}))
    import_bundle(bundle, tmp_path / "mine", "complexity", metrics=("pearson",))
    competition = read_competition(tmp_path / "mine")
    assert competition.title == "Lexical Complexity" and competition.figures == ("pearson",)
    trial, evaluation = competition.phases
    assert trial.name == "1-trial" and trial.closes == evaluation.opens
    assert evaluation.opens == datetime(2021, 1, 10, 12, tzinfo=UTC)
    assert evaluation.closes == datetime(2021, 6, 1, tzinfo=UTC)
    assert competition.limits.per_day == 10 and competition.limits.per_phase == 100
    pred = tmp_path / "pred.csv"
    pred.write_bytes(predictions(1))
    scores = Judge(competition).score(evaluation, pred)
    assert scores["final"]["scores"]["pearson"] == pytest.approx(1)
    with pytest.raises(FormatError, match="there already"):
        import_bundle(bundle, tmp_path / "mine", "complexity")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- just\n- a list", "a mapping"),
        ("title: x", "no phases"),
        ("phases: [{name: a, start: 2020-01-01}]", "reference data"),
        ("phases: [{name: a, start: 2020-01-01, reference_data: ../../etc/passwd}]", "not in the bundle"),
        ("phases: [{name: a, start: 2020-01-01, reference_data: /etc/passwd}]", "not in the bundle"),
        ("a: !!python/object/apply:os.system ['true']", "not YAML"),
        ("a: [", "not YAML"),
    ],
)  # fmt: skip
def test_bundles_that_are_wrong_or_hostile_are_refused(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(FormatError, match=said):
        import_bundle(write_bundle(tmp_path, text), tmp_path / "mine", "complexity")
    assert not (tmp_path / "mine" / "competition.toml").exists()


def test_a_codabench_bundle_scores_as_we_do_and_comes_back(tmp_path: Path) -> None:
    competition = read_competition(make_competition(tmp_path / "host"))
    bundle = tmp_path / "bundle.zip"
    bundle.write_bytes(export_competition(competition, "codabench", image="x:1"))
    with zipfile.ZipFile(bundle) as outer:
        assert {"competition.yaml", "logo.png", "reference_data_0.zip"} <= set(outer.namelist())
        for name, place in (("reference_data_0", "input/ref"), ("scoring_program", "program")):
            with zipfile.ZipFile(io.BytesIO(outer.read(f"{name}.zip"))) as inner:
                inner.extractall(tmp_path / place)
    (tmp_path / "input" / "res").mkdir()
    (tmp_path / "input" / "res" / "pred.csv").write_bytes(predictions(5))
    (tmp_path / "output").mkdir()
    words = [tmp_path / "program" / "score.py", tmp_path / "input", tmp_path / "output"]
    subprocess.run([sys.executable, *map(str, words)], check=True)
    said = json.loads((tmp_path / "output" / "scores.json").read_text())
    pred = tmp_path / "pred.csv"
    pred.write_bytes(predictions(5))
    ours = Judge(competition).score(competition.phases[0], pred)["final"]["scores"]
    assert said == {
        "words_pearson": ours["words"]["pearson"],
        "multi_pearson": ours["multi"]["pearson"],
    }
    import_bundle(bundle, tmp_path / "back", "complexity")
    back = read_competition(tmp_path / "back")
    assert back.phases[0].opens == competition.phases[0].opens
    assert (tmp_path / "back" / "gold" / "1-main" / "data").is_dir()


def test_tira_gets_inputs_without_gold_truths_and_an_evaluator(tmp_path: Path) -> None:
    competition = read_competition(make_competition(tmp_path / "host"))
    with zipfile.ZipFile(io.BytesIO(export_competition(competition, "tira", image=""))) as found:
        found.extractall(tmp_path / "tira")
    inputs = (tmp_path / "tira" / "main-inputs" / "inputs.jsonl").read_text().splitlines()
    assert len(inputs) == 24 and "complexity" not in inputs[0]
    run = tmp_path / "run"
    run.mkdir()
    (run / "pred.csv").write_bytes(predictions(1))
    words = [
        tmp_path / "tira" / "evaluator" / "score.py",
        tmp_path / "tira" / "main-truths",
        run,
        tmp_path,
    ]
    subprocess.run([sys.executable, *map(str, words)], check=True)
    assert 'key: "words.pearson"\n  value: "' in (tmp_path / "evaluation.prototext").read_text()
