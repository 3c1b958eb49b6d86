"""A language model in a real browser: the reader ticks a box, and its notes are marked with its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("jsonschema")

from marginalia.web.library import Library
from tests.asked import agreeing, model
from tests.web.conftest import Served
from tests.web.seen import Seen, check_axe

TEXT = "The committee gave a palliative answer to the isotropic rumour about its treasurer."


@pytest.fixture
def asking(served: str) -> Iterator[str]:  # which knows the reader of everything
    own = Served(Library(llm=model(agreeing, "the-model")))
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


def test_a_server_without_a_model_offers_none(seen: Seen) -> None:
    seen.paste(TEXT)
    seen.done()
    assert seen.page.locator("#llm").count() == 0
