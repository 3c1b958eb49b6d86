"""Two annotators' files become one: what both say stands, what one says waits for a decision.

Source: overview paper, section 3: two annotators marked each paragraph, a third reconciled them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.table import format_table, read_table
from marginalia.tasks.measurement.official.annotators import read_annotator
from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.measurement.official.tsv import format_spans

COLUMNS = ("docId", "annotator", "annotType", "startOffset", "endOffset", "text", "keep")
DISPUTED = "disputed.tsv"

Key = tuple[str, str, str, int, int]
"""docId, annotator, type and offsets."""


def adjudicate(paths: Sequence[Path]) -> Built:
    """Write ``disputed.tsv``; with it as a third file, its column ``keep`` filled in with 1 or 0, the final files."""
    if len(paths) not in (2, 3):
        raise FormatError("two annotators were expected, and perhaps the decisions")
    one, other = ({d: list(s) for d, s in read_annotator(path)[0].items()} for path in paths[:2])
    decisions = _decisions(paths[2]) if len(paths) == 3 else None
    files: dict[str, str] = {}
    rows: list[tuple[object, ...]] = [COLUMNS]
    agreed = 0
    for doc in sorted(one.keys() | other.keys()):
        first, second = one.get(doc, []), _apart(one.get(doc, []), other.get(doc, []))
        both = {_place(span) for span in first} & {_place(span) for span in second}
        agreed += len(both)
        kept = [span for span in first if _place(span) in both]
        for name, spans in (("1", first), ("2", second)):
            for span in spans:
                if _place(span) in both:
                    continue
                key = (doc, name, *_place(span))
                flat = " ".join(span.text.split())
                rows.append((doc, name, span.type, span.start, span.end, flat, ""))
                if decisions is not None and _keep(decisions, key):
                    kept.append(span)
        files[f"{doc}.tsv"] = format_spans(doc, _whole(kept))
    disputed = len(rows) - 1
    figures = {"paragraphs": len(files), "agreed": agreed, "disputed": disputed}
    if decisions is None:
        return Built({DISPUTED: format_table(rows)}, figures)
    return Built(files, {**figures, "kept": sum(decisions.values())})


def _place(span: Span) -> tuple[str, int, int]:
    return span.type, span.start, span.end


def _apart(first: Sequence[Span], second: Sequence[Span]) -> list[Span]:
    """The second annotator's spans with sets and ids that the first one does not use.

    A set whose quantity both marked is the same measurement, and takes the first one's number.
    """
    quantities = {(s.start, s.end): s.set for s in first if s.type == "Quantity"}
    fresh = max((s.set for s in first), default=0)
    numbers: dict[int, int] = {}
    for span in second:
        if span.type == "Quantity" and (span.start, span.end) in quantities:
            numbers[span.set] = quantities[span.start, span.end]
    for span in second:
        if span.set not in numbers:
            fresh += 1
            numbers[span.set] = fresh
    same = {_place(span): span.id for span in first}
    ids = {
        span.id: same.get(_place(span), f"T{len(first) + place}-{numbers[span.set]}")
        for place, span in enumerate(second, start=1)
    }
    return [
        replace(
            span,
            set=numbers[span.set],
            id=ids[span.id],
            other={
                key: ids.get(value, value) if isinstance(value, str) else value
                for key, value in span.other.items()
            },
        )
        for span in second
    ]


def _whole(spans: Iterable[Span]) -> list[Span]:
    """Without relations to spans that were not kept."""
    spans = list(spans)
    ids = {span.id for span in spans}
    return [
        replace(
            span,
            other={
                key: value
                for key, value in span.other.items()
                if key in ("unit", "mods") or value in ids
            },
        )
        for span in spans
    ]


def _decisions(path: Path) -> dict[Key, bool]:
    found: dict[Key, bool] = {}
    for line, row in read_table(path, COLUMNS):
        if row["keep"] not in ("0", "1"):
            raise FormatError(
                f"keep is {row['keep'][:20]!r}: 1 or 0 was expected", path=path, line=line
            )
        start, end = row["startOffset"], row["endOffset"]
        if not (start.isdigit() and end.isdigit()):
            raise FormatError("the offsets are no whole numbers", path=path, line=line)
        key = (row["docId"], row["annotator"], row["annotType"], int(start), int(end))
        found[key] = row["keep"] == "1"
    return found


def _keep(decisions: dict[Key, bool], key: Key) -> bool:
    if key not in decisions:
        doc, name, type, start, end = key
        raise FormatError(f"no decision for the {type} {start}:{end} of annotator {name} in {doc}")
    return decisions[key]
