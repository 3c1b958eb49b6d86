"""Runs of ``corpus annotate`` that are watched: how long, how much memory, what each document cost.

A run that was stopped goes on when it is made again in the same folder; its time and its peaks are those of all its sessions.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

LOOK_SECONDS = 0.5
COUNTING = """
import os
def count(module):
    plain = module.start
    def start(model, **options):
        with open(os.environ["COUNT_FILE"], "a") as file:
            file.write(f"{os.getpid()} {model if not isinstance(model, bytes) else len(model)}\\n")
        return plain(model, **options)
    module.start = start
import importlib.abc, importlib.util, sys
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "marginalia.nlp.onnx":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module
        spec.loader.exec_module = lambda module: (run(module), count(module))
        return spec
sys.meta_path.insert(0, Finder())
"""
"""A ``sitecustomize`` that writes down every model that a process starts."""


class Limit:
    """When to stop: a number of minutes from now on, or never."""

    def __init__(self, minutes: float = float("inf")) -> None:
        self.end = time.monotonic() + 60 * minutes

    def is_over(self) -> bool:
        return time.monotonic() > self.end


def run(
    source: Path,
    out: Path,
    *words: str,
    env: dict[str, str] | None = None,
    limit: Limit | None = None,
) -> dict[str, Any]:
    """One run of the command: what it did, its peak memory, and what its workers spent."""
    sessions = out.with_name(f"{out.name}-sessions.json")
    known: dict[str, Any] = json.loads(sessions.read_text()) if sessions.exists() else {}
    if "exit" not in known:
        known = _session(source, out, words, env or {}, limit or Limit(), known, sessions)
    records = [json.loads(path.read_text()) for path in sorted(out.glob("commits/*.json"))]
    rows = [row for record in records for row in record["documents"]]
    done = [row for row in rows if row["status"] == "done"]
    spent = sorted(row["cpu"] for row in rows if "cpu" in row)
    steady = spent[: max(1, len(spent) - 4)]  # the first of each worker loads the models
    notes: Counter[str] = Counter()
    for row in done:
        notes.update(row["notes"])
    size = sum(path.stat().st_size for path in out.glob("*/*.parquet"))
    return {
        "documents": len(done),
        "errors": sum(row["status"] == "error" for row in rows),
        "exit": known.get("exit"),
        "wall_s": round(known["wall_s"], 1),
        "documents_per_s": round(len(done) / known["wall_s"], 4),
        "cpu_s_each": round(sum(steady) / max(1, len(steady)), 4),
        "driver_peak_mb": round(known["driver_mb"]),
        "worker_peak_mb": round(known["worker_mb"]),
        "bytes_each": round(size / max(1, len(done))),
        "notes": dict(sorted(notes.items())),
    }


def _session(
    source: Path,
    out: Path,
    words: tuple[str, ...],
    env: dict[str, str],
    limit: Limit,
    known: dict[str, Any],
    sessions: Path,
) -> dict[str, Any]:
    """Start the command and watch it until it ends or the time is up. What is known is written down all the time."""
    annotate = [sys.executable, "-m", "marginalia", "corpus", "annotate"]
    command = [*annotate, str(source), "-o", str(out), "--json", *words]
    before = known.get("wall_s", 0.0)
    peaks = {name: known.get(name, 0.0) for name in ("driver_mb", "worker_mb")}
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **env})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # or the command would go on alone
    try:
        while (code := process.poll()) is None and not limit.is_over():
            _look(process.pid, peaks)
            known = {"wall_s": before + time.perf_counter() - begun, **peaks}
            sessions.write_text(json.dumps(known))
            try:
                process.wait(LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                continue
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    known = {"wall_s": before + time.perf_counter() - begun, **peaks}
    if code is not None:
        if code not in (0, 1):
            raise SystemExit(f"the run ended with exit code {code}: {' '.join(command)}")
        known["exit"] = code
    sessions.write_text(json.dumps(known))
    return known


def _look(driver: int, peaks: dict[str, float]) -> None:
    """The peaks of the driver and of its largest worker so far, in MB."""
    found = [driver]
    for task in Path(f"/proc/{driver}/task").glob("*/children"):
        try:
            found += [int(one) for one in task.read_text().split()]
        except OSError:
            continue
    for pid in found:
        try:
            status = Path(f"/proc/{pid}/status").read_text()
            peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
        except (OSError, IndexError):
            continue
        who = "driver_mb" if pid == driver else "worker_mb"
        peaks[who] = max(peaks[who], peak)
