"""German compounds and their parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.compounds import MAX_WORD, MIN_WORD, split_compound

COMPOUNDS = """
Donaudampfschiff=donau+dampf+schiff Arbeitslosenversicherung=arbeitslosen+versicherung
Bundesregierung=bund+regierung Straßenbahn=straße+bahn Schulhof=schule+hof Erdbeben=erde+beben
Kirchturm=kirche+turm Schreibtisch=schreib+tisch Arbeitsmarkt=arbeit+markt Haustür=haus+tür
Geschwindigkeitsbegrenzung=geschwindigkeit+begrenzung Haushaltseinkommen=haushalt+einkommen
Lebenszufriedenheit=leben+zufriedenheit Fußball=fuß+ball Bildungsabschluss=bildung+abschluss
Migrationshintergrund=migration+hintergrund Umweltschutz=umwelt+schutz Zukunftsangst=zukunft+angst
Gesundheitszustand=gesundheit+zustand Landwirtschaft=land+wirtschaft Bürgermeister=bürger+meister
Familienstand=familie+stand Parteiidentifikation=partei+identifikation Haushaltsgröße=haushalt+größe
Kraftfahrzeughaftpflichtversicherung=kraft+fahrzeug+haftpflicht+versicherung
Weltanschauung=welt+anschauung Kindergärten=kinder+gärten
"""


@pytest.mark.parametrize("row", COMPOUNDS.split())
def test_compounds_are_taken_apart(row: str) -> None:
    word, parts = row.split("=")
    assert split_compound(word) == tuple(parts.split("+"))


@pytest.mark.parametrize(
    "word",
    """Gesellschaft Wissenschaft Universität Temperatur Freundlichkeit Entwicklung Vorstellung Ausland
    Gegenwart Regierung Verantwortung Information Präsident Computer Philosophie Demokratie verstehen
    erklären Geschichte Möglichkeit Krankheit Katastrophe Schmetterling Restaurant Minister Generation
    Situation Unternehmen Republik Zufriedenheit Erfahrung Einstellung Ergebnis Frankreich""".split(),
)
def test_other_words_stay_whole(word: str) -> None:
    assert split_compound(word) == (word.lower(),)


def test_a_hyphen_parts() -> None:
    assert split_compound("EU-Arbeitsmarkt") == ("eu", "arbeit", "markt")


def test_ss_and_sharp_s_are_the_same_word() -> None:
    assert split_compound("Strassenbahn") == ("strasse", "bahn")


@pytest.mark.parametrize("word", ["", "-", "…", "🙂", "שלום", "Haus", "x" * 10_000, "1234567890"])
def test_odd_words_stay_as_they_are(word: str) -> None:
    assert split_compound(word) == ((word.lower(),) if word.strip("-") else ())


def test_what_is_too_short_or_too_long_is_not_taken_apart() -> None:
    assert len(split_compound("Haus" * 30)) == 1 and len("Haus" * 30) > MAX_WORD
    assert split_compound("Hoftor") == ("hoftor",) and len("Hoftor") < MIN_WORD


@given(st.text(st.sampled_from("abdefghiklmnorstuwzäöüß-"), max_size=30))
def test_parts_come_from_the_word_in_order(word: str) -> None:
    place = 0
    for part in split_compound(word):
        assert part
        found = word.find(part.removesuffix("e"), place)
        assert found >= place
        place = found + len(part) - 1
