"""Words around a quantity that make its value a bound, rough or recurring."""

from __future__ import annotations

import pytest

from marginalia.quantities.surroundings import recurrence, with_surroundings
from marginalia.quantities.value_writer import write_value
from marginalia.quantities.values import parse_value

ENGLISH = [
    ("The pressure must not exceed [6 bar].", "≤ 6"),
    ("Files should be no [larger than 20 MB].", "≤ 20"),
    ("The walk takes not [less than 2 hours].", "≥ 2"),
    ("It shouldn't be [smaller than 512 MB].", "≥ 512"),
    ("Rooms are never [above 5 m].", "≤ 5"),
    ("It is [more than 2 m].", "> 2"),
    ("It is at or [above 5 %] there.", "≥ 5"),
    ("Nothing older than [5 days] is kept.", "> 5"),
    ("Nothing is older, and [5 days] are enough.", "5"),
    ("We keep data up [until 6 hours] after that.", "≤ 6"),
    ("The reply came no later than [10 days] on.", "≤ 10"),
    ("This limits the memory to [3 GB] in all.", "≤ 3"),
    ("Children aged [6 years] and up pay.", "≥ 6"),
    ("[65 years] or over", "≥ 65"),
    ("[65 years] or over 70 years", "65"),
    ("Maximum is [48 kHz], minimum is 1 kHz.", "≤ 48"),
    ("A load of [10 kg] at most.", "≤ 10"),
    ("A depth of [5 mm] is exceeded.", "> 5"),
    ("A depth of [5 mm] must not be exceeded.", "≤ 5"),
    ("We gave the Ab [5 µg/mL] twice.", "5"),
    ("They have over [sixty] employees.", "> 60"),
    ("It is averaged over [60] runs.", "60"),
    ("What [about five years] later?", "5"),
    ("a lad some [twelve years] old", "~12"),
    ("It grew by [5 ± 1 cm] or more.", "5 ± 1"),
    ("It needs at least 780 MB of memory and [1160 MB] of disk.", "≥ 1,160"),
    ("Up to 5 kg of sand and [3 kg] of gravel.", "≤ 3"),
    ("At least 5 kg of sand are there and [3 kg] of gravel.", "3"),
    ("At least 5 kg of sand and [3 m] of rope.", "3"),
    ("At least 5 kg and [3 m] are needed.", "≥ 3"),
    ("It wants at least 2 GB of free memory on the host and [20 GB] on the disk.", "≥ 20"),
    ("The limit tends to [2] then.", "2"),
    ("It takes [four] (or more) hands.", "≥ 4"),
    ("The price is [around 360 dollars] there.", "~360"),
]
GERMAN = [
    ("Die Temperatur sollte [45 °C] nicht übersteigen.", "≤ 45"),
    ("Der Druck darf [6 bar] auf keinen Fall überschreiten.", "≤ 6"),
    ("Wenn der Druck [6 bar] überschreitet, öffnet das Ventil.", "> 6"),
    ("Er darf [2 bar] nicht unterschreiten.", "≥ 2"),
    ("spätestens alle [zwei Jahre]", "≤ 2"),
    ("Kinder ab [6 Jahren] fahren mit.", "≥ 6"),
    ("bis [14 Jahre] kostenlos", "≤ 14"),
    ("nicht [mehr als 2 Liter]", "≤ 2"),
    ("wer größer als [1,90 m] ist", "> 1.90"),
    ("es sind minimum [350 MB] nötig", "≥ 350"),
    ("nicht schwerer als [70 g]", "≤ 70"),
    ("Er ist gut [1,80 m] groß.", "~1.80"),
    ("Sie brauchen mindestens 780MB Speicher und [1160MB] Platz.", "≥ 1,160"),
    ("höchstens 2 GB RAM sowie [10 GB] Platte", "≤ 10"),
    ("Die Kosten sanken um [5 kg].", "5"),
]


def read(text: str, language: str) -> str:
    start, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "").replace("]", "")
    value = parse_value(plain[start:end], language=language)
    return write_value(with_surroundings(value, plain, start, end, language))


@pytest.mark.parametrize(("text", "wanted"), ENGLISH)
def test_english_words_bound_a_value(text: str, wanted: str) -> None:
    assert read(text, "en") == wanted


@pytest.mark.parametrize(("text", "wanted"), GERMAN)
def test_german_words_bound_a_value(text: str, wanted: str) -> None:
    assert read(text, "de") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Take [5 mg] daily.", "daily"),
        ("It needs [20 mg] twice a day.", "twice a day"),
        ("She works [three days] a week.", "a week"),
        ("Nehmen Sie täglich [5 mg] ein.", "täglich"),
        ("Das sind [650 kWh] im Jahr.", "im Jahr"),
        ("Das waren [650 kWh] im Jahr 1990.", None),
        ("Es fielen [5 mm] am Tag danach.", None),
        ("We rode [5 km] a day-trip away.", None),
        ("It was [19%] a week earlier.", None),
    ],
)
def test_what_recurs_says_how_often(text: str, wanted: str | None) -> None:
    start, end = text.index("["), text.index("]") - 1
    assert recurrence(text.replace("[", "").replace("]", ""), start, end, "de") == wanted
