"""A competition for other platforms: a Codabench bundle, or the folders that TIRA takes.

Both carry a small scoring program that calls Marginalia, which must be in the image they name.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Mapping

from marginalia.bench.host.settings import FILE, Competition, Phase
from marginalia.bench.program import item_data
from marginalia.bench.run import load_split
from marginalia.core.archive import pack
from marginalia.core.errors import FormatError, missing_package
from marginalia.core.report import plain

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
