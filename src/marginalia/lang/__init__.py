"""Languages as data: a folder for each, with one TOML file for each subject. Code asks the language and knows no word of it.

A language is added by a folder; what it does not say is empty, and what asks for it then finds nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError

_HOME = Path(__file__).parent
DEFAULT = "en"
_added: dict[str, Path] = {}


class Language:
    """The data of one language."""

    def __init__(self, code: str, folder: Path) -> None:
        self.code, self.folder = code, folder
        self._subjects: dict[str, Mapping[str, Any]] = {}
        self._words: dict[tuple[str, str], frozenset[str]] = {}

    def data(self, subject: str) -> Mapping[str, Any]:
        """All that the language says of a subject, such as ``sentences`` or ``numbers``; empty where it has no such file."""
        if subject not in self._subjects:
            path = self.folder / f"{subject}.toml"
            try:
                self._subjects[subject] = tomllib.loads(path.read_text(encoding="utf-8"))
            except FileNotFoundError:
                self._subjects[subject] = {}
            except tomllib.TOMLDecodeError as error:
                raise FormatError(f"no TOML: {error}", path=path) from error
        return self._subjects[subject]

    @property
    def nouns_have_capitals(self) -> bool:
        """Whether a capital letter may be that of any noun."""
        return bool(self.data("sentences").get("nouns_have_capitals"))

    def words(self, subject: str, name: str) -> frozenset[str]:
        """A list of words, which the file has as one text with spaces between them."""
        if (subject, name) not in self._words:
            self._words[subject, name] = frozenset(str(self.data(subject).get(name, "")).split())
        return self._words[subject, name]

    def with_borrowed(self, subject: str) -> list[Language]:
        """The language and those that the subject ``borrows`` from, since its texts have their words among its own."""
        borrowed = str(self.data(subject).get("borrows", "")).split()
        return [self, *(language(code) for code in borrowed)]

    def table(self, subject: str, name: str) -> Mapping[str, Any]:
        """A table of the subject; empty where there is none."""
        found: Mapping[str, Any] = self.data(subject).get(name, {})
        return found

    def pattern(self, subject: str, name: str) -> str:
        """Alternatives of a regular expression, one a line or in a list; one that matches nothing where there are none."""
        found = self.data(subject).get(name, ())
        parts = found.split("\n") if isinstance(found, str) else found
        return "|".join(part.strip() for part in parts if part.strip()) or r"(?!)"

    def say(self, subject: str, name: str, **values: object) -> str:
        """A sentence of the language with these values in it."""
        return str(self.data(subject)[name]).format(**values)


def known_languages() -> list[str]:
    """The codes (ISO 639-1) of the languages that have a folder, the one that is taken in doubt first."""
    ours = (path.parent.name for path in sorted(_HOME.glob("*/sentences.toml")))
    return list(dict.fromkeys([DEFAULT, *ours, *_added]))


def add_language(code: str, folder: Path) -> None:
    """Use the data in this folder for a language, from now on."""
    if not (folder / "sentences.toml").is_file():
        raise MissingError(f"{folder}: a language has at least sentences.toml")
    _added[code] = folder
    forget()


def forget() -> None:
    """Read the data again when they are next asked for."""
    for remembered in (language, words_of_all, pattern_of_all, compile_all):
        remembered.cache_clear()


@cache
def language(code: str) -> Language:
    """The language of this code; the default one for a code that has no folder."""
    known = code if code in known_languages() else DEFAULT
    return Language(known, _added.get(known, _HOME / known))


@cache
def words_of_all(subject: str, name: str) -> frozenset[str]:
    """A list of words of all languages together: a text quotes titles and names of others."""
    return frozenset().union(*(language(code).words(subject, name) for code in known_languages()))


@cache
def pattern_of_all(subject: str, name: str) -> str:
    """A pattern of all languages together."""
    return "|".join(language(code).pattern(subject, name) for code in known_languages())


@cache
def compile_all(template: str, subject: str, name: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern of all languages together in the place of ``<ALL>``."""
    return re.compile(template.replace("<ALL>", pattern_of_all(subject, name)), flags)
