"""A third language is a folder of data: its sentences are read, and those of the others stay as they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from marginalia import lang
from marginalia.core.errors import FormatError, MissingError
from marginalia.lang import Language, add_language, known_languages, language
from marginalia.nlp.sentences import sentences

MADE_UP = Path(__file__).parent / "volapuk"
TEXT = "Dokt. Lum golom k. b. zu dom in 3. Novul. Bi pag. 4 binom gud. Ed lum seidom."


def split(text: str, code: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text, code)]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(lang, "_added", {})
    add_language("vo", MADE_UP)
    yield
    monkeypatch.undo()
    lang.forget()


@pytest.mark.usefixtures("made_up")
def test_the_sentences_of_a_language_that_is_data_only() -> None:
    assert known_languages() == ["en", "de", "vo"]
    assert language("vo").folder == MADE_UP
    assert split(TEXT, "vo") == [
        "Dokt. Lum golom k. b. zu dom in 3. Novul.",
        "Bi pag. 4 binom gud.",
        "Ed lum seidom.",
    ]


def test_without_its_folder_a_language_is_read_as_english() -> None:
    assert "vo" not in known_languages() and language("vo").code == "en"
    assert split(TEXT, "vo")[0] == "Dokt."


@pytest.mark.usefixtures("made_up")
def test_english_and_german_stay_as_they_were() -> None:
    english = "We met Dr. Lee on p. 4. But it was in 3. Then we left."
    assert split(english, "en") == ["We met Dr. Lee on p. 4.", "But it was in 3.", "Then we left."]
    assert split("Am 3. November kam z. B. Dr. Lee. Er blieb.", "de") == [
        "Am 3. November kam z. B. Dr. Lee.",
        "Er blieb.",
    ]


@pytest.mark.usefixtures("made_up")
def test_what_a_language_does_not_say_is_empty() -> None:
    own = language("vo")
    assert own.words("sentences", "function_words") == frozenset()
    assert own.data("numbers") == {} == own.table("numbers", "names")
    assert own.pattern("sentences", "no such") == "(?!)"


def test_data_as_words_tables_patterns_and_sentences(tmp_path: Path) -> None:
    (tmp_path / "notes.toml").write_text(
        'said = "{n} of {what}"\nsmall = "a b\\nc"\npatterns = "x+\\n y\\n"\n[names]\none = 1\n'
    )
    own = Language("xx", tmp_path)
    assert own.say("notes", "said", n=3, what="them") == "3 of them"
    assert own.words("notes", "small") == {"a", "b", "c"}
    assert own.pattern("notes", "patterns") == "x+|y"
    assert own.table("notes", "names") == {"one": 1}
    (tmp_path / "bad.toml").write_text("= 3")
    with pytest.raises(FormatError, match=r"bad\.toml.*no TOML"):
        own.data("bad")


def test_a_folder_without_sentences_is_no_language(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"at least sentences\.toml"):
        add_language("xx", tmp_path)
    assert "xx" not in known_languages()
