"""Clarifications that people made when they revised a text, as data in the layout of CLAIRE."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from marginalia.core.extraction import Table
from marginalia.tasks.clarification.gaps.revisions import Mined, Revision, mine, read_revisions

MINED = (
    "pattern", "phenomenon", "title", "header", "previous", "sentence", "followup", "filler", "old"
)  # fmt: skip
"""The columns of what was mined."""


def mine_revisions(
    revisions: str | Path | Iterable[Revision | Mapping[str, str]],
) -> Table[Mined]:
    """Find clarifications between versions of a text: single insertions of one of the four kinds.

    Revisions are pairs of ``old`` and ``new`` texts, perhaps with ``title`` and ``header``: a file of them (JSON
    lines, or two columns with a tab between them), or any iterable.

    >>> pair = {"old": "Rinse under water.", "new": "Rinse the beans under water."}  # doctest: +SKIP
    >>> mine_revisions([pair])[0].filler  # doctest: +SKIP
    'the beans'
    """
    if isinstance(revisions, (str, Path)):
        revisions = read_revisions(Path(revisions))
    found = mine(r if isinstance(r, Revision) else Revision(**r) for r in revisions)
    return Table(tuple(found), MINED)
