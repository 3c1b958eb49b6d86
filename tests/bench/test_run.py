"""Runs of a small task: predictions, scores, intervals, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from marginalia import ContractError, FormatError, Run, Split, UnknownNameError
from marginalia.bench import run as bench
from marginalia.core.runs import runs
from tests.sixth import DATA, sixth_task

TASK = sixth_task()


def test_a_run_holds_all_that_is_needed_to_score_it_again(tmp_path: Path) -> None:
    result = bench.run(TASK, "dev", data=DATA)
    done, report = result.run, result.report
    assert report is not None
    assert done.scores == {"accuracy": pytest.approx(5 / 6)}
    interval = done.intervals["accuracy"]
    assert 0.3 < interval["low"] < 5 / 6 < interval["high"] == 1
    assert done.command == "marginalia bench run acronyms --system brackets --split dev"
    assert not done.seen_in_training
    assert len(done.data_hash) == 64

    path = done.save(tmp_path)
    again = Run.load(path)
    assert again == done
    assert done.save(tmp_path) != path, "a run of the same second was overwritten"
    pred = {id: TASK.decode(value) for id, value in again.predictions.items()}
    assert TASK.score(TASK.load("dev", DATA), pred).scores == again.scores


def test_its_submission_scores_as_its_run(tmp_path: Path) -> None:
    split = TASK.load("dev", DATA)
    done = bench.run(TASK, "dev", data=DATA, resamples=0).run
    files = TASK.write_submission(split, done.predictions)
    (tmp_path / "acronyms.json").write_text(files["acronyms.json"], encoding="utf-8")
    gold = DATA / "acronyms" / "dev.jsonl"
    assert TASK.score_files(gold, tmp_path).scores == done.scores
    with pytest.raises(FormatError, match=r"dev\.jsonl: one JSON object"):
        TASK.score_files(gold, gold)


def test_a_system_that_saw_the_split_is_marked() -> None:
    seen = bench.run(TASK, "train", data=DATA, system="majority", resamples=0).run
    unseen = bench.run(TASK, "dev", data=DATA, system="majority", resamples=0).run
    assert (seen.seen_in_training, unseen.seen_in_training) == (True, False)
    assert seen.intervals == {}


def test_a_run_says_how_many_folds_there_were() -> None:
    groups = len(set(TASK.load("train", DATA).group.values()))
    done = bench.run(TASK, "train", data=DATA, system="majority", folds=10_000, resamples=0).run
    assert done.folds == groups
    assert f" --folds {groups} " in done.command
    with pytest.raises(FormatError, match="1 folds: at least two"):
        bench.run(TASK, "train", data=DATA, system="majority", folds=1)


def test_a_split_without_gold_is_predicted_but_not_scored() -> None:
    blind = replace(TASK, load=lambda name, folder: replace(TASK.load(name, folder), gold=None))
    result = bench.run(blind, "test", data=DATA)
    done, report = result.run, result.report
    assert report is None and done.scores is None and done.intervals == {}
    assert len(done.predictions) == 4


def test_chunks_keep_groups_together_and_progress_ends_at_the_whole(monkeypatch) -> None:
    monkeypatch.setattr(bench, "CHUNK_ITEMS", 3)
    asked: list[set[str]] = []

    class Spy:
        def predict(self, items):
            asked.append({id[0] for id in items})
            return dict.fromkeys(items, True)

    ids = [f"{group}{i}" for group in "abcd" for i in range(2)]
    split = Split(
        name="dev",
        items=dict.fromkeys(ids),
        gold=None,
        group={id: id[0] for id in ids},
    )
    told: list[tuple[str, int, int]] = []
    pred = bench.predict(Spy(), split, lambda *words: told.append(words))
    assert list(pred) == ids
    assert asked == [{"a", "b"}, {"c", "d"}]
    assert told[-1] == ("predict", 8, 8)


def test_a_system_that_leaves_items_out_is_refused() -> None:
    class Lazy:
        def predict(self, items):
            return {}

    with pytest.raises(ContractError, match="no prediction for 6 of 6"):
        bench.predict(Lazy(), TASK.load("dev", DATA))


def test_unknown_names_list_what_there_is() -> None:
    with pytest.raises(
        UnknownNameError, match=r"Did you mean 'brackets'\? Known: brackets, majority"
    ):
        bench.run(TASK, "dev", data=DATA, system="bracket")
    with pytest.raises(UnknownNameError, match="Known: dev, test, train"):
        bench.run(TASK, "trial", data=DATA)
    with pytest.raises(FormatError, match="candidates='all' does not fit acronyms"):
        bench.run(TASK, "dev", data=DATA, options={"candidates": "all"})


def test_runs_are_listed_oldest_first(tmp_path: Path) -> None:
    done = bench.run(TASK, "dev", data=DATA, resamples=0).run
    late = replace(done, created="2030-01-01T00:00:00Z")
    early = replace(done, created="2020-01-01T00:00:00Z")
    for run in (late, early):
        run.save(tmp_path)
    assert [run.created[:4] for _, run in runs(tmp_path)] == ["2020", "2030"]
    assert list(runs(tmp_path, "complexity")) == []


def test_a_file_that_is_no_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"task": "complexity"}', encoding="utf-8")
    with pytest.raises(FormatError, match="not a run"):
        Run.load(path)


def test_the_command_makes_the_intervals_again_too() -> None:
    done = bench.run(TASK, "dev", data=DATA, seed=7, resamples=20).run
    assert done.command.endswith("--split dev --seed 7 --resamples 20")
