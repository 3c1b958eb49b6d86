"""A small query language over the rows of measurements: ``property ~ temperature and value > 300 K``.

A query is parsed to a tree of comparisons and never evaluated as code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeAlias

from marginalia.annotators.measurements.comparison import Row, comparison_test
from marginalia.core.errors import FormatError

MAX_QUERY_LENGTH = 10_000
"""Characters."""
MAX_DEPTH = 50
"""Parentheses and ``not`` within each other."""
_NAME = re.compile(r"[^\W\d]\w*")
_OPERATOR = re.compile(r"!=|<=|>=|[=<>~]")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.S)
_ENDS_BARE = re.compile(r"\s(?:and|or)(?![^\s()])|[()]|!=|[<>=~]", re.I)


@dataclass(frozen=True, slots=True)
class Comparison:
    """``column operator operand``."""

    column: str
    operator: str
    operand: str
    test: Callable[[Any], bool] = field(compare=False, repr=False)

    def matches(self, row: Row) -> bool:
        return self.test(row)

    def __str__(self) -> str:
        escaped = self.operand.replace("\\", "\\\\").replace('"', '\\"')
        return f'{self.column} {self.operator} "{escaped}"'


@dataclass(frozen=True, slots=True)
class Not:
    part: Query

    def matches(self, row: Row) -> bool:
        return not self.part.matches(row)

    def __str__(self) -> str:
        return f"not {_within(self.part)}"


@dataclass(frozen=True, slots=True)
class Joined:
    """``word`` is ``and`` or ``or``; there are at least two parts."""

    word: str
    parts: tuple[Query, ...]

    def matches(self, row: Row) -> bool:
        every = all if self.word == "and" else any
        return every(part.matches(row) for part in self.parts)

    def __str__(self) -> str:
        return f" {self.word} ".join(_within(part) for part in self.parts)


Query: TypeAlias = Comparison | Not | Joined


def _within(part: Query) -> str:
    return f"({part})" if isinstance(part, Joined) else str(part)


def parse_query(text: str, columns: Mapping[str, type]) -> Query:
    """The query as a tree with ``matches(row)``; ``str`` of it is a query that selects the same.

    ``columns`` are those of the table with their types. What cannot be read raises ``FormatError`` with its place.
    """
    if len(text) > MAX_QUERY_LENGTH:
        raise FormatError(
            f"a query has at most {MAX_QUERY_LENGTH} characters, this one has {len(text)}"
        )
    parser = _Parser(text, columns)
    query = parser.either(0)
    if parser.place < len(text):
        raise parser.error("expected 'and' or 'or'")
    return query


class _Parser:
    """``or`` binds less than ``and``, and that less than ``not``."""

    def __init__(self, text: str, columns: Mapping[str, type]) -> None:
        self.text, self.columns, self.place = text, columns, 0
        self._skip()

    def error(self, message: str, place: int | None = None) -> FormatError:
        place = self.place if place is None else place
        where = f"character {place + 1}" if place < len(self.text) else "the end"
        return FormatError(f"{where} of the query: {message}")

    def either(self, depth: int) -> Query:
        return self._joined("or", lambda: self._joined("and", lambda: self._one(depth)))

    def _joined(self, word: str, part: Callable[[], Query]) -> Query:
        parts = [part()]
        while self._word(word):
            parts.append(part())
        return Joined(word, tuple(parts)) if len(parts) > 1 else parts[0]

    def _one(self, depth: int) -> Query:
        if depth > MAX_DEPTH:
            raise self.error(f"more than {MAX_DEPTH} parentheses and 'not' within each other")
        if self._word("not"):
            return Not(self._one(depth + 1))
        if self.text.startswith("(", self.place):
            opened = self.place
            self._move(1)
            inner = self.either(depth + 1)
            if not self.text.startswith(")", self.place):
                raise self.error("this parenthesis is not closed", opened)
            self._move(1)
            return inner
        return self._comparison()

    def _comparison(self) -> Comparison:
        start = self.place
        name = _NAME.match(self.text, start)
        if name is None or name.group().lower() in ("and", "or"):
            raise self.error("expected the name of a column")
        column = name.group()
        if column not in self.columns:
            close = get_close_matches(column, self.columns, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise self.error(f"there is no column '{column}'{hint}")
        self._move(len(column))
        operator = _OPERATOR.match(self.text, self.place)
        if operator is None:
            raise self.error(f"expected =, !=, <, <=, >, >= or ~ after '{column}'")
        self._move(len(operator.group()))
        start = self.place
        operand = self._operand()
        try:
            test = comparison_test(column, self.columns[column], operator.group(), operand)
        except FormatError as error:
            raise self.error(error.message, start) from error
        return Comparison(column, operator.group(), operand, test)

    def _operand(self) -> str:
        """Text in quotes, or all up to the next ``and``, ``or`` or parenthesis that was not opened in it."""
        if self.text.startswith('"', self.place):
            quoted = _QUOTED.match(self.text, self.place)
            if quoted is None:
                raise self.error("this quote is not closed")
            self._move(len(quoted.group()))
            return re.sub(r"\\(.)", r"\1", quoted.group(1), flags=re.S)
        start, end, opened = self.place, len(self.text), 0
        for match in _ENDS_BARE.finditer(self.text, start):
            mark = match.group()
            if mark == "(":
                opened += 1
            elif mark == ")" and opened:
                opened -= 1
            elif mark in ("!=", "<", ">", "=", "~"):
                raise self.error(
                    f"expected 'and' or 'or' before this comparison, or quotes around '{mark}'",
                    match.start(),
                )
            elif mark == ")" or not opened:
                end = match.start()
                break
        operand = self.text[start:end].rstrip()
        if not operand:
            raise self.error('expected a value; an empty cell is ""')
        self._move(end - start)
        return operand

    def _word(self, word: str) -> bool:
        name = _NAME.match(self.text, self.place)
        if name is None or name.group().lower() != word:
            return False
        self._move(len(word))
        return True

    def _move(self, length: int) -> None:
        self.place += length
        self._skip()

    def _skip(self) -> None:
        rest = self.text[self.place :]
        self.place += len(rest) - len(rest.lstrip())
