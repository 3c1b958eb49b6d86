"""The baselines keep the contract and find what they should find."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Split, check_benchmark, check_system, get_benchmark
from marginalia.tasks.similarity.official.data import Pair
from marginalia.tasks.similarity.official.typed import TYPES
from marginalia.tasks.similarity.systems.baselines import TokenCosine, TypedTfidf, overlap, terms
from marginalia.tasks.similarity.systems.records.mentions import dates, people, places, verbs
from tests.asked import askable
from tests.tasks.similarity import records

TASK = get_benchmark("similarity")


def invented(name: str = "dev") -> Split:
    rows = [
        ("The bird bathes in the sink.", "The bird bathes in the sink.", 5.0),
        ("A woman plays the violin.", "A woman plays a violin.", 4.5),
        ("They flew out of the nest.", "They flew into the nest.", 2.0),
        ("Prices rose in May.", "A dog sleeps.", 0.0),
        ("", "Nothing there.", 0.5),
    ]
    items = {
        f"2014-test/images/{n}": Pair(a, b, "2014-test/images")
        for n, (a, b, _) in enumerate(rows, 1)
    }
    gold = {id: score for id, (*_, score) in zip(items, rows, strict=True)}
    return Split(name=name, items=items, gold=gold, group={id: id for id in items})


@pytest.mark.parametrize("split", [invented(), records.split()], ids=["core", "typed"])
def test_the_card_keeps_its_contract(split: Split) -> None:
    check_benchmark(TASK, split)


@pytest.mark.parametrize("card", TASK.systems, ids=lambda card: card.name)
def test_each_system_keeps_the_contract(card) -> None:
    check_system(askable(card), records.split() if card.splits == ("typed",) else invented())


def test_token_cosine_counts_tokens_as_they_stand() -> None:
    scores = [row.score for row in TokenCosine().predict(invented().items).values()]
    assert scores[0] == 5
    assert scores[1] == pytest.approx(5 * 4 / 5)
    assert scores[3:] == [0, 0]
    assert overlap("The cat", "the cat") == 0.5, "case counts"
    assert overlap(" the cat", "the cat") == pytest.approx(2 / 6**0.5), "a leading blank counts"
    assert overlap("the cat ", "the  cat") == 1


@given(st.text(max_size=30), st.text(max_size=30))
def test_token_cosine_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert overlap(a, b) == overlap(b, a)
    assert 0 <= overlap(a, b) <= 1


@pytest.mark.parametrize(
    ("split", "figure"),
    [
        ("2012-test-MSRpar", 0.4334),
        ("2012-test-MSRvid", 0.2996),
        ("2012-test-SMTeuroparl", 0.4542),
        ("2012-test-surprise.OnWN", 0.5864),
        ("2012-test-surprise.SMTnews", 0.3908),
        ("2012-test", 0.4356),
        ("2014-test-deft-forum", 0.353),
        ("2014-test-deft-news", 0.596),
        ("2014-test-headlines", 0.510),
        ("2014-test-images", 0.513),
        ("2014-test-tweet-news", 0.654),
    ],
)
def test_token_cosine_keeps_its_figures(data: Path, split: str, figure: float) -> None:
    chosen = TASK.load(split, data)
    found = TASK.score(chosen, TokenCosine().predict(chosen.items)).scores["mean"]
    digits = 4 if split.startswith("2012") else 3
    assert round(found, digits) == figure


def test_token_cosine_gives_the_published_figures_of_2013(data: Path) -> None:
    split = TASK.load("test", data)
    if split.gold is None:
        pytest.skip("no data: the gold of 2013 was not fetched")
    sets = TASK.score(split, TokenCosine().predict(split.items)).scores["sets"]
    assert {name: round(part["pearson"], 4) for name, part in sets.items()} == {
        "headlines": 0.5399,
        "OnWN": 0.2828,
        "FNWN": 0.2146,
    }


def test_random_has_next_to_no_correlation(data: Path) -> None:
    split = TASK.load("dev", data)
    scores = TASK.score(split, TASK.system("random").predict(split.items)).scores
    assert abs(scores["mean"]) < 0.05


def test_mentions_of_people_places_dates_and_verbs() -> None:
    text = (
        "The harbour in Whitby was painted by Turner about 1820. Sir John Orrell fought near "
        "Ely Bridge in the 19th century, and Mary Anne Clark wrote of it in the 1830s, in May."
    )
    assert people(text) == ["turner", "john", "orrell", "mary", "anne", "clark"]
    assert places(text) == ["whitby", "ely", "bridge"]
    assert dates(text) == ["1820", "century 19", "1830s", "may"]
    assert verbs(text) == ["paint", "fight", "write"]
    assert verbs("A painting of the king skating, hopped and united during spring") == [
        "skat",
        "hop",
    ]
    assert dates("12345 and 1st century") == ["century 1"]
    assert people("") == places("") == dates("") == verbs("") == []


def test_typed_tfidf_knows_the_respects_apart() -> None:
    pred = TypedTfidf().predict(records.PAIRS)
    same, near, far = (dict(zip(TYPES, pred[id], strict=True)) for id in ("same", "near", "far"))
    assert all(value == 5 for value in same.values())
    assert near["author"] == 5 and far["author"] == 0
    assert all(near[name] > far[name] for name in TYPES if name != "time")
    assert near["subject"] > 0 == far["subject"]
    assert pred["bare"][TYPES.index("author")] == 0, "two records without a creator share none"


def test_typed_tfidf_can_take_its_idf_from_records() -> None:
    fitted = TypedTfidf().fit(records.split())
    assert fitted.weigh("unheard") > fitted.weigh("skating") > fitted.weigh("houghton") >= 1
    pred = fitted.predict(records.PAIRS)
    assert pred["same"] == (5.0,) * 8
    turned = {id: type(pair)(pair.right, pair.left) for id, pair in records.PAIRS.items()}
    assert fitted.predict(turned) == pred


def test_typed_baseline_beats_its_floor_on_invented_pairs() -> None:
    split = records.split()
    means = [
        TASK.score(split, TASK.system(name).predict(split.items)).scores["typed"]["mean"]
        for name in ("typed-random", "typed-tfidf")
    ]
    assert means[0] < 0.5 < means[1]


def test_each_type_compares_its_own_terms() -> None:
    found = terms(records.MILL_1)
    assert set(found) == set(TYPES)
    assert found["author"] == ["penfold", "clara"]
    assert "1889" in found["time"] and "houghton" in found["location"]
    assert "clara" in found["people involved"] and "stand" in found["event"]
