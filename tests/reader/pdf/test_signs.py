"""Characters that a PDF does not explain, accents that came loose, and lines from right to left."""

from __future__ import annotations

import pytest

from marginalia.reader.pdf.glyphs import UNKNOWN, Run, combining, needs_font, read_sign
from marginalia.reader.pdf.lines import Ligatures, Line, is_rightmost, turn


@pytest.mark.parametrize(
    ("code", "font", "sign"),
    [
        (0xF0B4, "FNTSBS+SymbolMT", "×"),
        (0xF061, "Symbol", "α"),
        (0xF020, "SymbolMT", " "),
        (0xF0B7, "Wingdings", "•"),
        (0x84, "XXQNYR+Wingdings", "•"),
        (0x00, "CMEX10", "("),
        (0x15, "LMMathExtension10-Regular", "]"),
        (0xF8EB, "LMMathExtension10-Regular", "⎛"),
        (0x17, "CMSY10", "⪰"),
        (0x1B, "LinLibertineT", chr(UNKNOWN + 0x1B)),
        (0xE05A, "Secret", ""),
    ],
)
def test_the_encoding_of_the_font_tells_the_character(code: int, font: str, sign: str) -> None:
    assert needs_font(code)
    assert read_sign(code, font) == sign


def test_ordinary_codes_need_no_font() -> None:
    assert not any(needs_font(code) for code in (0x02, 0x20, ord("a"), 0xE4, 0xFB01, 0xFFFE))


def line(text: str) -> Line:
    return Line([text, 100, 0, 0, 0, 10, [10 * place for place in range(len(text) + 1)]])


def test_words_tell_which_ligature_a_code_is() -> None:
    lost = chr(UNKNOWN + 0x1B)
    lines = [
        line(f"wer er{lost}ndet das Rad"),
        line(f"die {lost}ndigen Kön{lost}ge"),
        line("plain"),
    ]
    Ligatures().repair(lines)
    assert lines[0].text == "wer erfindet das Rad"
    assert len(lines[0].edges) == len(lines[0].text) + 1
    assert lines[0].edges == sorted(lines[0].edges)


def test_what_no_word_explains_is_a_bullet_or_said_to_be_unread() -> None:
    lost = chr(UNKNOWN + 1)
    lines = [line(f"{lost} the patient"), line(f"xq{lost}zv"), line(f"50%{lost}")]
    Ligatures().repair(lines)
    assert [one.text for one in lines] == ["• the patient", "xq\ufffdzv", "50% "]


def accented(*signs: tuple[str, int, int]) -> str:
    run = Run(10, 0, 0)
    for sign, left, right in signs:
        mark = combining(sign)
        if mark and run.put_accent(mark, left, right):
            continue
        if sign.isalpha() and run.take_accent(sign, left, right):
            continue
        run.add(sign, left, right, 0, 10)
    return run.text


def test_accents_go_onto_their_letters() -> None:
    assert accented(("d", 0, 5), ("˝", 5, 10), ("o", 5, 10), ("s", 10, 14)) == "dős"
    assert accented(("O", 0, 7), ("g", 7, 12), ("˘", 7, 12), ("u", 12, 17)) == "Oğu"
    assert accented(("ı", 0, 3), ("´", 0, 3)) == "í"
    assert accented(("a", 0, 5), ("~", 9, 14), ("b", 18, 23)) == "a~b"


def test_a_page_from_right_to_left_is_laid_out_as_in_a_mirror() -> None:
    run = Run(10, 0, 0)
    for place, sign in enumerate("שלום"):
        run.add(sign, 500 - 10 * place, 510 - 10 * place, 0, 10)
    data = run.to_json()
    assert run.is_leftward and data[6] == [510, 500, 490, 480, 470]
    latin = ["abc", 100, 0, 0, 0, 10, [400, 410, 420, 430]]
    runs = [data, latin]
    assert is_rightmost(runs)
    turn(runs, 600, mirrored=True)
    assert runs[0][6] == [90, 100, 110, 120, 130]
    assert runs[1][6] == [170, 180, 190, 200]
    assert not is_rightmost([latin])


def test_a_run_whose_characters_share_a_place_ends() -> None:
    run = Run(10, 0, 0)
    for _ in range(8):
        run.add("x", 50, 50, 0, 10)
    assert run.to_json()[6] == [50] * 9
