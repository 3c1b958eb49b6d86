"""The baselines keep the contract and find what they should find."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import ContractError, FormatError, check_benchmark, check_system, get_benchmark
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import check_spans
from marginalia.tasks.measurement.official.tokens import tokens
from marginalia.tasks.measurement.systems.baselines import InOrder, Numbers, Proximity, find_unit
from marginalia.tasks.measurement.systems.linking import by_proximity, in_order, link_spans
from marginalia.tasks.measurement.systems.tagger import TaggedSpan, features, labels, tagged_spans
from tests.asked import askable
from tests.tasks.measurement.invented import TEXTS, gold, invented

TASK = get_benchmark("measurement")
TRAINED = Proximity().fit(invented())


def test_the_card_keeps_its_contract() -> None:
    check_benchmark(TASK, invented())


@pytest.mark.parametrize("card", TASK.systems, ids=lambda card: card.name)
def test_each_system_keeps_the_contract(card) -> None:
    check_system(askable(card), invented(), train=invented())


@pytest.mark.parametrize("card", TASK.systems, ids=lambda card: card.name)
def test_predictions_quote_their_paragraph_and_are_valid(card) -> None:
    system = askable(card).make()
    pred = (system.fit(invented()) if card.trains else system).predict(invented().items)
    for doc, spans in pred.items():
        check_spans(spans)
        assert all(TEXTS[doc][span.start : span.end] == span.text for span in spans)


def test_a_baseline_learns_what_it_was_shown() -> None:
    pred = TRAINED.predict(invented().items)
    scores = TASK.score(invented(), pred).scores
    assert scores["class"]["Quantity"]["f1_overlap"] > 0.7
    assert scores["class"]["modifier"]["note"] == "no data", "modifiers are not attempted"


def test_an_unfitted_baseline_says_so(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="fitted"):
        InOrder().predict(invented().items)
    with pytest.raises(ContractError, match="fitted"):
        InOrder().save(tmp_path)


def test_what_was_learned_can_be_kept(tmp_path: Path) -> None:
    TRAINED.save(tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == [
        "baseline.json",
        "tagger.crfsuite",
    ]
    again = Proximity.load(tmp_path / "kept")
    assert again.predict(invented().items) == TRAINED.predict(invented().items)


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    TRAINED.save(tmp_path)
    (tmp_path / "tagger.crfsuite").write_bytes(b"lCRF" + bytes(60))
    with pytest.raises(FormatError, match="not the one that baseline"):
        Proximity.load(tmp_path)


@pytest.mark.parametrize(
    ("quote", "unit"),
    [
        ("22 cm", "cm"),
        ("approximately 22 s", "s"),
        ("3 m to 5 cm", "cm"),
        ("12", None),
    ],
)
def test_the_longest_last_unit_is_found(quote: str, unit: str | None) -> None:
    assert find_unit(quote, ["m", "cm", "s"]) == unit
    assert find_unit(quote, []) is None


def test_tokens_slice_back_and_labels_lead_to_the_same_spans() -> None:
    text = TEXTS["S02-7"]
    places = tokens(text)
    assert "".join(text[a:b] for a, b in places) == text.replace(" ", "")
    assert [text[a:b] for a, b in places[6:11]] == ["is", "31.5", "±", "0.2", "m"]
    found = labels(places, gold()["S02-7"])
    assert found[7:11] == ["B-Quantity", "I-Quantity", "I-Quantity", "I-Quantity"]
    assert {(b.type, b.start, b.end) for b in tagged_spans(places, found)} == {
        (span.type, span.start, span.end) for span in gold()["S02-7"]
    }
    assert len(list(features(text, places))) == len(places)
    assert TRAINED.predict({"empty": Paragraph("x", "unknown", " ")}) == {"empty": ()}


def test_where_spans_overlap_the_quantity_wins() -> None:
    places = tokens(TEXTS["S01-1"])
    assert labels(places, gold()["S01-1"])[:4] == ["O", "B-Quantity", "I-Quantity", "I-Quantity"]


def test_a_continuation_of_nothing_begins_a_span() -> None:
    places = [(0, 1), (2, 3), (4, 5), (6, 7)]
    tags = ["I-Quantity", "I-Qualifier", "O", "I-Qualifier"]
    assert tagged_spans(places, tags) == [
        TaggedSpan("Quantity", 0, 1),
        TaggedSpan("Qualifier", 2, 3),
        TaggedSpan("Qualifier", 6, 7),
    ]


LOOSE = [
    TaggedSpan("MeasuredEntity", 0, 3),
    TaggedSpan("MeasuredEntity", 10, 13),
    TaggedSpan("MeasuredProperty", 14, 18),
    TaggedSpan("Quantity", 20, 25),
    TaggedSpan("Qualifier", 27, 30),
    TaggedSpan("Quantity", 40, 45),
    TaggedSpan("MeasuredProperty", 47, 50),
    TaggedSpan("MeasuredProperty", 51, 55),
]


def linked(link) -> list[tuple[int, str, int, dict]]:
    spans = link_spans(LOOSE, "x" * 60, lambda quote: None, link)
    return [(span.set, span.type, span.start, dict(span.other)) for span in spans]


def test_proximity_takes_the_closest_pairs_first() -> None:
    assert linked(by_proximity) == [
        (1, "Quantity", 20, {}),
        (1, "MeasuredProperty", 14, {"HasQuantity": "T1-1"}),
        (1, "MeasuredEntity", 10, {"HasProperty": "T2-1"}),
        (1, "Qualifier", 27, {"Qualifies": "T1-1"}),
        (2, "Quantity", 40, {}),
        (2, "MeasuredProperty", 47, {"HasQuantity": "T1-2"}),
        (2, "MeasuredEntity", 0, {"HasQuantity": "T1-2"}),
    ]


def test_in_order_takes_each_as_it_comes() -> None:
    assert linked(in_order) == [
        (1, "Quantity", 20, {}),
        (1, "MeasuredProperty", 14, {"HasQuantity": "T1-1"}),
        (1, "MeasuredEntity", 0, {"HasProperty": "T2-1"}),
        (1, "Qualifier", 27, {"Qualifies": "T1-1"}),
        (2, "Quantity", 40, {}),
        (2, "MeasuredProperty", 47, {"HasQuantity": "T1-2"}),
        (2, "MeasuredEntity", 10, {"HasProperty": "T2-2"}),
    ]


@pytest.mark.parametrize("link", [by_proximity, in_order])
def test_without_a_quantity_nothing_is_said(link) -> None:
    only = [bound for bound in LOOSE if bound.type != "Quantity"]
    assert link_spans(only, "x" * 60, lambda quote: None, link) == ()


def test_numbers_find_numbers_and_their_units() -> None:
    pred = Numbers().predict(invented().items)
    assert [(span.text, span.unit) for span in pred["S01-1"]] == [
        ("20 °C", "°C"),
        ("104 °C", "°C"),
        ("12", None),
    ]
    assert pred["S01-2"] == ()
    assert [(span.text, span.unit) for span in pred["S02-7"]] == [
        ("31.5 ± 0.2 m", "m"),
        ("3", None),
        ("9 km", "km"),
    ]


def test_the_floor_on_dev(data: Path) -> None:
    split = TASK.load("dev", data)
    overall = TASK.score(split, Numbers().predict(split.items)).scores["overall"]
    assert 0.15 < overall["f1_overlap"] < 0.239, "below the organisers' baseline on eval"
