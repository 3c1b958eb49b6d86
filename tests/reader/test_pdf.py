"""PDF: text by page, and what is said of files that have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError, read
from marginalia.reader import pdf as reading
from marginalia.reader.pdf import parse
from tests.reader.documents import pdf


def test_pages_have_offsets(tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(pdf(["The caf\xe9 is open.", "It was hyphen-", "ated."], [], ["Page three."]))
    doc = read(path)
    assert doc.text == "The café is open.\nIt was hyphenated.\n\n\n\nPage three."
    pages = [doc.text[start:end] for start, end in doc.meta["pages"]]
    assert pages == ["The café is open.\nIt was hyphenated.", "", "Page three."]
    assert doc.meta["format"] == "pdf"
    assert doc.meta["title"] == "paper"
    assert "unread" not in doc.meta


WHOLE = pdf(["Some text."], ["More text."])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a PDF that can be read"),
        (b"plain text", "not a PDF that can be read"),
        (WHOLE[: len(WHOLE) // 2], "seems to be truncated"),
        (WHOLE[:-6], "seems to be truncated"),
        (b"%PDF-1.4\n%%EOF\n", "not a PDF that can be read"),
        (pdf(), "damaged or has no pages"),
        (pdf([]), "holds no text; if its pages are scans"),
        (pdf(["x"], encrypted=True), "encrypted; save it without a password"),
    ],
    ids=["empty", "text", "half", "tail", "bare", "no-pages", "no-text", "encrypted"],
)
def test_bad_pdfs_give_one_clear_error(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        parse(data, Path("x.pdf"))
    assert str(caught.value).startswith("x.pdf: ")


def test_a_file_without_pages_is_not_called_encrypted_after_one_that_is() -> None:
    for data, message in ((pdf(["x"], encrypted=True), "encrypted"), (pdf(), "no pages")):
        with pytest.raises(FormatError, match=message):
            parse(data, Path("x.pdf"))


def test_a_bad_page_costs_that_page() -> None:
    broken = WHOLE.replace(b"6 0 obj\n<< /Type /Page", b"6 0 obj\n<< /Type /Pxge")
    content = parse(broken, Path("x.pdf"))
    assert content.text.strip() == "Some text."
    assert content.meta["unread"] == [2]
    assert len(content.meta["pages"]) == 2


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_PAGES", 1)
    with pytest.raises(FormatError, match="has 2 pages, the limit is 1"):
        parse(WHOLE, Path("x.pdf"))
    monkeypatch.setattr(reading, "MAX_PAGES", 2)
    monkeypatch.setattr("marginalia.reader.plain.MAX_CHARACTERS", 12)
    with pytest.raises(FormatError, match="more than 12 characters"):
        parse(WHOLE, Path("x.pdf"))


def test_control_characters_become_visible() -> None:
    assert parse(pdf(["a\\001b\\000c"]), Path("x.pdf")).text.isprintable()
