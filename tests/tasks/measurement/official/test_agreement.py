"""Two annotators: their files, their agreement, and chance."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from marginalia import FormatError, MissingError
from marginalia.tasks.measurement.official.agreement import (
    agreement,
    by_quantity,
    chance_corrected,
    load_annotations,
)
from marginalia.tasks.measurement.official.brat import to_brat
from marginalia.tasks.measurement.official.match import CLASSES
from marginalia.tasks.measurement.official.spans import Spans
from marginalia.tasks.measurement.official.tsv import format_spans
from tests.tasks.measurement.invented import TEXTS, gold


def lay_out(folder: Path, one: dict[str, Spans], other: dict[str, Spans]) -> Path:
    """A data folder with the invented paragraphs as train and these annotators."""
    base = folder / "measeval"
    for doc, text in TEXTS.items():
        write(base / "train" / "text" / f"{doc}.txt", text)
        write(base / "train" / "tsv" / f"{doc}.tsv", format_spans(doc, gold()[doc]))
    for name, docs in (("annotator1", one), ("annotator2", other)):
        for doc, spans in docs.items():
            for file, content in to_brat(doc, spans, TEXTS[doc]).items():
                write(base / "iaa" / name / file, content)
    return folder


def write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="")


def differing() -> dict[str, Spans]:
    """The second annotator: another entity, no modifier, a quantity overlooked."""
    spans = list(gold()["S01-1"])
    spans[1] = replace(spans[1], start=41, end=45, text="rose")
    spans[2] = replace(spans[2], other={"unit": "°C"})
    return {**gold(), "S01-1": tuple(spans[:6])}


def test_who_says_the_same_agrees_fully(tmp_path: Path) -> None:
    report = agreement(lay_out(tmp_path, gold(), gold()))
    assert list(report.scores) == ["overall", *CLASSES]
    for name, row in report.scores.items():
        assert row["f1_overlap"] == row["exact_match"] == row["f_measure"] == 1, name
        assert row["annotator1_with_gold"] == row["annotator2_with_gold"] == 1
    assert report.scores["Unit"]["kappa"] == report.scores["MeasuredEntity"]["kappa"] == 1
    assert math.isnan(report.scores["HasQuantity"]["kappa"])
    assert report.also == {
        "quantities": 5,
        "quantities_of_one_annotator_only": 0,
        "paragraphs": 3,
        "articles": 2,
    }


def test_what_differs_is_counted_once_on_each_side(tmp_path: Path) -> None:
    report = agreement(lay_out(tmp_path, gold(), differing()))
    scores = report.scores
    assert scores["Quantity"]["f1_overlap"] == pytest.approx(4 / 5)
    # Four entities of the first: two found, one other instead, one overlooked.
    assert scores["MeasuredEntity"]["f1_overlap"] == pytest.approx(2 / 5)
    assert scores["modifier"]["f1_overlap"] == pytest.approx(3 / 5)
    assert scores["Unit"]["f1_overlap"] == 1
    assert 0 < scores["MeasuredEntity"]["kappa"] < 1
    assert scores["MeasuredEntity"]["annotator1_with_gold"] == 1
    assert scores["MeasuredEntity"]["annotator2_with_gold"] < 1
    assert report.also["quantities_of_one_annotator_only"] == 1


def test_it_does_not_matter_who_comes_first(tmp_path: Path) -> None:
    one = agreement(lay_out(tmp_path / "a", gold(), differing())).scores
    other = agreement(lay_out(tmp_path / "b", differing(), gold())).scores
    for name in one:
        for figure in ("f1_overlap", "exact_match", "f_measure", "kappa"):
            assert one[name][figure] == pytest.approx(other[name][figure], nan_ok=True)


def test_agreement_by_chance_alone_is_near_zero() -> None:
    texts = {"a": " ".join(["word"] * 100)}
    spans = gold()["S02-7"][2:3]
    one = {"a-1": [replace(spans[0], start=0, end=100)]}
    other = {"a-1": [replace(spans[0], start=50, end=150)]}
    kappa = chance_corrected(texts, one, other)
    assert -0.2 < kappa["MeasuredEntity"] < 0.5
    assert math.isnan(kappa["Qualifier"]), "neither used it"


def test_each_set_stands_for_itself() -> None:
    sets = by_quantity(gold())
    assert list(sets) == ["S01-1-1", "S01-1-2", "S01-1-3", "S02-7-1", "S02-7-2"]
    assert [span.text for span in sets["S01-1-3"]] == ["12", "samples"]


def test_missing_and_broken_files_are_named(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, gold(), gold())
    write(folder / "measeval" / "iaa" / "annotator1" / "S09-9-1.ann", "")
    with pytest.raises(FormatError, match=r"S09-9-1\.ann: there is no paragraph"):
        agreement(folder)
    whole = folder / "measeval" / "iaa"
    whole.rename(folder / "elsewhere")
    with pytest.raises(MissingError, match="fetch_data\\('measurement'\\)"):
        agreement(folder)


def test_the_official_annotators(data: Path) -> None:
    found = load_annotations(data)
    assert len(found.texts) == 75
    assert [len(by_quantity(side)) for side in (found.one, found.other)] == [244, 243]
    report = agreement(data)
    assert report.also["articles"] == 49
    f1 = {name: row["f1_overlap"] for name, row in report.scores.items()}
    assert f1["overall"] == pytest.approx(0.5436, abs=1e-4)
    assert f1["Quantity"] > 0.95 > f1["Unit"] > f1["modifier"] > f1["MeasuredEntity"]
    assert f1["Qualifier"] < 0.2
    for row in report.scores.values():
        assert (
            row["f1_overlap"]
            <= max(row["annotator1_with_gold"], row["annotator2_with_gold"]) + 0.05
        )
