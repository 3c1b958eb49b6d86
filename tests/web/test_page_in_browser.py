"""The page one reads on: a slim bar, a panel, menus that close, a look and a place that are remembered, what is saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reader.formats.test_anki import cards_in
from tests.web.seen import SELECT, Seen, check_axe, shown

LONG = "\n\n".join(
    f"The archivist number {number} perturbs the vestibule and ameliorates the homeostasis of the courtyard, "
    "and then the children went home and had some tea by the fire until it was late and dark."
    for number in range(40)
)


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_one_slim_bar_and_a_panel_that_opens_and_closes(
    quick: None, browser: Any, served: str, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 850}, reduced_motion="reduce")
    seen = Seen(page, served)
    seen.paste(f"# A title\n\n{LONG}")
    assert page.locator(".top").bounding_box()["height"] <= 56
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    first = page.locator(".document .text").nth(1).bounding_box()
    assert first["y"] < 180, "the text begins at the top of the screen"
    assert page.locator("#side").is_visible() == (width >= 1200)
    page.keyboard.press("o")
    page.wait_for_selector("#side:visible")
    assert page.evaluate("document.activeElement.closest('.outline') !== null"), "to the contents"
    check_axe(page)
    page.keyboard.press("o")
    page.wait_for_selector("#side", state="hidden")
    page.click("#side-toggle")
    page.locator(".note-list .line").nth(1).click()
    page.wait_for_selector(".note.open")
    if width < 1200:
        assert not page.locator("#side").is_visible(), "what was chosen is not hidden by the panel"
    else:
        page.click("#side-toggle")
        page.reload()
        seen.done()
        assert not page.locator("#side").is_visible(), "remembered"
    if width >= 768:
        first = page.locator(".document .text").nth(1).bounding_box()
        place = page.locator(".note").first.bounding_box()
        assert place["x"] > first["x"] + first["width"] - 1, "beside the text"
        assert place["x"] + place["width"] <= width
    page.close()
    assert seen.wrong == []


def test_menus_close_by_escape_a_click_elsewhere_and_each_other(quick: None, seen: Seen) -> None:
    page = seen.page
    seen.paste(LONG)
    isopen = "[...document.querySelectorAll('details.menu[open]')].map(m => m.id)"
    seen.menu("share")
    assert page.evaluate(isopen) == ["menu-share"]
    seen.menu("document")
    assert page.evaluate(isopen) == ["menu-document"]
    check_axe(page)
    page.keyboard.press("Escape")
    assert page.evaluate(isopen) == []
    assert page.evaluate("document.activeElement.closest('#menu-document') !== null")
    seen.menu("look")
    check_axe(page)
    page.mouse.click(500, 600)
    assert page.evaluate(isopen) == []
    seen.menu("share")
    page.focus("#side-toggle")
    assert page.evaluate(isopen) == [], "whoever goes on by Tab leaves it"


def test_theme_size_and_width_are_remembered_and_paper_is_light(quick: None, seen: Seen) -> None:
    page = seen.page
    seen.paste(LONG)
    style = "getComputedStyle(document.querySelector('.document'))"
    seen.menu("look")
    page.check("[name=theme][value=sepia]")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 237, 220)"
    check_axe(page)
    page.check("[name=theme][value=dark]")
    before = page.locator(".document .text").first.bounding_box()["width"]
    page.locator("#look-size").fill("22")
    page.locator("#look-measure").fill("30")
    check_axe(page)
    page.reload()
    seen.done()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(27, 26, 24)"
    assert page.evaluate(f"{style}.fontSize") == "22px"
    assert page.locator(".document .text").first.bounding_box()["width"] < before
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    ink = page.evaluate("getComputedStyle(document.querySelector('.document .text')).color")
    assert ink == "rgb(0, 0, 0)", "print from the dark is light"


def test_one_goes_on_reading_where_one_was(quick: None, seen: Seen) -> None:
    page = seen.page
    seen.paste(LONG)
    with page.expect_response(lambda answer: "/position" in answer.url and answer.status == 204):
        page.locator(".block").nth(25).scroll_into_view_if_needed()
    top = "[...document.querySelectorAll('.block')].findIndex(b => b.getBoundingClientRect().bottom > 60)"
    place = page.evaluate(top)
    assert place > 5
    id = page.url.split("/d/")[1].split("/")[0]
    page.goto(f"{seen.served}/#/")
    row = page.locator(f".doc[data-id='{id}']")
    assert 0.3 < float(row.locator("progress").get_attribute("value")) < 1
    row.locator("a").click()
    seen.done()
    page.wait_for_function("() => scrollY > 100")
    assert abs(page.evaluate(top) - place) <= 1


def test_a_note_says_its_meaning_and_nothing_twice(seen: Seen) -> None:
    page = seen.page
    seen.paste("The vestibule perturbs the children.")
    note = page.locator(".note", has_text="vestibule")
    assert note.locator(".sign").text_content() == "≈"
    hidden = note.locator(".quote .hidden")
    assert hidden.text_content() == "hard word: ", "for those who hear it"
    assert hidden.bounding_box()["width"] <= 1, "said by sign and colour to others"
    note.locator(".quote").click()
    words = note.inner_text()
    assert words.count("outer door") == 1, words
    assert "hard word" in note.locator(".details").inner_text(), "in words once it is open"


def test_what_is_seen_is_saved(quick: None, seen: Seen, tmp_path: Path) -> None:
    page = seen.page
    seen.paste("The archivist keeps the vestibule.\n\nThe courtyard is a labyrinth at midnight.")
    page.locator(".note .quote").first.click()
    page.keyboard.press("r")
    seen.said("rejected")
    for many in ("100", "50", "0"):
        page.locator("#many").fill(many)
        seen.menu("share")
        with page.expect_download() as download:
            page.click("[data-format=json]")
        seen.menu("share")
        saved = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["annotations"]
        assert len(saved) == shown(page), many
        assert "archivist" not in {one["quote"] for one in saved}


def test_the_csv_of_a_table_is_what_the_table_shows(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.click("#tab-measurements")
    page.fill(".filter-rows", "nmol")
    page.locator("th .sorter").first.click()
    with page.expect_download() as download:
        page.click(".save-table")
    assert download.value.suggested_filename.endswith(".csv")
    text = Path(download.value.path()).read_bytes().decode()
    rows = [line for line in text.split("\r\n") if line]
    heads = page.locator("thead th").all_text_contents()
    assert rows[0] == ",".join(f'"{one}"' for one in heads)
    assert len(rows) == 1 + page.locator("tbody tr").count()
    first = page.locator("tbody tr").first.locator("td").first.text_content()
    assert rows[1].startswith(f'"{first}"')


def test_words_and_terms_known_shown_again_and_taken_along(seen: Seen) -> None:
    page = seen.page
    seen.paste(
        "The vestibule perturbs the children. We measured the glomerular filtration rate (GFR) twice."
    )
    page.click("#tab-vocabulary")
    table = page.locator("#panel tbody")
    assert "outer door" in table.text_content() and "glomerular" in table.text_content()
    assert page.locator("#tab-words").count() == 0, "one table for them"
    check_axe(page)
    button = page.locator("[data-word=vestibule]")
    assert button.text_content() == "I know this"
    button.click()
    page.wait_for_selector("[data-word=vestibule]:has-text('Show again')")
    with page.expect_download() as download:
        page.click("#anki")
    assert download.value.suggested_filename.endswith(".apkg")
    cards = cards_in(Path(download.value.path()).read_bytes())
    assert "vestibule" not in cards
    meaning, sentence = cards["GFR"]
    assert meaning.startswith("glomerular") and "<b>GFR</b>) twice" in sentence
    page.click("#tab-text")
    assert page.locator(".note", has_text="vestibule").count() == 0
    page.click("#tab-vocabulary")
    page.locator("[data-word=vestibule]").click()
    page.wait_for_selector("[data-word=vestibule]:has-text('I know this')")
    page.click("#tab-text")
    page.wait_for_selector(".note:has-text('vestibule')")


def test_a_correction_is_made_everywhere_and_another_tab_follows(
    quick: None, browser: Any, served: str
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    page = context.new_page()
    seen = Seen(page, served)
    seen.paste("The vestibule is cold.\n\nThe vestibule is old. The courtyard is not.")
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".note:has-text('vestibule')")
    page.locator(".note", has_text="vestibule").first.locator(".quote").click()
    page.keyboard.press("e")
    page.fill("#edit-says", "an entrance hall")
    page.select_option("#edit-where", "document")
    check_axe(page)
    page.click("#edit-save")
    page.wait_for_function("() => document.querySelectorAll('.note.d-edited').length === 2")
    seen.said("1 more here")
    other.wait_for_function("() => document.querySelectorAll('.note.d-edited').length === 2")
    assert "an entrance hall" in other.text_content(".notes")
    context.close()
    assert seen.wrong == []


def test_ask_the_margin(seen: Seen) -> None:
    page = seen.page
    seen.paste("Another document on the glomerular filtration rate and its isotropic measurement.")
    seen.paste(
        "We measured the glomerular filtration rate (GFR) twice.\n\n"
        "The isotropic tissue was cold. In the second year the GFR was lower."
    )
    page.evaluate(SELECT, "isotropic")
    page.click("#chip-ask")
    answer = page.locator(".answer")
    answer.wait_for()
    assert "in all directions" in answer.text_content()
    assert "Another document" in answer.text_content(), "where else it stands in the library"
    answer.locator(".similar:not([aria-busy])").wait_for(state="attached")
    check_axe(page)
    page.keyboard.press("Escape")
    assert answer.count() == 0
    page.evaluate(SELECT, "GFR")
    page.keyboard.press("m")
    answer.wait_for()
    assert "glomerular filtration rate" in answer.text_content(), "the document's own definition"
    assert "In this document (2 times)" in answer.text_content()
    answer.locator(".line").first.click()
    assert page.evaluate("document.activeElement.classList.contains('block')"), "it leads there"


def test_similar_passages_lead_to_their_place(seen: Seen) -> None:
    page = seen.page
    seen.paste(
        "# Trials\n\nThe garden was full of roses.\n\nBlood pressure fell in most patients who took the drug."
    )
    seen.paste("The drug lowered the blood pressure of most patients. It was cheap.")
    page.evaluate(SELECT, "lowered")
    page.keyboard.press("m")
    link = page.locator(".similar a", has_text="Blood pressure fell")
    link.wait_for()
    assert link.text_content().startswith("Trials")
    link.click()
    page.wait_for_selector(".document:has-text('roses')")
    page.wait_for_selector(".answer", state="detached")


def test_what_repeats_the_meaning_is_left_out(seen: Seen) -> None:
    page = seen.page
    seen.paste("The verdict was absolute. The archivist was a custodian of old letters.")
    page.evaluate(
        "import('/card.js').then(({ noteItem }) => { const note = { id: 'x', task: 'words', label: 'hard word', quote: 'absolute', links: {}, score: null,"
        " attrs: { why: 'complete, without limit · easier: complete' } }; const other = { ...note, attrs: { why: 'complete · easier: total' } };"
        " window.items = [note, other].map((one) => noteItem(one, {}, false, () => {}).textContent) })"
    )
    page.wait_for_function("() => window.items")
    repeated, new = page.evaluate("window.items")
    assert "easier" not in repeated and new.endswith("complete · easier: total")
