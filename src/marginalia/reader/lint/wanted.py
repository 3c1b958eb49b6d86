"""What lint looks for in a file: the codes of findings, genres of texts, what the project says, and what was asked for over that."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import Document
from marginalia.core.errors import UnknownNameError
from marginalia.core.registry import ANNOTATORS, all_annotators
from marginalia.lang import language
from marginalia.nlp.vocabulary import EMPTY, Vocabulary, find_vocabularies, read_vocabularies
from marginalia.reader.annotate import check_options, choose_annotators
from marginalia.reader.view.findings import Rules, kind_code, matches
from marginalia.reader.view.settings import find_settings, read_settings


def codes_of(annotator: Annotator) -> dict[str, str]:
    """The codes of its findings, each with its label."""
    findings = (label for label, severity in annotator.kinds.items() if severity)
    return {kind_code(annotator.name, label): label for label in findings}


def all_codes() -> dict[str, Annotator]:
    """Every code with its annotator."""
    return {code: annotator for annotator in all_annotators() for code in codes_of(annotator)}


def check_codes(codes: Iterable[str]) -> None:
    """A misspelled one would report nothing, as if all were well."""
    known, names = all_codes(), ANNOTATORS.names()
    families = dict.fromkeys([*(one.partition(".")[0] for one in known), *names])
    for code in codes:
        family, dot, _ = code.partition(".")
        # An annotator may have notes that are no findings, and they can be asked for.
        if (
            code in names
            or (dot and family in names)
            or any(matches(one, (code,)) for one in known)
        ):
            continue
        if dot and family not in families and not set("*?[") & set(family):
            raise UnknownNameError("family of codes", family, families)
        raise UnknownNameError("code", code, [*families, *known])


def wanted_labels(annotator: Annotator, rules: Rules) -> list[str]:
    """The kinds of its notes that may be reported under these rules."""
    return [
        label
        for label, severity in annotator.kinds.items()
        if rules.judge(kind_code(annotator.name, label), severity, annotator.name)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Genre:
    name: str
    summary: str
    also: tuple[str, ...] = ()
    """Codes of rules and of notes, or their families, that are on beside the usual ones."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the annotators."""


USUAL = Genre(name="", summary="the usual rules")
GENRES = {
    one.name: one
    for one in (
        Genre(
            name="manual",
            summary="instructions: nothing vague, no sentence above 30 words",
            also=("wording.vague",),
        ),
        Genre(
            name="paper",
            summary="articles and theses: abbreviations, quotation marks and per cent signs are looked at too",
            also=("abbreviations.unused", "marks.quotes", "numbers.percent", "wording.vague"),
        ),
        Genre(
            name="plain-language",
            summary="texts for everybody: hard words for learners, no sentence above 20 words",
            also=("wording.wordy", "words.hard-word", "words.expression"),
            options={"audience": "learner"},
        ),
    )
}


def get_genre(name: str | None) -> Genre:
    if not name:
        return USUAL
    if name not in GENRES:
        raise UnknownNameError("genre", name, GENRES)
    return GENRES[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which findings are reported, by which annotators, and with which options."""

    rules: Rules
    genre: Genre = USUAL
    vocabulary: Vocabulary = EMPTY
    annotators: tuple[Annotator, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the annotators."""
    sentence_words: int | None = None

    def options_for(self, doc: Document) -> dict[str, str]:
        """The options, with bounds for the language of this document."""
        limits_of_genres = language(str(doc.meta["lang"])).table("style", "limits")
        bounds = dict(limits_of_genres.get(self.genre.name, {}))
        if self.sentence_words is not None:
            bounds["sentences.long"] = self.sentence_words
        limits = ",".join(f"{code}={bound}" for code, bound in bounds.items())
        known = {name for annotator in self.annotators for name in annotator.options}
        return {**self.options, **({"limits": limits} if limits and "limits" in known else {})}


def choose_wanted(
    beside: Path,
    *,
    notes: Iterable[str | Annotator] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    least: str | None = None,
    genre: str | None = None,
    vocabularies: Iterable[str] = (),
    config: str | Path | None = None,
    **options: str,
) -> Wanted:
    """As given, else as the file ``config`` or the project of the file ``beside`` says."""
    settings = read_settings(Path(config)) if config else find_settings(beside)
    chosen = get_genre(genre or settings.get("genre"))
    rules = Rules(
        select=tuple(select) or tuple(settings.get("select", ())),
        ignore=(*ignore, *settings.get("ignore", ())),
        severity=settings.get("severity", {}),
        least=least or settings.get("least", "note"),
        also=chosen.also,
    )
    check_codes(rules.select)
    check_options(options, choose_annotators(None))  # also those of notes that report nothing here
    names = tuple(vocabularies) or tuple(settings.get("vocabularies", ()))
    folders = find_vocabularies(names, Path(settings.get("styles", beside.parent / "styles")))
    named = tuple(notes) or tuple(settings.get("notes", ()))
    # What reports nothing need not be made, and no model loaded for it.
    able = choose_annotators(named or None)
    labels = {one.name: wanted_labels(one, rules) for one in able}
    annotators = tuple(one for one in able if labels[one.name])
    given = {
        **options,
        "rules": ",".join(
            label for one in annotators if "rules" in one.options for label in labels[one.name]
        ),
        "vocabulary": os.pathsep.join(map(str, folders)),
    }
    return Wanted(
        rules=rules,
        genre=chosen,
        vocabulary=read_vocabularies(folders),
        annotators=annotators,
        options=_options(given, {**settings, **chosen.options}, annotators),
        sentence_words=settings.get("sentence-words"),
    )


def _options(
    given: Mapping[str, str], settings: Mapping[str, Any], annotators: Iterable[Annotator]
) -> dict[str, str]:
    """The options of these annotators, as given or as the project says."""
    known = {name for annotator in annotators for name in annotator.options}
    project = {
        name: settings[name]
        for name in ("audience", "field", "catalogue", "units")
        if name in settings
    }
    return {name: value for name, value in {**project, **given}.items() if name in known and value}
