"""The files of one's own annotators, as TSV or brat, and how far two of them agree.

Unlike those of ``iaa/``, their sets have numbers of their own, so whole paragraphs are compared.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from marginalia.core.agreement import cohen_kappa
from marginalia.core.errors import FormatError
from marginalia.core.files import list_files, read_text
from marginalia.core.report import Report
from marginalia.tasks.measurement.official.brat import read_brat
from marginalia.tasks.measurement.official.match import CLASSES
from marginalia.tasks.measurement.official.score import match_all, overall_and_class
from marginalia.tasks.measurement.official.spans import TYPES, Span, Spans
from marginalia.tasks.measurement.official.tokens import tokens
from marginalia.tasks.measurement.official.tsv import read_spans

FIGURES = ("f1_overlap", "exact_match", "f_measure")
Documents = Mapping[str, Sequence[Span]]


def compare(paths: Sequence[Path]) -> Report:
    """The official figures of one annotator against the other, and Cohen's kappa.

    ``kappa`` of the four kinds of spans is over the tokens of the paragraphs, in a span of that kind or not; it needs
    the ``.txt`` files of brat. That of units and modifiers is over the quantities that both marked alike.
    """
    if len(paths) != 2:
        raise FormatError(f"{len(paths)} annotators: two folders or files were expected")
    (one, texts), (other, more) = (read_annotator(path) for path in paths)
    docs = sorted(one.keys() | other.keys())
    one = {doc: one.get(doc, ()) for doc in docs}
    other = {doc: other.get(doc, ()) for doc in docs}
    found = overall_and_class(match_all(one, other).values())
    figures = {"overall": found["overall"], **found["class"]}
    kappas = _kappas({**more, **texts}, one, other)
    scores = {
        name: {
            **{figure: figures[name].get(figure, math.nan) for figure in FIGURES},
            "kappa": kappas.get(name, math.nan),
        }
        for name in ("overall", *CLASSES)
    }
    counts = {
        f"spans_of_annotator_{number}": sum(map(len, side.values()))
        for number, side in enumerate((one, other), start=1)
    }
    return Report(scores=scores, also={"paragraphs": len(docs), **counts})


def read_annotator(path: Path) -> tuple[dict[str, Spans], dict[str, str]]:
    """Spans and texts by docId: of a folder of brat (``.ann`` with ``.txt``), or of TSV files, which have no texts."""
    if path.is_dir() and any(path.glob("*.ann")):
        texts = {file.stem: read_text(file) for file in sorted(path.glob("*.txt"))}
        found = read_brat(path, texts)
        return {doc: found.get(doc, ()) for doc in texts}, texts
    docs: dict[str, list[Span]] = {}
    for file in list_files(path, ".tsv"):
        rows = list(read_spans(file))
        for doc, span in rows:
            docs.setdefault(doc, []).append(span)
        if not rows:
            docs.setdefault(file.stem, [])
    return {doc: tuple(spans) for doc, spans in docs.items()}, {}


def _kappas(texts: Mapping[str, str], one: Documents, other: Documents) -> dict[str, float]:
    result = {}
    for type in TYPES:
        marks: list[list[bool]] = [[], []]
        for doc, text in texts.items():
            places = tokens(text)
            for marked, side in zip(marks, (one, other), strict=True):
                own = [(s.start, s.end) for s in side.get(doc, ()) if s.type == type]
                marked += [any(a < end and start < b for start, end in own) for a, b in places]
        result[type] = cohen_kappa(*marks)
    pairs = [
        (a, b)
        for doc, spans in one.items()
        for a in spans
        for b in other[doc]
        if a.type == b.type == "Quantity" and (a.start, a.end) == (b.start, b.end)
    ]
    result["Unit"] = cohen_kappa([a.unit for a, _ in pairs], [b.unit for _, b in pairs])
    result["modifier"] = cohen_kappa(
        [frozenset(a.mods) for a, _ in pairs], [frozenset(b.mods) for _, b in pairs]
    )
    return result
