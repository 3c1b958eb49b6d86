"""How pages show the notes of an annotator. Words are given by language (ISO 639-1); English stands for those that are missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from marginalia.core.errors import ContractError

Words = Mapping[str, str]
"""Language -> what is said in it."""
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of the table of the notes, and a line on each note's card."""

    heading: Words
    value: tuple[str, ...]
    """Where the value comes from: "quote", "label", "score", "attrs.NAME", or "links.ROLE" for the words of the notes that it
    links to. Of several, numbers that differ are a range and texts follow: 5 – 10 kg. Lists are shown as such."""
    group: bool = False
    """Whether the table can be grouped by it."""
    chart: bool = False
    """Whether the overview counts the notes by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a page needs to show notes; without any of it they are shown by their names."""

    heading: Words = field(default_factory=dict)
    colour: str = ""
    """For light backgrounds, as #rrggbb; on dark ones it is mixed with white."""
    sign: str = ""
    """One character that stands for its kind beside the colour; a dot if there is none."""
    order: int = 100
    """Its place among the annotators; those of the same order go by name."""
    labels: Mapping[str, Words] = field(default_factory=dict)
    """Language -> label -> what to say for it."""
    score: Words = field(default_factory=dict)
    """What the scores of its notes mean."""
    reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language -> pattern -> words: parts of ``attrs["why"]``, which is in the language of the document, in that of the page."""
    columns: tuple[Column, ...] = ()

    def __post_init__(self) -> None:
        if self.colour and not _COLOUR.fullmatch(self.colour):
            raise ContractError(f"the colour {self.colour!r} is not written as #rrggbb")
        if len(self.sign) > 1:
            raise ContractError(f"the sign {self.sign!r} is more than one character")

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
