"""A place to read: a library that stays, ways to a place and back, print, language, phone."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from marginalia.reader.cache import NoteCache
from marginalia.web.library import Library
from marginalia.web.store.store import Store
from tests.reader.pdf.test_figures import drawn_page
from tests.reader.test_pictures import PNG
from tests.web.conftest import Served
from tests.web.seen import EXAMPLES, Seen, check_axe, shown

TEXT = "The vestibule perturbs cellular homeostasis. The flask weighed 12.5 kg."


@pytest.mark.usefixtures("served")  # which makes the profile known
def test_the_library_is_there_after_a_restart(
    browser: Any, note_cache: NoteCache, tmp_path: Path
) -> None:
    def start() -> Served:
        return Served(Library(store=Store(tmp_path), cache=note_cache))

    served = start()
    page = browser.new_page(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    seen = Seen(page, served.url)
    seen.paste(TEXT)
    page.goto(f"{served.url}/#/")
    page.set_input_files("#file", EXAMPLES / "guide.md")
    page.wait_for_function("() => location.hash.startsWith('#/d/')")
    link = urlsplit(page.url).fragment
    served.stop()  # in the midst of it: what was confirmed is read by the next server
    again = start()
    page.goto("about:blank")  # a server that is gone is no error of the page
    seen.wrong.clear()
    seen.served = again.url
    page.goto(f"{again.url}/#{link}")
    seen.done()
    assert page.text_content("#title") == "Sewing a pamphlet"
    page.goto(f"{again.url}/#/")
    page.wait_for_selector(".doc:nth-child(2)")
    rows = page.locator(".doc")
    assert [row.get_attribute("data-state") for row in rows.all()] == ["done", "done"]
    # Search, tags, removal and its undo.
    id = link.split("/")[2]
    again.library.store.documents.set_tags(id, ["craft", "to read"])
    page.reload()
    page.wait_for_selector(".doc:nth-child(2)")
    row = page.locator(".doc", has_text="pamphlet")
    assert row.locator("small.tag").all_text_contents() == ["craft", "to read"]
    assert "[object" not in page.text_content("main")
    page.fill("#search", "homeosta")
    page.wait_for_selector(".hits li")
    assert page.locator(".hits mark").first.text_content() == "homeostasis"
    check_axe(page)
    assert page.text_content(".hits p") == "1 document found"
    page.fill("#search", "")
    row.locator(".menu summary").click()
    row.locator(".menu button").click()
    page.wait_for_selector(".bin")
    page.wait_for_function("() => document.querySelectorAll('.doc').length === 1")
    page.click("#toast-act")
    page.wait_for_selector(".doc:nth-child(2)")
    page.fill("#search", "homeosta")
    page.locator(".hits a").click()
    page.wait_for_selector(".found.now")
    assert page.locator(".found").first.text_content() == "homeosta"
    page.close()
    again.stop()
    assert seen.wrong == []


def test_the_terms_of_a_web_page_are_shown(seen: Seen) -> None:
    terms = ["Latency", "Throughput", "Jitter"]
    means = "<dd><p>What is measured, at one end of the line, and then at the other end.</p></dd>"
    made = "".join(f"<dt><h3><a href='#a'>{term}</a></h3></dt>{means * 9}" for term in terms)
    page = f"<html><title>Terms</title><body><dl>{made}</dl><p>End.</p></body></html>"
    seen.page.goto(f"{seen.served}/#/")
    file = {"name": "glossary.html", "mimeType": "text/html", "buffer": page.encode()}
    seen.page.set_input_files("#file", file)
    seen.done()
    shown = [text.strip() for text in seen.page.locator(".document .text").all_text_contents()]
    assert [text for text in shown if text in terms] == terms


def test_pasted_markdown_and_html_are_recognised(seen: Seen) -> None:
    page = seen.page
    seen.paste("# A heading\n\nThe *flask* weighed **12.5 kg**.\n\n- one\n- two\n")
    assert page.locator(".document h2").text_content() == "A heading"
    assert "*" not in page.text_content(".document")
    seen.paste("<p>The <b>flask</b> weighed 12.5 kg.</p><script>alert(1)</script>")
    assert page.text_content(".document .text").strip() == "The flask weighed 12.5 kg."
    seen.paste("Just <b>text</b> with a sign < 5 kg.")
    assert "<b>text</b>" in page.text_content(".document")


def test_language_and_reader_can_be_chosen(seen: Seen) -> None:
    page = seen.page
    seen.adding(None)
    page.select_option("#lang", "de")
    page.fill("#paste", "Die Befragung: 12 kg Rücklaufquote und Homöostase.")
    page.click("#send")
    seen.done()
    assert page.get_attribute("article", "lang") == "de"
    with page.expect_navigation():
        page.select_option("#audience", "learner")
    seen.done()
    assert page.input_value("#audience") == "learner"
    assert page.get_attribute("article", "lang") == "de", "what was chosen before stays"
    assert page.locator("mark.k-measurements").count() == 0, "they are not for learners"
    assert page.text_content(".elsewhere").startswith("Measurements: 1, shown to curators")
    with page.expect_navigation():
        page.click(".elsewhere button")
    seen.done()
    assert page.locator("mark.k-measurements").count() and page.locator("mark.k-words").count() == 0
    assert not page.is_visible(".elsewhere")


def test_what_is_shown_is_in_the_address(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.uncheck("[data-task=measurements]")
    page.locator("#many").fill("60")
    count = shown(page)
    assert "hide=measurements" in page.url and "many=60" in page.url
    page.reload()
    seen.done()
    assert shown(page) == count and page.locator("mark.k-measurements").count() == 0
    page.click("#tab-vocabulary")
    seen.picture("vocabulary.png")
    page.locator("td:first-child button").last.click()
    assert page.locator("mark.open").first.is_visible() and "note=" in page.url
    page.click(".back")
    page.wait_for_selector("tbody tr")
    assert page.get_attribute("[aria-selected=true]", "id") == "tab-vocabulary", (
        "back to where one was"
    )
    page.go_forward()
    page.wait_for_selector("mark.open")


def test_counts_agree(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.locator("#many").fill("100")
    kinds = page.evaluate(
        "[...document.querySelectorAll('.filters small')].map(t => Number(t.textContent)).reduce((a, b) => a + b)"
    )
    assert shown(page) == kinds == page.locator(".note-list li").count()
    page.locator("#many").fill("0")
    assert shown(page) == 0 and seen.counts().startswith(f"0 of {kinds} shown")
    page.click("#tab-overview")
    words = page.locator(".overview p").first.text_content().split(" ")[0]
    page.goto(f"{seen.served}/#/")
    row = page.locator(".doc", has_text="Long hours").first
    row.wait_for()
    assert words in row.text_content()
    check_axe(page)


def test_find_outline_and_tables(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.keyboard.press("/")
    page.keyboard.type("trust")
    page.wait_for_selector(".found.now")
    assert page.text_content(".find .quiet").startswith("1 of ")
    page.keyboard.press("Enter")
    assert page.text_content(".find .quiet").startswith("2 of ")
    page.keyboard.press("Escape")
    assert page.locator(".found").count() == 0
    page.keyboard.press("o")
    page.locator(".outline button", has_text="Table 1").click()
    table = page.locator("table.text")
    assert (
        table.is_visible() and table.locator("tr").count() == 6 and table.locator("th").count() > 5
    )
    page.click("#tab-measurements")
    first = page.locator("tbody tr").first.text_content()
    page.locator("th .sorter").first.click()
    assert page.get_attribute("thead th", "aria-sort") == "ascending"
    page.locator("th .sorter").first.click()
    assert page.locator("tbody tr").first.text_content() != first
    page.fill(".filter-rows", "nmol")
    assert 0 < page.locator("tbody tr").count() < 10
    page.fill(".filter-rows", "")
    page.select_option(".grid-tools select", "Unit")
    assert page.locator("tr.group").count() > 3


def test_notes_wrap_where_there_is_room_and_show_their_place(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    notes = page.evaluate(
        "[...document.querySelectorAll('.notes')].flatMap(list => { const own = [...list.children].filter(n => n.offsetHeight);"
        "const free = (n, i) => i + 1 < own.length ? own[i + 1].offsetTop - n.offsetTop - n.offsetHeight - 4 : 0;"
        "return own.map((n, i) => ({ height: n.clientHeight, cut: n.scrollHeight > n.clientHeight + 2, free: free(n, i) })) })"
    )
    assert sum(note["height"] > 25 for note in notes) >= 3, "with room for several lines"
    crowded = [note for note in notes if note["cut"]]
    assert all(note["free"] < 40 for note in crowded), "none is cut beside empty lines"
    page.locator(".note").first.hover()
    assert page.locator("mark.warm").count() >= 1
    page.locator("mark.k-words").first.hover()
    assert page.locator(".note.warm").count() == 1


def test_where_there_is_no_line_for_each_note_some_are_folded_away(quick: None, seen: Seen) -> None:
    page = seen.page
    seen.paste(
        "The archivist perturbs homeostasis; the vestibule ameliorates. " * 3 + "\n\nThe end."
    )
    page.locator("#many").fill("100")
    more = page.locator(".more button")
    more.wait_for()
    hidden = page.locator(".note.folded")
    assert more.text_content() == f"{hidden.count()} more notes" and hidden.count() > 3
    folded = hidden.first.get_attribute("id")
    page.locator(f"mark[data-head='{folded[5:]}']").first.click()
    assert page.locator(f"#{folded}.open").is_visible(), "a note that is asked for is shown"
    page.keyboard.press("Escape")
    more.click()
    assert hidden.count() == 0 and more.text_content() == "Fewer notes"
    assert page.evaluate("document.activeElement.closest('.more') !== null")
    more.click()
    assert hidden.count() > 3


def test_how_lines_are_shared_and_notes_stacked(quick: None, seen: Seen) -> None:
    seen.page.goto(f"{seen.served}/#/")
    shared, stacked = seen.page.evaluate(
        "async () => { const m = await import('/margin.js'); return ["
        "[[[1, 3, 2], 9], [[1, 3, 2], 5], [[4, 4, 1], 6], [[1, 1], 1]].map(([n, room]) => m.shareLines(n, room)),"
        "[[[0, 50], [20, 20], 100], [[0, 0], [20, 20], 100], [[0, 80], [20, 40], 100], [[9, 9], [30, 30], 40]]"
        ".map(([lines, heights, room]) => m.stack(lines, heights, room))] }"
    )
    assert shared == [[1, 3, 2], [1, 2, 2], [2, 3, 1], [1, 1]], "the longest give up lines first"
    assert stacked == [[0, 50], [0, 24], [0, 60], [0, 34]], "near their lines, within the room"


def test_figures_stand_before_their_captions(quick: None, seen: Seen) -> None:
    page = seen.page
    picture = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    seen.paste(
        f"<p>The flask weighed 12.5 kg.</p><figure><img src='{picture}' alt='a dot'>"
        "<figcaption>Figure 1. A dot.</figcaption></figure>"
    )
    image = page.locator(".picture img")
    assert image.get_attribute("alt") == "a dot"
    assert image.evaluate("node => node.decode().then(() => node.naturalWidth)") == 1
    assert "Figure 1" in page.locator(".picture + .block").text_content()
    check_axe(page)

    page.goto(f"{seen.served}/#/")
    page.set_input_files(
        "#file", {"name": "drawn.pdf", "mimeType": "application/pdf", "buffer": drawn_page()}
    )
    seen.done()
    crop = page.locator(".crop")
    crop.scroll_into_view_if_needed()
    image = crop.locator("img")
    assert image.evaluate("node => node.decode().then(() => node.naturalWidth)") > 1000, "the page"
    part, whole = crop.bounding_box(), image.bounding_box()
    assert part["height"] < whole["height"] / 2, "of which a part is seen"
    assert whole["x"] <= part["x"] and whole["y"] <= part["y"]
    assert "The mass of all the jars" in image.get_attribute("alt")


def test_print_keeps_the_notes(seen: Seen) -> None:
    import pypdfium2

    page = seen.page
    seen.open("article.pdf")
    printed = pypdfium2.PdfDocument(page.pdf())
    text = "\n".join(sheet.get_textpage().get_text_range() for sheet in printed)
    assert "epidemiology" in text and "the study of how diseases spread" in " ".join(text.split())
    assert "Words and terms" not in text, "the panel stays on the screen"
    last = page.locator(".note").last.locator(".quote b").text_content()
    assert last.split()[0] in text


def test_every_format_is_saved_by_the_page(quick: None, seen: Seen) -> None:
    import openpyxl

    page = seen.page
    seen.paste("The archivist weighed 12.5 kg.\n\nThe vestibule was cold.")
    seen.menu("share")
    saved = {}
    for link in page.locator(".formats a").all():
        with page.expect_download() as download:
            link.click()
        saved[link.get_attribute("data-format")] = Path(download.value.path()).read_bytes()
    assert set(saved) == {
        "html",
        "json",
        "csv",
        "xlsx",
        "jsonld",
        "xmi",
        "brat",
        "ttl",
        "sarif",
        "anki",
    }
    assert all(saved.values())
    results = json.loads(saved["sarif"])["runs"][0]["results"]
    assert [one["message"]["text"].split(":")[0] for one in results] == ["archivist", "vestibule"]
    places = [one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in results]
    assert places == [1, 3]
    sheet = openpyxl.load_workbook(io.BytesIO(saved["xlsx"])).active
    cells = [str(cell.value) for row in sheet.iter_rows() for cell in row]
    assert {"archivist", "vestibule", "9 letters"} <= set(cells) and "why" in cells
    assert len(json.loads(saved["json"])["annotations"]) == shown(page) == 2, "the same everywhere"


def test_a_missing_document_says_what_to_do(browser: Any, served: str) -> None:
    page = browser.new_page()
    page.goto(f"{served}/#/d/nothing")
    page.wait_for_selector(".problem")
    assert "no document of that id" in page.text_content(".state.error")
    assert "removed" in page.text_content(".problem") and page.locator(".problem a").is_visible()
    check_axe(page)
    page.close()


def test_german_throughout(browser: Any, served: str) -> None:
    context = browser.new_context(
        locale="de-DE", reduced_motion="reduce", viewport={"width": 1280, "height": 860}
    )
    seen = Seen(context.new_page(), served)
    seen.paste(TEXT)
    page = seen.page
    said = page.text_content(".notes")
    assert "schweres Wort" in said and "the body's ability" in said, (
        "meanings are in English, as the text"
    )
    page.keyboard.press("j")
    assert re.search(r"0,\d", page.text_content(".note.open .details")), "numbers as in German"
    for tab in ("#tab-vocabulary", "#tab-overview", "#tab-decisions"):
        page.click(tab)
        check_axe(page)
    body = page.text_content("body")
    for english in ("Save", "Document", "Find", "Notes", "Accept", "undefined", "null"):
        assert english not in body, english
    context.close()
    assert seen.wrong == []
