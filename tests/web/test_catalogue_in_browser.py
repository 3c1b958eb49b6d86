"""A catalogue in a real browser: brought in, chosen, its candidates accepted by a key, rejected, undone, exported."""

from __future__ import annotations

import json
from pathlib import Path

from tests.web.seen import EXAMPLES, Seen, check_axe


def test_candidates_from_upload_to_export(seen: Seen, tmp_path: Path) -> None:
    page = seen.page
    seen.open("article.pdf")
    seen.menu("document")
    page.set_input_files("#bring-catalogue", EXAMPLES / "survey.ddi.xml")
    # Once it is read it is chosen for this document, which is read again.
    page.wait_for_selector("#tab-variables")
    seen.done()
    page.click("#tab-variables")
    page.locator("#panel td .plain", has_text="Trust in institutions, which").first.click()
    note = page.locator(".note.k-variables.open")
    first = note.locator(".candidates li").first
    label = first.locator("b").text_content()
    assert "% of such claims were right" in first.text_content()
    assert "common words" in first.text_content() and "V22" in first.text_content()
    check_axe(page)
    page.keyboard.press("1")
    seen.said(f"accepted: {label}")
    page.wait_for_selector(".note.open .candidates li.d-accepted[data-variable=V22]")
    page.keyboard.press("Shift+Digit2")
    page.wait_for_selector(".note.open .candidates li.d-rejected")
    seen.picture("candidates.png")
    page.keyboard.press("u")
    page.wait_for_selector(".note.open .candidates:not(:has(li.d-rejected)) li.d-accepted")
    # By mouse: reject the second one, and take that back with a second click.
    second = note.locator(".candidates li").nth(1)
    second.locator(".act-reject-candidate").click()
    page.wait_for_selector(".note.open .candidates li.d-rejected")
    second.locator(".act-reject-candidate").click()
    page.wait_for_selector(".note.open .candidates:not(:has(li.d-rejected))")
    seen.menu("share")
    page.select_option("#save-notes", "accepted")
    with page.expect_download() as waiting:
        page.click("a[data-format=json]")
    waiting.value.save_as(tmp_path / "saved.json")
    (kept,) = json.loads((tmp_path / "saved.json").read_text())["annotations"]
    assert [one["id"] for one in kept["attrs"]["variables"]] == ["V22"]
    # The catalogue is in the library, and another document can use it.
    page.goto(f"{seen.served}/#/")
    page.wait_for_selector("#catalogues li:has-text('survey.ddi.xml: 26 variables')")
    check_axe(page)


def test_terms_of_a_document_in_the_glossary_and_in_german(seen: Seen) -> None:
    page = seen.page
    filler = "The farmers went home and the children played in the garden until it was late. " * 40
    seen.paste(
        "We measured the mean furrow depth (MFD) of all fields. "
        f"A nephron is the smallest working part of a kidney.\n\n{filler}\n\n"
        "In the second year the MFD was lower in each group."
    )
    page.click("#tab-vocabulary")
    row = page.locator("#panel tr", has_text="MFD").first
    assert "mean furrow depth" in row.text_content()
    page.click("#tab-text")
    page.locator(".block").last.scroll_into_view_if_needed()
    page.wait_for_selector(".note:has-text('short for mean furrow depth')")
    seen.speak("de")
    page.locator(".block").last.scroll_into_view_if_needed()
    page.wait_for_selector(".note:has-text('kurz für mean furrow depth')")
