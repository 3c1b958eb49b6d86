"""The settings of a competition: its task, phases and limits, from ``competition.toml``; and a first file of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError
from marginalia.core.files import read_toml, write_file
from marginalia.core.registry import get_benchmark

FILE = "competition.toml"
PHASE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
TEMPLATE = """\
title = {title}
task = {task}
description = ""
registration = "open"        # "closed": only `bench competition team` registers teams
# data = "data"              # the data folder, from here; default: MARGINALIA_DATA
# metrics = [{metrics}]      # figures on the board, the first ranks; default: the task's

[limits]
per_day = 5                  # submissions of a team, each day (UTC)
per_phase = 100
upload_mb = 20
seconds = 60                 # for checking or scoring one submission
memory_mb = 2048

[[phases]]
name = "development"
split = {split}              # its gold must be in the data folder; or: gold = "gold", official gold files
opens = {opens}
closes = {closes}
public = 1.0                 # share of the groups with figures while it is open; the rest decides at the end
late = false                 # true: later submissions are taken, marked and not ranked
counts = "best"              # or "last": which submission of a team is ranked
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a team may hand in, and how much one scoring may use."""

    per_day: int = 5
    """Submissions of a team in a phase, each day (UTC)."""
    per_phase: int = 100
    teams: int = 1000
    """Teams that may register by themselves."""
    upload_mb: int = 20
    seconds: float = 60.0
    memory_mb: int = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A time in which submissions for one split are taken."""

    name: str
    opens: datetime
    closes: datetime | None = None
    split: str = ""
    """A split of the data folder; its gold must be there."""
    gold: Path | None = None
    """Official gold files instead of a split, as ``bench score --gold`` takes them."""
    public: float = 1.0
    """Share of the groups whose figures are shown while the phase is open; the others decide when it has closed."""
    late: bool = False
    """Whether submissions after the end are taken, marked and not ranked."""
    counts: str = "best"
    """Which submission of a team is ranked: ``best`` or ``last``."""

    def state(self, now: datetime) -> str:
        """``waiting``, ``open``, ``late`` (closed, and late submissions are taken) or ``closed``."""
        if now < self.opens:
            return "waiting"
        if self.closes is None or now < self.closes:
            return "open"
        return "late" if self.late else "closed"

    def is_over(self, now: datetime) -> bool:
        return self.closes is not None and now >= self.closes


@dataclass(frozen=True, slots=True, kw_only=True)
class Competition:
    """What the organisers decided."""

    folder: Path
    title: str
    task: str
    phases: tuple[Phase, ...]
    description: str = ""
    data: Path | None = None
    """The data folder; by default the one that ``marginalia data`` uses."""
    options: Mapping[str, str] = field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    """Paths of the figures on the board, the first ranks; by default the task's."""
    registration: str = "open"
    """``open``: anyone may register a team on the page; ``closed``: the organisers do, by command."""
    limits: Limits = field(default_factory=Limits)

    @property
    def card(self) -> Benchmark:
        return get_benchmark(self.task)

    @property
    def figures(self) -> tuple[str, ...]:
        return self.metrics or tuple(metric.path for metric in self.card.metrics)

    @property
    def data_folder(self) -> Path:
        return data_folder(self.data)

    def phase(self, name: str) -> Phase:
        for phase in self.phases:
            if phase.name == name:
                return phase
        known = ", ".join(phase.name for phase in self.phases)
        raise FormatError(f"there is no phase {name[:40]!r}; there are {known}")

    def current(self, now: datetime) -> Phase:
        """The phase that is open, else the one that opens next, else the last."""
        for state in ("open", "waiting"):
            for phase in self.phases:
                if phase.state(now) == state:
                    return phase
        return self.phases[-1]


def read_competition(folder: str | Path) -> Competition:
    """The settings in a folder's ``competition.toml``; what is wrong is said with its name."""
    path = Path(folder) / FILE
    table = read_toml(path)
    _known(table, Competition, path, {"folder"})
    raw_phases, limits = table.pop("phases", None), _limits(table.pop("limits", {}), path)
    if not isinstance(raw_phases, list) or not raw_phases:
        raise FormatError("at least one [[phases]] table was expected", path=path)
    phases = tuple(_phase(raw, path) for raw in raw_phases)
    names = [phase.name for phase in phases]
    if len(set(names)) < len(names):
        raise FormatError("two phases have the same name", path=path)
    data = table.pop("data", None)
    made = Competition(
        folder=Path(folder),
        title=_text(table, "title", path),
        task=_text(table, "task", path),
        description=str(table.get("description", "")),
        data=None if data is None else path.parent / str(data),
        options={str(key): str(value) for key, value in dict(table.get("options", {})).items()},
        metrics=tuple(str(each) for each in table.get("metrics", ())),
        registration=_one_of(table.get("registration", "open"), ("open", "closed"), path),
        limits=limits,
        phases=phases,
    )
    for phase in phases:
        if phase.split:
            made.card.check_split(phase.split)
    return made


def _phase(raw: Any, path: Path) -> Phase:
    if not isinstance(raw, dict):
        raise FormatError("[[phases]] was expected to be a list of tables", path=path)
    _known(raw, Phase, path, set())
    name = _text(raw, "name", path)
    if not PHASE_NAME.fullmatch(name):
        raise FormatError(
            f"the phase name {name[:40]!r}: lower-case letters, digits and hyphens were expected",
            path=path,
        )
    split, gold = str(raw.get("split", "")), raw.get("gold")
    if bool(split) == (gold is not None):
        raise FormatError(f"the phase {name} needs either a split or a gold path", path=path)
    public = raw.get("public", 1.0)
    if isinstance(public, bool) or not isinstance(public, (int, float)) or not 0 <= public <= 1:
        raise FormatError(
            f"the phase {name}: public = {public!r} is no share from 0 to 1", path=path
        )
    if gold is not None and public != 1:
        raise FormatError(f"the phase {name}: only a split can be public in part", path=path)
    opens, closes = _time(raw, "opens", path), _time(raw, "closes", path)
    if opens is None:
        raise FormatError(f"the phase {name} needs the time it opens", path=path)
    if closes is not None and closes <= opens:
        raise FormatError(f"the phase {name} closes before it opens", path=path)
    return Phase(
        name=name,
        opens=opens,
        closes=closes,
        split=split,
        gold=None if gold is None else path.parent / str(gold),
        public=float(public),
        late=bool(raw.get("late", False)),
        counts=_one_of(raw.get("counts", "best"), ("best", "last"), path),
    )


def _limits(raw: Any, path: Path) -> Limits:
    if not isinstance(raw, dict):
        raise FormatError("[limits] was expected to be a table", path=path)
    _known(raw, Limits, path, set())
    for name, value in raw.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            raise FormatError(f"the limit {name} = {value!r} is no positive number", path=path)
    return Limits(**raw)


def _known(table: Mapping[str, Any], kind: Any, path: Path, but: set[str]) -> None:
    names = [each.name for each in fields(kind) if each.name not in but]
    for key in table:
        if key not in names:
            close = get_close_matches(key, names, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(names)}"
            raise FormatError(f"the setting {key!r} is not known{hint}", path=path)


def _text(table: Mapping[str, Any], key: str, path: Path) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise FormatError(f"the setting {key!r} is missing", path=path)
    return value.strip()


def _one_of(value: Any, allowed: tuple[str, ...], path: Path) -> str:
    if value not in allowed:
        raise FormatError(f"{value!r} is none of {', '.join(allowed)}", path=path)
    return str(value)


def _time(table: Mapping[str, Any], key: str, path: Path) -> datetime | None:
    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise FormatError(
            f"{key} = {value!s:.40}: a time with its zone was expected, such as 2027-01-31T12:00:00Z",
            path=path,
        )
    return value.astimezone(UTC)


def new_competition(folder: str | Path, task: str, split: str, now: datetime) -> Path:
    """Write ``competition.toml`` into a folder that has none."""
    path = Path(folder) / FILE
    if path.exists():
        raise FormatError("it is there already: edit it, or name another folder", path=path)
    card = get_benchmark(task)
    card.check_split(split)
    start = now.replace(minute=0, second=0, microsecond=0)
    text = TEMPLATE.format(
        title=json.dumps(card.shared_task, ensure_ascii=False),
        task=json.dumps(task),
        split=json.dumps(split),
        metrics=", ".join(f'"{metric.path}"' for metric in card.metrics),
        opens=start.strftime("%Y-%m-%dT%H:%M:%SZ"),
        closes=(start + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
    return write_file(path, text)
