"""Words that a line end divides."""

from __future__ import annotations

import pytest

from marginalia.reader.pdf.hyphens import joint

KNOWN = {"well-known", "cooperate", "e-mail"}


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("the con-", "text of it", "the context of it"),
        ("the con\u00ad", "text of it", "the context of it"),
        ("a well-", "known fact", "a well-known fact"),
        ("they co-", "operate", "they cooperate"),
        ("his self-", "rated health", "his self-rated health"),
        ("a cross-", "sectional study", "a cross-sectional study"),
        ("a survey-", "based index", "a survey-based index"),
        ("Anglo-", "Saxon", "Anglo-Saxon"),
        ("from 1990-", "1995", "from 1990-1995"),
        ("Haupt-", "und Nebensatz", "Haupt- und Nebensatz"),
        ("short-", "and long-term", "short- and long-term"),
        ("it was -", "so they say", "it was - so they say"),
        ("no hyphen", "here", "no hyphen here"),
        ("Versuchs-", "anordnung", "Versuchsanordnung"),
        ("state-of-the-", "art methods", "state-of-the-art methods"),
        ("an e-", "mail", "an e-mail"),
        ("-", "x", "- x"),
    ],
)
def test_line_ends(before: str, after: str, whole: str) -> None:
    lost, gap = joint(before, after, KNOWN)
    assert before[: len(before) - lost] + gap + after == whole


def test_words_in_capitals_and_chains_of_words() -> None:
    assert joint("we release SCI-", "DOCS covers", {"scidocs"}) == (1, "")
    assert joint("the SARS-", "CoV virus", {"sarscov"}) == (0, "")
    assert joint("in n-hexane-dichloromethane-", "methanol (2:5:1)") == (0, "")
    assert joint("a well-under-", "stood case") == (1, "")
