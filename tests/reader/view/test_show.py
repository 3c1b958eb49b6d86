"""The terminal: sentences, their notes, a summary, and no commands from a document."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from rich.console import Console

from marginalia import Annotation, Document
from marginalia.reader.view.show import show
from tests.reader.documents import documents, sample


def shown(doc: Document, width: int = 120, **more) -> str:
    out = io.StringIO()
    show(doc, Console(file=out, width=width, **more))
    return out.getvalue()


def test_notes_stand_beside_their_sentence_where_there_is_room() -> None:
    lines = shown(sample()).splitlines()
    assert "sample.md" in lines[0]
    place = next(line for line in lines if "The jar holds" in line)
    assert "of <honey>." in place
    assert "jar holds 3.5  MeasuredEntity" in place
    assert "page 2" in "\n".join(lines)


def test_and_under_it_where_there_is_none() -> None:
    lines = shown(sample(), width=60).splitlines()
    place = next(number for number, line in enumerate(lines) if "The jar holds" in line)
    assert "jar holds 3.5  MeasuredEntity" not in lines[place]
    assert "jar holds 3.5  MeasuredEntity" in lines[place + 1]
    assert "score 0.75" in lines[place + 2]


def test_a_part_has_no_line_of_its_own() -> None:
    text = "The film was 5 mm thick."
    whole = Annotation(id="w", task="m", label="measurement", start=13, end=17, quote="5 mm")
    part = Annotation(
        id="p", task="m", label="entity", start=4, end=8, quote="film", attrs={"part_of": ["w"]}
    )
    out = shown(Document(id="x", text=text, annotations=(whole, part)))
    assert "5 mm  measurement" in out and "film  entity" not in out
    assert "m: measurement × 1  5 mm" in out and "m: entity" not in out


def test_a_summary_counts_each_kind() -> None:
    lines = shown(sample()).splitlines()
    assert "colour: a thing × 2  kg of <honey>. It, <honey>" in lines
    assert "fruit: MeasuredEntity × 1  jar holds 3.5" in lines
    assert "no notes" in shown(Document(id="x", text="Only text."))


def test_and_says_what_a_task_says_of_the_whole_document() -> None:
    said = {"hard_share": 0.25, "hardest_sentence": "Esc \x1b[31m.", "model": "rough", "list": [1]}
    doc = Document(id="x", text="Only text.", meta={"summary": {"fruit": said}})
    assert "fruit: hard share 0.25 · hardest sentence Esc \ufffd[31m. · model rough" in shown(doc)


@pytest.mark.parametrize(
    "text", ["\x1b[31mred\x1b]0;title\x07", "\x9b31m \u202egnp.exe", "a[/b]c [red]"]
)
def test_a_document_cannot_send_commands_to_the_terminal(text: str) -> None:
    doc = Document(id=text, text=text, meta={"title": text, "path": text}).annotate(
        [
            Annotation(
                id="a",
                task="t",
                label=text,
                start=0,
                end=len(text),
                quote=text,
                attrs={"why": text},
            )
        ]
    )
    out = shown(doc)
    assert not any(sign in out for sign in "\x1b\x07\x9b\u202e")
    if "[" in text and text.isprintable():
        assert text in out, "square brackets are no mark-up"


def test_marks_keep_to_their_words() -> None:
    out = shown(sample(), force_terminal=True, color_system="standard")
    assert "\x1b[4;36mjar holds" in out
    assert "\x1b[4;33mIt\x1b[0m is heavy" in out, "a mark goes on in the next sentence"


@settings(max_examples=40)
@given(documents())
def test_any_document_can_be_shown(doc: Document) -> None:
    out = shown(doc, width=200)
    assert ("no notes" in out) == (not doc.annotations)
