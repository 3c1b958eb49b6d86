"""The first page: titles of several lines, labels that are no titles, and authors."""

from __future__ import annotations

from marginalia.reader.pdf.headings import find_authors, find_title, same_title
from marginalia.reader.pdf.kinds import Paragraph
from marginalia.reader.pdf.lines import Line

BODY = 100
TEXT = "The oven was heated to a high temperature and the jars were left in it for some time, " * 3


def one(text: str, top: int, size: int = BODY, kind: str = "paragraph") -> Paragraph:
    edges = [10 * place for place in range(len(text) + 1)]
    return Paragraph(kind, [Line([text, size, 0, top + size, top, top + size, edges])], 0, 5000)


def titled(*page: Paragraph) -> str:
    return " ".join(part.text for part in find_title(page, BODY))


def test_a_title_of_two_lines_that_were_taken_for_two_headings() -> None:
    page = [one("Weighing jars", 100, 180), one("of glass", 300, 180), one("Ann Example", 520, 120)]
    assert titled(*page, one(TEXT, 700)) == "Weighing jars of glass"


def test_labels_and_running_heads_are_no_titles() -> None:
    labels = [
        "RESEARCH ARTICLE",
        "R E S E A R C H A R T I C L E",
        "Open Access",
        "12",
        "arXiv:1234",
    ]
    page = [one(label, 100 * place, 200) for place, label in enumerate(labels)]
    assert titled(*page, one("Weighing jars", 900, 150), one(TEXT, 1200)) == "Weighing jars"


def test_where_nothing_stands_out_there_is_no_title() -> None:
    assert titled(one("A plain line", 100), one(TEXT, 300)) == ""


def test_authors_stand_between_the_title_and_the_abstract() -> None:
    title, names = one("Weighing jars", 100, 180), one("Ann Example, Bo Sample", 400)
    place = one("Department of Jars, University of Glass, ann@example.org", 500)
    page = [title, names, place, one("Abstract", 700, kind="heading"), one(TEXT, 800)]
    assert find_authors(page, [title]) == [names, place]
    assert find_authors([title, names, one(TEXT, 600)], [title]) == []  # no address: who knows
    assert find_authors([title, names, place], [title]) == []  # a cover without text


def test_a_declared_title_counts_if_the_page_shows_it() -> None:
    assert same_title("LaTeX2e-Kurzbeschreibung", "LATEX 2ε -Kurzbeschreibung")
    assert not same_title("Microsoft Word - report.doc", "Weighing jars of glass")
    assert not same_title("", "Weighing jars")
