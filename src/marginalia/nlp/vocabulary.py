"""A project's own words: lists of what is right and what is not, in the files of Vale.

A vocabulary is a folder ``styles/config/vocabularies/NAME`` with ``accept.txt`` and ``reject.txt``: an expression a line,
lines with ``#`` are comments. A literal entry that is accepted must be written just so; ``(?i)`` accepts any case.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import read_lines

FOLDER = Path("config") / "vocabularies"
MAX_ENTRIES = 10_000
MAX_ENTRY_CHARACTERS = 200
MAX_REPEATED_CHARACTERS = 100
"""What ``*`` and ``+`` stand for in an entry: no term is longer, and no text takes quadratic time."""

_LITERAL = re.compile(r"[\w'’ .&/+#-]+")
_REPEAT = re.compile(r"(?<!\\)(?:[*+]|\{\d*,\d*\})[?+]?")
_NESTED = re.compile(r"\([^()]*(?<!\\)[*+}][^()]*\)(?:[*+]|\{)")
_FLAGS = re.compile(r"\(\?(-?)i\)")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    accepted: tuple[re.Pattern[str], ...] = ()
    rejected: tuple[re.Pattern[str], ...] = ()
    literal: tuple[str, ...] = ()
    """Accepted terms whose spelling is fixed."""

    def accepts(self, quote: str) -> bool:
        """Whether a word or phrase is one of the project's own."""
        return any(pattern.fullmatch(quote) for pattern in self.accepted)

    def __add__(self, other: Vocabulary) -> Vocabulary:
        return Vocabulary(
            (*self.accepted, *other.accepted),
            (*self.rejected, *other.rejected),
            (*self.literal, *other.literal),
        )


EMPTY = Vocabulary()


def find_vocabularies(names: Iterable[str], styles: Path) -> list[Path]:
    """The folders of these vocabularies below a folder of styles; a name may also be the path of a folder."""
    folders = []
    for name in names:
        folder = styles / FOLDER / name
        if not folder.is_dir():
            folder = Path(name)
        if not any((folder / file).is_file() for file in ("accept.txt", "reject.txt")):
            raise MissingError(
                f"the vocabulary {name!r} has no accept.txt or reject.txt in {styles / FOLDER / name}"
            )
        folders.append(folder)
    return folders


def read_vocabularies(folders: Iterable[Path]) -> Vocabulary:
    """What all of these accept and reject."""
    return sum(map(read_vocabulary, folders), EMPTY)


def read_vocabulary(folder: Path) -> Vocabulary:
    accepted, literal = [], []
    for line, entry in _entries(folder / "accept.txt"):
        accepted.append(compile_entry(entry, folder / "accept.txt", line))
        if _LITERAL.fullmatch(entry):
            literal.append(entry)
    path = folder / "reject.txt"
    rejected = [
        compile_entry(entry, path, line, ignore_case=True) for line, entry in _entries(path)
    ]
    return Vocabulary(tuple(accepted), tuple(rejected), tuple(literal))


def _entries(path: Path) -> Iterator[tuple[int, str]]:
    if not path.is_file():
        return
    for line, text in read_lines(path):
        if line > MAX_ENTRIES:
            raise FormatError(f"a vocabulary may have {MAX_ENTRIES:,} lines", path=path)
        if text.strip() and not text.lstrip().startswith("#"):
            yield line, text.strip()


def compile_entry(
    entry: str, path: Path, line: int, *, ignore_case: bool = False
) -> re.Pattern[str]:
    """One entry as a pattern of whole words. What could take forever on some text is refused."""
    flags = re.IGNORECASE if ignore_case else re.NOFLAG
    switch = _FLAGS.match(entry)
    if switch:  # Go's switch for case, which Python takes in another place
        flags = re.NOFLAG if switch[1] else re.IGNORECASE
        entry = entry[switch.end() :]
    if len(entry) > MAX_ENTRY_CHARACTERS:
        raise FormatError(
            f"an entry may have {MAX_ENTRY_CHARACTERS} characters", path=path, line=line
        )
    if _NESTED.search(entry) or re.search(r"\\\d", entry):
        raise FormatError(
            f"the entry {entry!r} repeats what repeats itself, or refers back: write it without",
            path=path,
            line=line,
        )
    bounded = _REPEAT.sub(_bound, entry)
    try:
        with (
            warnings.catch_warnings()
        ):  # what Python may read otherwise one day is no word to a writer
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(rf"(?<!\w)(?:{bounded})(?!\w)", flags)
    except (re.error, OverflowError) as error:
        raise FormatError(
            f"the entry {entry!r} is no expression: {error}", path=path, line=line
        ) from None


def _bound(match: re.Match[str]) -> str:
    least = {"*": 0, "+": 1}.get(match.group()[0])
    return match.group() if least is None else f"{{{least},{MAX_REPEATED_CHARACTERS}}}"
