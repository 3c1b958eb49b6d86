"""The files that an editor has open, each with its last state, and positions as the protocol counts them. All reading
is done by one thread, in order."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec

from marginalia.core.errors import FormatError
from marginalia.reader.annotate import Progress
from marginalia.reader.cache import NoteCache
from marginalia.reader.lint.live import LiveText, Seen
from marginalia.reader.lint.wanted import choose_wanted
from marginalia.reader.view.findings import Finding, Replacement, has_lines

OPTIONS = (
    "notes",
    "select",
    "ignore",
    "least",
    "genre",
    "vocabularies",
    "config",
    "audience",
    "catalogue",
)
"""What an editor may set over what the project says, with the names of ``lint``."""
SUFFIXES = {
    "markdown": ".md",
    "plaintext": ".txt",
    "html": ".html",
    "restructuredtext": ".rst",
    "xml": ".xml",
}
"""By the editor's name of a language, for a text that is no file yet."""


class Lines:
    """The lines of a source. Only a line feed ends one here, as everywhere in this package; an editor that sees more
    line ends in a file gets the place of the same character."""

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


class Desk:
    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.cache = NoteCache()
        self._open: dict[str, LiveText] = {}
        self.seen: dict[str, Seen] = {}
        self.versions: dict[str, int] = {}
        """The latest version that the editor has sent, by the address of the file."""

    def set_options(self, given: Any) -> None:
        """Those of the editor; what is wrong with them is reported in one sentence."""
        given = {} if given is None else given
        if not isinstance(given, Mapping):
            raise FormatError("the initialization options are no object")
        for name, value in given.items():
            if name not in OPTIONS:
                raise FormatError(f"the option {name!r} is unknown; known are {', '.join(OPTIONS)}")
            several = name in ("notes", "select", "ignore", "vocabularies")
            fits = isinstance(value, list) and all(isinstance(one, str) for one in value)
            if not (fits if several else isinstance(value, str)):
                what = "a list of texts" if several else "a text"
                raise FormatError(f"the option {name!r} must be {what}")
        self.options = dict(given)

    def start(self, uri: str, language: str, source: str) -> Seen | None:
        """The first look at a file, by the rules alone; None if it is of a kind that has no lines."""
        path = self.path(uri, language)
        if not path.suffix or not has_lines(path):
            return None
        live = LiveText(path, choose_wanted(path, **self.options), cache=self.cache)
        self._open[uri] = live
        self.seen[uri] = live.check(source)
        return self.seen[uri]

    def read(self, uri: str, source: str, progress: Progress | None = None) -> Seen | None:
        """Read the whole file, under the settings that hold now."""
        live = self._open.get(uri)
        if live is None:
            return None
        live.wanted = choose_wanted(live.path, **self.options)
        self.seen[uri] = live.read(source, progress=progress)
        return self.seen[uri]

    def change(self, uri: str, version: int, source: str) -> Seen | None:
        """Read what changed; None where a later version waits already."""
        live = self._open.get(uri)
        if live is None or self.versions.get(uri, version) != version:
            return None
        self.seen[uri] = live.change(source)
        return self.seen[uri]

    def close(self, uri: str) -> None:
        for known in (self._open, self.seen, self.versions):
            known.pop(uri, None)

    def path(self, uri: str, language: str = "") -> Path:
        """Where a file is. A text without a place is named after its language and belongs to the folder we are in."""
        named = to_fs_path(uri)
        path = Path(named) if named else Path("untitled")
        return path if path.suffix else path.with_suffix(SUFFIXES.get(language, ""))
