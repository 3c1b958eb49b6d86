"""What counts as a contradiction: invented pairs, of which those that differ in a number, date, unit or name alone do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marginalia import Document
from marginalia.annotators.consistency.contradictions import (
    MAX_SERIES,
    contradiction,
    contradictions,
    key_of,
)
from marginalia.tasks.similarity.search.passages import passages

PAIRS = [
    json.loads(line) for line in (Path(__file__).parent / "pairs.jsonl").read_text().splitlines()
]
BETWEEN = "Something else is said in between.\n\nNobody asked for it."


def found(sentences: list[str], between: str = BETWEEN) -> list[str]:
    doc = Document(id="x", text=f"\n\n{between}\n\n".join(sentences))
    return [one.kind for _, _, one in contradictions(list(passages(doc)))]


def test_no_pair_is_called_a_contradiction_that_is_none() -> None:
    said = {row["id"] for row in PAIRS if contradiction(row["left"], row["right"])}
    true = {row["id"] for row in PAIRS if row["contradicts"]}
    assert said <= true
    assert len(said) >= 0.8 * len(true), sorted(true - said)


def test_what_differs_turns_with_the_sides() -> None:
    for row in PAIRS:
        one = contradiction(row["left"], row["right"])
        other = contradiction(row["right"], row["left"])
        assert other == (one and one.turned()), row["id"]


@pytest.mark.parametrize(
    ("left", "right", "spans"),
    [
        ("The mill is closed to visitors on Mondays.", "The mill is open to visitors on Mondays.", ("closed", "open")),
        ("The effect on sleep was significant.", "The effect on sleep was not significant.", ("", "not")),
        ("Die Teilnahme am Seminar ist verpflichtend.", "Die Teilnahme am Seminar ist freiwillig.", ("verpflichtend", "freiwillig")),
    ],
)  # fmt: skip
def test_the_part_that_differs_is_shown(left: str, right: str, spans: tuple[str, str]) -> None:
    one = contradiction(left, right)
    assert one is not None
    sides = ((left, one.left), (right, one.right))
    assert tuple(text[slice(*span)] if span else "" for text, span in sides) == spans


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("There are 12M nodes of this type in the graph.", "There are 0.4M nodes of this type in the graph."),
        ("Definition 14 Sei X ein metrischer Raum.", "Definition 17 Sei X ein metrischer Raum."),
        ("47706 Federal Register of the United States.", "47708 Federal Register of the United States."),
        ("The left valve of the boiler is shut by hand.", "The right valve of the boiler is shut by hand."),
        ("Wait until the lamp on the panel is on.", "Wait until the lamp on the panel is off."),
        ("It is not known to the staff of the mill.", "It is known to the staff of the mill."),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_contradiction(left: str, right: str) -> None:
    assert contradiction(left, right) is None


def test_a_series_is_no_contradiction() -> None:
    rows = ["The gate to the yard is open.", "The gate to the yard is closed."]
    long = [row.replace("gate", "old wooden gate") for row in rows]
    assert found(long) == ["opposite"]
    assert not found([*long, *long][: MAX_SERIES + 1])


def test_neighbours_contrast_and_far_sentences_contradict() -> None:
    pair = ["The pump must be closed in winter.", "The pump must not be closed in winter."]
    doc = Document(id="x", text=" ".join(pair))
    assert not list(contradictions(list(passages(doc))))
    far = " ".join(f"Sentence number {n} of the middle part says nothing." for n in range(500))
    assert found(pair, far) == ["negation"]


def test_the_key_leaves_out_what_is_denied() -> None:
    assert key_of("The oven is heated.") == key_of("The oven isn't heated.") == {"oven", "heat"}
