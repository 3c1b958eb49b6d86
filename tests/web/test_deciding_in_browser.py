"""Deciding in a real browser: by mouse and by keys, in the text and on pages, taken back and taken along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from marginalia import Document
from marginalia.cli.main import cli
from tests.web.seen import Seen, check_axe, shown

TEXT = (
    "The kinase was here.\n\nThe flask weighed 12.5 kg before the run, and we put it on the table near the door so that we "
    "could see it from the chair all day and all night, and then we went home and had some tea with the children.\n\n"
    "The mass of the beaker was 11.75 kg, and we put it on the other side of the table so that the two did not touch each "
    "other, and then we went home and had some more tea with the children and sat by the fire. Its vestibule is made of wood."
)


def downloaded(page: Any, click: Any, path: Path) -> Path:
    with page.expect_download() as waiting:
        click()
    waiting.value.save_as(path)
    return path


def test_reject_undo_edit_add_and_take_along(seen: Seen, tmp_path: Path) -> None:
    page = seen.page
    seen.paste(TEXT)
    before = shown(page)
    mass = page.locator(".note", has_text="11.75 kg")
    mass.locator(".quote").click()
    page.click(".act-reject")
    seen.said("rejected: 11.75 kg")
    # The next note in rank may take its room.
    assert shown(page) in (before, before - 1)
    assert page.locator(".note", has_text="11.75 kg").count() == 0
    assert "1 rejected" in seen.counts()
    page.click("#toast-act")
    page.wait_for_selector(".note:has-text('11.75 kg')")
    assert shown(page) == before
    # By keys: accept one, which leads to the next.
    page.locator(".note", has_text="12.5 kg").locator(".quote").click()
    page.keyboard.press("a")
    page.wait_for_selector(".note.d-accepted:has-text('12.5 kg')")
    # Edit: another span and other words.
    page.locator(".note", has_text="vestibule").locator(".quote").click()
    page.keyboard.press("e")
    check_axe(page)
    page.fill("#edit-words", "nowhere in it")
    page.click("#edit-save")
    assert "not in the text" in page.text_content(".editor .error")
    page.fill("#edit-words", "Its vestibule")
    page.fill("#edit-says", "an entrance hall")
    page.click("#edit-save")
    page.wait_for_selector(".note.d-edited:has-text('an entrance hall')")
    # Add: on words that are selected.
    page.evaluate(
        "() => { const text = document.querySelectorAll('.block .text')[1]; const walk = document.createTreeWalker(text, 4);"
        "while (walk.nextNode()) { const at = walk.currentNode.data.indexOf('before the run'); if (at >= 0) {"
        "const range = document.createRange(); range.setStart(walk.currentNode, at); range.setEnd(walk.currentNode, at + 14);"
        "getSelection().removeAllRanges(); getSelection().addRange(range); return } } }"
    )
    page.click("#chip-add")
    page.fill("#edit-says", "Which run?")
    page.click("#edit-save")
    page.wait_for_selector(".note.d-added:has-text('Which run?')")
    seen.picture("decisions.png")
    page.locator(".note", has_text="11.75 kg").locator(".quote").click()
    page.click(".act-reject")
    seen.said("rejected: 11.75 kg")
    # Exports: what was not rejected, what was accepted, then the decisions themselves, read back by the command.
    seen.menu("share")
    file = downloaded(page, lambda: page.click("[data-format=json]"), tmp_path / "open.json")
    still = Document.from_dict(json.loads(file.read_text(encoding="utf-8")))
    assert "11.75 kg" not in {note.quote for note in still.annotations}
    assert {"12.5 kg", "Its vestibule"} <= {note.quote for note in still.annotations}
    page.select_option("#save-notes", "accepted")
    file = downloaded(page, lambda: page.click("[data-format=json]"), tmp_path / "kept.json")
    kept = Document.from_dict(json.loads(file.read_text(encoding="utf-8")))
    heads = [n.quote for n in kept.annotations if not n.attrs.get("part_of")]
    assert sorted(heads) == ["12.5 kg", "Its vestibule", "before the run"]
    lines = downloaded(
        page, lambda: page.click(".menu a[href$='decisions/export']"), tmp_path / "d.jsonl"
    )
    source = tmp_path / "lab.txt"
    source.write_text("A title\n\n" + TEXT, encoding="utf-8")
    words = [
        "read",
        str(source),
        "--decisions",
        str(lines),
        "--keep",
        "accepted",
        "--format",
        "json",
    ]
    result = CliRunner().invoke(cli, [*words, "--notes", "measurements"])
    assert result.exit_code == 0, result.output
    again = Document.from_dict(json.loads(result.stdout))
    assert sorted(n.quote for n in again.annotations if not n.attrs.get("part_of")) == sorted(heads)


def test_a_changed_file_keeps_its_decisions(seen: Seen) -> None:
    page = seen.page
    seen.adding()
    file = {"name": "lab.md", "mimeType": "text/markdown", "buffer": f"# Lab\n\n{TEXT}".encode()}
    page.set_input_files("#file", file)
    seen.done()
    for quote, key, look in (("12.5 kg", "a", "accepted"), ("vestibule", "a", "accepted")):
        page.locator(".note", has_text=quote).locator(".quote").click()
        page.keyboard.press(key)
        page.wait_for_selector(f".note.d-{look}:has-text('{quote}')")
    new = "# Lab, second version\n\nA paragraph before it.\n\n" + TEXT.replace(
        " Its vestibule is made of wood.", ""
    )
    seen.menu("document")
    with page.expect_navigation():
        page.set_input_files("#new-version", {**file, "buffer": new.encode()})
    seen.done()
    page.wait_for_selector(".note.d-accepted:has-text('12.5 kg')")
    seen.said("Decisions without a place: 1")
    page.click("#tab-decisions")
    assert "vestibule" in page.locator(".lost").text_content()


def test_deciding_on_pages_and_by_keys_alone(seen: Seen) -> None:
    page = seen.page
    seen.open("article.pdf")
    page.focus("[role=tab][aria-selected=true]")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".sheet .box")
    page.keyboard.press("j")
    page.wait_for_selector(".page .note.open")
    first = page.text_content(".note.open b")
    page.keyboard.press("r")
    seen.said("rejected")
    page.wait_for_function(
        "first => ![null, first].includes(document.querySelector('.page .note.open b')?.textContent ?? null)",
        arg=first,
    )
    assert page.get_attribute("[aria-selected=true]", "id") == "tab-pages"
    page.keyboard.press("u")
    seen.said("Undone")
    page.keyboard.press("?")
    assert page.locator("dialog[open] kbd").count() > 8
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "find"


def test_a_word_one_knows_and_a_score_to_show_from(seen: Seen) -> None:
    page = seen.page
    seen.paste(TEXT + " It is kept in a vestibule of its own.")
    count = page.locator(".note", has_text="vestibule").count()
    assert count >= 1
    page.locator(".note", has_text="vestibule").first.locator(".quote").click()
    page.keyboard.press("w")
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.note')].some(n => n.textContent.includes('vestibule'))"
    )
    page.click("#tab-decisions")
    page.wait_for_selector(".tags li:has-text('vestibule')")
    assert "words.hard-word" in page.text_content(".decisions")
    check_axe(page)
    page.locator(".tags li", has_text="vestibule").locator("button").click()
    page.wait_for_selector(".tags li:has-text('vestibule')", state="detached")


def test_notes_of_others_are_brought_in(quick: None, seen: Seen) -> None:
    page = seen.page
    seen.paste(TEXT)
    target = {"selector": [{"type": "TextQuoteSelector", "exact": "some tea"}]}
    lost = {"selector": [{"type": "TextQuoteSelector", "exact": "some coffee"}]}
    rows = [{"text": "Which tea?", "target": [target]}, {"text": "None", "target": [lost]}]
    page.click("#tab-decisions")
    file = json.dumps({"rows": rows}).encode()
    page.set_input_files(
        "#bring-notes", {"name": "h.json", "mimeType": "application/json", "buffer": file}
    )
    seen.said("1 notes added, 1 without a place")
    page.click("#tab-text")
    page.wait_for_selector(".note.d-added:has-text('Which tea?')")
