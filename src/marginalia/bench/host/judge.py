"""How a submission is checked and scored: by the official scorer of the task, on a split or on gold files."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

from marginalia.bench.host.settings import Competition, Phase
from marginalia.bench.run import intervals, load_split
from marginalia.bench.submission import read_submission
from marginalia.core.archive import unpacked, within
from marginalia.core.benchmark import Predictions, Split, uniform
from marginalia.core.data_folder import data_hash
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.report import Report, plain

RESAMPLES = 400
"""Samples for an interval on the board: its bounds move by less than a tenth of its width."""


class Judge:
    """The gold of a competition. It lives in a process of its own and never leaves it."""

    def __init__(self, competition: Competition) -> None:
        self.competition = competition
        self.task = competition.card
        self._split = cache(self._load)

    def load(self, phase: Phase) -> None:
        """Read the gold of a phase before anybody asks for a score."""
        if phase.gold is None:
            self._split(phase.name)
        elif not phase.gold.exists():
            raise MissingError(f"{phase.gold}: there is no such file or folder")

    def check(self, phase: Phase, path: Path) -> int:
        """How many predictions a submission has; ``FormatError`` names the line that does not fit."""
        if phase.gold is not None:
            self._score_files(phase.gold, path)
            return 0
        return len(read_submission(self.task, self._split(phase.name)[0], path))

    def score(self, phase: Phase, path: Path) -> dict[str, Any]:
        """The figures: ``public``, shown at once, and ``final``, shown when the phase is over."""
        if phase.gold is not None:
            whole = self._figures(self._score_files(phase.gold, path))
            return {"public": whole, "final": whole}
        split, public, private = self._split(phase.name)
        pred = read_submission(self.task, split, path)
        if public is private:
            whole = self._part(split, pred)
            return {"public": whole, "final": whole}
        return {
            "public": self._part(public, pred) if public else None,
            "final": self._part(private, pred) if private else None,
        }

    def _load(self, name: str) -> tuple[Split, Split | None, Split | None]:
        """The split of a phase, and its public and private parts."""
        phase = self.competition.phase(name)
        split = load_split(
            self.task, phase.split, self.competition.data_folder, self.competition.options
        )
        split.require_gold()
        if phase.public == 1:
            return split, split, split
        # Drawn by the hash of the gold, which nobody outside can compute: which groups are public cannot be told.
        salt = data_hash(split.files)
        open_groups = {
            group
            for group in set(split.group.values())
            if uniform(f"{salt}:{group}") < phase.public
        }
        shown = [id for id, group in split.group.items() if group in open_groups]
        hidden = [id for id, group in split.group.items() if group not in open_groups]
        return split, _take(split, shown), _take(split, hidden)

    def _part(self, split: Split, pred: Predictions) -> dict[str, Any]:
        given = {id: pred[id] for id in split.items}
        return {
            **self._figures(self.task.score(split, given)),
            "intervals": self._between(split, given),
        }

    def _figures(self, report: Report) -> dict[str, Any]:
        return {"scores": plain(report.scores), "warnings": list(report.warnings)}

    def _between(self, split: Split, pred: Predictions) -> dict[str, list[float]]:
        """Lower and upper bound of the figures that have an interval; gold files have no groups to draw from."""
        found = intervals(self.task, split, pred, n=RESAMPLES)
        bounds = {path: [each["low"], each["high"]] for path, each in found.items()}
        return {path: each for path, each in bounds.items() if all(map(math.isfinite, each))}

    def _score_files(self, gold: Path, path: Path) -> Report:
        with unpacked(path) as inner:
            try:
                return self.task.score_files(gold, inner)
            except FormatError as error:
                raise within(error, inner, path) from None


def _take(split: Split, ids: list[str]) -> Split | None:
    return split.take(ids) if ids else None
