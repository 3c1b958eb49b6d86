"""Parts that do not add up to their total: ``60 patients (35 women and 24 men)``, and the totals of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from marginalia.annotators.statistics.manuscript import SUBJECT, Finding, Manuscript
from marginalia.annotators.statistics.written import Written, number, read, read_whole
from marginalia.lang import language

MIN_PARTS = 2
MIN_RIGHT = 2
"""Rows or columns whose parts add up to what the total says, before the one that does not is reported."""
MAX_CELLS = 5_000

Line = list[Written | None]


@cache
def _bracket(lang: str) -> re.Pattern[str]:
    """A count with two parts in brackets behind it, of which each is one or the other: women and men."""
    known = language(lang)
    pairs = "|".join(known.data(SUBJECT).get("either", ()))
    n = number(lang)
    part = rf"(?P<NAME>{n})\s(?P<NAME_of>{pairs})"
    return re.compile(
        rf"(?<![\w.,·/–−-])(?P<all>{n})(?:\s[^\W\d_][\w’'-]*){{1,4}}\s?[(\[]\s?{part.replace('NAME', 'one')}"
        rf"(?:\s?[(\[][^()\[\]]{{1,12}}[)\]])?\s?(?:,|;|/|{known.pattern(SUBJECT, 'and')})\s?(?:{known.pattern(SUBJECT, 'and')})?\s?{part.replace('NAME', 'other')}"
        rf"(?:\s?[(\[][^()\[\]]{{1,12}}[)\]])?\s?(?P<more>[)\],;])"
    )


def find(source: Manuscript) -> Iterator[Finding]:
    for match in source.matches(_bracket(source.lang)):
        if match["one_of"].lower()[:2] == match["other_of"].lower()[:2]:
            continue
        whole = [read_whole(match[name], source.lang) for name in ("all", "one", "other")]
        if None in whole or re.search(
            r"\d", source.text[match.end() : match.end() + 25].split(")")[0]
        ):
            continue
        total, one, other = (value or 0 for value in whole)
        if one + other != total:
            values = {"parts": f"{one} + {other} = {one + other}", "total": total}
            yield Finding("total", *match.span(), source.say("total", **values))
    if source.doc.meta.get("tables"):
        for table in source.doc.meta["tables"]:
            if sum(map(len, table["rows"])) <= MAX_CELLS:
                yield from _find_in_table(source, table["rows"])


def _find_in_table(
    source: Manuscript, rows: Sequence[Sequence[Mapping[str, Any]]]
) -> Iterator[Finding]:
    """A total that is not the sum of what it stands below or behind, where the other totals of its row or column are."""
    if len({len(row) for row in rows}) != 1 or any(
        "col_span" in c or "row_span" in c for r in rows for c in r
    ):
        return
    is_total = re.compile(rf"\W*(?:{source.pattern('totals')})\W*", re.I)
    for grid in (rows, list(zip(*rows, strict=True))):
        # Each line is the parts with their total at its end; the first line holds the names.
        named = [source.text[line[0]["start"] : line[0]["end"]] for line in grid]
        places = [number for number, name in enumerate(named) if is_total.fullmatch(name)]
        if len(places) != 1 or places[0] < MIN_PARTS + 1:
            continue
        below, first = places[0], 1
        right: list[int] = []
        wrong: list[tuple[int, Decimal]] = []
        for column in range(1, len(grid[0])):
            cells = [_cell(source, grid[line][column]) for line in range(first, below)]
            total = _cell(source, grid[below][column])
            if total is None or any(cell is None for cell in cells):
                continue
            parts = [cell for cell in cells if cell is not None]
            added = sum((cell.value for cell in parts), Decimal(0))
            slack = sum((cell.step for cell in parts), total.step) / 2
            if all(cell.is_whole for cell in (*parts, total)):
                slack = Decimal(0)
            if abs(added - total.value) <= slack:
                right.append(column)
            else:
                wrong.append((column, added))
        if len(right) >= MIN_RIGHT and len(wrong) == 1:
            column, added = wrong[0]
            cell = grid[below][column]
            why = source.say(
                "table_total",
                sum=f"{added:f}",
                total=source.text[cell["start"] : cell["end"]].strip(),
                right=len(right),
            )
            yield Finding("total", cell["start"], cell["end"], why)
            return  # the other direction would report the same slip once more


def _cell(source: Manuscript, cell: Mapping[str, Any]) -> Written | None:
    quote = source.text[cell["start"] : cell["end"]].strip()
    return read(quote, source.lang) if re.fullmatch(number(source.lang), quote) else None
