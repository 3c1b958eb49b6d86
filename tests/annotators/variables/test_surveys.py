"""The surveys that a paper names: by number, DOI, title, or acronym and year."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.annotators.variables.surveys import named_surveys

TITLES = {
    "ZA4950": "International Social Survey Programme: Religion III - ISSP 2008",
    "ZA4700": "International Social Survey Programme: Role of Government IV - ISSP 2006",
    "ZA4600": "Allgemeine Bevölkerungsumfrage der Sozialwissenschaften ALLBUS 2008",
    "ZA4976": "Eurobarometer 72.2 (Sep-Oct 2009)",
    "ZA4972": "Eurobarometer 71.2 (May-Jun 2009)",
    "10.4232/1.13141": "Orchard and Garden Panel, first wave",
    "SHARE-W4": "SHARE Wave 4",
}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We use the data of ZA4600.", {"ZA4600": "number"}),
        ("Data: GESIS, ZA-Nr. 4700, version 1.0.", {"ZA4700": "number"}),
        ("See https://doi.org/10.4232/1.13141.", {"10.4232/1.13141": "doi"}),
        ("The orchard and garden panel, first wave, has 900 people.", {"10.4232/1.13141": "title"}),
        ("Data come from the ISSP 2008 module.", {"ZA4950": "series"}),
        ("Der ALLBUS (2008) enthält diese Frage.", {"ZA4600": "series"}),
        ("Eurobarometer 72.2 asked this of 27,000 people.", {"ZA4976": "series"}),
        ("The International Social Survey Programme of 2006 was used.", {"ZA4700": "series"}),
        # A series without a year is all its waves.
        ("Data of the ISSP were used.", {"ZA4950": "series", "ZA4700": "series"}),
        # ... but not beside a wave that is named.
        ("The ISSP is a survey. We use the ISSP 2006.", {"ZA4700": "series"}),
        ("The Eurobarometer is old. We use Eurobarometer 72.2.", {"ZA4976": "series"}),
        (
            "We use Eurobarometer 71.2 and Eurobarometer 72.2.",
            {"ZA4972": "series", "ZA4976": "series"},
        ),
        ("We share data with others in 2008, and no survey is named.", {}),
        ("Issp", {"ZA4950": "series", "ZA4700": "series"}),
        ("", {}),
    ],
)
def test_what_is_named(text: str, wanted: dict[str, str]) -> None:
    assert {one.survey: one.by for one in named_surveys(text, TITLES)} == wanted


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    for one in named_surveys(text, TITLES):
        assert one.survey in TITLES and one.to_dict()["quote"]
