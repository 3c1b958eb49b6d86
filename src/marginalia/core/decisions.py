"""What readers decided about notes: accepted, rejected, edited or added, by whom and when.

A decision quotes its note and the text around it, so that it finds its place again in a text that has changed.
As a file, decisions are JSON lines: files of several readers can simply be put together.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_lines
from marginalia.core.report import plain

VERDICTS = ("accepted", "rejected", "edited", "added")
OWN_SYSTEM = "own"
"""The system of notes that a reader has made."""
CONTEXT_CHARACTERS = 64
"""How much of the text before and after a note is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The verdict on one note. ``note`` is as its system made it, ``edited`` as the reader wants it."""

    id: str
    document: str
    verdict: str
    note: Annotation
    parts: tuple[Annotation, ...] = ()
    edited: Annotation | None = None
    before: str = ""
    after: str = ""
    who: str = ""
    when: str = ""
    """ISO 8601, with its time zone."""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise FormatError(f"the verdict {self.verdict!r:.40} is none of {', '.join(VERDICTS)}")
        if (self.verdict == "edited") != (self.edited is not None):
            raise FormatError(
                f"the decision {self.id!r:.40} is edited without a new note, or with one for nothing"
            )

    @property
    def kind(self) -> str:
        """What ``lint`` calls it: ``task.label``."""
        return f"{self.note.task}.{self.note.label.replace(' ', '-')}"

    @property
    def is_kept(self) -> bool:
        return self.verdict != "rejected"

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "document": self.document,
            "verdict": self.verdict,
            "note": plain(self.note.to_dict()),
            "parts": [plain(part.to_dict()) for part in self.parts],
            "edited": plain(self.edited.to_dict()) if self.edited else None,
            "before": self.before,
            "after": self.after,
            "who": self.who,
            "when": self.when,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Decision:
        if not isinstance(data, Mapping):
            raise FormatError(f"not a decision: {data!r:.40} is no JSON object")
        texts = ("id", "document", "verdict", "before", "after", "who", "when")
        for name in texts:
            if not isinstance(data.get(name, ""), str):
                raise FormatError(f"not a decision: its {name!r} is {data[name]!r:.40}")
        if not isinstance(data.get("parts", []), list) or "note" not in data:
            raise FormatError("not a decision: it must have a 'note', and 'parts' must be a list")
        edited = data.get("edited")
        return cls(
            **{name: data.get(name, "") for name in texts},
            note=Annotation.from_dict(data["note"]),
            parts=tuple(Annotation.from_dict(part) for part in data.get("parts", [])),
            edited=Annotation.from_dict(edited) if edited is not None else None,
        )


def decide(
    doc: Document,
    note: Annotation,
    verdict: str,
    *,
    id: str,
    edited: Annotation | None = None,
    who: str = "",
    when: str = "",
) -> Decision:
    """The decision on a note of this document, with its parts and the text around it."""
    return Decision(
        id=id,
        document=doc.id,
        verdict=verdict,
        note=note,
        parts=tuple(one for one in doc.annotations if note.id in (one.attrs.get("part_of") or ())),
        edited=edited,
        before=doc.text[max(0, note.start - CONTEXT_CHARACTERS) : note.start],
        after=doc.text[note.end : note.end + CONTEXT_CHARACTERS],
        who=who,
        when=when,
    )


def dump_decisions(decisions: Iterable[Decision]) -> str:
    """JSON lines, one decision each."""
    lines = (json.dumps(one.to_dict(), ensure_ascii=False, allow_nan=False) for one in decisions)
    return "".join(f"{line}\n" for line in lines)


def parse_decisions(lines: Iterable[tuple[int, str]], path: Path) -> list[Decision]:
    """The decisions of numbered JSON lines; of several with one id, document and reader the last."""
    latest: dict[tuple[str, str, str], Decision] = {}
    for number, line in lines:
        if not line.strip():
            continue
        try:
            one = Decision.from_dict(parse_json(line, path, number))
        except FormatError as error:
            raise error.at(path, number) from None
        latest.pop((one.document, one.id, one.who), None)
        latest[one.document, one.id, one.who] = one
    return list(latest.values())


def read_decisions(path: Path) -> list[Decision]:
    """The decisions in a file that ``dump_decisions`` wrote."""
    return parse_decisions(read_lines(path), path)
