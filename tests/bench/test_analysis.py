"""Error analysis, runs together, learning curves, and the pages they make."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from marginalia import FormatError, Run, UnknownNameError, get_benchmark
from marginalia.bench.analysis import analyse_runs
from marginalia.bench.board import boards
from marginalia.bench.combination import combine_runs, mean_of
from marginalia.bench.compare import compare_runs
from marginalia.bench.report import (
    Dot,
    analysis_page,
    as_latex,
    as_markdown,
    board_page,
    comparison_page,
    dot_plot,
)
from marginalia.bench.run import learning_curve, run
from marginalia.cli.bench.analysis import curve_command
from marginalia.cli.bench.group import bench_command
from marginalia.core import registry
from marginalia.core.benchmark import uniform
from marginalia.core.data_folder import data_hash
from marginalia.tasks.clarification.official.ratings import Rating
from tests.sixth import DATA, sixth_task
from tests.tasks.clarification.invented import invented

TASK = sixth_task()


def made(system: str, split: str = "dev") -> Run:
    return run(TASK, split, data=DATA, system=system, resamples=0).run


def test_what_two_runs_get_wrong() -> None:
    found = analyse_runs(TASK, made("brackets"), made("majority"), data=DATA)
    assert found.figure == "accuracy" and found.n == 6
    assert found.values == (pytest.approx(5 / 6), pytest.approx(3 / 6))
    assert found.oracle == pytest.approx(5 / 6)  # nobody has the sixth
    assert (found.right_by_all, found.right_by_none) == (3, 1)
    assert [row.id for row in found.flipped] == ["dev-1", "dev-3"]
    assert found.flipped[0].change == 1 and "liquid crystal display" in found.flipped[0].text
    assert found.confusions["majority"] == {
        "explained → unexplained": 3,
        "unexplained → unexplained": 3,
    }
    assert found.agreement == {"brackets / majority": pytest.approx(4 / 6)}
    assert found.loss_correlation == {}
    assert json.loads(json.dumps(found.to_dict()))["hardest"][0]["id"] == "dev-5"


def test_a_figure_of_sentences_takes_all_their_fillers(
    tmp_path: Path,
) -> None:
    """With the first filler of each alone, no sentence has several plausible ones and everybody is right."""
    split = invented(tmp_path)
    mixed = {**split.items, "7_2": replace(split.items["7_2"], filler="leg")}
    split = replace(split, items=mixed)
    task = replace(get_benchmark("clarification"), load=lambda name, folder: split)
    gold = split.require_gold()
    none = Rating("IMPLAUSIBLE", 1.0)
    wrong = {
        number: {id: none if id.startswith(number) else gold[id] for id in gold}
        for number in ("7", "8")
    }
    first, second = (
        replace(
            made("brackets"),
            task="clarification",
            system=f"without {number}",
            data_hash=data_hash(split.files),
            predictions={id: task.encode(rating) for id, rating in pred.items()},
        )
        for number, pred in wrong.items()
    )
    found = analyse_runs(task, first, second, data=tmp_path, figure="multiple_plausible.accuracy")
    assert found.values == (0.5, 0.5) and found.oracle == 1.0 and found.n == 2
    assert [(row.facet, row.value, row.n, row.figures) for row in found.breakdowns] == [
        ("phenomenon", "implicit reference", 1, (0.0, 1.0)),
        ("phenomenon", "noun compound", 1, (1.0, 0.0)),
    ]


def test_of_numbers_the_losses_are_correlated(data: Path) -> None:
    """Two systems that say the opposite are off on the same items: that is no agreement."""
    dev = get_benchmark("complexity").load("dev", data)
    around = {id: 0.1 + 0.3 * uniform(id) for id in dev.items}
    runs = [
        replace(
            made("brackets"),
            task="complexity",
            system=name,
            data_hash=data_hash(dev.files),
            predictions={id: gold + sign * around[id] for id, gold in dev.require_gold().items()},
        )
        for name, sign in (("above", 1), ("below", -1))
    ]
    found = analyse_runs("complexity", *runs, data=data)
    assert found.agreement == {}
    assert found.loss_correlation == {"above / below": pytest.approx(1)}


def test_the_example_of_a_learning_curve_shows_one(data: Path) -> None:
    [example] = re.findall(r"bench curve (\S+) --system (\S+)", str(curve_command.help))
    points = learning_curve(example[0], system=example[1], shares=(0.1, 1), data=data)
    small, whole = (point.figures for point in points)
    assert all(small[path] != whole[path] for path in small)


def test_an_unknown_figure_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="Known: accuracy"):
        analyse_runs(TASK, made("brackets"), data=DATA, figure="f1")
    with pytest.raises(FormatError, match="no run is named"):
        analyse_runs(TASK, data=DATA)


def test_a_vote_of_runs() -> None:
    both = combine_runs(
        TASK, made("brackets"), made("majority"), made("brackets"), data=DATA, resamples=0
    )
    assert both.run.scores == made("brackets").scores
    assert both.run.system == "mean of brackets #1 + majority + brackets #3"
    with pytest.raises(FormatError, match="one run alone"):
        combine_runs(TASK, made("brackets"), data=DATA)
    with pytest.raises(FormatError, match="only numbers can be stacked"):
        combine_runs(TASK, made("brackets"), made("majority"), data=DATA, how="stack")


def test_a_vote_that_decides_nothing_is_told() -> None:
    two = combine_runs(TASK, made("majority"), made("brackets"), data=DATA, resamples=0)
    assert two.run.scores == made("majority").scores
    assert two.report is not None and two.report.warnings == (
        "the vote is tied on 2 of 6 items, which have the class that majority gives them; "
        "a third run would decide",
    )
    three = (made("majority"), made("brackets"), made("brackets"))
    assert combine_runs(TASK, *three, data=DATA, resamples=0).report.warnings == ()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("values", "mean"),
    [
        ([0.25, 0.75], 0.5),
        (["a", "b", "b"], "b"),
        ([1, 0, 0], 0),
        (
            [{"label": "x", "score": 1.0}, {"label": "x", "score": 2.0}],
            {"label": "x", "score": 1.5},
        ),
        ([[1.0, 2.0], [3.0, 4.0]], [2.0, 3.0]),
        ([None, None], None),
        (
            [{"is_variable": 1, "ranking": None}, {"is_variable": None, "ranking": [["a", 1.0]]}],
            {"is_variable": 1, "ranking": [["a", 1 / 61]]},
        ),
        ([{"ranking": [["a", 1.0]]}, {"ranking": None}], {"ranking": [["a", 1 / 61]]}),
    ],
)
def test_the_mean_of_predictions(values: list, mean: object) -> None:  # type: ignore[type-arg]
    assert mean_of(values) == mean


def test_rankings_are_fused_by_their_places() -> None:
    fused = mean_of([[["a", 9.0], ["b", 8.0]], [["b", 0.2], ["c", 0.1]]])
    assert [id for id, _ in fused] == ["b", "a", "c"]
    with pytest.raises(FormatError, match="cannot be combined"):
        mean_of([[1.0], [1.0, 2.0]])


def test_a_learning_curve_grows_by_whole_groups() -> None:
    points = learning_curve(TASK, system="majority", shares=(1, 0.25, 0.5), data=DATA)
    assert [point.groups for point in points] == [2, 4, 8]
    assert all(0 <= point.figures["accuracy"] <= 1 for point in points)  # type: ignore[operator]
    with pytest.raises(FormatError, match="above 0 and is at most 1"):
        learning_curve(TASK, system="majority", shares=(0,), data=DATA)
    with pytest.raises(FormatError, match="does not learn"):
        learning_curve(TASK, system="brackets", data=DATA)


def test_pages_escape_what_they_show() -> None:
    evil = "<script>alert(1)</script>"
    one = replace(made("brackets", "train"), system=evil)
    other = made("majority", "train")
    pages = [
        comparison_page(compare_runs(TASK, one, other, split="train", data=DATA)),
        analysis_page(analyse_runs(TASK, one, other, split="train", data=DATA)),
        board_page("complexity", boards("complexity", [])),
    ]
    for page in pages:
        assert "<script" not in page and page.startswith("<!doctype html>")
        assert "src=" not in page and "href=" not in page  # nothing from outside
    assert "&lt;script&gt;" in pages[0]


def test_a_plot_tells_its_values_as_text() -> None:
    plot = dot_plot([Dot("a", 0.5, 0.4, 0.6), Dot("b & c", 0.7)], title="Scores", axis="F1")
    assert "<title>Scores: a 0.5; b &amp; c 0.7</title>" in plot and plot.count("<circle") == 2
    assert dot_plot([], title="", axis="") == ""
    assert dot_plot([Dot("one", 1.0)], title="", axis="").count("<circle") == 1


def test_tables_escape_what_their_language_means() -> None:
    assert as_markdown(["a|b"], [["c\nd"]]) == "| a\\|b |\n| --- |\n| c d |\n"
    assert r"90 \% \& x\_y" in as_latex(["h"], [["90 % & x_y"]])


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "get_benchmark", {TASK.name: TASK}.__getitem__)
    for system in ("brackets", "majority"):
        made(system).save(tmp_path)
    where = ["--data", str(DATA), "--runs", str(tmp_path)]

    def call(*words: str) -> str:
        result = CliRunner().invoke(bench_command, list(words))
        assert result.exit_code == 0, result.output
        return result.stdout

    assert "Right by all: 3; right by none: 1." in call(
        "analyse", TASK.name, "brackets", "majority", *where
    )
    call("combine", TASK.name, "brackets", "majority", "--name", "both", *where)
    assert "both" in call("runs", TASK.name, "--runs", str(tmp_path))
    page = tmp_path / "page.html"
    call("analyse", TASK.name, "both", "-o", str(page), *where)
    assert "Hardest items" in page.read_text(encoding="utf-8")
    assert "0.2500" in call(
        "curve", TASK.name, "--system", "majority", "--shares", "0.25,1", "--data", str(DATA)
    )
