"""What is left out is counted, and much of it is a problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia.reader.formats.registry import all_formats
from marginalia.reader.parse.ledger import MAX_PARTS, Ledger
from marginalia.reader.read import read_each
from tests.reader.parse.files import DOCX, FILES, ODT, packed


def test_menus_are_no_problem() -> None:
    ledger = Ledger()
    ledger.leave_out("menu", "Home  Products", 0)
    assert ledger.meta("x" * 88) == {
        "not_read": {
            "share": 0.12,
            "parts": [{"kind": "menu", "start": 0, "characters": 12, "text": "Home Products"}],
        }
    }
    assert Ledger().meta("text") == {}


def test_lost_prose_is_a_problem_from_a_share_or_a_run_on() -> None:
    few = Ledger()
    few.leave_out("text", "a" * 20, 5)
    assert "problems" not in few.meta("x" * 2000)
    assert few.meta("x" * 500)["problems"] == [
        "4% of the text was left out: 20 characters, such as “" + "a" * 20 + "”"
    ]
    run = Ledger()
    run.leave_out("text", "a" * 201, 5)
    assert "problems" in run.meta("x" * 100_000)


def test_many_parts_are_counted_but_not_kept() -> None:
    ledger = Ledger()
    for _ in range(MAX_PARTS + 50):
        ledger.leave_out("running", "head", 0)
    assert len(ledger.parts) == MAX_PARTS and ledger.characters == 4 * (MAX_PARTS + 50)


PIECE = "A jar in the cellar keeps for years, as the people of the valley know, and honey longer still. "


def test_pieces_of_the_source_that_are_not_in_the_text_are_found() -> None:
    ledger = Ledger()
    text = "One jar of 10³ g.\n\nTwo jars.\n\n" + PIECE
    pieces = [("text", "One jar of 10"), ("text", "3"), ("text", " g."), ("text", PIECE)]
    ledger.audit(text, pieces)
    assert not ledger.parts  # in another order, raised, and in several fonts
    ledger.audit(
        text, [("text", "Two jars."), ("comment", "Who says so?"), ("text", "Three bees.")]
    )
    assert [(one["kind"], one["text"]) for one in ledger.parts] == [
        ("comment", "Who says so?"),
        ("text", "Three bees."),
    ]
    assert text[: ledger.parts[0]["start"]].endswith(
        ("One jar of 10³ g.\n\n", "Two jars.\n\n", "\n")
    )


def test_a_part_of_a_piece_may_be_lost() -> None:
    ledger = Ledger()
    other = "Nobody knows who opened the lid, and nobody has told what was below it on that evening in May. "
    ledger.audit(PIECE, [("text", PIECE + 3 * other)])
    assert 0.6 * 3 * len(other) < ledger.longest and "problems" in ledger.meta(PIECE)


def test_a_file_with_too_much_to_look_for_is_not_compared_any_further(monkeypatch) -> None:
    monkeypatch.setattr("marginalia.reader.parse.ledger.MAX_SOUGHT", 10)
    ledger = Ledger()
    ledger.audit(PIECE, [("text", f"{number} bees fly over the lake") for number in range(9)])
    assert len(ledger.parts) <= 1


def test_paragraphs_of_a_source_are_compared_by_their_words() -> None:
    ledger = Ledger()
    source = f"{PIECE}\n\n.. raw:: something which nobody shows here anywhere\n\nThe *bees* fly over lakes, rivers and mountains."
    ledger.audit_source(PIECE, source, lambda one: "directive" if one.startswith("..") else "text")
    assert [one["kind"] for one in ledger.parts] == ["directive", "text"]


@pytest.mark.parametrize("format", FILES)
def test_nothing_of_a_file_is_lost(format: str, tmp_path: Path) -> None:
    suffix = all_formats()[format].suffixes[0]
    path = tmp_path / f"x{suffix}"
    path.write_bytes(FILES[format])
    (doc,) = read_each(path)
    parts = doc.meta.get("not_read", {}).get("parts", [])
    assert [part for part in parts if part["kind"] == "text"] == []
    assert "problems" not in doc.meta


DELETED = "<w:p><w:del><w:r><w:delText>Deleted words.</w:delText></w:r></w:del></w:p></w:body>"
LEFT_OUT = {
    "docx": {"word/document.xml": DOCX["word/document.xml"].replace("</w:body>", DELETED)},
    "odt": ODT,
}


@pytest.mark.parametrize(
    ("format", "data", "kinds"),
    [
        ("docx", packed(dict(LEFT_OUT["docx"])), {"deleted"}),
        ("odt", FILES["odt"], set()),
        ("latex", FILES["latex"], {"authors"}),
        ("asciidoc", FILES["asciidoc"], {"authors"}),
        ("notebook", FILES["notebook"], {"output", "raw"}),
        ("markdown", b"<!-- a note to myself -->\n\nJars.", {"comment"}),
        ("rst", b"Jars.\n\n.. a note to myself about all the jars that nobody has seen here", {"comment"}),
        ("jats", FILES["jats"].replace(b"<title-group>", b"<aff>University of Jars</aff><title-group>"), {"front"}),
        ("tei", FILES["tei"].replace(b"<text>", b"<teiHeader><p>An edition of jars.</p></teiHeader><text>"), {"front"}),
        (
            "mail",
            FILES["mail"].replace(b"--b--", b"--b\nContent-Disposition: attachment; filename=a.pdf\n\nx\n--b--"),
            {"attachment"},
        ),
    ],
)  # fmt: skip
def test_what_is_left_out_on_purpose_is_named(
    format: str, data: bytes, kinds: set[str], tmp_path: Path
) -> None:
    suffix = all_formats()[format].suffixes[0]
    path = tmp_path / f"x{suffix}"
    path.write_bytes(data)
    (doc,) = read_each(path)
    parts = doc.meta.get("not_read", {}).get("parts", [])
    assert {part["kind"] for part in parts} == kinds
    assert "problems" not in doc.meta


def test_a_text_part_of_a_mail_that_is_not_shown_is_lost(tmp_path: Path) -> None:
    second = f"\n--c\nContent-Type: text/plain\n\n{PIECE * 3}\n--c--\n".encode()
    head = b'Subject: Jars\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="c"\n\n--c\n'
    path = tmp_path / "x.eml"
    path.write_bytes(head + b"Content-Type: text/plain\n\nTwo texts." + second)
    (doc,) = read_each(path)
    assert "of the text was left out" in doc.meta["problems"][0]
