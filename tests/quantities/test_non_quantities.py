"""Numbers that measure nothing are no quantities; those beside them still are."""

from __future__ import annotations

import pytest

from marginalia.quantities.finder import find_quantities

ENGLISH = """Our office is at 6480 Cameron Street Ste 305.
The yield changes from one year to the next.
Send it to 2200 South 216th St., Des Moines, WA 98198.
The agency proposes to amend 14 CFR part 39 as follows.
See paragraph 1.F.3 and Clause 29.2 for more.
It was printed in J. Org. Chem. 58, 335-337.
They sell it at a yard sale and missed by a mile.
And then one day it did.
Python 3.6+ and LaTeX 2 run on OS/2.
The ward is open between 0900 and 1300 h.
Listen on port 8080, or take bus 42 to gate 7.
The shop is open 24/7 for you.
The proof is in [11, Section C.2].
Call (555) 123-4567 or +49 30 1234567.
7.18 Why does the output differ from yours
1. Inside back edge to be held
2) Forward outside edge to be held
Write to 8557097.abc@mail.example.org at once.
The rate fell to 41,75% there.
Fax: (555) 123–4567, as ever.
It went into the 0.17 releases of it.
It is in (65%).txt and in 12.pdf of theirs.
A charity under 501(c)(3) of the law.
Since Qt 4.0 it has been so.
The standards are ISO 9001 and RFC 2616."""
GERMAN = """Das Büro liegt in der Hauptstraße 12, 10115 Berlin.
Sie wohnt im 3. Stock und hat den 1. Platz.
Dazu siehe die Tabellen 4 und 5.
Der Bus 42 fährt von Gleis 7 ab.
8 Siehe auch [4, Abschnitt 2.7.2] dazu.
Das folgt aus § 5 Abs. 2 Satz 1 des Gesetzes.
Er ist unter (02 22) 56 01-36 94 zu erreichen.
Die Ausgabe ist vom 2020/08/06 und gilt."""


@pytest.mark.parametrize("text", ENGLISH.splitlines())
def test_english_numbers_that_measure_nothing(text: str) -> None:
    assert [text[q.start : q.end] for q in find_quantities(text)] == []


@pytest.mark.parametrize("text", GERMAN.splitlines())
def test_german_numbers_that_measure_nothing(text: str) -> None:
    assert [text[q.start : q.end] for q in find_quantities(text, language="de")] == []


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("1. Each curve is 20 ft at least.", "20 ft"),
        ("A 5-K step in temperature was made.", "5-K"),
        ("By comparing 2 different coals we learned more.", "2"),
        ("In 30 Main Street shops it was sold for one day.", "one day"),
        ("The drive at 70 miles an hour was long.", "70 miles an hour"),
        ("It lasts for one day.", "one day"),
        ("The bolts are ¹⁄4 inch thick.", "¹⁄4 inch"),
        ("Two tonnes of steel were used.", "Two tonnes"),
        ("There were 12 cases per 100,000 people.", "12 cases per 100,000 people"),
    ],
)
def test_what_measures_something_is_still_found(text: str, quote: str) -> None:
    assert quote in [text[q.start : q.end] for q in find_quantities(text)]
