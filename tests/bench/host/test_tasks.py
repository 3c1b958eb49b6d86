"""Every task can be hosted: its gold, handed in as a submission, has full marks on each part of a split."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia.bench.host.judge import Judge
from marginalia.bench.host.leaderboard import figures_of
from marginalia.bench.host.settings import read_competition
from marginalia.core.archive import pack
from marginalia.core.registry import get_benchmark
from marginalia.tasks.similarity.official.data import Score

FIRST = {
    "complexity": "words.pearson",
    "measurement": "overall.f1_overlap",
    "clarification": "accuracy",
    "similarity": "mean",
}


@pytest.mark.parametrize("name", FIRST)
def test_gold_is_a_perfect_submission(name: str, data: Path, tmp_path: Path) -> None:
    task = get_benchmark(name)
    split = task.load("dev", data)
    gold = split.require_gold()
    pred = {id: Score(value) for id, value in gold.items()} if name == "similarity" else gold
    (tmp_path / "sub.zip").write_bytes(pack(task.write_submission(split, pred)))
    (tmp_path / "competition.toml").write_text(
        f'title = "x"\ntask = "{name}"\ndata = "{data}"\n[[phases]]\nname = "a"\nsplit = "dev"\npublic = 0.4\n'
        "opens = 2020-01-01T00:00:00Z\n",
        encoding="utf-8",
    )
    competition = read_competition(tmp_path)
    scores = Judge(competition).score(competition.phases[0], tmp_path / "sub.zip")
    for part in ("public", "final"):
        found = figures_of(scores, part, competition.figures)
        assert found[FIRST[name]] == pytest.approx(1)


def test_classes_alone_are_not_ranked_by_a_correlation(data: Path, tmp_path: Path) -> None:
    task = get_benchmark("clarification")
    split = task.load("dev", data)
    files = task.write_submission(split, split.require_gold())
    (tmp_path / "sub.zip").write_bytes(pack({"labels.tsv": files["labels.tsv"]}))
    (tmp_path / "competition.toml").write_text(
        f'title = "x"\ntask = "clarification"\ndata = "{data}"\n[[phases]]\nname = "a"\nsplit = "dev"\n'
        "opens = 2020-01-01T00:00:00Z\n",
        encoding="utf-8",
    )
    competition = read_competition(tmp_path)
    scores = Judge(competition).score(competition.phases[0], tmp_path / "sub.zip")
    found = figures_of(scores, "final", ("accuracy", "spearman"))
    assert found == {"accuracy": 1.0, "spearman": None}
