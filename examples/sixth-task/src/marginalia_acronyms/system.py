"""An abbreviation is explained where its long form stands beside it in brackets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from marginalia import Annotation, Document, Split
from marginalia_acronyms.data import Use

ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")


def explained(text: str, acronym: str) -> bool:
    """``social survey programme (SSP)`` or ``SSP (social survey programme)``."""
    initials = r"\W+".join(rf"{letter}\w+" for letter in acronym)
    name = re.escape(acronym)
    return bool(re.search(rf"{initials}\s*\({name}\)|{name}\s*\({initials}\)", text, re.IGNORECASE))


class Brackets:
    def predict(self, items: Mapping[str, Use]) -> dict[str, bool]:
        return {id: explained(item.text, item.acronym) for id, item in items.items()}


class Majority:
    def __init__(self) -> None:
        self.answer: bool | None = None

    def fit(self, split: Split) -> Majority:
        self.answer = Counter(split.require_gold().values()).most_common(1)[0][0]
        return self

    def predict(self, items: Mapping[str, Use]) -> dict[str, bool]:
        return {id: bool(self.answer) for id in items}


def annotate(doc: Document) -> Iterator[Annotation]:
    """A note on the first use of each abbreviation that the document never explains."""
    seen: set[str] = set()
    for match in ACRONYM.finditer(doc.text):
        acronym = match.group()
        if acronym not in seen and not explained(doc.text, acronym):
            yield Annotation(
                id=f"acronyms-{len(seen)}",
                task="acronyms",
                label="unexplained",
                start=match.start(),
                end=match.end(),
                quote=acronym,
                attrs={"why": "its long form stands nowhere in the text"},
                system="brackets",
            )
        seen.add(acronym)
