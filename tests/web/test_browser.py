"""The page in a real browser: what a person sees, clicks and types."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.web.seen import Seen, check_axe, shown


def test_a_pdf_is_uploaded_and_its_notes_can_be_filtered(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf", "learner")
    seen.picture("reader.png")
    seen.open("article.pdf")
    kinds = {box.get_attribute("data-task") for box in page.query_selector_all("[data-task]")}
    assert kinds >= {"words", "measurements"}, "variables only with a catalogue"
    before = shown(page)
    page.uncheck("[data-task=measurements]")
    assert page.locator("mark.k-measurements").count() == 0
    assert page.locator("mark.k-words").count() > 0
    page.check("[data-task=measurements]")
    assert shown(page) == before
    page.locator("#many").fill("100")
    assert shown(page) >= before


def test_the_slider_goes_from_few_notes_to_many(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.locator("#many").fill("100")
    page.uncheck("[data-task=measurements]")
    counts = []
    for many in ("0", "50", "100"):
        page.locator("#many").fill(many)
        counts.append(shown(page))
    assert counts[0] == 0 and 0 < counts[1] < counts[2]


def test_a_row_of_the_table_leads_to_its_place(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.click("#tab-measurements")
    seen.picture("measurements.png")
    button = page.locator("tbody tr button").nth(2)
    quote = button.text_content()
    button.click()
    mark = page.locator("mark.open").first
    assert mark.is_visible() and mark.text_content() in quote
    assert page.evaluate("document.activeElement.className") == "quote"
    assert page.evaluate("document.activeElement.querySelector('b').textContent") == quote


def test_a_pdf_is_saved_with_its_notes(seen: Seen, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    page = seen.page
    seen.open("article.pdf")
    seen.menu("share")
    with page.expect_download() as waiting:
        page.click("[data-format=pdf]")
    assert waiting.value.suggested_filename == "article.pdf"
    waiting.value.save_as(tmp_path / "noted.pdf")
    pages = pypdf.PdfReader(tmp_path / "noted.pdf").pages
    assert all("/Annots" in one for one in pages)


def test_pages_show_their_notes(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.click("#tab-pages")
    # Pictures come in any order: the first is waited for, not any.
    page.wait_for_selector(".page[data-page='1'] img[data-ready]")
    assert page.evaluate("document.querySelector('.page img').naturalWidth") > 1000
    page.wait_for_selector(".sheet .box")
    page.locator("#many").fill("15")
    seen.picture("pages.png")
    sheet = page.locator(".sheet").first.bounding_box()
    page.wait_for_selector(".page[data-page='1'] .words [data-start]")
    for box in page.locator(".sheet").first.locator(".box").all():
        place = box.bounding_box()
        assert (
            sheet["x"] <= place["x"]
            and place["x"] + place["width"] <= sheet["x"] + sheet["width"] + 1
        )
        assert sheet["y"] <= place["y"] and place["height"] < 40
    page.locator("#many").fill("3")
    notes = page.evaluate(
        "[...document.querySelectorAll('.page[data-page=\"1\"] .note')].filter(n => n.offsetHeight).map(n => { const r = n.getBoundingClientRect();"
        "const box = document.querySelector(`.box[data-note='${n.id.slice(5)}']`).getBoundingClientRect();"
        "return [r.top, r.bottom, box.top] }).sort((a, b) => a[0] - b[0])"
    )
    assert abs(notes[0][0] - notes[0][2]) < 15, "the first stands beside its line"
    for (_, above, _), (top, _, line) in pairwise(notes):
        assert above <= top + 0.5 and (top - line < 15 or top - above < 15), (
            "the others there or below one another"
        )
    box = page.locator(".page[data-page='1'] .box").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".page .note.open")
    assert page.locator(".box.open").count() > 0
    assert page.locator(".page .note.open .act-accept").is_visible()
    assert page.get_attribute("[aria-selected=true]", "id") == "tab-pages", "it stays on its page"
    check_axe(page)


def test_pages_have_text_zoom_and_ways_to_a_page(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.click("#tab-pages")
    page.wait_for_selector(".page[data-page='1'] .words [data-start]")
    # The words lie over their pictures: what is selected there is the text, and can be noted.
    page.evaluate(
        "() => { const [first, , third] = [...document.querySelectorAll('.words [data-start]')].slice(20);"
        "const range = document.createRange(); range.setStart(first.firstChild, 0); range.setEnd(third.firstChild, third.textContent.trimEnd().length);"
        "getSelection().removeAllRanges(); getSelection().addRange(range) }"
    )
    words = page.evaluate("() => getSelection().toString()").split()
    page.click("#chip-add")
    assert page.input_value("#edit-words").split() == words
    page.fill("#edit-says", "mine")
    page.click("#edit-save")
    page.wait_for_selector(".page .note.d-added:has-text('mine')")
    # Words that are looked for are marked on the page.
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("trust")
    page.wait_for_selector(".marks .found.now")
    assert page.get_attribute("[aria-selected=true]", "id") == "tab-pages"
    hit = page.locator(".marks .found.now").first.bounding_box()
    assert 10 < hit["width"] < 80 and 0 < hit["y"] < 860
    page.keyboard.press("Escape")
    assert page.locator(".marks .found").count() == 0
    before = page.locator(".sheet").first.bounding_box()["width"]
    page.click("[aria-label=Larger]")
    assert page.locator(".sheet").first.bounding_box()["width"] > before * 1.1
    page.click("#fit")
    assert abs(page.locator(".sheet").first.bounding_box()["width"] - before) < 2
    page.focus("#side-toggle")
    page.keyboard.press("g")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => Math.abs(document.querySelector('.page[data-page=\"2\"]').getBoundingClientRect().top) < 400"
    )
    page.click("#two-pages")
    tops = page.evaluate(
        "[1, 2].map(n => document.querySelector(`.page[data-page='${n}']`).getBoundingClientRect().top)"
    )
    assert abs(tops[0] - tops[1]) < 2
    check_axe(page)
    page.click("#two-pages")
    page.locator("#thumbnails summary").click()
    page.locator("#thumbnails button").first.click()
    page.wait_for_function("() => document.getElementById('page-number').value === '1'")


def test_notes_stand_beside_their_lines_and_never_overlap(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.locator("#many").fill("100")
    boxes = page.evaluate(
        "[...document.querySelectorAll('.note')].map(n => n.getBoundingClientRect())"
        ".map(r => [r.top, r.bottom]).filter(([a, b]) => b > a)"
    )
    assert len(boxes) > 10
    boxes.sort()
    assert all(a[1] <= b[0] + 0.5 for a, b in pairwise(boxes))
    aside = page.evaluate(
        "(() => { const n = document.querySelector('.note');"
        "const m = document.querySelector(`mark[data-notes~='${n.id.slice(5)}']`);"
        "const line = parseFloat(getComputedStyle(m).lineHeight);"
        "return (m.getBoundingClientRect().top - n.getBoundingClientRect().top) / line })()"
    )
    assert abs(aside) < 0.6, "beside its own line, not the next"


def test_by_keyboard_alone(seen: Seen) -> None:
    page = seen.page
    page.goto(f"{seen.served}/#/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#add")
    page.keyboard.press("Enter")
    page.focus("#new-audience")
    page.keyboard.press("End")
    page.focus("#paste")
    page.keyboard.insert_text(
        "The vestibule was cold. The flask weighed 12.5 kg before and 11.75 kg after."
    )
    page.focus("#send")
    page.keyboard.press("Enter")
    seen.done()
    page.keyboard.press("j")
    first = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("j")
    second = page.evaluate("document.activeElement.textContent")
    assert first and second and first != second
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.textContent") == first
    page.keyboard.press("Escape")
    assert page.locator(".note.open").count() == 0
    page.focus("[role=tab][aria-selected=true]")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("[aria-selected=true]", "id") != "tab-text"


def test_nothing_in_a_document_is_interpreted(seen: Seen) -> None:
    page = seen.page
    seen.adding(None)
    page.fill(
        "#paste", "<img src=x onerror=alert(1)> <script>alert(2)</script> weighs 3 kg & more."
    )
    page.click("#send")
    seen.done()
    assert page.locator(".document img, .document script").count() == 0
    assert "<script>alert(2)</script>" in page.text_content(".document")


def test_german_and_a_phone_and_the_dark(browser: Any, served: str) -> None:
    phone = browser.new_context(
        viewport={"width": 390, "height": 800}, locale="de-DE", color_scheme="dark",
        reduced_motion="reduce",
    )  # fmt: skip
    seen = Seen(phone.new_page(), served)
    seen.open("abstract-de.txt")
    page = seen.page
    assert "Messwerte" in page.text_content(".tabs")
    assert page.locator(".top").bounding_box()["height"] <= 56, "one slim bar"
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "nothing sticks out to the right"
    page.locator("mark").first.click()
    assert page.locator(".note.open").is_visible()
    seen.picture("phone.png")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(27, 26, 24)"
    phone.close()
    assert seen.wrong == []


@pytest.mark.parametrize("theme", ["light", "dark", "sepia"])
def test_no_serious_barriers(browser: Any, served: str, theme: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.add_init_script(f"localStorage.setItem('look', JSON.stringify({{ theme: '{theme}' }}))")
    seen = Seen(page, served)
    seen.open("article.pdf")
    page.keyboard.press("j")
    tabs = ("vocabulary", "measurements", "pages", "overview", "decisions")
    for place in ("", *(f"#tab-{tab}" for tab in tabs)):
        if place:
            page.click(place)
        check_axe(page)
    page.goto(f"{served}/#/")
    page.wait_for_selector(".doc")
    check_axe(page)
    page.click("#add")
    check_axe(page)
    page.close()


def test_a_failure_is_told(seen: Seen) -> None:
    page = seen.page
    page.goto(f"{seen.served}/#/")
    page.set_input_files(
        "#file", {"name": "cut.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 no"}
    )
    page.wait_for_selector(".state.error")
    assert "PDF" in page.text_content(".state.error")
    assert "Try again" in page.text_content(".problem"), "and what to do next"
    check_axe(page)
    page.click("#again")
    page.wait_for_selector(".state.error")
