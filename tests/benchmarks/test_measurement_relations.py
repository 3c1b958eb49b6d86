"""Sets and relations from gold spans: what is given, what comes out, and what the linker learns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measurement_linker import Linker, Members, examples, members
from measurement_pairs import Page, bucket
from measurement_relations import RELATIONS, from_gold_spans, tagged_of

from marginalia import FormatError, UnknownNameError
from marginalia.tasks.measurement.official.data import load
from marginalia.tasks.measurement.official.score import match_all, overall_and_class
from marginalia.tasks.measurement.official.spans import TYPES, Span, Spans, check_spans
from marginalia.tasks.measurement.systems.tagger import TaggedSpan
from tests.tasks.measurement.invented import TEXTS, gold

LINKER = Linker.fit((TEXTS[doc], spans) for doc, spans in gold().items())
WAYS = ["proximity", "in-order", LINKER]

LISTED = "Oak, pine and fir grew 3 m, 5 m and 9 m, respectively."


def listed() -> Spans:
    """Three quantities, three entities, the first to the first."""
    return tuple(
        span
        for number, (tree, height) in enumerate(
            zip(("Oak", "pine", "fir"), ("3 m", "5 m", "9 m"), strict=True), 1
        )
        for span in (
            _span(number, "Quantity", 1, height, {}),
            _span(number, "MeasuredEntity", 2, tree, {"HasQuantity": f"T1-{number}"}),
        )
    )


def _span(set: int, type: str, id: int, quote: str, other: dict[str, str]) -> Span:
    start = LISTED.index(quote)
    return Span(set, type, start, start + len(quote), f"T{id}-{set}", quote, other)


def test_a_shared_span_is_given_once_and_without_its_sets() -> None:
    brine = Span(9, "MeasuredEntity", 30, 39, "T7-9", "the brine", {"HasQuantity": "T1-9"})
    bounds = tagged_of([*gold()["S01-1"], brine])
    assert bounds.count(TaggedSpan("MeasuredEntity", 30, 39)) == 1
    assert bounds == sorted(bounds, key=lambda bound: (bound.start, bound.end))
    assert all(bound._fields == ("type", "start", "end") for bound in bounds)


@pytest.mark.parametrize("how", WAYS, ids=["proximity", "in-order", "learned"])
def test_every_way_gives_one_valid_set_for_each_quantity(how: str | Linker) -> None:
    for doc, spans in gold().items():
        found = from_gold_spans(TEXTS[doc], tagged_of(spans), how)
        check_spans(found)
        quantities = [span for span in found if span.type == "Quantity"]
        assert len(quantities) == len({span.set for span in found})
        assert {(s.start, s.end) for s in quantities} == {
            (s.start, s.end) for s in spans if s.type == "Quantity"
        }
        for span in found:
            assert TEXTS[doc][span.start : span.end] == span.text
            assert span.unit is None and not span.mods
            assert span.type == "Quantity" or span.relation is not None


@pytest.mark.parametrize("how", WAYS, ids=["proximity", "in-order", "learned"])
def test_nothing_comes_of_nothing(how: str | Linker) -> None:
    assert from_gold_spans("Nothing.", [], how) == ()
    assert from_gold_spans("An oak.", [TaggedSpan("MeasuredEntity", 3, 6)], how) == ()


def test_the_rule_must_be_known() -> None:
    with pytest.raises(UnknownNameError, match=r"no rule 'nearest'.*in-order, proximity"):
        from_gold_spans("1 m", [], "nearest")


def test_the_linker_finds_again_what_it_learned() -> None:
    pred = {doc: _linked(LINKER, TEXTS[doc], spans) for doc, spans in gold().items()}
    found = _relations(pred, gold())
    assert found["HasProperty"] == found["Qualifies"] == 1.0
    # One quantity has no entity in gold; the linker always gives one.
    assert found["HasQuantity"] == pytest.approx(4 / 5)


def test_the_linker_reads_lists_where_proximity_does_not() -> None:
    linker = Linker.fit([(LISTED, listed())])
    found = _linked(linker, LISTED, listed())
    assert _relations({"a": found}, {"a": listed()})["HasQuantity"] == 1.0
    near = from_gold_spans(LISTED, tagged_of(listed()))
    assert _relations({"a": near}, {"a": listed()})["HasQuantity"] < 1.0


def test_an_entity_may_belong_to_several_quantities_and_every_span_to_one() -> None:
    text = "The lake is 3 m deep and 9 km long."
    bounds = [
        TaggedSpan("MeasuredEntity", 4, 8),
        TaggedSpan("Quantity", 12, 15),
        TaggedSpan("Quantity", 25, 29),
    ]
    found = from_gold_spans(text, bounds, LINKER)
    assert [span.text for span in found] == ["3 m", "lake", "9 km", "lake"]
    crowded = [*bounds, TaggedSpan("MeasuredEntity", 16, 20)]
    assert {span.text for span in from_gold_spans(text, crowded, LINKER)} == {
        "3 m", "9 km", "lake", "deep"
    }  # fmt: skip


def test_gold_as_members_and_as_examples() -> None:
    page = Page(TEXTS["S01-1"], tagged_of(gold()["S01-1"]))
    sets = members(page, gold()["S01-1"])
    assert [page.quote(i) for i in sets] == ["20 °C", "about 104 °C", "12"]
    second = list(sets.values())[1]
    assert page.quote(second.property or 0) == "boiling point"
    assert list(second.qualifiers.values()) == ["MeasuredProperty"]
    assert Members(property=3).target(7, "Quantity") == 7
    rows = list(examples(TEXTS["S01-1"], gold()["S01-1"]))
    assert sum(name == "MeasuredEntity" for name, _, _ in rows) == 9
    assert sum(label for name, _, label in rows if name == "MeasuredEntity") == 3


def test_what_was_learned_is_kept_as_json(tmp_path: Path) -> None:
    path = tmp_path / "linker.json"
    LINKER.save(path)
    again = Linker.load(path)
    for doc, spans in gold().items():
        assert _linked(again, TEXTS[doc], spans) == _linked(LINKER, TEXTS[doc], spans)
    assert set(json.loads(path.read_text(encoding="utf-8"))) == set(LINKER.weights)
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(FormatError, match=r"linker\.json: weights by regression"):
        Linker.load(path)


def test_learning_twice_gives_the_same() -> None:
    again = Linker.fit((TEXTS[doc], spans) for doc, spans in gold().items())
    assert again.weights == LINKER.weights


@given(
    st.lists(
        st.tuples(st.sampled_from(TYPES), st.integers(0, 70), st.integers(1, 12)), max_size=12
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_spans_never_matters(rows, random) -> None:
    text = TEXTS["S02-7"]
    bounds = [TaggedSpan(type, a, min(len(text), a + n)) for type, a, n in rows]
    found = from_gold_spans(text, bounds, LINKER)
    check_spans(found)
    random.shuffle(bounds)
    assert from_gold_spans(text, bounds, LINKER) == found
    if any(bound.type == "Quantity" for bound in bounds):
        n = sum(bound.type == "Quantity" for bound in set(bounds))
        given_once = {b for b in bounds if b.type in ("Quantity", "Qualifier")}
        assert given_once <= {TaggedSpan(s.type, s.start, s.end) for s in found}
        assert len({span.set for span in found}) == n


@given(st.integers(0, 10_000))
def test_a_bucket_is_not_above_its_distance(distance: int) -> None:
    assert 0 <= bucket(distance) <= distance


def test_words_and_brackets_between_spans() -> None:
    text = "Growth (at 20 °C) was slow. It took 9 days."
    page = Page(text, [TaggedSpan("MeasuredProperty", 0, 6), TaggedSpan("Quantity", 11, 16), TaggedSpan("Quantity", 36, 42)])  # fmt: skip
    assert page.gap(0, 1) == 5 and page.words_between(0, 1) == 2
    assert page.between(1, 0) == " (at "
    assert [page.in_brackets(i) for i in range(3)] == [False, True, False]
    assert [page.sentence(i) for i in range(3)] == [1, 1, 2]
    assert {"mark=(before", "sentences=0", "rank=0"} <= set(page.pair(1, 0))


def test_on_the_data_the_linker_beats_the_rules_on_other_articles(data: Path) -> None:
    """One fold of dev is enough to see it; the benchmark has all."""
    train, out = next(load("dev", data).folds(2))
    linker = Linker.fit((train.items[id].text, spans) for id, spans in train.require_gold().items())
    means = []
    for how in (linker, "proximity", "in-order"):
        pred = {
            id: from_gold_spans(out.items[id].text, tagged_of(spans), how)
            for id, spans in out.require_gold().items()
        }
        found = _relations(pred, dict(out.require_gold()))
        means.append(found["HasQuantity"] + found["HasProperty"])
    assert means[0] > means[1] > means[2]


def _linked(linker: Linker, text: str, spans: Spans) -> Spans:
    return from_gold_spans(text, tagged_of(spans), linker)


def _relations(pred: dict[str, Spans], truth: dict[str, Spans]) -> dict[str, float]:
    found = overall_and_class(match_all(truth, pred).values())["class"]
    return {name: found[name]["f1_overlap"] for name in RELATIONS}
