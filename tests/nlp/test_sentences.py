"""Sentences: where they end in English and German, and that no text is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.sentences import sentences

# Each case is one text, its sentences divided by bars.
ENGLISH = [
    "Dr. Smith met Mr. Jones at 5 p.m. and left.| The talk was short.",
    "They met at 5 p.m.| The talk was short.",
    "See Fig. 3, Eq. 2 and Sec. 4.1 for details.| They agree.",
    "He said no.| Then he left.| No. 5 is alive.",
    "The dose was 3.5 mg.| It rose by 2.0.| Then it fell.",
    "As Smith et al. (2020) say, cf. Brown, pp. 3–5, it does.| It did.",
    "Apples, pears, etc. are fruit.| We sell apples, etc.| Others do not.",
    "J. R. R. Tolkien wrote it.| Take vitamin C.| The rest can wait.",
    "In the U.S. Government debt rose.| So it did in the U.S.| The rest fell.",
    "It was 2020.| Then came 12.| And more.",
    '"Is it?" he asked.| "Yes."| She left (quickly).| It ended.[2]| Then more [3].| Good.',
    "It slept.¹ |Then it woke.⁴⁻⁶ |It ate.",
    "The sum is a + ... + z.| It ends.",
    "Well… perhaps.| Really?!| Yes!",
    "1. Wash the jars.| 2. Boil them for 12 minutes.| 3. Cool.",
    "Others, e.g. Brown and i.e. Green, agree.| It is approx. ±5.",
    "It went on . . . and on. . . .| Then it ended [Brown, Op. Cit., p. 35].| Good.",
    "A title\n\n|The text goes on\nhere.| And\n \n|there",
    "one line\r\n\r\n|another",
]
GERMAN = [
    "Am 20. November 2019 begann die Erhebung.| Die Gruppe umfasste 12.| Danach ging es weiter.",
    "Im 19. Jahrhundert war das, d. h. die Regel, anders.| Heute ist es so.",
    "Es kamen z. B. Schüler und z.B. Lehrer usw. hinzu.| Auch die Eltern kamen usw.| Das war gut.",
    "Vgl. Abb. 3 auf S. 12 und Nr. 4.| Dort steht es.",
    "Der Wert betrug 1.000,5 bzw. ca. 20 %.| Er stieg auf 3,5.| Dann fiel er.",
    "„Das ist gut.“| Er nickte.| »Wirklich?«| Sie schwieg.",
    "Prof. Dr. Weiß und Fr. Müller sind nicht da.| Wir warten.",
    "Das folgt aus Art. 2 i. V. m. Art. 1 GG i. S. d. § 433 BGB, Rn. 24 des Werks.| Vgl. §§ 145 ff. BGB gem. § 433 Abs. 1 S. 1 BGB.",
    "Das gilt i. d. R. für Kinder.| Man sieht es u. a. an den Zahlen.",
]


@pytest.mark.parametrize("case", ENGLISH)
def test_english(case: str) -> None:
    check(case, "en")


@pytest.mark.parametrize("case", GERMAN)
def test_german(case: str) -> None:
    check(case, "de")
    assert list(sentences(case.replace("|", ""))) == list(sentences(case.replace("|", ""), "de"))


def check(case: str, lang: str) -> None:
    text = case.replace("|", "")
    found = [text[start:end] for start, end in sentences(text, lang)]
    assert found == [part.strip() for part in case.split("|")]


@given(
    st.text(alphabet="ab AB19.!?…\n\t\r\"'“”„)([]¹é\u2028", max_size=80) | st.text(max_size=80),
    st.sampled_from(["en", "de", "fr", None]),
)
def test_sentences_are_disjoint_ordered_trimmed_and_hold_all_text(text: str, lang: str) -> None:
    spans = list(sentences(text, lang))
    before = 0
    for start, end in spans:
        assert before <= start < end
        assert not text[before:start].strip(), "what lies between sentences is white space"
        assert text[start:end] == text[start:end].strip()
        before = end
    assert not text[before:].strip()


@pytest.mark.parametrize("text", ["A. " * 40_000, "1. " * 40_000, '."' * 100_000, ".[1 " * 50_000])
def test_strange_texts_take_no_time(text: str) -> None:
    assert sum(1 for _ in sentences(text, "en")) >= 1
