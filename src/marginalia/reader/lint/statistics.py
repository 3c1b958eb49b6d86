"""What lint found in all, by rule, and how hard the files are to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.core.registry import find_annotator
from marginalia.reader.lint.check import Linted
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
    path = str(linted.doc.meta["path"])
    known = linted.doc.meta.get("summary", {}).get("style")
    if known is None:  # no finding of style was wanted
        style = find_annotator("style")
        known = style.summary(linted.doc) if style and style.summary else {}
    return FileFigures(
        path=path,
        lang=str(linted.doc.meta["lang"]),
        words=known.get("words", 0),
        sentences=known.get("sentences", 0),
        words_per_sentence=known.get("words_per_sentence", 0.0),
        findings=sum(one.path == path for one in findings),
        readability=known.get("readability", {}),
    )
