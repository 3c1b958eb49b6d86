"""Competitions of other platforms: CodaLab and Codabench bundles in, Codabench bundles and TIRA folders out.

Its scoring program is not run: data never runs code, and the task's official scorer is here.

Both carry a small scoring program that calls Marginalia, which must be in the image they name.
"""

from __future__ import annotations

import json
import re
import struct
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from marginalia.bench.host.settings import FILE, Competition, Phase
from marginalia.bench.program import item_data
from marginalia.bench.run import load_split
from marginalia.core.archive import pack, unpack
from marginalia.core.errors import FormatError, missing_package
from marginalia.core.files import require_file, write_file
from marginalia.core.registry import get_benchmark
from marginalia.core.report import plain

MAX_YAML = 2**20
LAYOUTS = ("codabench", "tira")
CODABENCH_PROGRAM = """\
\"\"\"Scores a submission: input/res against input/ref, figures into output/scores.json.\"\"\"

import json
import sys
from pathlib import Path

from marginalia.bench.host.judge import Judge
from marginalia.bench.host.leaderboard import figures_of
from marginalia.bench.host.settings import read_competition

source, target = map(Path, sys.argv[1:3])
competition = read_competition(source / "ref")
scores = Judge(competition).score(competition.phases[0], source / "res")
figures = figures_of(scores, "final", competition.figures)
found = {name.replace(".", "_"): value for name, value in figures.items() if value is not None}
(target / "scores.json").write_text(json.dumps(found), encoding="utf-8")
"""
TIRA_PROGRAM = """\
\"\"\"Scores a run: python score.py TRUTHS RUN OUTPUT writes OUTPUT/evaluation.prototext.\"\"\"

import sys
from pathlib import Path

from marginalia.bench.host.judge import Judge
from marginalia.bench.host.leaderboard import figures_of
from marginalia.bench.host.settings import read_competition

truths, run, target = map(Path, sys.argv[1:4])
competition = read_competition(truths)
scores = Judge(competition).score(competition.phases[0], run)
with (target / "evaluation.prototext").open("w", encoding="utf-8") as out:
    for name, value in figures_of(scores, "final", competition.figures).items():
        if value is not None:
            out.write(f'measure {{\\n  key: "{name}"\\n  value: "{value}"\\n}}\\n')
"""


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
        configurations = sorted(root.rglob("competition.yaml"), key=lambda path: len(path.parts))
        if not configurations:
            raise FormatError("there is no competition.yaml in it", path=bundle)
        data = _read_yaml(configurations[0])
        phases = list(_phases(data, configurations[0]))
        for phase in phases:
            _copy(configurations[0].parent, phase.reference, folder / "gold" / phase.name)
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


def export_competition(competition: Competition, layout: str, *, image: str) -> bytes:
    """A zip in the layout of ``codabench`` or ``tira``. It holds the gold: hand it to organisers only."""
    if layout == "codabench":
        return pack(_codabench(competition, image))
    if layout == "tira":
        return pack(_tira(competition))
    raise FormatError(f"the layout {layout!r} is none of {', '.join(LAYOUTS)}")


def reference_files(competition: Competition, phase: Phase) -> dict[str, bytes]:
    """What scoring a phase needs: its settings, and the files of its gold where they lie in the data folder."""
    files: dict[str, bytes] = {}
    if phase.gold is not None:
        place = "gold = 'gold'" if phase.gold.is_dir() else f"gold = 'gold/{phase.gold.name}'"
        found = [phase.gold] if phase.gold.is_file() else sorted(phase.gold.rglob("*"))
        root = phase.gold if phase.gold.is_dir() else phase.gold.parent
        for path in found:
            if path.is_file():
                files[f"gold/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    else:
        place = f"split = {json.dumps(phase.split)}"
        data = competition.data_folder
        split = load_split(competition.card, phase.split, data, competition.options)
        split.require_gold()
        for path in split.files:
            files[f"data/{path.relative_to(data).as_posix()}"] = path.read_bytes()
    lines = [
        f"title = {json.dumps(competition.title, ensure_ascii=False)}",
        f"task = {json.dumps(competition.task)}",
        'data = "data"',
        f"metrics = {json.dumps(list(competition.figures))}",
        "[options]",
        *(f"{name} = {json.dumps(value)}" for name, value in competition.options.items()),
        "[[phases]]",
        f"name = {json.dumps(phase.name)}",
        place,
        f"opens = {phase.opens.isoformat()}",
    ]
    return {FILE: ("\n".join(lines) + "\n").encode(), **files}


def _codabench(competition: Competition, image: str) -> dict[str, bytes | str]:
    try:
        import yaml
    except ImportError as error:
        raise missing_package("A bundle", error.name, "web") from error
    limits = competition.limits
    settings = {
        "version": 2,
        "title": competition.title,
        "description": competition.description or competition.card.shared_task,
        "image": "logo.png",
        "registration_auto_approve": competition.registration == "open",
        "docker_image": image,
        "terms": "pages/terms.md",
        "pages": [{"title": "Overview", "file": "pages/overview.md"}],
        "tasks": [
            {
                "index": place,
                "name": phase.name,
                "description": competition.card.splits.get(phase.split, phase.name),
                "reference_data": f"reference_data_{place}.zip",
                "scoring_program": "scoring_program.zip",
            }
            for place, phase in enumerate(competition.phases)
        ],
        "phases": [
            {
                "index": place,
                "name": phase.name,
                "description": competition.card.splits.get(phase.split, phase.name),
                "start": phase.opens.strftime("%Y-%m-%d %H:%M:%S"),
                **({"end": phase.closes.strftime("%Y-%m-%d %H:%M:%S")} if phase.closes else {}),
                "max_submissions_per_day": limits.per_day,
                "max_submissions": limits.per_phase,
                "execution_time_limit": int(limits.seconds),
                "tasks": [place],
            }
            for place, phase in enumerate(competition.phases)
        ],
        "leaderboards": [
            {
                "title": "Results",
                "key": "results",
                "submission_rule": "Force_Best",
                "columns": [
                    {
                        "title": name,
                        "key": name.replace(".", "_"),
                        "index": place,
                        "sorting": "desc",
                    }
                    for place, name in enumerate(competition.figures)
                ],
            }
        ],
    }
    program = {
        "metadata.yaml": "command: python3 /app/program/score.py /app/input /app/output\n",
        "score.py": CODABENCH_PROGRAM,
    }
    licence = f"The data are licensed under {competition.card.data_licence}.\n"
    files: dict[str, bytes | str] = {
        "competition.yaml": yaml.safe_dump(settings, sort_keys=False, allow_unicode=True),
        "pages/overview.md": f"# {competition.title}\n\n{competition.card.question}\n",
        "pages/terms.md": licence,
        "logo.png": _picture(),
        "scoring_program.zip": pack(program),
    }
    for place, phase in enumerate(competition.phases):
        files[f"reference_data_{place}.zip"] = pack(reference_files(competition, phase))
    return files


def _tira(competition: Competition) -> dict[str, bytes | str]:
    """Inputs and truths of each phase in folders of their own, and an evaluator."""
    files: dict[str, bytes | str] = {"evaluator/score.py": TIRA_PROGRAM}
    for phase in competition.phases:
        for name, content in reference_files(competition, phase).items():
            files[f"{phase.name}-truths/{name}"] = content
        if phase.split:
            files[f"{phase.name}-inputs/inputs.jsonl"] = "".join(_inputs(competition, phase))
    return files


def _inputs(competition: Competition, phase: Phase) -> Iterator[str]:
    """The items as a program gets them from ``bench run --system "cmd: …"``; an item has no label."""
    split = load_split(competition.card, phase.split, competition.data_folder, competition.options)
    for id, item in split.items.items():
        row: Mapping[str, object] = {"id": id, "item": plain(item_data(item))}
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _picture(size: int = 64) -> bytes:
    """A plain square: the platform wants a picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    rows = (b"\0" + b"\xe0" * size) * size
    whole = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + whole
