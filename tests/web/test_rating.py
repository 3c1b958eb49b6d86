"""A rating session in a real browser: on a scale, and with spans."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from marginalia.bench.rating import Desk, export
from marginalia.web.rating.app import create_app
from marginalia.web.server import Server, bind
from tests.bench.rating.campaigns import measurement_campaign, words_campaign

PICTURES = os.environ.get("MARGINALIA_PICTURES")
WAIT = 30_000


@pytest.fixture
def serve() -> Iterator[Callable[[Desk], str]]:
    running: list[tuple[Server, threading.Thread]] = []

    def start(desk: Desk) -> str:
        sock = bind("127.0.0.1", 0)
        server = Server(create_app(desk), desk)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{sock.getsockname()[1]}"

    yield start
    for server, thread in running:
        server.should_exit = True
        thread.join(timeout=30)


def open_page(browser: Any, address: str, wrong: list[str]) -> Any:
    page = browser.new_page(viewport={"width": 1000, "height": 800}, reduced_motion="reduce")
    page.set_default_timeout(WAIT)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    return page


def answer(page: Any, value: str) -> None:
    """Choose a point and wait for the next question, or the end."""
    before = page.get_attribute("#question", "data-id")
    page.check(f"input[name=answer][value='{value}']")
    page.click("#next")
    page.wait_for_function(
        "id => document.getElementById('question').dataset.id !== id", arg=before
    )


def test_a_person_rates_words_and_goes_on_elsewhere(
    browser: Any, serve: Callable[[Desk], str], tmp_path: Path
) -> None:
    desk = Desk(words_campaign(tmp_path, per_rater=20))
    address, wrong = serve(desk), []
    page = open_page(browser, address, wrong)
    page.wait_for_selector("#begin:not([hidden])")
    page.fill("#name", "Ann")
    page.click("#begin button")
    page.wait_for_selector("fieldset")
    assert page.locator("mark").text_content() in page.text_content("#text")
    page.click("#next")
    page.wait_for_selector("#error:not(:empty)")
    assert page.text_content("#error") == "Choose one of the answers."
    if PICTURES:
        page.check("input[name=answer][value='2']")
        page.screenshot(path=Path(PICTURES) / "rating.png")
    for _ in range(3):
        answer(page, "2")
    assert page.text_content("#count") == "3 of 10"
    link = page.text_content("#address")
    page.close()

    page = open_page(browser, link, wrong)
    page.wait_for_selector("fieldset")
    assert page.text_content("#count") == "3 of 10", "the session goes on"
    page.click("text=back to the last one")
    page.wait_for_selector("input[value='2']:checked")
    answer(page, "1")
    for _ in range(7):
        answer(page, "2")
    page.wait_for_selector("text=Thank you, that was all.")
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.close()
    ratings = export(desk, with_gold=True).files["ratings.tsv"]
    values = [row.rpartition("\t")[2] for row in ratings.splitlines()[1:]]
    assert sorted(values) == ["1"] + ["2"] * 9
    assert wrong == []


SELECT = """([start, end]) => {
  const walker = document.createTreeWalker(document.getElementById("text"), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let seen = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode, next = seen + node.length;
    if (start >= seen && start < next) range.setStart(node, start - seen);
    if (end > seen && end <= next) range.setEnd(node, end - seen);
    seen = next;
  }
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


def test_a_person_marks_spans(browser: Any, serve: Callable[[Desk], str], tmp_path: Path) -> None:
    desk = Desk(measurement_campaign(tmp_path))
    wrong: list[str] = []
    page = open_page(browser, serve(desk), wrong)
    page.wait_for_selector("#begin:not([hidden])")
    page.fill("#name", "Ann")
    page.click("#begin button")
    page.wait_for_selector("[data-kind=Quantity]")
    page.click("[data-kind=Quantity]")
    page.wait_for_selector("text=Select a part of the text first.")
    # In UTF-16 units, as a browser counts them: the stone takes two.
    for kind, place in (
        ("Quantity", [20, 24]),
        ("MeasuredProperty", [13, 19]),
        ("MeasuredEntity", [0, 12]),
    ):
        page.evaluate(SELECT, place)
        page.click(f"[data-kind={kind}]")
        page.wait_for_selector(f"mark.{kind}")
    page.fill("input[aria-label=unit]", "kg")
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / "spans.png")
    page.click("#next")
    page.wait_for_selector("text=Thank you, that was all.")
    page.close()
    rows = export(desk).files["Ann.tsv"].splitlines()[1:]
    assert [row.split("\t")[6] for row in rows] == ["5 kg", "weighs", "The 🪨 stone"]
    assert '{"unit": "kg"}' in rows[0] and '{"HasProperty": "T2-1"}' in rows[2]
    assert wrong == []
