"""Sentences stay whole: past notes, licences, page and line numbers, hanging numbers, and lines that are too long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia.reader.parse.content import Content
from marginalia.reader.pdf.parse import parse
from tests.reader.documents import at, pdf, raw_pdf

LEFT = (
    "The first column begins with a|line and goes on with another|one until it has told what it|"
    "wanted to tell, and a little bit|more about the weather in the"
)
RIGHT = "mountains, which is the second|column of this page, and there|it comes to its end at last."
WHOLE = f"{LEFT} {RIGHT}".replace("|", " ")


def parsed(*pages: list[Any]) -> Content:
    return parse(pdf(*pages), Path("x.pdf"))


def column(x: float, top: float, text: str, step: float = 12) -> list[Any]:
    return [at(x, top - step * number, line) for number, line in enumerate(text.split("|"))]


def kinds(content: Content) -> list[tuple[str, str]]:
    return [(r["kind"], content.text[r["start"] : r["end"]]) for r in content.regions]


def test_a_sentence_goes_on_past_a_note_and_a_licence_below_its_column() -> None:
    aside = [
        at(72, 600, "* Equal contribution of both", 8),
        at(72, 585, "(c) 2020 Society of Jars, all rights", 8),
    ]
    content = parsed([*column(72, 690, LEFT), *aside, *column(320, 690, RIGHT)])
    assert content.text.startswith(WHOLE)
    assert "Equal contribution" in content.text and "Society of Jars" in content.text


def test_a_sentence_goes_on_past_the_foot_of_a_page() -> None:
    first = [*column(72, 690, LEFT), at(72, 90, "Proceedings of the Society of Jars, 2020", 8)]
    content = parsed(first, column(72, 690, RIGHT))
    assert WHOLE in content.text.replace("\n", " ")
    assert ("footnote", "Proceedings of the Society of Jars, 2020") in kinds(content)


def test_numbers_before_items_belong_to_the_column_on_their_right() -> None:
    numbers = [at(302, 690 - 24 * n, f"{n}.") for n in (1, 2, 3)]
    items = column(320, 666, "Jars are kept in cellars|and not in lofts at all", 12)
    items += column(320, 642, "Honey is kept in the jars|and in nothing else here", 12)
    items += column(320, 618, "Bees are kept in hives and|never in the jars above", 12)
    content = parsed([*column(72, 690, LEFT + "|" + LEFT), *numbers, *items])
    text = content.text
    assert text.startswith(f"{LEFT} {LEFT}".replace("|", " "))
    assert text.index("Jars are kept") > text.index("weather in the")


def test_a_line_that_is_too_long_for_its_column_does_not_join_two() -> None:
    left = column(72, 690, LEFT)
    left[2] = at(72, 666, "one until it has told what it wanted now")
    content = parsed([*left, *column(320, 690, RIGHT)])
    assert "told what it wanted now wanted to tell" in content.text
    assert content.text.endswith("it comes to its end at last.")


def test_line_numbers_are_no_text() -> None:
    words = "the jar holds honey and|the honey fills the jar".split("|")
    lines = [
        line
        for n in range(1, 25)
        for line in (at(50, 720 - 24 * n, str(n)), at(90, 720 - 24 * n, words[n % 2]))
    ]
    assert not any(sign.isdigit() for sign in parsed(lines).text)


def test_page_numbers_far_from_the_edge_are_found() -> None:
    texts = ("One jar.|It is full.", "Two bees.|They fly.", "Three hives.|They hum.")
    pages = [[*column(72, 690, text), at(290, 130, str(n))] for n, text in enumerate(texts, 7)]
    content = parsed(*pages)
    assert not any(sign.isdigit() for sign in content.text)
    assert [part["kind"] for part in content.meta["not_read"]["parts"]] == ["running"] * 3


def test_a_heading_ends_before_an_indented_line() -> None:
    lines = [
        at(72, 690, "A. Mobility of jars"),
        *column(90, 676, "This section is about jars that move from one place"),
        *column(72, 664, "to another, which happens more often than one thinks."),
    ]
    content = parsed(lines)
    assert content.text.split("\n\n")[0] == "A. Mobility of jars"
    assert "from one place to another" in content.text


def test_labels_above_a_caption_are_text_of_the_figure() -> None:
    labels = [at(100, 600, "Base station"), at(200, 585, "Zone"), at(120, 560, "Node 4")]
    caption = at(72, 530, "Figure 1. An example of zones.")
    content = parsed([*column(72, 720, LEFT + " end."), *labels, caption])
    assert ("figure", "Base station\nZone\nNode 4") in kinds(content)


def test_what_does_not_stand_upright_is_left_out_and_named() -> None:
    turned = b"BT /F1 10 Tf 0 1 -1 0 30 300 Tm (arXiv stamp) Tj ET"
    shown = b"BT /F1 12 Tf 72 720 Td (The jar holds honey.) Tj ET " + turned
    stream = b"<< /Length %d >>\nstream\n" % len(shown) + shown + b"\nendstream"
    content = parse(raw_pdf(stream), Path("x.pdf"))
    assert content.text == "The jar holds honey."
    (part,) = content.meta["not_read"]["parts"]
    assert (part["kind"], part["text"]) == ("turned", "arXivstamp")


def test_a_sentence_goes_on_in_small_capitals_bold_or_code() -> None:
    """The next line begins within the sentence, whatever most of it is set in."""
    lines = column(72, 690, "Submissions about jars and honey|should be sent to the person who|")
    lines[-1:] = [
        at(72, 666, "is in "),
        at(94, 666, "FURTHER INFORMATION AND CONTACT", 7),
        *column(72, 654, "section, and to nobody else at all, since jars are|kept there."),
    ]
    assert "person who is in FURTHER INFORMATION AND CONTACT section, and" in parsed(lines).text
    code = column(
        72, 690, "One jar is opened, and then by the four com-|mand line tools called|jar."
    )
    code[1] = at(72, 678, "mands jar jarring jars jarred jamjar kept", 9, 3)
    assert "by the four commands jar jarring" in parsed(code).text


def test_a_running_head_goes_though_the_number_of_the_page_is_large_and_stands_first() -> None:
    head = "Journal of Jars / Vol. 85 / Rules"
    pages = [
        [
            at(72, 760, f"4770{n}", 13),
            at(150, 760, head, 11),
            *column(72, 690, LEFT.replace("first", word) + "."),
        ]
        for n, word in enumerate(("first", "second", "third"))
    ]
    content = parsed(*pages)
    assert "Journal" not in content.text and "4770" not in content.text


LONG = "the honey of the second jar was weighed again, and it was"


def test_a_note_in_the_margin_divides_no_sentence() -> None:
    text = [at(72, 690 - 12 * n, f"{LONG} {n}") for n in range(10)]
    note = column(420, 680, "This was not|seen in any|other jar.", 11)
    content = parsed([*text[:3], *note, *text[3:]])
    assert "and it was 2 the honey of the second" in content.text
    assert ("footnote", "This was not seen in any other jar.") in kinds(content)


def test_a_short_last_column_is_no_note_in_the_margin() -> None:
    first = [*column(72, 690, f"{LEFT}|{LEFT}"), *column(320, 690, f"{LEFT}|{LEFT}")]
    last = [*column(72, 690, "|".join([LEFT] * 4)), *column(320, 690, RIGHT)]
    content = parsed(first, last)
    assert WHOLE in content.text.replace("\n", " ")
    assert not kinds(content)


def test_letters_that_come_late_in_the_file_stand_where_the_line_leaves_a_space() -> None:
    lines = [at(72, 690, "weighed 10"), at(138, 690, "g of honey in the jar"), at(130, 690, "µ")]
    assert parsed([*lines, at(72, 678, "and of the other one")]).text.count("µ") == 1


def test_a_sentence_goes_on_after_a_date_at_the_end_of_a_page() -> None:
    first = "Die Bienen kamen in diesem Jahr|schon sehr früh, und zwar am 12.".split("|")
    content = parsed(
        [at(72, 102, first[0]), at(72, 90, first[1])],
        [at(72, 690, "März, als noch Schnee auf den"), at(72, 678, "Feldern lag.")],
    )
    assert "am 12. März, als" in content.text


def test_words_side_by_side_above_the_caption_of_a_figure_are_its_text() -> None:
    drawn = [at(x, y, word) for y, row in ((600, "Pump Valve"), (570, "Tank Drain")) for x, word in zip((100, 250), row.split(), strict=True)]  # fmt: skip
    caption = at(72, 540, "Figure 1: How the parts are joined to each other, seen from above.")
    content = parsed([*column(72, 690, LEFT), *drawn, caption])
    assert [kind for kind, text in kinds(content) if "Pump" in text] == ["figure"]
