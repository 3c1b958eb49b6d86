"""Text inside figures is a region of its own; headings and boxes of text on a coloured ground are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia.reader.pdf.figures import caption_pictures, part_figures
from marginalia.reader.pdf.kinds import Paragraph
from marginalia.reader.pdf.lines import Line
from marginalia.reader.pdf.parse import parse
from tests.reader.documents import raw_pdf

BODY = 100


def line(text: str, left: int, top: int, size: int = BODY) -> Line:
    edges = [left + 50 * place for place in range(len(text) + 1)]
    return Line([text, size, 0, top + size, top, top + size, edges])


def inside(*lines: Line, box: tuple[int, ...] = (0, 0, 5000, 5000)) -> list[list[str]]:
    _, drawn = part_figures(lines, [box], BODY)
    return [[one.text for one in group] for group in drawn]


def test_short_pieces_in_a_box_are_a_figure_from_top_to_bottom() -> None:
    found = inside(line("0.5", 10, 900), line("1.0", 10, 100), line("time (s)", 900, 2000))
    assert found == [["1.0", "0.5", "time (s)"]]


def test_lines_that_stand_out_of_the_box_are_text() -> None:
    lines = [line(word, 10, 10 + 200 * n, 80) for n, word in enumerate("abc")]
    outside = line("The text goes on beside the figure.", 6000, 300)
    text, drawn = part_figures([*lines, outside], [(0, 0, 5000, 5000)], BODY)
    assert text == [outside] and len(drawn) == 1


def test_headings_and_boxes_of_text_are_no_figures() -> None:
    assert inside(line("1", 10, 10, 140), line("Introduction", 100, 10, 140)) == []
    prose = "the jars were weighed before they were filled"
    assert inside(*(line(prose, 10, 200 * n) for n in range(4))) == []


def words(x: int, y: int, text: str, size: int = 10) -> bytes:
    return f"BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET\n".encode()


def curves(x: int, y: int) -> bytes:
    """A drawing: eight wavy strokes that fill a tenth of the page."""
    strokes = []
    for n in range(8):
        low = y + 20 * n
        strokes.append(
            f"{x} {low} m "
            + " ".join(f"{x + 30 * k} {low + 9} {x + 30 * k + 9} {low} {x + 30 * k + 20} {low + 5} c"
                       for k in range(1, 8))
            + " S\n"
        )  # fmt: skip
    return "".join(strokes).encode()


def drawn_page() -> bytes:
    """A PDF with a drawing between two paragraphs."""
    prose = "We weighed all the jars again and wrote the figures down in a small book."
    content = b"".join(
        [
            *(words(72, 760 - 12 * n, prose) for n in range(12)),
            curves(100, 350),
            *(words(x, 360 + 40 * n, label, 7) for n, (x, label) in enumerate(
                [(105, "0"), (105, "5"), (105, "10"), (200, "mass")]
            )),
            words(72, 300, "Figure 1. The mass of all the jars that were weighed."),
            *(words(72, 270 - 12 * n, prose) for n in range(8)),
        ]
    )  # fmt: skip
    stream = b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream"
    return raw_pdf(stream)


def test_labels_of_a_drawing_stand_before_its_caption() -> None:
    found: Any = parse(drawn_page(), Path("x.pdf"))
    (figure,) = [region for region in found.regions if region["kind"] == "figure"]
    assert found.text[figure["start"] : figure["end"]] == "mass\n10\n5\n0"
    assert found.text[figure["end"] :].lstrip().startswith("Figure 1. The mass")
    (shown,) = found.figures
    assert found.text[shown["start"] : shown["end"]].startswith("Figure 1. The mass")
    left, top, right, bottom = shown["box"]
    assert shown["page"] == 1 and left < 1000 and right > 3000, "the whole drawing"
    page = found.meta["geometry"]["pages"][0][1]
    assert page - 10 * 628 <= top < page - 10 * 490, "below the text before it"
    assert page - 10 * 350 < bottom <= page - 10 * 300, "and above its caption"


def paragraph(kind: str, left: int, top: int, text: str = "Figure 1. Jars") -> Paragraph:
    made = line(text, left, top)
    return Paragraph(kind, [made], made.left, made.right)


def shown(*paragraphs: Paragraph, boxes: list[list[int]]) -> list[tuple[int, int, int, int]]:
    found = caption_pictures(paragraphs, boxes, 6000, 8000)
    return [box for _, box in found]


def test_what_a_caption_speaks_of() -> None:
    caption = paragraph("caption", 1000, 3000)
    drawn = [1000, 1000, 2500, 2900]
    assert shown(caption, boxes=[drawn]) == [(960, 960, 2540, 2940)]
    assert shown(caption, boxes=[[1000, 3200, 2500, 5000]]) == [(960, 3160, 2540, 5040)], "below"
    both = shown(caption, boxes=[drawn, [2600, 1000, 4000, 2900]])
    assert both == [(960, 960, 4040, 2940)], "parts in a row"
    apart = paragraph("paragraph", 300, 2000, "Other co")
    assert shown(caption, apart, boxes=[[0, 1000, 2500, 2900]])[0][0] > 300, "no other column"
    assert shown(caption, boxes=[]) == []
    assert shown(caption, boxes=[[1000, 100, 2500, 900]]) == [], "too far"
    assert shown(caption, boxes=[[1000, 2900, 2500, 2990]]) == [], "a rule"
    assert shown(paragraph("caption", 1000, 3000, "Table 1. Jars"), boxes=[drawn]) == []
    between = paragraph("paragraph", 1000, 2800, "Some text")
    assert shown(caption, between, boxes=[[1000, 1000, 2500, 2600]]) == [], "another paragraph's"
