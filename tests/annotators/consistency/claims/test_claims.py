"""What counts as a contradiction: invented pairs, half of which were not looked at while the rules were written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marginalia import Document
from marginalia.annotators.consistency.claims.amounts import agree, amounts
from marginalia.annotators.consistency.claims.compare import contradiction
from marginalia.annotators.consistency.claims.reading import read_claim
from marginalia.annotators.consistency.claims.within import MAX_SERIES, contradictions
from marginalia.nlp.prose import SpanSet
from marginalia.tasks.similarity.search.passages import passages

PAIRS = [
    json.loads(line) for line in (Path(__file__).parent / "pairs.jsonl").read_text().splitlines()
]
BETWEEN = "Something else is said in between.\n\nNobody asked for it."


def found(sentences: list[str], between: str = BETWEEN) -> list[str]:
    doc = Document(id="x", text=f"\n\n{between}\n\n".join(sentences))
    return [one.kind for _, _, one in contradictions(list(passages(doc)), SpanSet.merge(()))]


@pytest.mark.parametrize("half", ["tuned", "held-out"])
def test_the_pairs_reach_the_aim(half: str) -> None:
    rows = [row for row in PAIRS if row["half"] == half]
    said = {row["id"] for row in rows if contradiction(row["left"], row["right"])}
    true = {row["id"] for row in rows if row["contradicts"]}
    assert len(rows) >= 90 and 0.4 < len(true) / len(rows) < 0.6
    assert len(said & true) >= 0.9 * len(said), sorted(said - true)
    assert len(said & true) >= 0.9 * len(true), sorted(true - said)


def test_what_differs_turns_with_the_sides() -> None:
    for row in PAIRS:
        one = contradiction(row["left"], row["right"])
        other = contradiction(row["right"], row["left"])
        assert other == (one and one.turned()), row["id"]


@pytest.mark.parametrize(
    ("left", "right", "spans"),
    [
        ("Bake the bread at 230 °C in the oven.", "Bake the bread at 250 °C in the oven.", ("230 °C", "250 °C")),
        ("The mill is closed to visitors on Mondays.", "The mill is open to visitors on Mondays.", ("closed", "open")),
        ("Visitors must wear a helmet in the hall.", "Visitors need not wear a helmet in the hall.", ("must", "need not")),
        ("The choir was founded by Ada Holm.", "The choir was founded by Eva Lind.", ("Ada Holm", "Eva Lind")),
    ],
)  # fmt: skip
def test_the_part_that_differs_is_shown(left: str, right: str, spans: tuple[str, str]) -> None:
    one = contradiction(left, right)
    assert one is not None and one.left and one.right
    assert (left[slice(*one.left)], right[slice(*one.right)]) == spans


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("1 kg", "1000 g", True), ("90 minutes", "1.5 hours", True), ("3.14", "3.1", True),
        ("2 kg", "2500 g", False), ("about 1,200", "1,249", True), ("500 litres", "550 litres", False),
        ("at least 40", "52", True), ("at least 40", "32", False), ("5 to 10 mg", "8 mg", True),
        ("12.1 ± 0.5 g", "12.4 ± 0.5 g", True), ("3 pm", "15:00", True), ("9 am", "10 am", False),
        ("5 litres per minute", "5 litres per hour", False), ("3 kg", "3 %", None),
    ],
)  # fmt: skip
def test_amounts_that_can_both_be_true(one: str, other: str, both: bool | None) -> None:
    [left], [right] = (list(amounts(text, "en", [])) for text in (one, other))
    assert agree(left, right, is_rule=False) is both
    assert agree(right, left, is_rule=False) is both


def test_a_series_is_no_contradiction() -> None:
    rows = [
        f"The film on the whales lasts {n} minutes." for n in range(40, 40 + 10 * MAX_SERIES, 10)
    ]
    assert found(rows)
    assert not found([*rows, "The film on the whales lasts 200 minutes."])


def test_where_something_was_read_is_no_claim() -> None:
    assert not found(
        ["[A History of Salt and Barter, p. 202]", "[A History of Salt and Barter, p. 189]"]
    )
    assert not found(
        ["(Kleine Geschichte des Salzes, S. 12 – 14)", "(Kleine Geschichte des Salzes, S. 9)"]
    )


def test_found_at_any_distance() -> None:
    far = " ".join(
        f"Sentence number {n} of the middle part says nothing at all." for n in range(2_000)
    )
    pair = ["The oven is heated to 230 °C before use.", "The oven is heated to 250 °C before use."]
    assert found(pair, far) == ["number"]


def test_the_key_leaves_out_what_is_claimed() -> None:
    one, other = (
        read_claim("The oven is heated to 230 °C."),
        read_claim("The oven isn't heated to 9 °C."),
    )
    assert one.key == other.key == ("heat", "oven")
