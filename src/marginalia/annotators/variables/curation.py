"""The work of a curator as functions, for programs and for the web reader: candidates out, decisions in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from marginalia.annotators.variables.links import link
from marginalia.annotators.variables.memory import Decision, memory_of, parse_decision
from marginalia.annotators.variables.review import COLUMNS, Candidate, candidates_of
from marginalia.annotators.variables.variable_notes import CANDIDATES_PER_NOTE
from marginalia.core.document import Document
from marginalia.core.extraction import Table


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
