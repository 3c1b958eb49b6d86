"""German words, without training."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import get_task
from marginalia.core.task import System
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems.baselines import Frequency
from marginalia.tasks.complexity.systems.german import ZIPF_LINES, German


def score(token: str, kind: str = "words") -> float:
    return German().predict({"x": Target("", f"Das ist {token}.", token, kind)})["x"]


def reasons(token: str, kind: str = "words") -> list[str]:
    return German().reasons(Target("", "", token, kind))


def test_it_is_a_system() -> None:
    assert isinstance(German(), System)
    assert German().predict({}) == {}


@pytest.mark.parametrize(
    ("easy", "hard"),
    [
        ("Haus", "Paradigma"),
        ("gehen", "ubiquitär"),
        ("Regierung", "Epistemologie"),
        ("Haustür", "Donaudampfschiff"),
        ("Wohndauer", "Regressionskoeffizient"),
        ("Krankenversicherung", "Polymerase"),
    ],
)
def test_some_words_are_harder_than_others(easy: str, hard: str) -> None:
    assert score(easy) < score(hard) - 0.05


def test_a_compound_of_frequent_parts_is_easier_than_its_rarity_says() -> None:
    """Both are in hardly any text; only one is made of words that everybody knows."""
    assert score("Donaudampfschiff") < score("Donaudampfxqzvk") - 0.1


def test_an_expression_is_scored_by_its_words() -> None:
    assert score("gute Arbeit", "multi") < score("heterogene Kohorten", "multi")


def test_reasons_are_words_of_a_person() -> None:
    assert reasons("Haus") == []
    assert reasons("Donaudampfschiff") == [
        "in keiner Wortliste",
        "zusammengesetzt: Donau + Dampf + Schiff",
    ]
    rare, syllables = reasons("Epistemologie")
    assert rare.startswith("selten: 1 von ") and rare.endswith(" Millionen Wörtern")
    assert syllables == "6 Silben"
    assert "zusammengesetzt: Haushalt + Netto + Einkommen" in reasons("Haushaltsnettoeinkommen")
    assert any(
        "Kohorten" not in reason and "selten" in reason for reason in reasons("gute Kohorten")
    )


@pytest.mark.parametrize("token", ["", " ", "42", "🙂", "…", "%"])
def test_what_has_no_letters_stops_nobody(token: str) -> None:
    assert score(token) == 0
    assert reasons(token) == []


@pytest.mark.parametrize("token", ["שלום", "x" * 10_000, "Ω", "null", "None", "E-Mail", "geht’s"])
def test_odd_words_have_scores(token: str) -> None:
    assert 0 <= score(token) <= 1
    assert all(len(reason) < 100 for reason in reasons(token))


@given(st.text(max_size=30), st.sampled_from(["words", "multi", "other"]))
def test_scores_are_within_bounds_and_alone_as_together(token: str, kind: str) -> None:
    item = Target("", "", token, kind)
    pred = German().predict({"a": Target("", "", "Haus", "words"), "b": item})
    assert 0 <= pred["b"] <= 1
    assert German().predict({"b": item})["b"] == pred["b"]


def test_the_lines_are_those_of_english_words(data: Path) -> None:
    fitted = Frequency().fit(get_task("complexity").load("train", data)).lines
    for kind, line in ZIPF_LINES.items():
        assert fitted[kind] == pytest.approx(line, abs=5e-4)
