"""Documents for the tests: one invented by hand, any number by Hypothesis, and tiny PDFs byte by byte."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from marginalia import Annotation, Document

TEXT = "Weighing\n\nThe jar holds 3.5 kg of <honey>.\nIt is heavy & sweet.\n\nx = 1\n\ny = 2\n"


def note(id: str, quote: str, task: str = "fruit", label: str = "a thing", **more) -> Annotation:
    start = TEXT.index(quote)
    place = {"start": start, "end": start + len(quote), "quote": quote}
    return Annotation(id=id, task=task, label=label, **place, **more)


def sample() -> Document:
    """Notes that overlap, nest, cross a line end, link and carry all kinds of attributes."""
    doc = Document(
        id="sample",
        text=TEXT,
        meta={
            "path": "sample.md",
            "lang": "en",
            "title": "Weighing",
            "regions": [
                {"kind": "heading", "level": 1, "start": 0, "end": 8},
                {"kind": "code", "start": TEXT.index("x ="), "end": TEXT.index("y = 2") + 5},
            ],
            "pages": [[0, 8], [10, len(TEXT)]],
        },
    )
    return doc.annotate(
        [
            note("q1", "3.5 kg", score=0.75, attrs={"unit": "kg", "value": 3.5, "range": [3, 4]}),
            note("q2", "jar holds 3.5", label="MeasuredEntity", links={"of": ("q1", "urn:x:1")}),
            note("q3", "kg of <honey>.\nIt", task="colour", links={"same as": ("q2", "q1", "out")}),
            note("q4", "<honey>", task="colour", attrs={"why": "a <b> & a sweet", "sure": True}),
        ]
    )


texts = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab \n\t.<>&\"'é“\u2028\x1c\x85𝒳"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"),
    ),
    max_size=60,
)
names = st.text(alphabet="abcXYZ-_ é<&\"'\t", min_size=1, max_size=8)
numbers = st.floats(allow_nan=False, allow_infinity=False)
plain = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | numbers | names
values = plain | st.lists(plain, max_size=2) | st.dictionaries(names, plain, max_size=2)
places = st.tuples(st.integers(0, 60), st.integers(0, 60))


@st.composite
def documents(draw) -> Document:
    text = draw(texts)
    ids = draw(st.lists(names, unique=True, max_size=4))
    notes = []
    for id in ids:
        start, end = sorted(min(place, len(text)) for place in draw(places))
        notes.append(
            Annotation(
                id=id,
                task=draw(st.sampled_from(["fruit", "colour"])),
                label=draw(names),
                start=start,
                end=end,
                quote=text[start:end],
                score=draw(st.none() | st.floats(0, 1)),
                attrs=draw(st.dictionaries(names, values, max_size=3)),
                links=draw(
                    st.dictionaries(
                        names,
                        st.lists(st.sampled_from([*ids, "urn:out:1", "out"]), min_size=1).map(
                            tuple
                        ),
                        max_size=2,
                    )
                ),
                system=draw(st.sampled_from(["", "best"])),
            )
        )
    return Document(id=draw(names), text=text, meta={"lang": "en"}).annotate(notes)


FONTS = ("Helvetica", "Helvetica-Bold", "Courier")


def at(x: float, y: float, text: str, size: float = 10, font: int = 1) -> tuple[Any, ...]:
    """A line for ``pdf`` with its place, in points from the bottom left corner, its size and font."""
    return (x, y, text, size, font)


def pdf(*pages: list[Any], encrypted: bool = False, rotate: int = 0, title: str = "") -> bytes:
    """A PDF with these lines on its pages, with a correct cross-reference table.

    A line is text, then it stands below the one before in Helvetica, or has a place (see ``at``).
    """
    contents = [
        b" ".join(_shown(line, 720 - 14 * number) for number, line in enumerate(lines))
        for lines in pages
    ]
    return raw_pdf(
        *(
            b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream"
            for content in contents
        ),
        encrypted=encrypted,
        rotate=rotate,
        title=title,
    )


def _shown(line: Any, y: float) -> bytes:
    x, y, text, size, font = at(72, y, line, 12) if isinstance(line, str) else line
    shown = text.encode("cp1252").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /F%d %.1f Tf %.1f %.1f Td (%b) Tj ET" % (font, size, x, y, shown)


def raw_pdf(*contents: bytes, encrypted: bool = False, rotate: int = 0, title: str = "") -> bytes:
    """A PDF with one page for each of these content streams."""
    first = 3 + len(FONTS)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
    ]
    objects += [
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>".encode()
        for font in FONTS
    ]
    fonts = " ".join(f"/F{number} {2 + number} 0 R" for number in range(1, len(FONTS) + 1))
    for number, content in enumerate(contents):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate {rotate} "
            f"/Contents {first + 1 + 2 * number} 0 R /Resources << /Font << {fonts} >> >> >>".encode(),
            content,
        ]
    objects.append(f"<< /Title ({title}) >>".encode())
    information = len(objects)
    trailer = b"/Root 1 0 R /Info %d 0 R" % information
    if encrypted:
        key = b"41" * 32
        objects.append(b"<< /Filter /Standard /V 1 /R 2 /O <%b> /U <%b> /P -4 >>" % (key, key))
        trailer += b" /Encrypt %d 0 R /ID [<00> <00>]" % len(objects)
    parts, places, length = [b"%PDF-1.4\n"], [], 9
    for number, content in enumerate(objects, 1):
        places.append(length)
        parts.append(b"%d 0 obj\n" % number + content + b"\nendobj\n")
        length += len(parts[-1])
    out = b"".join(parts)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n" % size
        + table
        + b"trailer\n<< /Size %d %b >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, len(out))
    )
