"""A CodaLab or Codabench bundle becomes a competition: its phases, dates, limits and reference data.

Its scoring program is not run: data never runs code, and the task's official scorer is here.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from marginalia.bench.host.settings import FILE
from marginalia.core.archive import unpack
from marginalia.core.errors import FormatError, missing_package
from marginalia.core.files import require_file, write_file
from marginalia.core.registry import get_benchmark

MAX_YAML = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class BundlePhase:
    name: str
    opens: datetime
    closes: datetime | None
    per_day: int | None
    per_phase: int | None
    reference: str
    """Path of its reference data in the bundle: a zip or a folder."""


def import_bundle(
    bundle: str | Path, folder: str | Path, task: str, *, metrics: tuple[str, ...] = ()
) -> Path:
    """Write ``competition.toml`` and the gold of each phase into a folder that has none of them."""
    folder, card = Path(folder), get_benchmark(task)
    if (folder / FILE).exists():
        raise FormatError("it is there already: name another folder", path=folder / FILE)
    with tempfile.TemporaryDirectory(prefix="marginalia-bundle-") as temporary:
        root = Path(temporary)
        unpack(require_file(Path(bundle)), root)
        found = sorted(root.rglob("competition.yaml"), key=lambda path: len(path.parts))
        if not found:
            raise FormatError("there is no competition.yaml in it", path=bundle)
        data = _read_yaml(found[0])
        phases = list(_phases(data, found[0]))
        for phase in phases:
            _copy(found[0].parent, phase.reference, folder / "gold" / phase.name)
    figures = metrics or tuple(metric.path for metric in card.metrics)
    return write_file(folder / FILE, _settings(data, task, figures, phases))


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        import yaml
    except ImportError as error:
        raise missing_package("A bundle", error.name, "web") from error
    try:
        data = yaml.safe_load(require_file(path, max_bytes=MAX_YAML).read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            f"not YAML: {' '.join(str(error).split())[:120]}", path=path.name
        ) from error
    if not isinstance(data, dict):
        raise FormatError("a mapping was expected", path=path.name)
    return data


def _phases(data: Mapping[str, Any], path: Path) -> Iterator[BundlePhase]:
    """Codabench (version 2) has a list of phases that name tasks; CodaLab has a mapping with files in each."""
    raw = data.get("phases")
    rows = list(raw.values()) if isinstance(raw, dict) else raw
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise FormatError("there are no phases in it", path=path.name)
    tasks = {
        task.get("index", place): task
        for place, task in enumerate(data.get("tasks") or ())
        if isinstance(task, dict)
    }
    last = _time(data.get("end_date"))
    for place, row in enumerate(rows):
        named = [tasks[index] for index in row.get("tasks") or () if index in tasks]
        reference = (named[0] if named else row).get("reference_data")
        name = str(row.get("name") or row.get("label") or f"phase {place + 1}")
        opens = _time(row.get("start") or row.get("start_date"))
        if opens is None or not isinstance(reference, str):
            raise FormatError(
                f"the phase {name[:40]!r} lacks a start or reference data", path=path.name
            )
        following = rows[place + 1] if place + 1 < len(rows) else {}
        # A phase of CodaLab ends when the next one begins.
        closes = _time(row.get("end")) or _time(
            following.get("start") or following.get("start_date")
        )
        yield BundlePhase(
            name=_slug(name, place),
            opens=opens,
            closes=closes or last,
            per_day=_count(row.get("max_submissions_per_day")),
            per_phase=_count(row.get("max_submissions")),
            reference=reference,
        )


def _time(value: Any) -> datetime | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        return None
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


def _slug(name: str, place: int) -> str:
    text = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:30]
    return f"{place + 1}-{text}" if text else f"phase-{place + 1}"


def _copy(root: Path, reference: str, target: Path) -> None:
    """The reference data of a phase, unpacked; nothing outside of the bundle is read."""
    inside = PurePosixPath(reference)
    source = root.joinpath(*inside.parts)
    if inside.is_absolute() or ".." in inside.parts or not source.exists():
        raise FormatError(f"its reference data {reference[:60]!r} are not in the bundle")
    target.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.read_bytes())
    else:
        unpack(source, target)
    for mark in target.rglob("metadata*"):
        mark.unlink()  # a note to the platform, no gold


def _settings(
    data: Mapping[str, Any], task: str, metrics: tuple[str, ...], phases: list[BundlePhase]
) -> str:
    def quoted(value: object) -> str:
        return json.dumps(" ".join(str(value).split()), ensure_ascii=False)

    limits = {
        "per_day": max((phase.per_day or 0 for phase in phases), default=0),
        "per_phase": max((phase.per_phase or 0 for phase in phases), default=0),
    }
    lines = [
        f"title = {quoted(data.get('title') or 'Competition')}",
        f"task = {quoted(task)}",
        f"description = {quoted(data.get('description') or '')}",
        f"metrics = [{', '.join(quoted(metric) for metric in metrics)}]",
        "",
        "[limits]",
        *(f"{name} = {value}" for name, value in limits.items() if value),
    ]
    for phase in phases:
        lines += ["", "[[phases]]", f"name = {quoted(phase.name)}"]
        lines += [f"gold = {quoted(f'gold/{phase.name}')}", f"opens = {phase.opens.isoformat()}"]
        lines += [f"closes = {phase.closes.isoformat()}"] if phase.closes else []
    return "\n".join(lines) + "\n"
