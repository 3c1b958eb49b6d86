"""Who reads: which annotators write into the margin, and how many of their notes have room there.

A project adds profiles of its own in ``.marginalia.toml``::

    [profiles.reviewer]
    like = "writer"
    notes = ["unclear", "consistency"]
    per-1000-words = 40
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.registry import all_annotators
from marginalia.reader.annotate import choose_annotators
from marginalia.reader.choose import choose_notes
from marginalia.reader.view.settings import find_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A kind of reader."""

    name: str
    summary: str
    per_1000_words: float | None
    """How many notes the margin has room for; None for all."""
    like: str = ""
    """The profile whose annotators and options it has, where it is a project's own."""
    notes: tuple[str, ...] = ()
    """The annotators that write for it; if empty, those that name it among their audiences."""
    hidden: tuple[str, ...] = ()
    """Labels of notes that are not for such a reader."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the annotators."""

    def annotators(self) -> list[Annotator]:
        if self.notes:
            return choose_annotators(self.notes)
        known = self.like or self.name
        return [one for one in all_annotators() if known in (one.audiences or (known,))]

    def own_options(
        self, annotators: Iterable[Annotator], given: Mapping[str, str]
    ) -> dict[str, str]:
        """The options of these annotators, as given or as the profile says."""
        known = {name for annotator in annotators for name in annotator.options}
        return {**{name: self.options[name] for name in self.options if name in known}, **given}

    def shows(self, note: Annotation) -> bool:
        return note.label not in self.hidden

    def choose(self, doc: Document, *, per_1000_words: float | None = None) -> Document:
        """The document with the notes that such a reader wants and the margin has room for."""
        shown = replace(doc, annotations=tuple(filter(self.shows, doc.annotations)))
        density = per_1000_words if per_1000_words is not None else self.per_1000_words
        return shown if density is None else choose_notes(shown, per_1000_words=density)


DEFAULT = "reader"
REPETITION = "repetition"
SLIPS = ("p-value", "mean", "missing-reference")
"""What a writer would correct and a reader need not know: the conclusion stays as it is."""
PROFILES = {
    one.name: one
    for one in (
        Profile(
            name="reader",
            summary="an educated adult who is no specialist: meanings of words and terms, contradictions",
            per_1000_words=50,
            hidden=(REPETITION, *SLIPS),
            options={"audience": "reader"},
        ),
        Profile(
            name="learner",
            summary="someone who learns the language (B2): the same with many more words",
            per_1000_words=80,
            hidden=(REPETITION, *SLIPS),
            options={"audience": "learner"},
        ),
        Profile(
            name="specialist",
            summary="an expert of the field: what the document defines itself, contradictions",
            per_1000_words=25,
            hidden=(REPETITION,),
        ),
        Profile(
            name="writer",
            summary="a writer or editor: unclear places, inconsistencies, style",
            per_1000_words=80,
        ),
        Profile(
            name="curator",
            summary="a curator of data: every measurement, survey variables",
            per_1000_words=None,
        ),
    )
}


def get_profile(name: str | None, beside: str | Path | None = None) -> Profile:
    """The profile of this name, one of ours or of the project of the file ``beside``; without a name the project's choice, else
    the reader."""
    settings = find_settings(Path(beside) if beside else Path.cwd())
    own: Mapping[str, Any] = settings.get("profiles", {})
    name = name or settings.get("for") or DEFAULT
    if name in own:
        return _own(name, own[name])
    if name not in PROFILES:
        raise UnknownNameError("profile", name, [*PROFILES, *own])
    return PROFILES[name]


def known_profiles(beside: str | Path | None = None) -> list[Profile]:
    """Ours, and those of the project of the file ``beside`` or of this folder."""
    own = find_settings(Path(beside) if beside else Path.cwd()).get("profiles", {})
    return [get_profile(name, beside) for name in {**PROFILES, **own}]


def count_elsewhere(doc: Document, annotators: Iterable[Annotator]) -> list[tuple[Annotator, int]]:
    """The notes that other profiles would show, where an annotator can count them at little cost."""
    names, lang = {annotator.name for annotator in annotators}, str(doc.meta.get("lang"))
    counts = [
        (one, one.tally(doc))
        for one in all_annotators()
        if one.name not in names and one.tally is not None and one.knows(lang)
    ]
    return [(one, count) for one, count in counts if count]


def find_elsewhere(doc: Document, annotators: Iterable[Annotator]) -> list[str]:
    """The same in a sentence each."""
    return [
        f"{count} {one.name}" + (f": --for {one.audiences[0]} shows them" if one.audiences else "")
        for one, count in count_elsewhere(doc, annotators)
    ]


def _own(name: str, said: Mapping[str, Any]) -> Profile:
    known = {"like", "notes", "per-1000-words", "summary"}
    if unknown := said.keys() - known:
        raise FormatError(
            f"the profile '{name}' has the unknown setting '{min(unknown)}'; known are {', '.join(sorted(known))}"
        )
    like = str(said.get("like", DEFAULT))
    if like not in PROFILES:
        raise UnknownNameError("profile", like, PROFILES)
    density = said.get("per-1000-words", PROFILES[like].per_1000_words)
    if "per-1000-words" in said and (type(density) not in (int, float) or not density >= 0):
        raise FormatError(f"the profile '{name}' needs a number of notes per-1000-words")
    notes = said.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(one, str) for one in notes):
        raise FormatError(f"the notes of the profile '{name}' must be a list of texts")
    return replace(
        PROFILES[like],
        name=name,
        like=like,
        summary=str(said.get("summary", f"like {like}")),
        notes=tuple(notes),
        per_1000_words=density,
    )
