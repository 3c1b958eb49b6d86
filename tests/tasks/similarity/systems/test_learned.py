"""Our systems for CORE: the contract, symmetry, the ends of the scale, and what they can tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia import Split, check_system, get_benchmark
from marginalia.core.resolution import choose_system, system_for_documents
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.systems.defaults import card_of
from marginalia.tasks.similarity.systems.inputs import plain
from marginalia.tasks.similarity.systems.learned import EncoderCosine, Learned, surest_at_ends

TASK = get_benchmark("similarity")
PAIRS = [
    Pair("A man is playing a guitar.", "A man plays the guitar.", "toy"),
    Pair("A man is playing a guitar.", "The parliament rejected the budget.", "toy"),
    Pair("A woman is slicing an onion.", "A woman is slicing an onion.", "toy"),
    Pair("", "Nothing on the other side.", "toy"),
    Pair("word " * 600, "😀 שלום", "toy"),
]
SYSTEMS = ("tuned", "learned", "encoder", "features", "features-per-set", "alignment")


def split_of(pairs: list[Pair]) -> Split:
    ids = [f"p{i}" for i in range(len(pairs))]
    return Split(
        name="dev",
        items=dict(zip(ids, pairs, strict=True)),
        gold=None,
        group=dict(zip(ids, ids, strict=True)),
    )


def predicted(name: str, pairs: list[Pair]) -> list[Score]:
    return list(TASK.system(name).predict(split_of(pairs).items).values())


@pytest.mark.parametrize("name", SYSTEMS)
def test_they_keep_the_contract(name: str) -> None:
    check_system(TASK.card(name), split_of(PAIRS))


@pytest.mark.parametrize("name", SYSTEMS)
def test_they_are_symmetric_and_on_the_scale(name: str) -> None:
    turned = [Pair(pair.s2, pair.s1, pair.dataset) for pair in PAIRS]
    found = predicted(name, PAIRS)
    assert found == predicted(name, turned)
    assert all(0 <= one.score <= 5 and 0 < one.confidence <= 100 for one in found)
    assert found[0].score > found[1].score + 1


@pytest.mark.parametrize("name", ["tuned", "learned", "encoder"])
def test_what_says_the_same_scores_higher(name: str) -> None:
    scores = [one.score for one in predicted(name, PAIRS)]
    assert scores[0] > 3.5 > 1 > scores[1]
    assert scores[2] == 5.0


def test_the_ends_of_the_scale() -> None:
    found = predicted("learned", [Pair("", "", "x"), Pair("a  b ", "a b", "x"), PAIRS[3]])
    assert found == [Score(5.0), Score(5.0), Score(0.0)]


word = st.sampled_from(
    "a man woman not plays 12 15 guitar rose fell in May, London; nicht der".split()
)
sentence = st.lists(word, min_size=1, max_size=6).map(" ".join)


@settings(max_examples=10, deadline=None)
@given(sentence, sentence)
def test_any_two_sentences_either_way(a: str, b: str) -> None:
    there, back = predicted("learned", [Pair(a, b, "x"), Pair(b, a, "x")])
    assert there == back and 0 <= there.score <= 5
    assert a.split() != b.split() or there == Score(5.0)


def test_disagreement_lowers_the_score() -> None:
    same, number, negated = predicted(
        "learned",
        [
            Pair("Sales rose by 12 % in May.", "In May sales rose 12 percent.", "x"),
            Pair("Sales rose by 12 % in May.", "In May sales rose 15 percent.", "x"),
            Pair("Sales rose by 12 % in May.", "In May sales did not rise by 12 percent.", "x"),
        ],
    )
    assert same.score > number.score + 0.5
    assert same.score > negated.score


def test_german_and_mixed_pairs_are_told_apart() -> None:
    same, mixed, other = predicted(
        "learned",
        [
            Pair("Ein Mann spielt Gitarre.", "Der Mann spielt auf der Gitarre.", "x"),
            Pair("The man is playing the guitar.", "Der Mann spielt auf der Gitarre.", "x"),
            Pair("Das Parlament hat den Haushalt abgelehnt.", "The man plays the guitar.", "x"),
        ],
    )
    assert same.score > 3.5 and mixed.score > 4.3 > 1.5 > other.score


def test_a_full_stop_on_one_side_is_left_out() -> None:
    assert plain("an actor", "a player.") == ("an actor", "a player")
    assert plain("An actor.", "A player.") == ("An actor.", "A player.")
    assert plain("...", "a") == ("...", "a")
    assert plain("Is it?", "It is.") == ("Is it?", "It is")


def test_ours_are_above_the_baseline_and_know_what_they_are_surest_of(data: Path) -> None:
    dev = TASK.load("2014-test-tweet-news", data)
    chosen = dev.take(list(dev.items)[::6])
    plain_scores = {}
    for name in ("learned", "encoder", "token-cosine"):
        scores = TASK.score(chosen, TASK.system(name).predict(chosen.items)).scores
        plain_scores[name] = scores["mean_unweighted"]
        if name != "token-cosine":
            assert scores["mean"] > scores["mean_unweighted"] + 0.01
    assert (
        min(plain_scores["learned"], plain_scores["encoder"]) > plain_scores["token-cosine"] + 0.1
    )


def test_the_encoder_is_surest_at_both_ends_of_its_scale() -> None:
    assert surest_at_ends(0.0).confidence == surest_at_ends(5.0).confidence == 100.0
    assert surest_at_ends(2.5).confidence == 1.0  # with 0 the pair would not count at all
    assert surest_at_ends(1.25).confidence == surest_at_ends(3.75).confidence == 50.0
    assert EncoderCosine().predict({}) == Learned().predict({}) == {}


@pytest.mark.parametrize("split", ["dev", "test", "2012-train"])
def test_the_tuned_one_is_taken_when_no_system_is_named(split: str) -> None:
    assert choose_system(TASK, split=split).name == "tuned"
    assert choose_system(TASK, split="typed").name == "typed-measured"


def test_documents_have_the_one_on_whose_scale_the_thresholds_were_set() -> None:
    assert card_of(None).name == system_for_documents(TASK, language="de").name == "learned"
    assert card_of("encoder").name == "encoder"
    assert card_of(None, "typed").name == "typed-measured"
