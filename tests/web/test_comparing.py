"""Two documents of the library side by side: over the API, and on their page in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from marginalia.core.extraction import Across
from tests.web.conftest import opened
from tests.web.seen import Seen, check_axe

Make = Callable[..., TestClient]
OLD = "# Sleep\n\nWe followed 2,418 adults over three waves.\n\nThe archivist was there.\n\nThe drug lowers blood pressure.\n"
NEW = "# Sleep\n\nWe followed 2,502 adults over three waves.\n\nThe archivist was there.\n\nThe drug does not lower blood pressure.\n\nA courtyard was added.\n"


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each time the models would have looked for contradictions."""
    calls: list[str] = []

    def find(old: Any, new: Any, tasks: object) -> tuple[Across, ...]:
        calls.append(old.text + new.text)
        pair = Across(
            kind="contradiction", old_start=0, old_end=5, new_start=0, new_end=5, why="<b>"
        )
        return (pair,)

    monkeypatch.setattr("marginalia.web.api.comparing.find_across", find)
    return calls


def test_what_changed_from_one_to_the_other(make_client: Make, looked: list[str]) -> None:
    client = make_client()
    old, new = opened(client, OLD, "old.md"), opened(client, NEW, "new.md")
    pair = f"old={old['id']}&new={new['id']}"
    found = client.get(f"/api/compare?{pair}").json()
    assert found["paragraphs"] == {"same": 2, "changed": 2, "new": 1, "gone": 0}
    row = found["rows"][1]
    assert [text for text, changed in row["old"] if changed] == ["2,418"], "a number is one word"
    assert [text for text, changed in row["new"] if changed] == ["2,502"]
    texts = "".join(text for text, _ in row["new"])
    assert texts == "We followed 2,502 adults over three waves."
    assert found["rows"][-1]["old"] is None and found["rows"][0]["block"] == "heading"
    change = next(one for one in found["changes"] if one["new"]["quote"] == "courtyard")
    assert (change["kind"], change["label"], change["old"]) == ("new", "hard word", None)
    assert {"name": "words", "old": 18, "new": 24} in found["numbers"]
    assert looked == [], "models are asked on their own"

    for _ in range(2):
        (across,) = client.get(f"/api/compare/across?{pair}").json()
        assert (across["old"], across["why"]) == ("Sleep", "<b>")
    page = client.get(f"/api/compare/export?{pair}")
    assert "old-new.html" in page.headers["content-disposition"]
    assert "<del>2,418</del>" in page.text and "&lt;b&gt;" in page.text and "<b>" not in page.text
    data = client.get(f"/api/compare/export?{pair}&format=json").json()
    assert data["paragraphs"] == found["paragraphs"] and len(data["across"]) == 1
    assert len(looked) == 1, "and asked once"


def test_what_was_rejected_does_not_count(make_client: Make) -> None:
    client = make_client()
    old, new = opened(client, OLD), opened(client, NEW)
    note = next(one["id"] for one in new["annotations"] if one["quote"] == "courtyard")
    said = {"notes": [note], "verdict": "rejected"}
    client.post(f"/api/documents/{new['id']}/decisions", json=said)
    found = client.get(f"/api/compare?old={old['id']}&new={new['id']}").json()
    assert not [one for one in found["changes"] if one["new"]["quote"] == "courtyard"]


def test_what_cannot_be_compared_says_why(make_client: Make) -> None:
    client = make_client()
    id = opened(client, OLD)["id"]
    broken = client.post("/api/documents?name=cut.pdf", content=b"%PDF-1.4 no").json()["id"]
    client.library.wait()  # type: ignore[attr-defined]
    for path in ("compare", "compare/across", "compare/export"):
        answers = [
            client.get(f"/api/{path}?old={id}&new={other}") for other in (id, broken, "nothing")
        ]
        assert [one.status_code for one in answers] == [422, 422, 404]
    said = [one.json()["error"] for one in answers]
    assert "one and the same" in said[0] and "could not be read" in said[1]


def test_chosen_in_the_library_read_by_keys_and_shared_by_address(
    quick: None, looked: list[str], seen: Seen
) -> None:
    page = seen.page
    seen.paste(OLD)
    seen.paste(NEW)
    page.goto(f"{seen.served}/#/")
    rows = page.locator(".doc", has_text="Sleep")
    rows.nth(1).wait_for()
    compare = page.locator("#compare")
    assert compare.is_disabled()
    for row in (rows.nth(1), rows.nth(0)):  # in any order: the first that came is the older one
        row.locator("[data-pick]").check()
    compare.click()
    page.wait_for_selector(".state[data-state=done]")
    assert "contradicted" in page.text_content(".across") and len(looked) == 1
    assert page.locator(".across a").count() == 2, "each leads to its place"
    assert "courtyard" in page.text_content("#changes ~ .grid tbody")
    assert page.locator(".sides ins").count() == 3 and page.locator(".fold").count() == 0
    seen.picture("compare.png")
    check_axe(page)

    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.dataset.change") == "changed"
    page.keyboard.press("k")
    page.keyboard.press("?")
    assert "swap" in page.text_content("dialog")
    page.keyboard.press("Escape")
    page.uncheck("[data-show=new]")
    assert page.locator("tr.new").count() == 0 and "hide=new" in page.url
    address = page.url
    page.keyboard.press("s")
    page.locator(".sides ins", has_text="2,418").wait_for()
    page.go_back()
    page.locator(".sides ins", has_text="2,502").wait_for()
    assert page.url == address, "a link leads to the same view"
    seen.speak("de")
    page.wait_for_selector(".state[data-state=done]")
    body = page.text_content("main")
    assert "Absätze: 2 geändert" in body and "widersprochen: 1" in body
    for english in ("Paragraphs", "Numbers", "Save", "changed", "Swap", "undefined"):
        assert english not in body, english
    check_axe(page)
    page.locator(".across a").first.click()
    page.wait_for_selector(".document .text")
    seen.speak("en")
