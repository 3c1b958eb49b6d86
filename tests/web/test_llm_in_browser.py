"""A language model in a real browser: the reader ticks a box, and its notes are marked with its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("jsonschema")

from marginalia.web.library import Library
from tests.asked import Row, agreeing, model
from tests.web.conftest import Served
from tests.web.seen import SELECT, Seen, check_axe

TEXT = "The committee gave a palliative answer to the isotropic rumour about its treasurer."


def explaining(prompt: str, row: Row) -> Row:
    """Quotes what is there and what is not."""
    if prompt != "explain":
        return agreeing(prompt, row)
    return {
        "explanation": "It eases a problem but does not solve it.",
        "quotes": ["a palliative answer", "words that stand nowhere"],
    }


@pytest.fixture
def asking(served: str) -> Iterator[str]:  # which knows the reader of everything
    own = Served(Library(llm=model(explaining, "the-model")))
    yield own.url
    own.stop()


def test_a_box_asks_the_model_and_its_notes_are_marked(browser: Any, asking: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    seen = Seen(page, asking)
    seen.paste(TEXT)
    seen.done()
    assert not page.is_checked("#llm")
    assert "✦" not in page.text_content("body")
    page.check("#llm")
    page.wait_for_selector(".note:has-text('✦')")
    assert page.is_checked("#llm")
    page.locator("mark", has_text="palliative").first.click()
    page.wait_for_selector(".note.open:has-text('the-model (agrees)')")
    check_axe(page)
    page.close()
    assert seen.wrong == []


def test_an_explanation_shows_only_quotes_that_are_in_the_text(browser: Any, asking: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    seen = Seen(page, asking)
    seen.paste(TEXT)
    page.evaluate(SELECT, "palliative")
    page.click("#chip-ask")
    page.click("#explain")
    answer = page.locator(".explanation")
    answer.locator("blockquote").wait_for()
    assert "It eases a problem" in answer.text_content() and "the-model" in answer.text_content()
    assert answer.locator("blockquote").all_text_contents() == ["a palliative answer"]
    check_axe(page)
    page.close()
    assert seen.wrong == []


def test_a_server_without_a_model_offers_none(seen: Seen) -> None:
    page = seen.page
    seen.paste(TEXT)
    assert page.locator("#llm").count() == 0
    page.evaluate(SELECT, "palliative")
    page.click("#chip-ask")
    page.wait_for_selector(".answer")
    assert page.locator("#explain").count() == 0
