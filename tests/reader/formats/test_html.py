"""The HTML page: every note, the whole text, nothing that runs, no element left open."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings

from marginalia import Annotation, Document
from marginalia.reader.formats.html import COLOURS, colours, dump
from marginalia.reader.view.blocks import blocks
from tests.reader.documents import documents, note, sample

VOID = {"meta", "input"}


class Page(HTMLParser):
    """Collects what the tests ask for, and fails where elements are not properly nested."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.notes: list[str] = []
        self.feed(html)
        self.close()
        assert not self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.attributes.append((tag, found))
        if "text" in (found.get("class") or "").split():
            self.texts.append("")
        if tag == "li":
            self.notes.append("")
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if "li" in self.stack:
            self.notes[-1] += data
        elif "section" in self.stack:
            self.texts[-1] += data


def nothing(place: int) -> Annotation:
    """A note between two characters."""
    return Annotation(id=f"n{place}", task="t", label="gap", start=place, end=place, quote="")


@settings(max_examples=50)
@given(documents())
@example(Document(id="x", text=" y").annotate([nothing(0), nothing(1), nothing(2)]))
def test_the_page_holds_the_text_and_every_note(doc: Document) -> None:
    page = Page(dump([doc]))
    assert page.texts == [doc.text[block.start : block.end] for block in blocks(doc)]
    if page.texts:
        assert len(page.notes) == len(doc.annotations)
        for found, own in zip(page.notes, doc.annotations, strict=True):
            assert own.label in found
        ids = [attrs["id"] for _, attrs in page.attributes if "id" in attrs]
        assert len(ids) == len(set(ids))
        targets = {attrs["href"] for tag, attrs in page.attributes if tag == "a"}
        assert {target[1:] for target in targets if target} <= set(ids)


def test_nothing_in_a_document_runs() -> None:
    evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    doc = sample()
    doc = Document(
        id=evil, text=doc.text, meta={**doc.meta, "title": evil, "path": evil, "lang": evil}
    ).annotate(
        [*doc.annotations, note("e", "Weighing", task=evil, label=evil, attrs={"why": evil})]
    )
    html = dump([doc, doc])
    assert "<script" not in html
    assert "<img" not in html
    page = Page(html)
    assert {tag for tag, _ in page.attributes} <= set(
        "html head meta title style body nav label input b small article header section h1 p pre mark "
        "a ol li span".split()
    )
    assert not any(name.startswith("on") for _, attrs in page.attributes for name in attrs)
    assert any(
        attrs.get("content") == "default-src 'none'; style-src 'unsafe-inline'"
        for _, attrs in page.attributes
    )


def test_overlapping_notes_are_cut_not_crossed() -> None:
    html = dump([sample()])
    assert ">jar holds </mark>" in html
    assert ">3.5</mark>" in html, "what two notes share is marked as shared"
    assert "&lt;honey&gt;" in html
    assert html.count('class="ref') == 4
    assert "a &lt;b&gt; &amp; a sweet" in html
    assert "p. 2" in html


def test_blocks_have_their_kinds() -> None:
    doc = sample()
    found = [(block.kind, doc.text[block.start : block.end]) for block in blocks(doc)]
    assert [kind for kind, _ in found] == ["heading", "paragraph", "code"]
    assert found[2][1] == "x = 1\n\ny = 2", "a blank line does not divide code"
    html = dump([doc])
    assert '<h1 class="text">Weighing</h1>' in html
    assert '<section class="code"><pre class="text">x = 1\n\ny = 2</pre></section>' in html


def test_items_and_tables() -> None:
    text = "one\n\ntwo\n\nA\tlonger cell\n1\t2"
    regions = [
        {"kind": "item", "start": 0, "end": 3, "number": 7},
        {"kind": "item", "start": 5, "end": 8},
        {"kind": "table", "start": 10, "end": len(text)},
    ]
    html = dump([Document(id="x", text=text, meta={"regions": regions})])
    assert 'data-marker="7."' in html
    assert 'data-marker="•"' in html
    assert 'style="tab-size: 13"' in html


@pytest.mark.parametrize("docs", [[], [Document(id="x", text="Only text.")]])
def test_a_page_without_notes_says_so(docs: list[Document]) -> None:
    assert "There are no notes." in dump(docs)


def test_parts_are_marked_and_have_no_note_of_their_own() -> None:
    def note(id: str, start: int, **attrs: object) -> Annotation:
        return Annotation(
            id=id, task="t", label="l", start=start, end=start + 1, quote="abcd"[start], attrs=attrs
        )

    parts = [note("whole", 1), note("part", 0, part_of=["whole"]), note("other", 3)]
    html = dump([Document(id="d", text="abcd").annotate(parts)])
    assert html.count("<mark") == 3
    assert html.count("<li") == 2 and 'value="2"' in html and 'value="0"' not in html
    assert "<b>t</b> 2" in html


def test_a_note_on_a_sentence_does_not_say_it_again() -> None:
    text = "Most of the respondents said that they trust their neighbours very much indeed."
    whole = Annotation(
        id="s", task="fruit", label="survey variable", start=0, end=len(text), quote=text
    )
    word = Annotation(id="w", task="word", label="hard word", start=12, end=23, quote=text[12:23])
    page = dump([Document(id="d", text=text).annotate([whole, word])])
    assert page.count(text[40:]) == 1 and "survey variable</a>" in page
    assert re.search(r'<mark class="[^"]*wide"', page), "the sentence is marked lightly"
    assert re.search(r'<mark class="[^"]*both" title="[^>]*>respondents<', page)


def test_a_kind_of_note_has_the_same_colour_on_every_page() -> None:
    both = colours({"measurements", "words"})
    assert colours({"measurements"})["measurements"] == both["measurements"] != both["words"]
    assert set(colours({"of a plug-in", *map(str, range(9))}).values()) <= set(range(COLOURS))
