"""The page shows notes of an annotator that it has never heard of: what it says of them comes from the annotator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from marginalia import Annotation, Document
from marginalia.core.annotator import Annotator
from marginalia.core.entry_points import Entry
from marginalia.core.errors import ContractError
from marginalia.core.look import Column, Look
from marginalia.core.registry import _entries, _load
from marginalia.web.library import Library
from tests.web.conftest import Served
from tests.web.seen import Seen


def colours(doc: Document, *, known: str = "") -> Iterator[Annotation]:
    for number, match in enumerate(re.finditer(r"\b(?:red|blue)\b", doc.text), 1):
        yield Annotation(
            id=f"colours-{number}", task="colours", label="colour", start=match.start(), end=match.end(),
            quote=match.group(), score=0.5, attrs={"why": "a colour", "waves": [450, 700], "low": 450, "high": 700, "unit": "nm"},
        )  # fmt: skip


COLOURS = Annotator(
    name="colours",
    question="Which colours?",
    annotate=colours,
    options={"known": ()},
    look=Look(
        heading={"en": "Colours", "de": "Farben"},
        colour="#0033aa",
        order=1,
        labels={"de": {"colour": "Farbe"}},
        score={"en": "how bright it is", "de": "wie hell sie ist"},
        reasons={"de": {"^a colour$": "eine Farbe"}},
        columns=(
            Column(heading={"en": "Painted", "de": "Gemalt"}, value=("quote",), group=True),
            Column(heading={"en": "Waves"}, value=("attrs.low", "attrs.high", "attrs.unit")),
        ),
    ),
)


@pytest.fixture
def painted(browser: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    """A page of a server that has this annotator beside the usual ones."""
    group = "marginalia.annotators"
    monkeypatch.setitem(_entries(group), "colours", Entry("colours", f"{__name__}:COLOURS", group))
    _load.cache_clear()
    served = Served(Library())
    page = browser.new_page(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    seen = Seen(page, served.url)
    yield seen
    page.close()
    served.stop()
    _load.cache_clear()
    assert seen.wrong == [], "errors on the console"


def test_its_notes_heading_colour_and_table_are_on_the_page(painted: Seen) -> None:
    page = painted.page
    painted.adding(None)
    page.fill("#paste", "A red cat sat beside a blue dog.")
    page.click("#send")
    painted.done()
    assert page.locator("mark.k-colours").all_text_contents() == ["red", "blue"]
    assert page.locator(".tabs button").nth(1).text_content() == "Colours 2", "first in order"
    colour = "e => getComputedStyle(e).color"
    assert page.locator(".note.k-colours .sign").first.evaluate(colour) == "rgb(0, 51, 170)"
    page.locator("mark.k-colours").first.click()
    details = page.text_content(".note.open")
    assert "450 – 700 nm" in details and "how bright it is" in details
    assert page.locator(".note.open .act-know").count() == 1, "its reader can say what is known"
    page.click("#tab-colours")
    assert page.locator("thead th").all_text_contents() == ["Painted", "Waves"]
    assert page.locator("tbody tr").first.locator("td").all_text_contents() == [
        "red",
        "450 – 700 nm",
    ]
    painted.speak("de")
    page.wait_for_selector("#tab-colours:has-text('Farben 2')")
    page.click("#tab-text")
    assert "Farbe: red eine Farbe" in page.locator(".note.k-colours").first.text_content()


def test_a_colour_is_checked() -> None:
    with pytest.raises(ContractError, match="#rrggbb"):
        Look(colour="red; } body { display: none")
