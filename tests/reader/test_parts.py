"""A long document is annotated in parts, and nobody can tell from the notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from marginalia import Annotation, Annotator, Document, get_annotator
from marginalia.reader.annotate import annotate, stream
from marginalia.reader.parts import PART_CHARACTERS, parts


def find(doc: Document) -> Iterator[Annotation]:
    """A note on each "red", with an offset of its own, and one on its first letter that is part of it."""
    places = [place for place in range(len(doc.text)) if doc.text.startswith("red", place)]
    for number, place in enumerate(places, 1):
        yield Annotation(
            id=f"red-{number}",
            task="colour",
            label="red",
            start=place,
            end=place + 3,
            quote="red",
            attrs={"unit_start": place + 1, "others": [{"start": place, "end": place + 2}]},
            links={"letter": (f"letter-{number}",)},
        )
        yield Annotation(
            id=f"letter-{number}",
            task="colour",
            label="r",
            start=place,
            end=place + 1,
            quote="r",
            attrs={"part_of": [f"red-{number}"]},
        )


COLOUR: Annotator = replace(
    get_annotator("words"),
    name="colour",
    annotate=find,
    summary=None,
    options={},
    whole=False,
)
PARAGRAPH = "A red apple and a pear lie on the table, said the man in the boat."


def book(paragraphs: int) -> Document:
    return Document(id="book", text="\n\n".join([PARAGRAPH] * paragraphs))


def test_parts_are_the_document() -> None:
    doc = book(2_000)
    found = list(parts(doc))
    assert "".join(part.text for _, part in found) == doc.text
    assert [start for start, _ in found][:2] == [0, len(found[0][1].text)]
    assert PART_CHARACTERS[0] <= len(found[0][1].text) < PART_CHARACTERS[0] + 2 * len(PARAGRAPH)
    assert all(part.text.startswith(PARAGRAPH) for _, part in found)


def test_notes_of_parts_are_those_of_the_whole() -> None:
    doc = book(2_000)
    whole = annotate(doc, [replace(COLOUR, whole=True)])
    assert annotate(doc, [COLOUR]) == whole
    assert len({note.id for note in whole.annotations}) == 4_000


def test_first_notes_come_with_the_first_part() -> None:
    doc = book(2_000)
    batches = list(stream(doc, [COLOUR]))
    assert len(batches) > 4
    assert batches[0].done < 3_000 and batches[0].notes
    assert batches[-1].done == len(doc.text)


@given(st.lists(st.sampled_from(["red apple", "code red", "x" * 900]), max_size=30), st.data())
def test_regions_stay_whole(blocks: list[str], data: st.DataObject) -> None:
    text = "\n\n".join(blocks)
    low = data.draw(st.integers(0, len(text)))
    high = data.draw(st.integers(low, len(text)))
    doc = Document(
        id="d", text=text, meta={"regions": [{"kind": "code", "start": low, "end": high}]}
    )
    for start, part in parts(doc):
        for region in part.meta["regions"]:
            assert 0 <= region["start"] <= region["end"] <= len(part.text)
            assert part.text[region["start"] : region["end"]] == text[low:high]
        assert text[start : start + len(part.text)] == part.text
    assert annotate(doc, [COLOUR]) == annotate(doc, [replace(COLOUR, whole=True)])
