"""The MeasEval metrics by properties and small cases; the recorded official ones are in tests/parity."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError
from marginalia.core.stats import bootstrap
from marginalia.tasks.measurement.official.data import load
from marginalia.tasks.measurement.official.duplicates import without_overlaps, without_repeats
from marginalia.tasks.measurement.official.match import (
    CLASSES,
    match,
    token_overlap,
    total,
)
from marginalia.tasks.measurement.official.score import score, statistics
from marginalia.tasks.measurement.official.spans import Span
from tests.tasks.measurement.invented import gold, invented

TEXT = "a bc def 12 mm of x or 3.5 kg in the y z at night then 7 more of it"


@st.composite
def paragraphs(draw, gap: int = 1) -> tuple[Span, ...]:
    """Sets of one quantity and up to three others; quantities lie apart, as in the official gold."""
    spans: list[Span] = []
    end = 0
    for number in range(1, draw(st.integers(0, 4)) + 1):
        start = end + gap + draw(st.integers(0, 3))
        end = start + draw(st.integers(1, 6))
        other = draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "mods": st.lists(
                        st.sampled_from(["IsRange", "IsCount"]), min_size=1, unique=True
                    ),
                    "unit": st.sampled_from(["mm", "kg"]),
                },
            )
        )
        spans.append(_span(number, "Quantity", start, end, 1, other))
        if draw(st.booleans()):
            a = draw(st.integers(0, 40))
            spans.append(_span(number, "MeasuredProperty", a, a + 4, 2, {"HasQuantity": 1}))
            spans.append(_span(number, "MeasuredEntity", a + 9, a + 12, 3, {"HasProperty": 2}))
        if draw(st.booleans()):
            a = draw(st.integers(0, 50))
            spans.append(_span(number, "Qualifier", a, a + 7, 4, {"Qualifies": 1}))
    return tuple(spans)


def _span(set: int, type: str, start: int, end: int, id: int, other: dict) -> Span:
    named = {key: f"T{v}-{set}" if isinstance(v, int) else v for key, v in other.items()}
    return Span(set, type, start, end, f"T{id}-{set}", TEXT[start:end], named)


@given(paragraphs())
def test_a_perfect_prediction_scores_the_maximum(spans: tuple[Span, ...]) -> None:
    whole = total(match(spans, spans).classes.values())
    assert whole.submission_only == whole.gold_only == 0
    assert whole.exact == whole.overlap == whole.unshared == whole.matches == whole.rows
    split = replace(invented(), gold=dict.fromkeys(invented().items, spans))
    overall = score(split, split.require_gold()).scores["overall"]
    assert spans == () or overall["f1_overlap"] == overall["exact_match"] == 1


@given(paragraphs(), paragraphs(), st.randoms())
def test_the_order_of_rows_never_matters(truth, pred, random) -> None:
    turned, other = list(pred), list(truth)
    random.shuffle(turned)
    random.shuffle(other)
    first, second = match(truth, pred), match(other, turned)
    for name in CLASSES:
        a, b = first.classes[name], second.classes[name]
        assert (a.matches, a.submission_only, a.gold_only) == (
            b.matches,
            b.submission_only,
            b.gold_only,
        )
        assert (a.exact, a.overlap) == pytest.approx((b.exact, b.overlap))


@given(paragraphs(), paragraphs())
def test_every_item_is_counted(truth, pred) -> None:
    """Each gold item is matched or missed, each submitted one matched or wrong, save excused units."""
    classes = match(truth, pred).classes
    for name in ("Quantity", "MeasuredEntity", "MeasuredProperty", "Qualifier"):
        n_gold, n_pred = (sum(s.type == name for s in side) for side in (truth, pred))
        tally = classes[name]
        assert 0 <= tally.gold_only <= n_gold
        assert 0 <= tally.submission_only <= n_pred
        assert (tally.gold_only < n_gold) == (tally.submission_only < n_pred) == (tally.matches > 0)
        assert tally.exact <= tally.matches
        assert tally.unshared <= tally.overlap + 1e-12
        assert tally.overlap <= tally.matches + 1e-12


def quantity(set: int, start: int, end: int, **other) -> Span:
    return _span(set, "Quantity", start, end, 1, other)


def test_the_overlap_is_of_blank_separated_pieces() -> None:
    truth = quantity(1, 9, 14)  # 12 mm
    assert token_overlap(truth, truth) == 1
    assert token_overlap(quantity(1, 9, 11), truth) == pytest.approx(2 / 3)
    assert token_overlap(quantity(1, 9, 13), truth) == 1, "a cut piece counts whole"
    assert token_overlap(quantity(1, 14, 14), truth) == pytest.approx(2 / 3), "nothing is one piece"


def test_touching_spans_match_and_are_counted_apart() -> None:
    found = match([quantity(1, 9, 14)], [quantity(1, 14, 17), quantity(2, 18, 19)])
    assert found.classes["Quantity"].matches == 1
    assert found.classes["Quantity"].submission_only == 1
    assert found.matches_without_common_character == 1


def test_a_set_is_tied_to_the_highest_gold_set_it_meets() -> None:
    truth = [quantity(2, 0, 4, unit="mm"), quantity(1, 6, 9, unit="kg")]
    found = match(truth, [quantity(5, 2, 7, unit="kg")])
    assert found.quantities_matching_several == 1
    assert found.classes["Unit"].matches == 0, "it is tied to set 2, whose unit is mm"
    assert match(truth, [quantity(5, 2, 7, unit="mm")]).classes["Unit"].matches == 1


def test_a_wrong_unit_beside_a_right_one_is_excused() -> None:
    truth = [quantity(1, 9, 14, unit="mm")]
    right, wrong = quantity(1, 9, 14, unit="mm"), quantity(2, 9, 14, unit="kg")
    unit = match(truth, [right, wrong]).classes["Unit"]
    assert (unit.matches, unit.submission_only, unit.gold_only) == (1, 0, 0)
    unit = match(truth, [wrong]).classes["Unit"]
    assert (unit.matches, unit.submission_only, unit.gold_only) == (0, 1, 1)


def test_null_units_and_empty_lists_of_modifiers_are_wrong_and_empty_units_are_none() -> None:
    truth = [quantity(1, 9, 14)]
    found = match(truth, [quantity(1, 9, 14, unit=None, mods=[])])
    assert found.classes["Unit"].submission_only == found.classes["modifier"].submission_only == 1
    assert match(truth, [quantity(1, 9, 14, unit="")]).classes["Unit"].rows == 0


def test_a_relation_needs_both_its_ends() -> None:
    truth = gold()["S01-1"]
    pred = [
        replace(span, other={"Qualifies": "T1-2"}) if span.type == "Qualifier" else span
        for span in truth
    ]
    classes = match(truth, pred).classes
    assert classes["Qualifier"].exact == 1
    assert (classes["Qualifies"].submission_only, classes["Qualifies"].gold_only) == (1, 1)
    lost = match(truth, [span for span in truth if span.id != "T2-2"]).classes
    assert lost["HasProperty"].matches == 0
    assert lost["Qualifies"].submission_only == 1, "its target is not in the set any more"


def test_repeated_sets_raise_the_official_figure_and_the_right_one_stands_beside_it() -> None:
    split = invented()
    one = gold()["S01-1"][:2]
    again = [
        replace(span, set=s, id=f"{span.id[:2]}-{s}", other={}) for s in (7, 8) for span in one
    ]
    pred = {**dict.fromkeys(split.items, ()), "S01-1": (*one, *again)}
    report = score(split, pred)
    clean = score(split, {**pred, "S01-1": one}).scores
    assert report.scores["overall"]["f1_overlap"] > clean["overall"]["f1_overlap"]
    assert report.also["repeated_sets_removed"] == report.also["overlapping_sets_removed"] == 2
    assert report.also["official_after_removal_of_repeated_sets"]["overall"] == clean["overall"]
    assert report.also["gold_quantities_matched_more_than_once"] == 1
    assert any(warning.startswith("2 repeated sets") for warning in report.warnings)


def test_removal_keeps_the_first_of_each() -> None:
    spans = [quantity(1, 9, 14), quantity(2, 12, 14), quantity(3, 9, 14), quantity(4, 20, 22)]
    assert without_repeats(spans) == ([spans[0], spans[1], spans[3]], 1)
    assert without_overlaps(spans) == ([spans[0], spans[3]], 2)


def test_ids_that_restart_in_each_set_share_the_best_value_and_the_true_one_stands_beside_it() -> (
    None
):
    split = invented()
    shared = [replace(span, id=span.id.split("-")[0], other={}) for span in gold()["S01-1"]]
    cut = [replace(s, end=s.end - 4, text=s.text[:-4]) if s.text == "20 °C" else s for s in shared]
    report = score(split, {"S01-1": tuple(cut)})
    assert report.scores["class"]["Quantity"]["exact_match"] == pytest.approx(2 / 5)
    assert report.scores["class"]["Quantity"]["f1_overlap"] == pytest.approx(3 / 5)
    assert report.also["f1_overlap_without_sharing"] < report.scores["overall"]["f1_overlap"]


def test_modes_classes_and_subjects_are_apart() -> None:
    split = invented()
    pred = {**split.require_gold(), "S02-7": ()}
    scores = score(split, pred).scores
    assert list(scores) == ["counts", "overall", "class", "doc", "classdoc", "subject"]
    assert list(scores["class"]) == list(CLASSES)
    assert scores["counts"]["gold"]["Quantity"] == 5
    assert scores["counts"]["submission"]["Quantity"] == 3
    assert scores["doc"] == {
        "S01-1": {"exact_match": 1, "f1_overlap": 1},
        "S02-7": {"exact_match": 0, "f1_overlap": 0},
    }
    assert scores["subject"]["Earth Science"]["f_measure"] == 1
    assert scores["subject"]["Biology"] == {"note": "no data", "exact_match": 0, "f1_overlap": 0}
    assert math.isnan(scores["subject"]["Astronomy"]["f1_overlap"])
    assert scores["classdoc"]["S02-7"]["HasProperty"]["f1_overlap"] == 0
    assert scores["overall"]["recall"] == pytest.approx(17 / 30)


def test_nothing_submitted_and_nothing_right_have_their_notes() -> None:
    split = invented()
    nothing = score(split, {}).scores["overall"]
    assert (nothing["note"], nothing["f1_overlap"]) == ("no data", 0)
    wrong = score(split, {"S01-2": (Span(1, "Quantity", 0, 7, "T1-1", "Nothing"),)})
    assert wrong.scores["overall"]["note"] == "no matches"
    assert wrong.also["paragraphs_without_submission"] == 2


def test_other_words_than_the_paragraph_has_are_counted() -> None:
    split = invented()
    (first, *rest) = gold()["S02-7"]
    pred = {**gold(), "S02-7": (replace(first, text=" " * len(first.text)), *rest)}
    report = score(split, pred)
    assert report.scores["class"]["Quantity"]["f1_overlap"] > 1, (
        "the official text column is trusted"
    )
    assert report.also["rows_whose_text_differs_from_the_paragraph"] == 1
    assert any("quote another text" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("span", "message"),
    [
        (Span(1, "Quantity", 0, 9, "T1-1", "At"), "S01-1: the text has 2 characters"),
        (Span(1, "Number", 0, 2, "T1-1", "At"), "S01-1: the annotType 'Number'"),
    ],
)
def test_impossible_predictions_are_refused(span: Span, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        score(invented(), {"S01-1": (span,)})


def test_a_repeated_id_is_refused() -> None:
    spans = gold()["S02-7"]
    with pytest.raises(FormatError, match="T1-1 is given twice in set 1"):
        score(invented(), {"S02-7": (*spans, spans[0])})


def test_the_statistic_is_the_score_of_the_drawn_articles() -> None:
    split = invented()
    pred = {**gold(), "S02-7": gold()["S02-7"][:2], "S01-2": (quantity(1, 0, 4),)}
    statistic = statistics(split, pred)["overall.f1_overlap"]
    assert statistic([0, 1]) == pytest.approx(score(split, pred).scores["overall"]["f1_overlap"])
    second = split.take(["S02-7"])
    alone = score(second, {"S02-7": pred["S02-7"]}).scores["overall"]["f1_overlap"]
    assert statistic([1, 1]) == statistic([1]) == pytest.approx(alone)
    interval = bootstrap(statistic, 2, n=200)
    assert interval.low <= statistic([0, 1]) <= interval.high


def test_all_published_paragraphs_score_the_maximum_against_themselves(data: Path) -> None:
    train, dev = load("train", data), load("dev", data)
    split = replace(
        train,
        items={**train.items, **dev.items},
        gold={**train.require_gold(), **dev.require_gold()},
        group={**train.group, **dev.group},
    )
    overall = score(split, split.require_gold()).scores["overall"]
    assert len(split) == 313
    assert overall["f1_overlap"] == overall["exact_match"] == overall["f_measure"] == 1
