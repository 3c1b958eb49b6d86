"""Characters that a PDF does not explain, accents that came loose, and lines from right to left."""

from __future__ import annotations

import pytest

from marginalia.reader.pdf.encodings import UNKNOWN, needs_font, read_sign, unread
from marginalia.reader.pdf.glyphs import Run, combining, compose, is_over
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
        (0x50, "CMEX10", "∑"),
        (0x15, "LMMathExtension10-Regular", "]"),
        (0xF8EB, "LMMathExtension10-Regular", "⎛"),
        (0x00, "CMSY10", "−"),
        (0x17, "CMSY10", "⪰"),
        (0x30, "CMSY8", "′"),
        (0x3E, "CMSY8", "⊤"),
        (0x68, "LMMathSymbols10-Regular", "⟨"),
        (0x6B, "CMSY10", "‖"),
        (0x2E, "LMMathItalic10-Regular", "▷"),
        (0x36, "MSAM10", "⩽"),
        (0x41, "Type3", "A"),
        (0x1B, "LinLibertineT", None),
        (0xE05A, "Secret", None),
        (0x21, "AdvP4C4E74", None),
    ],
)
def test_the_encoding_of_the_font_tells_a_character_that_the_file_does_not(
    code: int, font: str, sign: str | None
) -> None:
    assert read_sign(code, font, is_mapped=False) == sign


def test_what_nothing_explains_is_said_to_be_unread() -> None:
    assert unread(0x1B) == chr(UNKNOWN + 0x1B)  # its words may tell it
    assert unread(0xE05A) == "\ufffd"
    assert unread(0xBC) == "¼" and unread(0x21) == "!"


def test_a_letter_that_the_file_explains_is_believed() -> None:
    assert read_sign(ord("k"), "CMSY10", is_mapped=True) == "k"
    assert read_sign(ord("¼"), "Times", is_mapped=True) is None  # unless its shape is another


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


def test_an_accent_goes_onto_the_letter_that_it_stands_over() -> None:
    run = Run(10, 0, 0)
    for place, letter in enumerate("Oguz"):
        run.add(letter, 50 * place, 50 * place + 50, 0, 100)
    assert run.put_accent(combining("˘"), (52, 0, 98, 100))
    assert run.text == "Oğuz" and len(run.edges) == 4
    assert not run.put_accent(combining("~"), (400, 0, 450, 100))


def test_an_accent_over_several_letters_goes_onto_the_first() -> None:
    run = Run(10, 0, 0)
    for place, letter in enumerate("nDCG"):
        run.add(letter, 50 * place, 50 * place + 50, 0, 100)
    assert run.put_accent(combining("ˆ"), (52, 0, 198, 100)) and run.text == "nD\u0302CG"
    run = Run(10, 0, 0)
    run.add("@", 0, 50, 0, 100)
    assert not run.put_accent(combining("ˆ"), (2, 0, 48, 100))
    assert run.put_accent(combining("ˆ"), (2, 0, 48, 100), on_signs=True)
    assert run.text == "@\u0302" and len(run.edges) == 2


def test_ligatures_that_are_read_from_right_to_left_have_their_letters_in_order() -> None:
    """PDFium hands the two letters of one glyph over in the wrong order, with the same box."""
    run = Run(10, 0, 0)
    for sign, left in (("ح", 520), ("ا", 500), ("ل", 500), ("ت", 480)):
        run.add(sign, left, left + 20, 0, 10)
    assert run.text == "حلات" and run.to_json()[6] == [540, 520, 500, 500, 480]
    short = Run(10, 0, 0)
    for sign, left in (("ا", 520), ("إ", 500), ("ل", 500)):
        short.add(sign, left, left + 20, 0, 10)
    assert short.text == "الإ" and short.is_leftward
    thai = Run(10, 0, 0)
    for sign in "กำ":
        thai.add(sign, 0, 20, 0, 10)
    assert thai.text == "กำ"
    assert combining("\u064b") == "\u064b" and not combining("ض")


def test_accents_and_negations_are_one_character_with_what_they_stand_over() -> None:
    assert compose("o", combining("˝")) == "ő"
    assert compose("ı", combining("´")) == "í"
    assert compose("=", combining("\u0338")) == "≠"
    assert compose("m", combining("˜")) == "m\u0303"  # there is no such letter
    assert is_over((50, 0, 100, 10), (45, 0, 105, 10)) and not is_over((0, 0, 9, 9), (20, 0, 29, 9))


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


def test_the_last_word_of_a_name_tells_a_ligature_and_each_font_has_its_own() -> None:
    lost, other = chr(UNKNOWN + 0x1B), chr(UNKNOWN + 0xA0 + 0x1B)
    lines = [line(f"die Option noautoma{lost}er"), line(f"das O{other}ce am Rand")]
    Ligatures().repair(lines)
    assert [one.text for one in lines] == ["die Option noautomatter", "das Office am Rand"]


def test_three_dots_are_one_sign() -> None:
    one = line("R = D . . . E and q , . . . , F. . . . . 7")
    one.strip()
    assert one.text.startswith("R = D ... E and q , ..., F") and len(one.edges) == len(one.text) + 1
