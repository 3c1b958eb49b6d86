"""The words that somebody knows. Whoever sits at this machine has one list, that of ``marginalia words``; others their own.

That list is a file with a word a line, so expressions of several words are in the library for everybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from marginalia.core.document import Document
from marginalia.core.registry import all_annotators
from marginalia.reader.known_words import (
    MAX_LETTERS,
    add_words,
    personal_list,
    project_list,
    read_list,
    remove_words,
)
from marginalia.web.store.people import People, Person


def project_words() -> str:
    """What the project knows in whose folder the server was started, a word a line."""
    project = project_list(Path.cwd())
    return "\n".join(sorted({word.lower() for word in read_list(project)})) if project else ""


def known_to(person: Person, people: People) -> list[str]:
    """In small letters."""
    kept = people.words(person.name)
    if not person.all:
        return kept
    own = {word.casefold() for word in read_list(personal_list())}
    return sorted(own | {word for word in kept if not _is_single(word)})


def learn(person: Person, people: People, words: Iterable[str]) -> None:
    """Put words on somebody's list."""
    for word in words:
        if person.all and _is_single(word):
            add_words(personal_list(), [word])
        else:
            people.add_word(person.name, word)


def forget(person: Person, people: People, words: Iterable[str]) -> None:
    """Take words off somebody's list."""
    for word in words:
        people.drop_word(person.name, word)
        if person.all and _is_single(word):
            remove_words(personal_list(), [word])


def follow(person: Person, before: set[str], after: set[str]) -> None:
    """What a gesture of deciding has put into the library, or has taken back, is so on the list of this machine too."""
    if person.all:
        add_words(personal_list(), sorted(filter(_is_single, after - before)))
        remove_words(personal_list(), sorted(filter(_is_single, before - after)))


def without_known(doc: Document, words: Iterable[str]) -> Document:
    """The document without undecided notes on these words, of the tasks that leave out known words."""
    known = set(words)
    asking = {annotator.name for annotator in all_annotators() if "known" in annotator.options}
    gone = {
        note.id
        for note in doc.annotations
        if note.task in asking
        and "decision" not in note.attrs
        and " ".join(note.quote.casefold().split()) in known
    }
    parts = {n.id for n in doc.annotations if set(n.attrs.get("part_of", ())) & gone}
    kept = [note for note in doc.annotations if note.id not in gone | parts]
    return replace(doc, annotations=tuple(kept))


def _is_single(word: str) -> bool:
    return len(word.split()) == 1 and len(word.strip()) <= MAX_LETTERS and "#" not in word
