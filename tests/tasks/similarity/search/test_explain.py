"""Two sentences or records side by side: the score, what it means, and the reasons."""

from __future__ import annotations

import json

import pytest

from marginalia import FormatError, MissingError, UnknownNameError, compare
from marginalia.tasks.similarity.official.typed import TYPES
from marginalia.tasks.similarity.search.explain import (
    MAX_CHARACTERS,
    MEANINGS,
    compare_records,
    explain,
    meaning,
    reasons,
)
from marginalia.tasks.similarity.systems import defaults as chosen

LEFT = "The water content fell below 12 % within three days."
RIGHT = "Within 3 days the water content had fallen under 15 %."


def test_the_reasons_name_what_disagrees() -> None:
    one = explain(LEFT, RIGHT)
    assert 3 <= one.score < 5 and one.meaning == meaning(one.score)
    [number] = [found for found in one.differences if found.kind == "number"]
    assert (LEFT[slice(*number.left)], RIGHT[slice(*number.right)]) == ("12 %", "15 %")
    assert "another number: “12 %” against “15 %”" in reasons(one)


def test_what_only_one_side_says() -> None:
    one = explain("The cat slept on the red sofa.", "The cat slept.")
    assert "only the first says “red sofa”" in reasons(one)
    other = explain("The cat slept.", "The cat did not sleep.")
    assert "only the second denies it: “not”" in reasons(other)


def test_opposites_and_words_near_in_meaning() -> None:
    one = explain("A man is playing a guitar.", "A woman plays the violin.")
    assert "the opposite: “man” against “woman”" in reasons(one)
    linked = {
        (one.alignment.left[link.left].text, one.alignment.right[link.right].text): link.kind
        for link in one.alignment.links
    }
    assert linked["playing", "plays"] == "lemma"


def test_the_same_text_says_the_same() -> None:
    one = explain(LEFT, LEFT)
    assert one.score == 5 and one.meaning == MEANINGS[5]
    assert list(reasons(one)) == ["every word of one has its partner in the other"]


def test_exchanging_the_sides_exchanges_the_reasons() -> None:
    one, other = explain(LEFT, RIGHT), explain(RIGHT, LEFT)
    assert one.score == other.score
    assert one.alignment == other.alignment.turned()
    assert len(one.differences) == len(other.differences)


def test_as_data_with_true_offsets() -> None:
    data = compare(LEFT, RIGHT).to_dict()
    assert data == explain(LEFT, RIGHT).to_dict()
    assert json.loads(json.dumps(data)) == data
    for side, text in (("left", LEFT), ("right", RIGHT)):
        spans = [link[side] for link in data["aligned"]] + data[f"only_{side}"]
        spans += [one[side] for one in data["differences"]]
        for span in spans:
            assert text[span["start"] : span["end"]] == span["text"]


@pytest.mark.parametrize(
    ("score", "point"), [(0, 0), (0.49, 0), (0.5, 1), (2.5, 3), (4.6, 5), (5, 5)]
)
def test_scores_mean_the_nearest_point_of_the_scale(score: float, point: int) -> None:
    assert meaning(score) == MEANINGS[point]


def test_what_cannot_be_compared() -> None:
    with pytest.raises(FormatError, match="the second text is empty"):
        explain("A text.", " \n")
    with pytest.raises(FormatError, match="the limit for a sentence"):
        explain("word " * MAX_CHARACTERS, "A text.")
    with pytest.raises(UnknownNameError, match="no system for similarity 'magic'"):
        explain(LEFT, RIGHT, system="magic")
    with pytest.raises(FormatError, match="'typed-tfidf' does not compare sentences"):
        explain(LEFT, RIGHT, system="typed-tfidf")


def test_only_things_of_one_kind_are_compared() -> None:
    with pytest.raises(FormatError, match="not a str and a dict; look_up finds a text"):
        compare(LEFT, {"dcTitle": "The mill"})  # type: ignore[call-overload]


def test_a_system_that_must_be_trained_cannot_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from marginalia.tasks.similarity.benchmark import BENCHMARK

    card = replace(BENCHMARK.card("token-cosine"), name="learner", trains=True)
    changed = replace(BENCHMARK, systems=(*BENCHMARK.systems, card))
    monkeypatch.setattr(chosen, "BENCHMARK", changed)
    with pytest.raises(MissingError, match="must be trained"):
        chosen.card_of("learner")


def test_records_are_compared_in_eight_respects() -> None:
    one = {"dcTitle": "The water mill", "dcCreator": "Penfold, Clara", "dcDate": "1889"}
    other = {"dcTitle": ["The mill", "in winter"], "dcCreator": "Penfold, Clara"}
    found = compare_records(one, other)
    assert tuple(found.scores) == TYPES
    assert found.scores["author"] > found.scores["event"]
    assert all(0 <= score <= 5 for score in found.scores.values())
    assert found.meaning in MEANINGS
    assert tuple(found.why) == TYPES and all(found.why.values())
    assert compare(one, other) == found
    assert [row["type"] for row in found.rows()] == list(TYPES)


def test_the_scores_of_records_have_reasons() -> None:
    one = {
        "dcTitle": "The water mill at Norwich",
        "dcDescription": "Painted for Sir John Marlow.",
        "dcCreator": ["Penfold, Clara", "Lane, Ada"],
        "dcDate": "c. 1889",
        "dcSubject": ["mills", "rivers"],
        "dcSource": "Fenland Museum",
    }
    other = {
        "dcTitle": "A mill near Norwich",
        "dcDescription": "Sir John Marlow had it painted.",
        "dcCreator": "Penfold, C.",
        "dcDate": "1890s",
        "dcSubject": ["mills", "winter"],
        "dcSource": "Fenland Museum",
    }
    why = compare_records(one, other).why
    assert why["author"] == [
        "Clara Penfold and C Penfold may be the same",
        "Ada Lane against C Penfold",
    ]
    assert "in both: John Marlow" in why["people involved"]
    assert why["time"] == ["1884–1894 and 1890–1899 overlap"]
    assert why["location"] == ["both name: Norwich", "the same source: Fenland Museum"]
    assert why["event"] == ["both tell: paint"]
    assert "in both: mills" in why["subject"]
    assert why["description"] == ["words in both: painted, sir, john, marlow"]
    bare = compare_records({"dcTitle": "A spoon"}, {"dcTitle": "A ladle", "dcDate": "1700"}).why
    assert bare["general"] == ["no word in both"]
    assert bare["time"] == ["the first record has no date"]
    assert bare["author"] == ["neither record has a creator"]
    dates = compare_records({"dcDate": "1889"}, {"dcDate": "1890"}).why["time"]
    assert dates == ["1889 and 1890: 1 year apart"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the second record is not a JSON object"),
        ({}, "the second record is empty"),
        ({"title": "x"}, "the second record has the unknown field 'title'; expected dcTitle"),
        ({"dcTitle": 3}, "'dcTitle' of the second record is neither a text nor a list of texts"),
    ],
)
def test_what_is_no_record(data: object, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        compare_records({"dcTitle": "The mill"}, data)  # type: ignore[arg-type]
