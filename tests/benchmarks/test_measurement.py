"""The measurement benchmark: its figures, files of predictions and tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import measurement
import pytest

from marginalia import FormatError
from marginalia.tasks.measurement.official.spans import Span, encode
from marginalia.tasks.measurement.systems.shipped import WEIGHTS
from tests.tasks.measurement.invented import TEXTS, gold, invented

GROUP = invented().group


def test_gold_against_itself_is_perfect_in_every_component() -> None:
    found = measurement.figures(gold(), gold(), GROUP)
    assert next(iter(found)) == "overall" and len(found) == 10
    for value in found.values():
        assert value["f1_overlap"] == value["low"] == value["high"] == 1
        assert value["precision"] == value["recall"] == 1


def test_figures_are_those_of_the_official_scorer() -> None:
    pred = {doc: spans[:3] for doc, spans in gold().items()}
    scores = measurement.TASK.score(invented(), pred).scores
    found = measurement.figures(gold(), pred, GROUP)
    assert found["overall"]["f1_overlap"] == pytest.approx(scores["overall"]["f1_overlap"])
    assert found["Unit"]["f1_overlap"] == pytest.approx(scores["class"]["Unit"]["f1_overlap"])
    assert found["overall"]["low"] <= found["overall"]["f1_overlap"] <= found["overall"]["high"]
    several = measurement.figures(gold(), pred, GROUP, {"both": ("Quantity", "Unit")})
    assert found["Quantity"]["recall"] < several["both"]["recall"] < found["Unit"]["recall"]


def test_predictions_come_from_a_file_where_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    path.write_text(json.dumps({doc: encode(spans) for doc, spans in gold().items()}))
    assert measurement.predictions("ours", invented(), {"ours": path}) == gold()
    assert len(measurement.predictions("numbers", invented().take(TEXTS), {})) == 3


def test_the_weights_of_the_folds_predict(tmp_path: Path) -> None:
    for path in WEIGHTS.iterdir():
        (tmp_path / path.name).symlink_to(path)
    manifest = json.loads((WEIGHTS / "manifest.json").read_text(encoding="utf-8"))
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "left_out": [1]}))
    found = measurement.predictions("strict", invented(), {"strict": tmp_path})
    _, left_out = list(invented().folds(measurement.FOLDS))[1]
    shipped = measurement.TASK.system("strict").predict(left_out.items)
    assert quantities(found) == quantities(shipped) and any(quantities(found).values())


def quantities(pred: Mapping[str, Sequence[Span]]) -> dict[str, list[tuple[int, int]]]:
    """Their places; what they are of depends on span weights, which are fitted again without each article."""
    return {
        id: [(one.start, one.end) for one in spans if one.type == "Quantity"]
        for id, spans in pred.items()
    }


def test_only_what_is_fitted_without_its_articles_is_held_out() -> None:
    assert measurement.held_out("baseline-1", {}) == "yes"
    assert measurement.held_out("numbers", {}) == "no"
    assert (
        measurement.held_out("ours of five folds", {"ours of five folds": Path("ours.json")})
        == "yes"
    )
    assert measurement.held_out("pointer", {"pointer": Path("ours.json")}) == "partly"


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda rows: rows.pop("S01-2"), "1 paragraphs are missing, S01-2 is one"),
        (lambda rows: rows["S01-1"][0].update(text="99 °F"), "S01-1: T1-1 quotes another text"),
        (lambda rows: rows["S01-1"][0].update(type="Number"), "S01-1: the annotType 'Number'"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, change, message: str) -> None:
    rows = {doc: encode(spans) for doc, spans in gold().items()}
    change(rows)
    path = tmp_path / "ours.json"
    path.write_text(json.dumps(rows))
    with pytest.raises(FormatError, match=rf"ours\.json: {message}"):
        measurement.read_predictions([path], invented())


def test_only_measured_parts_have_tables() -> None:
    assert measurement.tables({"command": "x"}) == {}
    components = measurement.figures(gold(), gold(), GROUP)
    row = {
        "held_out": "no",
        "paragraphs": 3,
        "components": components,
        "dev": components,
        "folds": [1.0, 1.0],
    }
    found = measurement.tables({"quality": {"zeta": row, "numbers": row}})
    assert [mark for _, mark in found] == ["measurement:quality", "measurement:components"]
    lines = found[next(iter(found))].splitlines()
    assert lines[2].startswith("| `numbers` | no | 3 | 1.000 [1.000, 1.000] |")
    assert lines[3].startswith("| `zeta` |"), "what the task does not list comes last"


def test_the_labelled_paragraphs(data: Path) -> None:
    split = measurement.labelled()
    assert len(split) == 313
    assert (
        sum(s.type == "Quantity" for spans in split.require_gold().values() for s in spans) == 1164
    )
    outs = [set(out.group.values()) for _, out in split.folds(measurement.FOLDS)]
    assert sum(map(len, outs)) == len(set.union(*outs))
