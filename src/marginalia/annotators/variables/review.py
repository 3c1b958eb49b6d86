"""Candidates as work: a table that a curator fills in, read back with the decisions.

A row per sentence and candidate. In the column ``decision`` one writes yes or no; "none" says that the sentence uses no
survey variable at all. What is empty is undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from marginalia.annotators.variables.memory import Decision, Memory
from marginalia.core.errors import FormatError

COLUMNS = (
    "decision", "sentence", "label", "question", "variable", "survey", "probability", "evidence", "same",
    "document", "page", "start", "end", "lang", "rank",
)  # fmt: skip
REQUIRED = ("decision", "sentence", "variable", "document")
YES = {"yes", "y", "1", "x", "true", "accept", "accepted", "ja", "j", "✓"}
NO = {"no", "n", "0", "false", "reject", "rejected", "nein"}
NONE = {"none", "no variable", "keine"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One variable that a sentence may use, with what was decided on it so far."""

    sentence: str
    variable: str
    survey: str
    label: str
    question: str
    probability: float | None
    """How often such a claim was right."""
    evidence: str
    same: tuple[str, ...]
    document: str
    page: int | None
    start: int
    end: int
    lang: str
    rank: int
    decision: str = ""
    """``yes``, ``no``, ``none`` or empty."""

    def to_dict(self) -> dict[str, Any]:
        data = {**asdict(self), "same": list(self.same)}
        return {name: data[name] for name in COLUMNS}


def candidates_of(linked: Any, memory: Memory | None = None) -> list[Candidate]:
    """The candidates of a linked document (``Linked``), with the decisions that a memory holds."""
    memory = memory or Memory()
    doc = linked.doc
    found = []
    for note in linked.notes():
        quote = " ".join(note.quote.split())
        known = memory.recall(quote)
        for rank, entry in enumerate(note.attrs["candidates"], 1):
            decision = "yes" if entry["id"] in known.accepted else ""
            found.append(
                Candidate(
                    sentence=quote,
                    variable=entry["id"],
                    survey=entry["survey"],
                    label=entry["label"],
                    question=entry["question"],
                    probability=entry["score"],
                    evidence=_evidence(note.quote, entry),
                    same=tuple(entry["same"]),
                    document=doc.id,
                    page=doc.page(note.start),
                    start=note.start,
                    end=note.end,
                    lang=str(doc.meta.get("lang") or ""),
                    rank=rank,
                    decision=decision,
                )
            )
    return found


def _evidence(sentence: str, entry: Mapping[str, Any]) -> str:
    """In a few words why this one: shared words, and where the paper names it."""
    words = ", ".join(dict.fromkeys(sentence[start:end].lower() for start, end in entry["words"]))
    said = [entry["kind"], f"words: {words}" if words else ""]
    said.append(f'named in "{entry["named_in"]}"' if entry.get("named_in") else "")
    return "; ".join(part for part in said if part)


def review_rows(candidates: Iterable[Candidate]) -> list[dict[str, Any]]:
    """The rows of the table; lists with semicolons, as spreadsheets can show them."""
    return [{**one.to_dict(), "same": ";".join(one.same)} for one in candidates]


def parse_review(rows: Sequence[tuple[int, Mapping[str, str]]], path: Path) -> list[Candidate]:
    """The candidates of a table that was filled in; ``rows`` are pairs of line and cells."""
    found = []
    for line, row in rows:
        missing = [name for name in REQUIRED if name not in row]
        if missing:
            raise FormatError(f"the table lacks the column {missing[0]!r}", path=path, line=1)
        found.append(
            Candidate(
                sentence=row["sentence"],
                variable=row["variable"],
                survey=row.get("survey", ""),
                label=row.get("label", ""),
                question=row.get("question", ""),
                probability=_number(row.get("probability", ""), float),
                evidence=row.get("evidence", ""),
                same=tuple(filter(None, row.get("same", "").split(";"))),
                document=row["document"],
                page=_number(row.get("page", ""), int),
                start=_number(row.get("start", ""), int) or 0,
                end=_number(row.get("end", ""), int) or 0,
                lang=row.get("lang", ""),
                rank=_number(row.get("rank", ""), int) or 0,
                decision=_decision(row["decision"], path, line),
            )
        )
    return found


def decisions(candidates: Iterable[Candidate]) -> Iterator[Decision]:
    """What was decided, for the memory of a catalogue."""
    for one in candidates:
        verdict = {"yes": "accepted", "no": "rejected", "none": "none"}.get(one.decision)
        if verdict:
            yield Decision(
                sentence=one.sentence,
                variable="" if verdict == "none" else one.variable,
                verdict=verdict,
                survey="" if verdict == "none" else one.survey,
                document=one.document,
            )


def _decision(text: str, path: Path, line: int) -> str:
    said = text.strip().lower()
    for name, words in (("yes", YES), ("no", NO), ("none", NONE), ("", {""})):
        if said in words:
            return name
    raise FormatError(
        f"the decision {text[:30]!r} is not yes, no, none or empty", path=path, line=line
    )


def _number(text: str, kind: type[Any]) -> Any:
    """Spreadsheets turn 3 into 3.0, and some cells are empty."""
    try:
        return kind(float(text))
    except (ValueError, OverflowError):
        return None
