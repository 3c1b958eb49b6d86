"""PDF: text in reading order, its parts, where each character stands, and what is said of bad files."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest

from marginalia import Document, FormatError
from marginalia.reader.parse.content import Content
from marginalia.reader.pdf import process as pdf_process
from marginalia.reader.pdf.geometry import rectangles
from marginalia.reader.pdf.layout import Layout
from marginalia.reader.pdf.parse import parse
from marginalia.reader.read import read, read_pages
from tests.reader.documents import at, pdf, raw_pdf

ARTICLE = Path(__file__).parents[3] / "examples" / "article.pdf"


def parsed(*pages: list[Any], **more: Any) -> Content:
    return parse(pdf(*pages, **more), Path("x.pdf"))


def kinds(content: Content) -> list[tuple[str, str]]:
    return [(r["kind"], content.text[r["start"] : r["end"]]) for r in content.regions]


def test_pages_have_offsets(tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(pdf(["The caf\xe9 is open.", "It was hyphen-", "ated."], [], ["Page three."]))
    doc = read(path)
    assert doc.text == "The café is open. It was hyphenated.\n\nPage three."
    pages = [doc.text[start:end] for start, end in doc.meta["pages"]]
    assert pages == ["The café is open. It was hyphenated.", "", "Page three."]
    assert [doc.page(doc.text.index(word)) for word in ("café", "three")] == [1, 3]
    assert (doc.meta["format"], doc.meta["title"]) == ("pdf", "paper")
    assert "problems" not in doc.meta and "unread" not in doc.meta


def column(x: float, top: float, text: str, step: float = 12) -> list[Any]:
    return [at(x, top - step * number, line) for number, line in enumerate(text.split("|"))]


LEFT = (
    "The first column begins with a|line and goes on with another|one until it has told what it|"
    "wanted to tell, and a little bit|more about the weather in the"
)
RIGHT = "mountains, which is the second|column of this page, and there|it comes to its end at last."
WHOLE_TEXT = f"{LEFT} {RIGHT}".replace("|", " ")


def test_two_columns_are_read_one_after_the_other() -> None:
    across = at(72, 720, "A title that stands across both columns of the page", 16, 2)
    lines = [across, *column(72, 690, LEFT), *column(320, 690, RIGHT)]
    content = parsed(lines)
    assert content.text == f"A title that stands across both columns of the page\n\n{WHOLE_TEXT}"
    assert kinds(content) == [("heading", across[2])]
    # A file may hold its lines row by row, or in any other order.
    rows = sorted(lines, key=lambda line: (-line[1], line[0]))
    assert parsed(rows).text == parsed(lines[::-1]).text == content.text


def test_a_table_across_the_columns_is_no_column() -> None:
    rows = [
        at(x, y, text)
        for y, row in (
            (600, "town hours sleep"),
            (588, "Lowmoor 38.6 7.1"),
            (576, "Ravens 41.2 6.9"),
        )
        for x, text in zip((72, 250, 420), row.split(), strict=True)
    ]
    below = [*column(72, 550, LEFT), *column(320, 550, RIGHT)]
    content = parsed([*column(72, 700, LEFT), *column(320, 700, RIGHT), *rows, *below])
    assert content.text == (
        f"{WHOLE_TEXT}\n\ntown\thours\tsleep\nLowmoor\t38.6\t7.1\nRavens\t41.2\t6.9\n\n{WHOLE_TEXT}"
    )


def test_cells_that_stand_close_are_told_apart_by_those_below() -> None:
    table = (("town", "women", "men"), ("Bath", "312", "298"), ("Ravensholm", "150", "161"))
    rows = [
        at(x, 700 - 12 * number, text, 9)
        for number, row in enumerate(table)
        for x, text in zip((72, 128, 180), row, strict=True)
    ]
    content = parsed([*rows, *column(72, 640, "Text below the table, which|is long enough.")])
    assert kinds(content) == [("table", "town\twomen\tmen\nBath\t312\t298\nRavensholm\t150\t161")]


def test_a_last_page_with_few_lines_has_the_columns_of_the_one_before() -> None:
    first = [*column(72, 700, LEFT), *column(320, 700, f"{RIGHT}|And then it was so late")]
    last = [
        at(72, 700, "that they all went home, which"),
        at(320, 700, "took them until the morning."),
    ]
    assert parsed(first, last).text.endswith(
        "And then it was so late that they all went home, which took them until the morning."
    )


def test_words_that_are_spaced_out_make_no_table() -> None:
    around = [
        *column(72, 700, "A narrow column of words, all"),
        *column(72, 664, "of the same width, and that is|all there is to say about those"),
    ]
    ends = [sum(map(int, line["x"].split())) for line in parsed(around).meta["geometry"]["lines"]]
    right = max(ends) / 10
    lines = [
        *around,
        *(at(x, 688, word) for x, word in ((72, "somebody"), (right - 32.2, "spaced"))),
        *(at(x, 676, word) for x, word in ((72, "out"), (right - 18.3, "until"))),
    ]
    content = parsed(lines)
    assert not content.regions
    assert "words, all somebody spaced out until of the same width" in content.text


def test_lines_that_are_stretched_to_their_column_make_no_table() -> None:
    around = column(72, 700, "The genus of these palms, which|grow near the sea in the south,")
    ends = [sum(map(int, line["x"].split())) for line in parsed(around).meta["geometry"]["lines"]]
    right = max(ends) / 10
    words = [["is", "said", "to", "have"], ["many", "uses", "in", "the"]]
    wide = {"is": 7, "said": 19, "to": 8, "have": 22, "many": 25, "uses": 21, "in": 8, "the": 14}
    stretched = []
    for number, row in enumerate(words):
        gap = (right - 72 - sum(wide[word] for word in row)) / (len(row) - 1)
        x = 72.0
        for word in row:
            stretched.append(at(x, 676 - 12 * number, word))
            x += wide[word] + gap
    content = parsed([*around, *stretched])
    assert not [region for region in content.regions if region["kind"] == "table"]


def test_contents_are_several_lines_that_lead_to_a_number() -> None:
    entries = [f"{name} {'. ' * 12}{page}" for name, page in (("One", 1), ("Two", 5), ("Three", 9))]
    found = parsed(["Contents", *entries])
    assert [kind for kind, _ in kinds(found)].count("contents") == 1
    single = parsed(
        ["The price of a jar is as follows:", f"jar {'. ' * 12}5", "That is all of it."]
    )
    assert "contents" not in {kind for kind, _ in kinds(single)}


def test_numbered_references_hang() -> None:
    lines = [
        at(72, 700, "[1] Doe, J. (2001). On jars and lids."),
        at(90, 688, "Jar Press, volume 2 of the set."),
        at(72, 676, "[2] Roe, R. (1999). More about the"),
        at(90, 664, "same jars. Lid Press."),
    ]
    assert parsed(lines).text.split("\n\n") == [
        "[1] Doe, J. (2001). On jars and lids. Jar Press, volume 2 of the set.",
        "[2] Roe, R. (1999). More about the same jars. Lid Press.",
    ]


def test_running_heads_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            at(72, 760, "Journal of Invented Studies"),
            at(500, 760, str(number)),
            *column(72, 700, f"Text {name}, which is|the whole of it."),
            at(72, 40, f"Page {number} of 3"),
        ]
        for number, name in ((7, "one"), (8, "two"), (9, "three"))
    ]
    assert parsed(*pages).text == "\n\n".join(
        f"Text {name}, which is the whole of it." for name in ("one", "two", "three")
    )
    alone = [*column(72, 700, "A lone page|has a number too."), at(300, 40, "– 12 –")]
    assert parsed(alone).text == "A lone page has a number too."


def test_what_repeats_in_the_middle_of_pages_stays() -> None:
    page = column(72, 500, "Sign here:|______________")
    assert parsed(page, page).text.count("Sign here") == 2


def test_a_paragraph_goes_on_on_the_next_page() -> None:
    pages = [
        [*column(72, 700, "It is a long way from the be-"), at(72, 80, "1 A note below it.", 8)],
        column(72, 700, "ginning to the end. It is a|short way back."),
    ]
    content = parsed(*pages)
    assert content.text == (
        "1 A note below it.\n\n"
        "It is a long way from the beginning to the end. It is a short way back."
    )
    assert kinds(content) == [("footnote", "1 A note below it.")]
    (_, end), (start, _) = content.meta["pages"]
    assert content.text[:end].endswith("from the be") and content.text[start:].startswith("ginning")


def test_kinds_of_paragraphs() -> None:
    body = "This is the text of the paper, which|is longer than all the rest of it and"
    lines = [
        at(72, 740, "A study of jars", 18, 2),
        at(72, 700, "2 Methods", 12, 2),
        *column(72, 680, f"{body}|ends here."),
        at(72, 630, "• a first thing"),
        at(72, 618, "• a second thing"),
        at(72, 606, "3. a third thing"),
        at(72, 592, "Table 1 shows what they weigh."),
        at(72, 580, "Table 1. Jars by weight.", 9),
        *(at(x, 566, text, 9) for x, text in ((72, "jar"), (150, "kg"))),
        *(at(x, 555, text, 9) for x, text in ((72, "small"), (150, "0.5"))),
        at(200, 530, "y = a + bx (1)"),
        at(72, 500, "def weigh(jar):", 10, 3),
        at(84, 488, "return jar.mass", 10, 3),
        *column(72, 450, f"{body}|ends there."),
        at(72, 400, "References", 12, 2),
        *column(72, 380, "Doe, J. (2001). On jars of|all kinds. Jar Press."),
    ]
    content = parsed(lines)
    assert kinds(content) == [
        ("heading", "A study of jars"),
        ("heading", "2 Methods"),
        ("item", "a first thing"),
        ("item", "a second thing"),
        ("item", "a third thing"),
        ("caption", "Table 1. Jars by weight."),
        ("table", "jar\tkg\nsmall\t0.5"),
        ("formula", "y = a + bx (1)"),
        ("code", "def weigh(jar):\n  return jar.mass"),
        ("heading", "References"),
    ]
    assert [r["level"] for r in content.regions if r["kind"] == "heading"] == [1, 2, 2]
    assert [r.get("number") for r in content.regions if r["kind"] == "item"] == [None, None, 3]
    assert content.title == "A study of jars"


def test_references_and_sections(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    head = {"size": 14, "font": 2}
    path.write_bytes(
        pdf(
            [
                at(72, 700, "Methods", **head),
                *column(72, 680, "A paragraph that is|long enough to count."),
                at(72, 600, "References", **head),
                *column(72, 580, "Doe, J. (2001). On jars of|all kinds. Jar Press."),
            ]
        )
    )
    doc = read(path)
    assert [section["title"] for section in doc.meta["sections"]] == ["Methods", "References"]
    (region,) = [region for region in doc.meta["regions"] if region["kind"] == "references"]
    assert doc.text[region["start"] : region["end"]].startswith("Doe, J.")
    assert region["end"] == len(doc.text)


def test_figures_above_and_below_the_line() -> None:
    content = parsed(
        [at(72, 700, "An area of 10 m"), at(142.5, 704, "2", 6), at(147, 700, "and CO")]
    )
    assert content.text == "An area of 10 m² and CO"


def word_boxes(doc: Document, word: str) -> list[tuple[int, int, int]]:
    start = doc.text.index(word)
    found = rectangles(doc, start, start + len(word))
    return [(one.page, round(one.left), round(one.bottom)) for one in found]


def test_every_character_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(pdf([at(72, 700, "One line and an-"), at(72, 688, "other line.")], ["Last."]))
    doc = read(path)
    assert doc.text == "One line and another line.\n\nLast."
    boxes = word_boxes(doc, "another")
    assert [(page, bottom) for page, _, bottom in boxes] == [(1, 94), (1, 106)]
    assert boxes[1][1] == 72, "a word that two lines share has two rectangles"
    assert word_boxes(doc, "Last")[0][:2] == (2, 72)
    assert not list(rectangles(doc, 3, 3))
    covered = {
        place
        for line in doc.meta["geometry"]["lines"]
        for place in range(line["start"], line["end"])
    }
    assert all(place in covered for place, sign in enumerate(doc.text) if not sign.isspace())
    assert doc.meta["geometry"]["pages"] == [[6120, 7920]] * 2


def test_text_that_is_turned_with_its_page_is_read() -> None:
    content = b"BT 0 1 -1 0 100 72 Tm /F1 10 Tf (Landscape text.) Tj ET"
    stream = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content)
    found = parse(raw_pdf(stream, rotate=90), Path("x.pdf"))
    assert found.text == "Landscape text."
    assert found.meta["geometry"]["pages"] == [[7920, 6120]]
    (line,) = found.meta["geometry"]["lines"]
    assert line["x"].startswith("720 ") and 900 < line["top"] < 1000
    for other in (0, 180):  # a stamp on the edge of an upright page
        with pytest.raises(FormatError, match="no text"):
            parse(raw_pdf(stream, rotate=other), Path("x.pdf"))


def test_the_article() -> None:
    doc = read(ARTICLE)
    assert doc.meta["title"].startswith("Long hours, short nights")
    titles = [section["title"] for section in doc.meta["sections"]]
    assert titles[1:5] == [
        "1. Introduction", "2. Data and methods", "2.1 Survey", "2.2 Physiological measurements",
    ]  # fmt: skip
    assert "Journal of Invented Studies 12" not in doc.text
    assert "the limit of detection was 0.8 nmol/L" in doc.text
    assert "Cross-sectional surveys" in doc.text and "self-rated health" in doc.text
    assert "its consequences: among trusting respondents" in doc.text, (
        "lines of an abstract that is narrower than the page are full where they all end"
    )
    assert "frequent exercise" in doc.text, "a paragraph goes on on page 2"
    assert "up to 20\t287\t7.4\t121.3\t47.1\n" in doc.text
    found = {region["kind"] for region in doc.meta["regions"]}
    assert found == {"authors", "heading", "formula", "caption", "table", "references"}


def test_pages_come_one_by_one() -> None:
    doc = read(ARTICLE)
    parts = list(read_pages(ARTICLE))
    assert [part.page(10) for part in parts] == [1, 2]
    for part in parts:
        offset = part.meta["offset"]
        assert doc.text[offset : offset + len(part.text)] == part.text
        first = part.meta["geometry"]["lines"][0]
        assert (
            part.text[first["start"] : first["end"]]
            == doc.text[offset + first["start"] :][: first["end"]]
        )
    regions = [region["kind"] for part in parts for region in part.meta["regions"]]
    assert regions == [region["kind"] for region in doc.meta["regions"]]


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
        (pdf([]), "holds no text: its pages may be scans"),
        (pdf(["x"], encrypted=True), "encrypted; save it without a password"),
    ],
    ids=["empty", "text", "half", "tail", "bare", "no-pages", "no-text", "encrypted"],
)
def test_bad_pdfs_give_one_clear_error(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        parse(data, Path("x.pdf"))
    assert str(caught.value).startswith("x.pdf: ")


def test_a_bad_page_costs_that_page() -> None:
    broken = WHOLE.replace(b"8 0 obj\n<< /Type /Page", b"8 0 obj\n<< /Type /Pxge")
    content = parse(broken, Path("x.pdf"))
    assert content.text == "Some text."
    assert content.meta["unread"] == [2]
    (problem,) = content.meta["problems"]
    assert problem.startswith("page 2 ")
    assert len(content.meta["pages"]) == 2


def bomb(megabytes: int, unit: bytes) -> bytes:
    """A page of a few hundred bytes that unpacks to so many megabytes."""
    packer = zlib.compressobj(1)
    unit *= 2**20 // len(unit)
    data = b"".join(packer.compress(unit) for _ in range(megabytes)) + packer.flush()
    data = zlib.compress(data, 1)
    head = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>" % len(data)
    return head + b"\nstream\n" + data + b"\nendstream"


def text(words: bytes) -> bytes:
    content = b"BT /F1 12 Tf 72 720 Td (%b) Tj ET" % words
    return b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content)


@pytest.mark.parametrize(
    ("megabytes", "unit", "name", "limit", "problem"),
    [
        (150, b" ", "MAX_BYTES", 160 * 2**20, "page 2 could not be parsed"),
        (50, b"BT /F1 12 Tf (x) Tj ET ", "PAGE_SECONDS", 1, "page 2 took too long"),
    ],
    ids=["memory", "time"],
)
def test_a_decompression_bomb_costs_its_page(
    monkeypatch: pytest.MonkeyPatch,
    megabytes: int,
    unit: bytes,
    name: str,
    limit: int,
    problem: str,
) -> None:
    pytest.importorskip("resource")
    monkeypatch.setattr(pdf_process, name, limit)
    data = raw_pdf(text(b"Before."), bomb(megabytes, unit), text(b"After."))
    content = parse(data, Path("x.pdf"))
    assert content.text == "Before.\n\nAfter."
    assert content.meta["problems"] == [problem]


def test_a_page_that_takes_too_long_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_process, "_CHILD", "slow_child")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.setattr(pdf_process, "WAIT_SECONDS", 0.5)
    content = parse(WHOLE, Path("x.pdf"))
    assert content.text == "page 1\n\npage 3"
    assert content.meta["problems"] == ["page 2 took too long"]


def test_pages_with_too_much_on_them_are_not_put_into_order() -> None:
    def run(x: int, y: int, text: str) -> list[Any]:
        return [text, 40, 0, y + 40, y, y + 50, [x + 20 * n for n in range(len(text) + 1)]]

    many = [run(720 + 500 * (n % 9), n, f"piece {n} of very many") for n in range(5_000)]
    long = [run(20 * n, 7000, "x") for n in range(20_000)]
    stream = [
        {"page": number, "width": 6120, "height": 7920, "runs": runs}
        for number, runs in enumerate((many, long), 1)
    ]
    first, second = Layout().pages(stream)
    assert first.paragraphs[0].lines[0].text == "piece 0 of very many"
    assert second.paragraphs[0].text.replace(" ", "") == "x" * 20_000


def test_after_some_lost_pages_the_rest_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_process, "_CHILD", "crashing_child")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    with pytest.raises(FormatError, match="the PDF cannot be read: page 1 could not be parsed"):
        parse(pdf(*[["x"]] * 9), Path("x.pdf"))


def test_a_child_that_never_answers_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_process, "_CHILD", "silent_child")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.setattr(pdf_process, "SECONDS", 0.2)
    with pytest.raises(FormatError, match="took too long to open"):
        parse(WHOLE, Path("x.pdf"))


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_process, "MAX_PAGES", 1)
    with pytest.raises(FormatError, match="has 2 pages, the limit is 1"):
        parse(WHOLE, Path("x.pdf"))
    monkeypatch.setattr(pdf_process, "MAX_PAGES", 2)
    monkeypatch.setattr("marginalia.reader.parse.plain.MAX_CHARACTERS", 12)
    with pytest.raises(FormatError, match="more than 12 characters"):
        parse(WHOLE, Path("x.pdf"))


def test_ten_thousand_pages_are_refused_at_once() -> None:
    with pytest.raises(FormatError, match="has 10,000 pages, the limit is 2,000"):
        parse(pdf(*[["x"]] * 10_000), Path("x.pdf"))


def test_control_characters_become_visible() -> None:
    assert parse(pdf(["a\\001b\\000c"]), Path("x.pdf")).text.isprintable()
