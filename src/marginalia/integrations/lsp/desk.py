"""The files that an editor has open, each with its last state. All reading is done by one thread, in order."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pygls.uris import to_fs_path

from marginalia.core.errors import FormatError
from marginalia.reader.annotate import Progress
from marginalia.reader.cache import NoteCache
from marginalia.reader.lint.live import LiveText, Seen
from marginalia.reader.lint.wanted import choose_wanted
from marginalia.reader.view.findings import has_lines

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


class Desk:
    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.cache = NoteCache()
        self._open: dict[str, LiveText] = {}
        self.seen: dict[str, Seen] = {}
        self.versions: dict[str, int] = {}
        """The latest version that the editor has told, by the address of the file."""

    def set_options(self, given: Any) -> None:
        """Those of the editor; what is wrong with them is told in one sentence."""
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
