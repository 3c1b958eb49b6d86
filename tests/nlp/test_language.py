"""Languages: the detector, what a file declares, and the vote of the commonest words."""

from __future__ import annotations

import subprocess
import sys

import pytest

from marginalia.core.document import Document
from marginalia.nlp.language import (
    _COMMON,
    document_language,
    english_or_german,
    guess,
    is_usual,
    language_code,
    language_name,
    text_language,
)
from marginalia.nlp.sentences import sentences

FRENCH = (
    "Le boulanger ouvre sa boutique avant le lever du soleil. Ses clients arrivent par petits groupes, achètent une "
    "baguette encore chaude et repartent aussitôt vers la gare. Quand la pluie tombe, il sort deux grands parapluies "
    "et un vieux banc sous l'auvent, pour que personne n'attende les pieds dans l'eau. Personne ne sait depuis combien "
    "d'années il travaille dans cette rue, mais tout le monde connaît son nom."
)
OTHERS = {
    "fr": FRENCH,
    "nl": "De bakker opent zijn winkel voordat de zon opkomt. Zijn klanten komen in kleine groepjes, kopen een warm "
    "brood en lopen meteen door naar het station.",
    "sv": "Bagaren öppnar sin butik innan solen går upp. Hans kunder kommer i små grupper, köper ett varmt bröd och "
    "går genast vidare till stationen.",
    "es": "El panadero abre su tienda antes de que salga el sol. Sus clientes llegan en grupos pequeños, compran una "
    "barra caliente y siguen enseguida hacia la estación.",
    "it": "Il fornaio apre la bottega prima che sorga il sole. I suoi clienti arrivano a piccoli gruppi, comprano una "
    "pagnotta ancora calda e ripartono subito verso la stazione.",
    "ar": "يفتح الخباز دكانه قبل شروق الشمس. يأتي زبائنه في مجموعات صغيرة ويشترون خبزا ساخنا ثم يمضون إلى المحطة.",
    "ko": "빵집 주인은 해가 뜨기 전에 가게 문을 연다. 손님들은 삼삼오오 찾아와 따뜻한 빵을 사고 곧바로 역으로 향한다.",
}


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("The cat sat on the mat.", "en"),
        ("Die Katze saß auf der Matte.", "de"),
        ("Der Test was done with an Umfrage, but the text is English.", "en"),
        ("Die Studie „The Last of Us“ wurde mit 20 Personen und einem Spiel durchgeführt.", "de"),
        ("Pour 5 ml into the flask.", "en"),
        ("12 345", "en"),
        ("Gur sreel yrnirf gur vfynaq ng abba naq gnxrf nobhg sbegl zvahgrf sebz gur cvre.", "en"),
        ("", "en"),
        *((text, lang) for lang, text in OTHERS.items()),
    ],
)
def test_guess(text: str, lang: str) -> None:
    assert guess(text) == lang


def test_a_declared_language_counts_unless_the_words_are_surely_in_another() -> None:
    assert text_language("Pain, fromage, vin", "de-AT") == "de"
    assert text_language(FRENCH, "fr-CA") == "fr"
    assert text_language(FRENCH[:150], "en-US") == "en", "too short to overrule its file"
    assert text_language(FRENCH, "en-US") == "fr", "the template of a word processor"
    assert text_language(FRENCH, "klingon") == "fr"
    assert document_language(Document(id="x", text=FRENCH, meta={"lang": "de"})) == "de"
    assert document_language(Document(id="x", text=FRENCH)) == "fr"


@pytest.mark.parametrize(
    ("tag", "code"),
    [("en", "en"), ("EN-us", "en"), ("de_AT.UTF-8", "de"), ("ger", "de"), (" fr ", "fr"), ("", ""), ("mul", "")],
)  # fmt: skip
def test_language_code(tag: str, code: str) -> None:
    assert language_code(tag) == code


def test_language_name() -> None:
    assert (language_name("sv"), language_name("qu")) == ("Swedish", "the language 'qu'")


def test_english_or_german() -> None:
    assert english_or_german("Die Katze saß auf der Matte.") == "de"
    assert english_or_german(FRENCH) in ("en", "de")
    assert not _COMMON["en"] & _COMMON["de"], "no word votes for both"


def test_sentences_of_other_languages_end_where_they_end() -> None:
    assert len(list(sentences(FRENCH, "fr"))) == 4


def test_the_detector_is_loaded_when_it_is_asked() -> None:
    code = "import sys, marginalia.reader.read; print('py3langid' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_plain_english_needs_no_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> None:
        raise AssertionError("the detector was loaded")

    text = (
        "The baker opens his shop before the sun is up, and when it rains he has a bench for them. "
    )
    assert not any(is_usual(other, lang) for other in OTHERS.values() for lang in ("en", "de"))
    monkeypatch.setattr("marginalia.nlp.language._identifier", never)
    assert guess(text * 5) == "en"
    with pytest.raises(AssertionError, match="was loaded"):
        guess(FRENCH)
