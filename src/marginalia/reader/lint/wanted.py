"""What is looked for in a file: what its project says, and what whoever asks says over that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import Document
from marginalia.reader.annotate import check_options, choose_annotators
from marginalia.reader.lint.codes import check_codes, is_wanted
from marginalia.reader.lint.profiles import USUAL, Profile, get_profile
from marginalia.reader.lint.vocabulary import EMPTY, Vocabulary, read_vocabularies
from marginalia.reader.view.findings import Rules
from marginalia.reader.view.settings import find_settings, read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which findings are reported, by which rules and notes, and with which options."""

    rules: Rules
    profile: Profile = USUAL
    vocabulary: Vocabulary = EMPTY
    annotators: tuple[Annotator, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the tasks' notes."""
    sentence_words: int | None = None

    def limits(self, doc: Document) -> dict[str, int]:
        """Bounds by the code of the rule, for the language of this document."""
        lang = str(doc.meta["lang"])
        found = {code: bounds.get(lang, 0) for code, bounds in self.profile.limits.items()}
        if self.sentence_words is not None:
            found["sentences.long"] = self.sentence_words
        return found


def choose_wanted(
    beside: Path,
    *,
    notes: Iterable[str | Annotator] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    least: str | None = None,
    profile: str | None = None,
    vocabularies: Iterable[str] = (),
    config: str | Path | None = None,
    **options: str,
) -> Wanted:
    """As given, else as the file ``config`` or the project of the file ``beside`` says."""
    settings = read_settings(Path(config)) if config else find_settings(beside)
    chosen = get_profile(profile or settings.get("profile"))
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
    styles = Path(settings.get("styles", beside.parent / "styles"))
    named = tuple(notes) or tuple(settings.get("notes", ()))
    # A kind of note that reports nothing need not be made, and no model loaded for it.
    annotators = tuple(
        annotator for annotator in choose_annotators(named or None) if is_wanted(annotator, rules)
    )
    return Wanted(
        rules=rules,
        profile=chosen,
        vocabulary=read_vocabularies(names, styles) if names else EMPTY,
        annotators=annotators,
        options=_options(options, {**settings, **chosen.options}, annotators),
        sentence_words=settings.get("sentence-words"),
    )


def _options(
    given: Mapping[str, str], settings: Mapping[str, Any], annotators: Iterable[Annotator]
) -> dict[str, str]:
    """The options of these tasks' notes, as given or as the project says."""
    known = {name for annotator in annotators for name in annotator.options}
    project = {
        name: settings[name]
        for name in ("level", "field", "catalogue", "units")
        if name in settings
    }
    return {name: value for name, value in {**project, **given}.items() if name in known}
