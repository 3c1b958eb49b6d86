"""How common words are."""

from __future__ import annotations

from collections import Counter

import pytest

from marginalia import UnknownNameError
from marginalia.nlp import frequency
from marginalia.nlp.frequency import mean_zipf, one_in, zipf, zipfs


def test_common_words_have_higher_frequencies_than_rare_ones() -> None:
    assert zipf("the") > zipf("measure") > zipf("serendipity") > zipf("xqzzvk") == 0
    assert zipf("und", "de") > zipf("Wohndauer", "de")


def test_a_phrase_has_the_mean_of_its_words() -> None:
    assert mean_zipf("the measure") == pytest.approx((zipf("the") + zipf("measure")) / 2)
    assert mean_zipf(" … ") == 0


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "in no word list"),
        (2, "1 in 10 million words"),
        (2.7, "1 in 2 million words"),
        (5, "1 in 10,000 words"),
        (7.7, "1 in 20 words"),
    ],
)
def test_frequencies_as_people_say_them(value: float, said: str) -> None:
    assert one_in(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "in keiner Wortliste"),
        (2, "1 von 10 Millionen Wörtern"),
        (5, "1 von 10.000 Wörtern"),
        (7.7, "1 von 20 Wörtern"),
    ],
)
def test_and_in_german(value: float, said: str) -> None:
    assert one_in(value, "de") == said


def test_a_language_without_a_list_is_named() -> None:
    with pytest.raises(UnknownNameError, match="no language with a word list 'xx'"):
        zipf("word", "xx")


def test_of_several_words_at_once_by_search_and_by_dictionary(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from wordfreq import top_n_list

    monkeypatch.setattr(frequency, "_SEARCHES", Counter())
    asked = [*top_n_list("es", 3_000)[::7], "zzqx", "", "años", "Madrid", "x-y", "1999", "en casa"]
    expected = {word: zipf(word, "es") for word in asked}
    assert zipfs(asked, "es") == expected
    assert frequency._SEARCHES["es"] == 1
    frequency._SEARCHES["es"] = frequency.MAX_SEARCHES
    assert zipfs(asked, "es") == expected
    assert zipfs([], "es") == {}


def test_a_word_without_end_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its parts would be searched from end to end."""
    asked = []
    monkeypatch.setattr("wordfreq.zipf_frequency", lambda word, lang: asked.append(word) or 1.0)
    assert zipf("q" * 201) == zipf("q-" * 50_000) == mean_zipf("q" * 100_000, "de") == 0
    assert asked == []
    assert zipf("q" * 200) == 1.0
    frequency._zipf.cache_clear()
