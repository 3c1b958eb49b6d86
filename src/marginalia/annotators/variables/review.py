"""The work of a curator: candidates as a table that is filled in and read back, decisions kept with the catalogue, and
decided links for other programs.

A row per sentence and candidate. In the column ``decision`` one writes yes or no; "none" says that the sentence uses no
survey variable at all. What is empty is undecided.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from marginalia.annotators.variables.links import link
from marginalia.annotators.variables.memory import Decision, Memory, memory_of, parse_decision
from marginalia.annotators.variables.variable_notes import CANDIDATES_PER_NOTE
from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.extraction import Table
from marginalia.core.table import format_table

COLUMNS = (
    "decision", "sentence", "label", "question", "variable", "survey", "probability", "evidence", "same",
    "document", "page", "start", "end", "lang", "rank",
)  # fmt: skip
REQUIRED = ("decision", "sentence", "variable", "document")
YES = {"yes", "y", "1", "x", "true", "accept", "accepted", "ja", "j", "✓"}
NO = {"no", "n", "0", "false", "reject", "rejected", "nein"}
NONE = {"none", "no variable", "keine"}
TABLE = ("document", "page", "start", "end", "sentence", "variable", "survey", "label")
OFFICIAL = ("sentence", "is_variable", "variable", "research_data", "doc_id", "uuid", "lang")
UNKNOWN = "unk"
"""What SV-Ident writes where a sentence uses a variable that could not be identified."""
NAMESPACE = uuid.UUID("6f1d2f0e-6c3b-5d0e-9d6a-3f6f5a0c7a11")
_PREFIXES = """@prefix oa: <http://www.w3.org/ns/oa#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

"""


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
    candidates = []
    for note in linked.notes():
        quote = " ".join(note.quote.split())
        known = memory.recall(quote)
        for rank, entry in enumerate(note.attrs["candidates"], 1):
            decision = "yes" if entry["id"] in known.accepted else ""
            candidates.append(
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
    return candidates


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
    candidates = []
    for line, row in rows:
        missing = [name for name in REQUIRED if name not in row]
        if missing:
            raise FormatError(f"the table lacks the column {missing[0]!r}", path=path, line=1)
        candidates.append(
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
    return candidates


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


def find_candidates(
    doc: Document,
    catalogue: str | Path,
    *,
    top: int = CANDIDATES_PER_NOTE,
    surveys: Sequence[str] = (),
    narrow: bool = True,
) -> Table[Candidate]:
    """The variables that the sentences of a document may use, a row each, with what was decided on them so far.

    ``catalogue`` is the path of a catalogue, whose own decisions count: accepted variables come first, rejected ones
    are not offered. ``top``, ``surveys`` and ``narrow`` are as for ``link``.
    """
    memory = memory_of(catalogue)
    found = link(doc, catalogue, top=top, surveys=surveys, narrow=narrow, memory=memory)
    return Table(tuple(candidates_of(found, memory)), COLUMNS)


def keep_decisions(
    catalogue: str | Path, decisions: Iterable[Decision | Mapping[str, Any]]
) -> Table[Decision]:
    """Keep decisions with a catalogue, so that they come first next time; returns all that are kept with it.

    A decision is ``{"sentence": …, "variable": …, "verdict": "accepted" or "rejected"}``; the verdict ``none`` without
    a variable says that the sentence uses none, ``undecided`` takes back what was said.
    """
    given = [one if isinstance(one, Decision) else parse_decision(one) for one in decisions]
    memory = memory_of(catalogue)
    memory.add(given)
    return Table(tuple(memory), tuple(Decision.__dataclass_fields__))


def link_table(candidates: Sequence[Candidate]) -> list[dict[str, Any]]:
    """The accepted links, one row each."""
    return [
        {name: getattr(one, name) for name in TABLE} for one in candidates if one.decision == "yes"
    ]


def official(candidates: Sequence[Candidate]) -> str:
    """The decided sentences as ``train.tsv`` has them; undecided ones are left out."""
    together: dict[tuple[str, int, str], list[Candidate]] = {}
    for one in candidates:
        together.setdefault((one.document, one.start, one.sentence), []).append(one)
    rows: list[Sequence[object]] = [OFFICIAL]
    for (document, start, sentence), each in together.items():
        accepted = [one for one in each if one.decision == "yes"]
        none = any(one.decision == "none" for one in each)
        refused = all(one.decision == "no" for one in each)
        if not (accepted or none or refused):
            continue
        variables = ";".join(one.variable for one in accepted) or ("" if none else UNKNOWN)
        surveys = ";".join(dict.fromkeys(one.survey for one in accepted if one.survey))
        id = uuid.uuid5(NAMESPACE, f"{document}\0{start}\0{sentence}")
        rows.append((sentence, int(not none), variables, surveys, document, id, each[0].lang))
    return format_table(rows, quoted=True)


def turtle(candidates: Sequence[Candidate]) -> str:
    """The accepted links as Web Annotations: the sentence by its words and place, the variable as what identifies it."""
    parts = [_PREFIXES]
    for one in candidates:
        if one.decision == "yes":
            target = f"urn:marginalia:document:{quote(one.document, safe='')}"
            variable = f"urn:marginalia:variable:{quote(one.survey, safe='')}:{quote(one.variable, safe='')}"
            page = f'; dcterms:isPartOf "page {one.page}"' if one.page else ""
            parts.append(
                f"[] a oa:Annotation ;\n  oa:motivatedBy oa:identifying ;\n  oa:hasBody <{variable}> ;\n"
                f"  oa:hasTarget [ oa:hasSource <{target}>{page} ;\n"
                f"    oa:hasSelector [ a oa:TextQuoteSelector ; oa:exact {_literal(one.sentence)} ] ,\n"
                f'      [ a oa:TextPositionSelector ; oa:start "{one.start}"^^xsd:nonNegativeInteger ;'
                f' oa:end "{one.end}"^^xsd:nonNegativeInteger ] ] .\n'
                f"<{variable}> dcterms:title {_literal(one.label)} ; dcterms:isPartOf {_literal(one.survey)} .\n\n"
            )
    return "".join(parts)


def _literal(text: str) -> str:
    text = text.encode("utf-8", "replace").decode()
    for sign, written in (
        ("\\", "\\\\"),
        ('"', '\\"'),
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\t", "\\t"),
    ):
        text = text.replace(sign, written)
    return f'"{"".join(c if c >= " " else " " for c in text)}"'
