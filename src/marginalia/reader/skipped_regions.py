"""What of a document gets no notes, and why: silent regions, and languages that a kind of note does not know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import SILENT, Document
from marginalia.core.errors import UnknownNameError
from marginalia.nlp.language import document_language, language_name
from marginalia.nlp.prose import spans_of

KINDS = SILENT | {"table"}
"""Regions that can be opened. A table is read by some notes and left out by others."""
MIN_SHOWN = 0.005
"""Shares below this are in the data, but need no words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedRegions:
    """Kept as ``meta["skipped"]``."""

    regions: Mapping[str, float] = field(default_factory=dict)
    """Kind of silent region -> its share of the document's characters."""
    lang: str = ""
    """The language of the document, where some kind of note does not know it."""
    notes: tuple[str, ...] = ()
    """Those kinds of notes."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SkippedRegions:
        """What was kept; of a file from outside, only what has the right type."""
        regions, lang, notes = (data.get(name) for name in ("regions", "lang", "notes"))
        shares = regions.items() if isinstance(regions, Mapping) else ()
        return cls(
            regions={kind: share for kind, share in shares if isinstance(share, (int, float))},
            lang=lang if isinstance(lang, str) else "",
            notes=tuple(map(str, notes)) if isinstance(notes, (list, tuple)) else (),
        )

    def to_dict(self) -> dict[str, Any]:
        return {"regions": dict(self.regions), "lang": self.lang, "notes": list(self.notes)}

    def shown_regions(self) -> dict[str, float]:
        """The regions that are worth a word, with their shares."""
        return {kind: share for kind, share in self.regions.items() if share >= MIN_SHOWN}

    def sentences(self) -> list[str]:
        """One sentence for the language, one for the regions; none where nothing was skipped."""
        sentences = []
        if self.notes:
            *others, last = self.notes
            named = f"{', '.join(others)} or {last}" if others else last
            sentences.append(f"in {language_name(self.lang)}: no notes of {named}")
        if shown := self.shown_regions():
            parts = ", ".join(f"{kind} {share:.0%}" for kind, share in shown.items())
            sentences.append(f"skipped: {parts} of the text")
        return sentences


def open_regions(doc: Document, include: Iterable[str]) -> Document:
    """The document without its regions of these kinds, so that they are read like other text."""
    wanted = {_kind(name) for name in include}
    if not wanted:
        return doc
    regions = [one for one in doc.meta.get("regions", ()) if one["kind"] not in wanted]
    return replace(doc, meta={**doc.meta, "regions": regions})


def check_kinds(include: Iterable[str]) -> None:
    """Refuse a kind that there is not, before any work."""
    for name in include:
        _kind(name)


def _kind(name: str) -> str:
    """``tables`` is ``table``."""
    for kind in (name, f"{name}s", name.removesuffix("s")):
        if kind in KINDS:
            return kind
    raise UnknownNameError("kind of region to include", name, sorted(KINDS))


def knowing(doc: Document, annotators: Iterable[Annotator]) -> list[Annotator]:
    """The tasks whose notes know the language of the document."""
    annotators = list(annotators)
    if all(not annotator.languages for annotator in annotators):
        return annotators
    lang = document_language(doc)
    return [annotator for annotator in annotators if annotator.knows(lang)]


def find_skipped(
    doc: Document, annotators: Iterable[Annotator], *, include: Iterable[str] = ()
) -> SkippedRegions:
    """What these tasks pass over in the document."""
    annotators = list(annotators)
    known = {annotator.name for annotator in knowing(doc, annotators)}
    unknown = tuple(annotator.name for annotator in annotators if annotator.name not in known)
    opened = open_regions(doc, include)
    shares = {
        kind: sum(end - start for start, end in spans_of(opened, {kind})) / max(1, len(doc.text))
        for kind in sorted(SILENT)
    }
    return SkippedRegions(
        regions={kind: round(share, 4) for kind, share in shares.items() if share},
        lang=document_language(doc) if unknown else "",
        notes=unknown,
    )


def skipped_regions(doc: Document) -> SkippedRegions:
    """What was skipped when notes were made on the document."""
    return SkippedRegions.from_dict(doc.meta.get("skipped", {}))
