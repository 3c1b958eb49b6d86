"""Labels that name the same thing, and labels that differ in the word that counts."""

from __future__ import annotations

import pytest

from marginalia.annotators.variables.concepts import has_all, near_labels


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Trust in parliament", "Trust in the parliament 2008"),
        ("Links-Rechts-Selbsteinst.", "LINKS-RECHTS-SELBSTEINSTUFUNG, BEFR."),
        ("d40a household composition: aged 15+", "Household composition: aged 15+"),
        ("People can't be too careful", "people cant be too careful"),
        ("berufst. Mutter: Verhältnis zum Kind", "BERUFST.MUTTER: VERHAELTNIS ZU KIND"),
    ],
)
def test_the_same_words_in_another_form(one: str, other: str) -> None:
    assert has_all(one, other) and has_all(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Links-Rechts: SPD", "Links-Rechts: CDU"),
        ("3.Haush.person: Familienstand", "4.Haush.person: Familienstand"),
        ("Country specific education: Latvia", "Region: Latvia"),
        ("R: Education", "S-P: Education"),
        ("Befr.: letzter Beruf", "Befr.: jetziger Beruf"),
        ("Gewerkschaftsmitglied", "Früher Gewerkschaftsmitglied"),
        ("Trusts the courts", "Does not trust the courts"),
        ("The of", "The of"),
    ],
)
def test_one_word_that_differs_makes_another_concept(one: str, other: str) -> None:
    assert not (has_all(one, other) and has_all(other, one))


def test_near_labels_are_told_apart_from_the_same() -> None:
    labels = {
        "a": "Trust in the parliament",
        "b": "Trust in parliament",
        "c": "Trust in the parties",
        "d": "Roses",
    }
    same, near = near_labels(list(labels), list(labels.values()))
    assert same == [("a", "b")]
    assert all("d" not in pair for pair in near) and ("a", "b") not in near
