"""A scan in a real browser: the page offers to recognise its text, or says how to get what does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.reader.documents import pdf
from tests.reader.pdf.test_ocr import recognising
from tests.web.seen import Seen, check_axe


def test_a_button_recognises_the_text_of_a_scan(
    seen: Seen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page: Any = seen.page
    monkeypatch.setenv("PATH", str(tmp_path))
    scan = tmp_path / "scan.pdf"
    scan.write_bytes(pdf([]))
    page.goto(f"{seen.served}/#/")
    page.set_input_files("#file", scan)
    page.wait_for_selector("a#ocr")
    assert "holds no text" in page.text_content("#panel") and "--ocr" not in page.text_content(
        "main"
    )
    check_axe(page)
    (tmp_path / "done.pdf").write_bytes(pdf(["The committee gave a palliative answer."]))
    recognising(tmp_path, monkeypatch)
    page.reload()
    page.select_option("#scan-lang", "en")
    page.click("#recognise")
    page.wait_for_selector("text=palliative answer")
    assert seen.wrong == []


def test_a_page_says_that_text_of_its_file_was_lost(seen: Seen, tmp_path: Path) -> None:
    lost = "Nobody knows who opened the lid, and nobody has told what was below it. " * 9
    parts = ["Content-Type: text/plain\n\nA jar.\n", f"Content-Type: text/plain\n\n{lost}\n"]
    head = 'Subject: Jars\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="c"\n\n--c\n'
    path = tmp_path / "two.eml"
    path.write_text(head + "--c\n".join(parts) + "--c--\n", encoding="utf-8")
    seen.page.goto(f"{seen.served}/#/")
    seen.page.set_input_files("#file", path)
    seen.done()
    assert "of the text was left out" in seen.page.text_content("#problems")
    check_axe(seen.page)
    assert seen.wrong == []
