"""The library in a real browser: documents first, in an order, in collections; ways in, and a first time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from marginalia import Document
from marginalia.reader.annotate import Batch
from marginalia.web.library import Library
from tests.reader.pdf.test_viewer_notes import long_passage, mark
from tests.web.conftest import Served, long_words
from tests.web.seen import EXAMPLES, Seen, check_axe

DROP = (
    "([name, text]) => { const data = new DataTransfer(); data.items.add(new File([text], name));"
    "for (const kind of ['dragover', 'drop']) dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true })) }"
)


@pytest.fixture
def alone(quick: None, browser: Any) -> Iterator[Seen]:
    """A page of a library of its own, empty."""
    served = Served(Library())
    page = browser.new_page(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    seen = Seen(page, served.url)
    yield seen
    page.close()
    served.stop()
    assert seen.wrong == [], "errors on the console"


def titles(page: Any) -> list[str]:
    return list(page.locator(".doc-title").all_text_contents())


def test_an_empty_library_offers_an_example_with_a_tour(alone: Seen) -> None:
    page = alone.page
    page.goto(f"{alone.served}/#/")
    page.wait_for_selector(".welcome")
    check_axe(page)
    page.click("#example")
    alone.done()
    tour = page.locator(".tour")
    tour.wait_for()
    check_axe(page)
    said = set()
    for _ in range(5):
        said.add(tour.locator("p").first.text_content())
        assert page.locator(".toured").count() == 1
        page.keyboard.press("Enter")
    assert len(said) == 5 and tour.count() == 0
    assert "tour" not in page.url
    page.reload()
    alone.done()
    assert tour.count() == 0, "once is enough"


def test_documents_come_by_dropping_and_are_sorted_filtered_and_collected(alone: Seen) -> None:
    page = alone.page
    page.goto(f"{alone.served}/#/")
    page.wait_for_selector(".welcome")
    page.evaluate(DROP, ["zebra.md", "# Zebra\n\nThe vestibule is cold."])
    alone.done()
    assert page.text_content("#title") == "Zebra"
    page.evaluate(DROP, ["ant.md", "# Ant\n\nThe courtyard is a labyrinth."])  # on a document, too
    page.wait_for_function("() => document.getElementById('title').textContent === 'Ant'")
    alone.done()
    page.goto(f"{alone.served}/#/")
    page.wait_for_selector(".doc:nth-child(2)")
    assert titles(page) == ["Ant", "Zebra"], "the newest first"
    assert "2 notes" in page.locator(".doc").first.text_content()
    page.select_option("#sort", "title")
    page.locator(".doc", has_text="Zebra").locator(".doc-title").click()
    with page.expect_response(lambda answer: "/position" in answer.url):
        alone.done()
    page.goto(f"{alone.served}/#/")
    page.wait_for_selector(".doc:nth-child(2)")
    assert titles(page) == ["Ant", "Zebra"], "the order is remembered"
    page.select_option("#sort", "recent")
    assert titles(page) == ["Zebra", "Ant"], "the last read first"
    row = page.locator(".doc", has_text="Zebra")
    row.locator(".menu summary").click()
    check_axe(page)
    row.locator("[data-field=collection]").fill("Animals")
    row.locator("[data-field=tags]").fill("striped, large")
    row.locator("[data-field=title]").fill("The zebra")
    page.keyboard.press("Escape")
    page.wait_for_selector(".doc:has-text('The zebra') .collection:has-text('Animals')")
    assert page.locator(".doc .tag:not(.collection)").all_text_contents() == ["large", "striped"]
    page.click(".tags button:has-text('Animals')")
    assert titles(page) == ["The zebra"]
    page.click(".tags button:has-text('all collections')")
    page.select_option("#filter", "read")
    assert titles(page) == ["The zebra", "Ant"] or titles(page) == ["The zebra"]
    page.select_option("#filter", "all")
    for box in page.locator("[data-pick]").all():
        box.check()
    page.fill("#into", "Both")
    page.click(".chosen button:has-text('Put into collection')")
    page.wait_for_function("() => document.querySelectorAll('.collection').length === 2")
    assert "[object" not in page.text_content("body")
    check_axe(page)
    page.click("#add")
    files = ("guide.md", "report.md", "article.pdf", "abstract-de.txt")
    page.set_input_files("#file", [EXAMPLES / name for name in files])
    page.wait_for_function("() => document.querySelectorAll('.doc[data-state=done]').length === 6")
    assert "2 pages" in page.locator(".doc", has_text="Long hours").text_content()
    assert "Maud Ostrander and Per Lindqvist-Amaro ·" in page.text_content(".docs")
    alone.picture("library.png")


def test_a_refused_file_names_what_can_be_read(alone: Seen) -> None:
    page = alone.page
    page.goto(f"{alone.served}/#/")
    page.click("#add")
    assert ".nxml" in page.get_attribute("#file", "accept")
    page.set_input_files(
        "#file", {"name": "empty.txt", "mimeType": "text/plain", "buffer": b"  \n "}
    )
    page.wait_for_selector(".adder .error:has-text('nothing in it')")
    assert "EPUB" in page.text_content(".adder .error")
    alone.wrong.clear()  # the browser reports the refusal, too
    check_axe(page)
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


BIB = r"""
@comment{none}
@article{a2020, title = {On {Zebras} and \"{o}thers}, year = 2020,
  keywords = {stripes, horses}, file = {Full Text:files/12/zebra.md:text/markdown;x:files/13/other.pdf:application/pdf}}
"""
RIS = "TY  - JOUR\nTI  - On ants\nKW  - small\nL1  - files/14/ant.md\nER  - \n"


def test_an_export_of_a_reference_manager_names_its_files(alone: Seen) -> None:
    page = alone.page
    page.goto(f"{alone.served}/#/")
    page.click("#add")
    files = {"refs.bib": BIB, "more.ris": RIS, "zebra.md": "# Z\n\nCold.", "ant.md": "# A\n\nOld."}
    page.set_input_files(
        "#file",
        [
            {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
            for name, text in files.items()
        ],
    )
    page.wait_for_selector(".doc:nth-child(2)")
    page.wait_for_function("() => document.querySelectorAll('.doc .tag').length === 3")
    assert sorted(titles(page)) == ["On Zebras and öthers", "On ants"]
    assert page.locator(".doc", has_text="ants").locator(".tag").all_text_contents() == ["small"]


def test_notes_on_the_beginning_are_shown_while_the_rest_is_read(
    alone: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = threading.Event()

    def slow(doc: Document, *args: object, **more: object) -> Iterator[Batch]:
        for batch in long_words(doc):
            yield replace(batch, notes=batch.notes[:1], done=9, early=True)
            assert seen.wait(60)
            yield batch

    monkeypatch.setattr("marginalia.web.library.stream", slow)
    page = alone.page
    alone.adding(None)
    page.fill("#paste", "The vestibule is cold.\n\nThe courtyard is a labyrinth.")
    page.click("#send")
    page.wait_for_selector(".note:has-text('vestibule')")
    assert page.locator(".state[data-state=done]").count() == 0
    seen.set()
    alone.done()
    assert page.locator(".note").count() == 3


PAGE = "<html><head><title>On cold rooms</title></head><body><article>{}</article></body></html>"
PARAGRAPH = (
    "<p>The vestibule of the house was cold for most of the year, and nobody stayed there.</p>"
)


def test_a_web_page_begins_with_its_title_and_the_list_of_notes_is_there_again(alone: Seen) -> None:
    page = alone.page
    alone.adding(None)
    file = {
        "name": "x.html",
        "mimeType": "text/html",
        "buffer": PAGE.format(PARAGRAPH * 3).encode(),
    }
    page.set_input_files("#file", file)
    alone.done()
    assert page.text_content(".masthead h2") == "On cold rooms"
    page.reload()
    page.wait_for_selector(".note-list li:has-text('vestibule')")
    page.click("#home")
    row = page.locator(".doc")
    assert row.locator(".cover").text_content() == "html"
    assert "1 min" in row.text_content() and "today" in row.text_content()


def test_marks_of_a_pdf_viewer_are_notes_that_stay_removed(alone: Seen, tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    file = tmp_path / "marked.pdf"
    file.write_bytes((EXAMPLES / "article.pdf").read_bytes())
    quote = long_passage(file)
    mark(file, "Highlight", quote, Contents="Is this so?", T="Anna")
    page = alone.page
    alone.adding(None)
    page.set_input_files("#file", file)
    alone.done()
    note = page.locator(".note.k-own")
    assert "Is this so?" in note.text_content()
    assert page.locator("mark.k-own").first.text_content().split()[0] == quote.split()[0]
    check_axe(page)
    page.click(".flip")
    page.locator(".box.k-own").first.wait_for()
    note.locator(".quote").click()
    page.locator(".note.open .act-clear").click()
    page.wait_for_selector(".box.k-own", state="detached")
    alone.menu("document")
    page.get_by_role("button", name="Read again").click()
    alone.done()
    assert page.locator(".note.k-own").count() == 0, "it does not come back with the file"
    page.click("#home")
    image = page.locator("img.cover")
    image.wait_for()
    page.wait_for_function("() => document.querySelector('img.cover').naturalWidth > 0")
