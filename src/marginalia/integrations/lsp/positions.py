"""Lines and columns of ours, counted from 1 in characters, and positions of the protocol, counted from 0 in the client's units."""

from __future__ import annotations

from lsprotocol import types
from pygls.workspace import PositionCodec

from marginalia.reader.view.findings import Finding, Replacement


class Lines:
    """The lines of a source. Only a line feed ends one here, as everywhere in this package; an editor that sees more
    line ends in a file is told the place of the same character."""

    def __init__(self, source: str, codec: PositionCodec) -> None:
        self.source, self.codec = source, codec
        self.lines = source.split("\n")

    def position(self, line: int, column: int) -> types.Position:
        before = self.lines[line - 1][: column - 1] if line <= len(self.lines) else ""
        return types.Position(line - 1, self.codec.client_num_units(before))

    def range(self, place: Finding | Replacement) -> types.Range:
        return types.Range(
            self.position(place.line, place.column), self.position(place.end_line, place.end_column)
        )

    def at(self, offset: int) -> types.Position:
        """The position of a character of the source."""
        line = self.source.count("\n", 0, offset)
        start = self.source.rfind("\n", 0, offset) + 1
        return self.position(line + 1, offset - start + 1)

    def offset(self, position: types.Position) -> int:
        """The character of the source at a position; the end of the line if there is none."""
        if position.line >= len(self.lines):
            return len(self.source)
        start = sum(len(line) + 1 for line in self.lines[: position.line])
        line, units = self.lines[position.line], position.character
        for number, sign in enumerate(line):
            if units <= 0:
                return start + number
            units -= self.codec.client_num_units(sign)
        return start + len(line)
