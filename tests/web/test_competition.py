"""The site of a competition in a real browser: register, upload, score, rank."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marginalia.bench.host.site import Site
from marginalia.bench.host.submissions import Upload
from marginalia.bench.host.teams import add_team
from marginalia.web.competition.app import create_app
from marginalia.web.server import Server, bind
from tests.bench.host.small import make_competition, predictions

PICTURES = os.environ.get("MARGINALIA_PICTURES")
WAIT = 120_000


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    site = Site(make_competition(tmp_path / "host", phase="closes = 2090-01-01T00:00:00Z"))
    for number, name in enumerate(("DeepBlueAI", "UTFPR", "Archer"), start=3):
        token = add_team(site.database, name, site.clock())
        upload = Upload(
            file="pred.csv", content=predictions(number), request="1", description=f"run {number}"
        )
        site.submit(site.team(token), "main", upload)
    sock = bind("127.0.0.1", 0)
    server = Server(create_app(site), site)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    server.should_exit = True
    thread.join(timeout=30)


def test_a_team_registers_uploads_and_sees_its_rank(
    browser: Any, address: str, tmp_path: Path
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1100}, reduced_motion="reduce")
    page.set_default_timeout(WAIT)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    page.fill("#name", "<b>JUST</b>")
    page.click("#register button")
    page.wait_for_selector("#error:not(:empty)")
    assert "team's name" in page.text_content("#error")
    page.fill("#name", "JUST BLUE")
    page.click("#register button")
    page.wait_for_selector("#submit:not([hidden])")
    token = page.text_content("#token-value")
    assert len(token) == 43

    bad = tmp_path / "bad.csv"
    bad.write_bytes(predictions(1).replace(b"s3,", b"s2,"))
    page.set_input_files("#file", bad)
    page.click("#submit button")
    page.wait_for_selector("#error:not(:empty)")
    assert "bad.csv:4: the id 's2' is given twice" in page.text_content("#error")

    good = tmp_path / "pred.csv"
    good.write_bytes(predictions(1))
    page.set_input_files("#file", good)
    page.fill("#what", "<i>boosting</i> on frequency")
    page.click("#submit button")
    page.wait_for_selector("tr[data-submission='4'][data-state=scored]")
    mine = page.locator("#board tr.mine")
    assert mine.locator("td").nth(0).text_content() == "1", "these predictions are the gold"
    assert mine.locator("td").nth(2).text_content() == "<i>boosting</i> on frequency"
    page.wait_for_function("document.querySelectorAll('#board tbody tr').length === 4")
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / "competition.png")

    # The token is shown once: after a reload the team is still in, without it.
    page.reload()
    page.wait_for_selector("#submit:not([hidden])")
    assert token not in page.content()
    page.once("dialog", lambda dialog: dialog.accept("a bug"))
    page.click("text=withdraw")
    page.wait_for_selector("tr[data-submission='4'][data-state=withdrawn]")
    page.wait_for_selector("#board tr.mine .badge")
    assert page.locator("#board tr.mine td").nth(0).text_content() == "–"
    page.close()
    assert wrong == []


def test_the_page_is_accessible(browser: Any, address: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_page()
    page.set_default_timeout(WAIT)
    page.goto(address)
    page.wait_for_selector("#board tbody tr")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.close()
