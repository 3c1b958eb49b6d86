"""Where the processor's seconds of a reading go, before a change and after it, in the same run.

    python benchmarks/stages.py --before FOLDER [--document FILE.pdf] [--rounds N]

FOLDER is an earlier state of this repository (``git archive COMMIT | tar x -C FOLDER``). Both read the same documents in
fresh processes, one after the other, several rounds, with one thread and without the cache: FILE, or a PDF of 12 pages that is
set from sentences of the shared tasks (``reader.make_pdf``). Seconds are user and system time, the least of all rounds,
since other work on the machine only adds to it. Modules are compiled beforehand, as in an installed package. Needs MARGINALIA_DATA
and reportlab.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep

from reader import make_pdf

RESULT = RESULTS / "stages.json"
PAGE = ROOT / "benchmarks/README.md"
PAGES = 12
GIVEN = "a paper of 12 pages"
ROUNDS = 3
TRIES = 5
TASKS = ("measurement", "variables", "clarification", "complexity", "similarity")

READ = """
import contextlib, hashlib, json, os, resource, sys, time
spent = {}
def add(name, start):
    spent[name] = spent.get(name, 0.0) + time.process_time() - start
import onnxruntime
class Session(onnxruntime.InferenceSession):
    def __init__(self, *args, **kwargs):
        start = time.process_time()
        super().__init__(*args, **kwargs)
        add("loading", start)
    def run(self, *args, **kwargs):
        start = time.process_time()
        made = super().run(*args, **kwargs)
        add("models", start)
        return made
onnxruntime.InferenceSession = Session
from marginalia.reader.annotate import assemble, choose_tasks, stream
from marginalia.reader.read import read
start = time.process_time()
doc = read(sys.argv[1])
add("text", start)
spent["pdf"] = sum(os.times()[2:4])
tasks, batches, found = choose_tasks(None), [], stream(doc)
marks = [time.process_time()]
def mark():
    marks.append(time.process_time())
try:
    from marginalia.core.pauses import pausing
except ImportError:
    pausing = lambda how: contextlib.nullcontext()
while True:
    start = time.process_time()
    with pausing(mark):
        batch = next(found, None)
    if batch is None:
        break
    mark()
    batches.append(batch)
    add(batch.task, start)
spent["stretch"] = max(b - a for a, b in zip(marks, marks[1:]))
made = assemble(doc, tasks, batches)
notes = json.dumps([note.to_dict() for note in made.annotations], sort_keys=True, default=str)
spent["all"] = time.process_time() + sum(os.times()[2:4])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": spent, "notes": len(made.annotations), "peak_memory_mb": peak,
    "sha256": hashlib.sha256(notes.encode()).hexdigest()}))
"""


def read_once(source: Path, document: Path, compiled: str) -> dict[str, Any]:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {
        "PYTHONPATH": os.pathsep.join([str(source / "src"), str(source / "noncommercial/src")]),
        "PYTHONPYCACHEPREFIX": compiled,
        "MARGINALIA_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-c", READ, str(document)]
    for left in reversed(range(TRIES)):  # a PDF may take too long to open where others work too
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=not left)
        if done.returncode == 0:
            return dict(json.loads(done.stdout))
    raise AssertionError("the last try raises")


def read_in_turns(
    sources: dict[str, Path], document: Path, rounds: int, compiled: str
) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in sources}
    for number in range(rounds):
        for name, source in sources.items():
            found[name].append(read_once(source, document, compiled))
            print(number, name, found[name][-1], file=sys.stderr)
    return found


def least(found: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """The least seconds of each stage in each state, and whether the notes are the same."""
    made: dict[str, Any] = {}
    for name, runs in found.items():
        stages = {stage: [one["seconds"][stage] for one in runs] for stage in runs[0]["seconds"]}
        made[name] = {
            "seconds": {stage: round(min(each), 2) for stage, each in stages.items()},
            "median_s": round(statistics.median(stages["all"]), 2),
            "notes": runs[0]["notes"],
            "peak_memory_mb": round(min(one["peak_memory_mb"] for one in runs)),
        }
    made["same_notes"] = len({one["sha256"] for runs in found.values() for one in runs}) == 1
    return made


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--before", type=Path, required=True, help="an earlier state of this repository"
    )
    parser.add_argument(
        "--document", type=Path, help="a PDF to read in place of the one that is made"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    return parser


def main() -> None:
    given = parser().parse_args()
    sources = {"before": given.before.resolve(), "after": ROOT}
    results: dict[str, Any] = {"commands": {}, "rounds": given.rounds, "documents": {}}
    with tempfile.TemporaryDirectory() as folder:
        name, document = GIVEN, given.document
        if document is None:
            name, document = f"{PAGES} pages, set from sentences", Path(folder) / f"{PAGES}.pdf"
            make_pdf(document, PAGES)
        compiled = str(Path(folder) / "compiled")
        for source in sources.values():
            read_once(source, ROOT / "examples/article.pdf", compiled)
        found = read_in_turns(sources, document.resolve(), given.rounds, compiled)
        results["documents"][name] = least(found)
    options = "--before FOLDER" + (" --document FILE" if given.document else "")
    keep(RESULT, results, options=options)
    fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    named = {
        "pdf": "PDF, in its own process",
        "text": "text, layout, language",
        **{task: f"notes: {task}" for task in TASKS},
        "all": "**all**, imports too",
        "models": "of these: passes through models",
        "loading": "of these: models opened",
        "stretch": "longest stretch in which nobody else can come in",
    }
    columns, sides = ["CPU seconds, one thread"], []
    for name, found in results["documents"].items():
        columns += [f"{name}: before", "after"]
        sides += [found["before"], found["after"]]
    rows = [
        [title, *(f"{side['seconds'].get(stage, 0.0):.2f}" for side in sides)]
        for stage, title in named.items()
    ]
    rows.append(["peak MB", *(f"{side['peak_memory_mb']:,}" for side in sides)])
    same = ["yes" if one["same_notes"] else "no" for one in results["documents"].values()]
    rows.append(["the same notes", *(cell for one in same for cell in ("", one))])
    return {(PAGE, "stages:seconds"): markdown(columns, rows)}


if __name__ == "__main__":
    main()
