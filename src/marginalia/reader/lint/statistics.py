"""What lint found in all, by rule, and how hard the files are to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.nlp.readability import FORMULAS, count, readability
from marginalia.nlp.tokens import words
from marginalia.reader.lint.check import Linted
from marginalia.reader.lint.draft import Draft
from marginalia.reader.lint.masks import BLOT
from marginalia.reader.view.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFigures:
    path: str
    lang: str
    words: int
    sentences: int
    words_per_sentence: float
    findings: int
    readability: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    codes: dict[str, int]
    """Code -> how many findings, the commonest first."""
    fixable: int
    words: int
    per_1000_words: float
    files: tuple[FileFigures, ...]

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "files": [asdict(one) for one in self.files]}


def summarise(linted: Iterable[Linted], findings: Sequence[Finding]) -> Statistics:
    """The figures of these files; ``findings`` are those that were reported, which a baseline may have thinned."""
    files = tuple(_figures(one, findings) for one in linted)
    total = sum(one.words for one in files)
    return Statistics(
        codes=dict(Counter(one.code for one in findings).most_common()),
        fixable=sum(bool(one.fix) for one in findings),
        words=total,
        per_1000_words=round(1000 * len(findings) / total, 1) if total else 0.0,
        files=files,
    )


def _figures(linted: Linted, findings: Sequence[Finding]) -> FileFigures:
    draft = Draft(linted.doc)
    path = str(linted.doc.meta["path"])
    lang = draft.lang if draft.lang in FORMULAS else "en"
    spoken = [
        [match.group() for match in words(draft.text[start:end].replace(BLOT, " "))]
        for start, end in draft.sentences
    ]
    counts = count(spoken, lang)
    return FileFigures(
        path=path,
        lang=draft.lang,
        words=counts.words,
        sentences=counts.sentences,
        words_per_sentence=round(counts.words / counts.sentences, 1) if counts.sentences else 0.0,
        findings=sum(one.path == path for one in findings),
        readability=readability(counts, draft.lang),
    )
