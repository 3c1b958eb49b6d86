"""Who is where: one ranked row for each team, the other submissions beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from marginalia.bench.host.settings import Competition, Phase
from marginalia.bench.host.submissions import Entered
from marginalia.core.errors import UnknownNameError
from marginalia.core.report import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A submission on the board; ``rank`` is None beside the ranks."""

    rank: int | None
    submission: int
    team: str
    description: str
    received: str
    mark: str
    """Why it has no rank: ``withdrawn``, ``late``, or ``other`` (another one of the team is ranked)."""
    figures: Mapping[str, float | None]
    intervals: Mapping[str, list[float] | None]
    """Lower and upper bound of each figure, 95 %, where the split has groups to draw from."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "rank": self.rank,
            "submission": self.submission,
            "team": self.team,
            "description": self.description,
            "received": self.received,
            "mark": self.mark,
            "figures": dict(self.figures),
            "intervals": dict(self.intervals),
        }


def leaderboard(
    competition: Competition,
    phase: Phase,
    entered: Iterable[Entered],
    now: datetime,
    *,
    figure: str = "",
    reveal: bool = False,
) -> list[Standing]:
    """The board of a phase: public figures while it is open, final ones when it is over or for the organisers.

    ``figure`` is the one that ranks, by default the first. A tie shares the better rank. Where nothing is public yet, teams stand without figures or ranks.
    """
    part = "final" if reveal or phase.is_over(now) else "public"
    paths = competition.figures
    first = figure or paths[0]
    if first not in paths:
        raise UnknownNameError("figure", first[:60], paths)
    shown = [each for each in entered if each.scores is not None]
    figures = {each.id: figures_of(each.scores, part, paths) for each in shown}
    ranked = _counting(phase, shown, figures, first)
    order = sorted(
        shown,
        key=lambda each: (
            each.id not in ranked,
            -_height(figures[each.id][first]),
            each.id,
        ),
    )
    heights = [_height(figures[id][first]) for id in ranked]
    rows = []
    for each in order:
        value = figures[each.id][first]
        is_ranked = each.id in ranked and value is not None
        rows.append(
            Standing(
                rank=1 + sum(other > _height(value) for other in heights) if is_ranked else None,
                submission=each.id,
                team=each.team_name,
                description=each.description,
                received=each.received,
                mark=_mark(each, is_ranked),
                figures=figures[each.id],
                intervals=intervals_of(each.scores, part, paths),
            )
        )
    return rows


def figures_of(
    scores: Mapping[str, Any] | None, part: str, paths: Iterable[str]
) -> dict[str, float | None]:
    """The figures of the board in one part of a result; None where there is none."""
    found = ((scores or {}).get(part) or {}).get("scores") or {}
    return {path: Metric(path).of(found) for path in paths}


def intervals_of(
    scores: Mapping[str, Any] | None, part: str, paths: Iterable[str]
) -> dict[str, list[float] | None]:
    found = ((scores or {}).get(part) or {}).get("intervals") or {}
    return {path: found.get(path) for path in paths}


def _counting(
    phase: Phase,
    shown: Iterable[Entered],
    figures: Mapping[int, Mapping[str, float | None]],
    path: str,
) -> set[int]:
    """The submission of each team that is ranked: its best or its last, and of equals the earliest."""
    best: dict[int, tuple[tuple[float, int], int]] = {}
    for each in shown:
        if each.withdrawn or each.is_late:
            continue
        height = _height(figures[each.id][path])
        key = (float(each.id), 0) if phase.counts == "last" else (height, -each.id)
        if each.team not in best or key > best[each.team][0]:
            best[each.team] = (key, each.id)
    return {id for _, id in best.values()}


def _height(value: float | None) -> float:
    return float("-inf") if value is None else value


def _mark(each: Entered, is_ranked: bool) -> str:
    if each.withdrawn:
        return "withdrawn"
    if each.is_late:
        return "late"
    return "" if is_ranked else "other"
