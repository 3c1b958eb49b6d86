"""Signs by their shape."""

from __future__ import annotations

import pytest

from marginalia.reader.pdf.shapes import read_shape

EM = 20.0


def drawn(picture: str) -> list[list[bool]]:
    rows = [row for row in picture.splitlines() if row.strip()]
    return [[sign == "#" for sign in row.ljust(24)] for row in rows]


BAR, BLANK, STEM = "#" * 14, ".", "......##......"


@pytest.mark.parametrize(
    ("sign", "rows"),
    [
        ("−", [BAR]),
        ("-", ["#####"]),
        ("=", [BAR, BLANK, BLANK, BLANK, BAR]),
        ("≡", [BAR, BLANK, BLANK, BAR, BLANK, BLANK, BAR]),
        ("+", [*[STEM] * 6, BAR, BAR, *[STEM] * 6]),
        ("±", [*[STEM] * 6, BAR, BAR, *[STEM] * 6, BLANK, BAR]),
        ("×", [("." * n + "##").ljust(14, ".")[: 12 - n] + "##" for n in range(6)] * 1
         + [("." * n + "##").ljust(14, ".")[: 12 - n] + "##" for n in range(5, -1, -1)]),
        ("<", ["." * (2 * n) + "###" for n in (6, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6)]),
        (">", ["." * (2 * n) + "###" for n in (0, 1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1, 0)]),
        ("≤", ["." * (2 * n) + "###" for n in (6, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6)]
         + [BLANK, BLANK, "#" * 15]),
        ("·", [".##.", "####", "####", ".##."]),
        ("•", ["..####..", ".######.", "########", "########", "########", ".######.", "..####.."]),
    ],
)  # fmt: skip
def test_signs_are_told_by_bars_and_corners(sign: str, rows: list[str]) -> None:
    assert read_shape(drawn("\n".join(rows)), EM, above=5) == sign


def test_what_is_no_such_sign_is_not_guessed() -> None:
    letter = ["########", "#.......", "#.......", "#####...", "#.......", "#.......", "########"]
    assert read_shape(drawn("\n".join(letter)), EM, above=0) == ""
    assert read_shape(drawn(BAR), EM, above=-2) == "_"
