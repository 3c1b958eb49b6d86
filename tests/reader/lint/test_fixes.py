"""A fix changes the words in question and nothing else, whatever mark-up is around them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia.reader.lint.check import look
from marginalia.reader.lint.fixes import diff
from marginalia.reader.lint.wanted import choose_wanted
from marginalia.reader.read import read_data

SELECT = ["spelling", "wording", "marks", "numbers"]


def fixed(tmp_path: Path, text: str, name: str = "a.md", lang: str = "en") -> str:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return look(path, choose_wanted(path, select=SELECT), lang=lang).fixed


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Fold the the sheet.", "Fold the sheet."),
        ("Fold the\nthe sheet.", "Fold the sheet."),
        ("The *the* sheet.", "The *the* sheet."),  # mark-up between them: for a person
        (
            "A dataset, a dataset, [a data set](http://a.b/data-set).",
            "A dataset, a dataset, [a dataset](http://a.b/data-set).",
        ),
        (
            "See [mail](http://a.b/e-mail), email, email and e-mail.",
            "See [mail](http://a.b/e-mail), email, email and email.",
        ),
        ("`e-mail` email, email, e-mail", "`e-mail` email, email, email"),
        ("Data sets. A dataset. A dataset.", "Datasets. A dataset. A dataset."),
        ("This is *a* error.", "This is *an* error."),
        ("Walk 3km, 4 km and 5 km.", "Walk 3 km, 4 km and 5 km."),
        ("The code is on Github and Github.", "The code is on GitHub and GitHub."),
        ("Colour, colour and color.", "Colour, colour and colour."),
        ("We recieve it,, too.", "We receive it, too."),
    ],
)
def test_a_fix_changes_only_the_words(tmp_path: Path, text: str, wanted: str) -> None:
    assert fixed(tmp_path, text) == wanted


def test_german_terms_keep_their_capitals(tmp_path: Path) -> None:
    text = (
        "Der Mailserver, ein Mailserver, der Mail-Server. Das läßt er, das läßt sie, das lässt es."
    )
    wanted = (
        "Der Mailserver, ein Mailserver, der Mailserver. Das läßt er, das läßt sie, das läßt es."
    )
    assert fixed(tmp_path, text, lang="de") == wanted


def test_line_ends_and_other_formats_stay(tmp_path: Path) -> None:
    assert fixed(tmp_path, "A the the\r\nmill.\r\n") == "A the\r\nmill.\r\n"
    html = '<p class="the the">A <b>the the</b> mill&nbsp;&amp; more.</p>\n'
    assert fixed(tmp_path, html, "a.html") == html.replace("<b>the the", "<b>the")
    rst = "Mill\n====\n\nA the the :ref:`the the` mill.\n"
    assert fixed(tmp_path, rst, "a.rst") == rst.replace("A the the", "A the")


def test_a_diff_is_one_that_patch_reads() -> None:
    assert (
        diff(Path("a.md"), "a\nb\n", "a\nc\n")
        == "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    )
    assert diff(Path("a.md"), "b", "c").endswith(
        "-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    )


PIECES = st.sampled_from(
    """the the | data set | dataset | *data* set | `the the data set` | [dataset](http://a.b/data-set) | e-mail | email | **e-mail** |
    a error | an hour | Github | <b>the the</b> | 3km | 4 km | recieve | , | . | colour | color | # | - | > | ``` | 1,000 | (see | it) | \\* |
    &amp; | <!-- the the --> | ![data set](e-mail.png) | seperate""".replace("\n", " ").split(" | ")
)
GAPS = st.sampled_from([" ", "\n", "\n\n", " ", "\r\n"])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(PIECES, GAPS), min_size=2, max_size=14))
def test_fixing_twice_is_fixing_once_and_spares_the_rest(tmp_path_factory, parts) -> None:
    source = "".join(piece + gap for piece, gap in parts)
    path = tmp_path_factory.mktemp("fix") / "a.md"
    path.write_bytes(source.encode())
    once = look(path, choose_wanted(path, select=SELECT), lang="en").fixed
    for kept in (r"`[^`\n]*`", r"\]\([^)]*\)", r"<!--.*?-->", r"<[^>]*>"):
        assert re.findall(kept, once) == re.findall(kept, source)
    path.write_bytes(once.encode())
    again = look(path, choose_wanted(path, select=SELECT), lang="en")
    if not any(finding.fix for finding in again.findings):
        assert again.fixed == once
    regions = [[one["kind"] for one in _doc(text).meta["regions"]] for text in (source, once)]
    assert regions[0] == regions[1]


def _doc(text: str):
    return read_data(text.encode(), Path("a.md"), lang="en")
