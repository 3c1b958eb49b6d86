"""Words that a reader or a project knows: they get no note.

A personal list stands in the user's configuration folder, a project's in ``.marginalia-words`` beside its documents or above
them. A list is a text file with a word a line; what follows ``#`` is a remark.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines, write_files

PROJECT_FILE = ".marginalia-words"
MAX_LETTERS = 80


def personal_list() -> Path:
    """``words.txt`` in MARGINALIA_CONFIG, or in the user's configuration folder."""
    from platformdirs import user_config_path

    named = os.environ.get("MARGINALIA_CONFIG")
    folder = Path(named) if named else user_config_path("marginalia", appauthor=False)
    return folder / "words.txt"


def project_list(start: Path) -> Path | None:
    """The nearest list of a project, upwards from a file or folder."""
    folder = start.resolve()
    for place in (folder, *folder.parents) if folder.is_dir() else folder.parents:
        if (place / PROJECT_FILE).is_file():
            return place / PROJECT_FILE
    return None


def read_list(path: Path) -> list[str]:
    """The words of a list in its order; of a list that is not there, none."""
    if not path.is_file():
        return []
    words = []
    for line, text in read_lines(path):
        word = text.split("#")[0].strip()
        if len(word.split()) > 1 or len(word) > MAX_LETTERS:
            raise FormatError("expected one word a line", path=path, line=line)
        if word:
            words.append(word)
    return words


def add_words(path: Path, words: Iterable[str]) -> list[str]:
    """Put words on a list, which is made if need be; those that were not on it before."""
    known = {word.lower() for word in read_list(path)}
    new = [w for w in dict.fromkeys(map(_checked, words)) if w.lower() not in known]
    if new:
        old = path.read_text(encoding="utf-8") if path.is_file() else ""
        gap = "\n" if old and not old.endswith("\n") else ""
        write_files(path.parent, {path.name: f"{old}{gap}{chr(10).join(new)}\n"})
    return new


def remove_words(path: Path, words: Iterable[str]) -> list[str]:
    """Take words off a list; those that were on it. Remarks stay."""
    wanted = {_checked(word).lower() for word in words}
    gone = [word for word in read_list(path) if word.lower() in wanted]
    if gone:
        kept = [
            text for _, text in read_lines(path) if text.split("#")[0].strip().lower() not in wanted
        ]
        write_files(path.parent, {path.name: "".join(f"{line}\n" for line in kept)})
    return gone


def known_words(doc: Document) -> str:
    """What the reader and the document's project know, a word a line: the option ``known`` of notes."""
    path = doc.meta.get("path")
    project = project_list(Path(path) if path else Path.cwd())
    lists = [personal_list(), *([project] if project else [])]
    return "\n".join(sorted({word.lower() for one in lists for word in read_list(one)}))


def _checked(word: str) -> str:
    word = word.strip()
    if not word or len(word.split()) > 1 or len(word) > MAX_LETTERS or "#" in word:
        raise FormatError(f"{word[:40]!r} is not a word")
    return word
