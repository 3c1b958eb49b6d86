"""A cluster in simulation: what stragglers, lost workers and the single committer do to a run of many hours.

    python benchmarks/schedule.py

Costs of a document come from ``results/corpus.json``: a mean, spread as lengths of papers are (log-normal), with one in ten thousand that takes
a hundred times as long and is cut off by the time limit. What a commit takes is measured on this machine's disk. Workers are lost at a given rate and are away for a while; the batch they had is
done again. Parts are committed one after another by one driver. A simulation of so many cores is one of cores, not of machines:
networks and disks are in the plan of ``docs/explanation/scale.md``, not here.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep

from marginalia.corpus.store import Store
from marginalia.corpus.supervisor import Part

RESULT = RESULTS / "schedule.json"
PAGE = ROOT / "docs/explanation/scale.md"
BATCH = 16
SPREAD = 0.6
"""Standard deviation of the logarithm of a document's cost."""
STRAGGLERS = 1e-4
LIMIT_S = 300.0
"""``--timeout``, stricter than the default: long runs are better off without books."""
PARTS = 200
"""Parts that are committed to measure what a driver needs for one: six files of a usual size, each synced, and a record."""
FILE_BYTES = 60_000
AWAY_S = 60.0
"""Until a lost worker is back with its models loaded."""


def commit_seconds() -> float:
    """The median time in which a part is committed."""
    names = ("documents", "annotations", "measurements", "links", "passages", "errors")
    documents = [{"name": f"{n}.txt", "key": "0" * 64, "status": "done"} for n in range(BATCH)]
    took = []
    with (
        tempfile.TemporaryDirectory(dir=".") as folder,
        Store.open_to_write(Path(folder) / "corpus", {}) as store,
    ):
        for number in range(PARTS):
            files = {name: bytes([number % 256]) * FILE_BYTES for name in names}
            began = time.perf_counter()
            store.commit(Part(documents=documents, files=files))
            took.append(time.perf_counter() - began)
    return statistics.median(took)


def simulate(
    cores: int,
    hours: float,
    cost_s: float,
    commit_s: float,
    losses_per_hour: float,
    drivers: int,
    seed: int = 0,
) -> dict[str, float]:
    """A run sized to take so many hours with perfect cores: how long it takes, and where the time goes."""
    chance = random.Random(seed)
    batches = max(cores, int(cores * hours * 3600 / (cost_s * BATCH)))
    costs = draw(batches, cost_s, seed)
    committed = [0.0] * drivers
    useful = lost = end = 0.0
    started = 0
    running: list[tuple[float, int]] = []

    def start(now: float, core: int) -> None:
        nonlocal started, useful, lost
        work = costs[started]
        started += 1
        useful += work
        while losses_per_hour and chance.random() < work * losses_per_hour / 3600:
            gone = chance.uniform(0, work)
            lost += gone
            now += gone + AWAY_S
        heapq.heappush(running, (now + work, core))

    for core in range(min(cores, batches)):
        start(0.0, core)
    while running:
        now, core = heapq.heappop(running)
        driver = core % drivers
        begun = max(now, committed[driver])
        committed[driver] = begun + commit_s
        end = max(end, committed[driver])
        if started < batches:
            # A worker goes on at once, unless the driver is a whole batch behind.
            start(max(now, begun - cost_s * BATCH), core)
    return {
        "hours": round(end / 3600, 3),
        "efficiency": round(useful / (cores * end), 4),
        "done_again": round(lost / useful, 5),
        "driver_busy": round(batches / drivers * commit_s / end, 4),
    }


def draw(batches: int, cost_s: float, seed: int) -> list[float]:
    """What each batch costs: documents of all lengths, some of which are cut off."""
    random = np.random.default_rng(seed)
    mean = -(SPREAD**2) / 2  # so that the mean of the factor is one
    each = cost_s * random.lognormal(mean, SPREAD, (batches, BATCH))
    each[random.random(each.shape) < STRAGGLERS] *= 100
    found: list[float] = np.minimum(each, LIMIT_S).sum(axis=1).tolist()
    return found


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [
            f"{row['cores']:,}",
            str(row["drivers"]),
            f"{row['losses_per_hour']:g}",
            f"{row['hours']:.2f}",
            f"{row['efficiency']:.1%}",
            f"{row['done_again']:.2%}",
            f"{row['driver_busy']:.0%}",
        ]
        for row in results["runs"]
    ]
    columns = [
        "cores",
        "drivers",
        "losses per core and hour",
        "hours (ideal 2)",
        "cores busy with what counts",
        "done again",
        "driver busy",
    ]
    alone = next(row for row in results["runs"] if row["cores"] == 10_000 and row["drivers"] == 1)
    took = 1000 * results["commit_s"]
    most = 1000 * results["cost_s"] * BATCH / alone["cores"]
    driver = (
        f"A commit is six files and a record, each synced: {took:.1f} ms on this machine's disk, which the simulation takes over. Ten thousand cores\n"
        f"then keep one driver busy for {alone['driver_busy']:.0%} of its time; from {most:.1f} ms for a commit on, as on many network file "
        "systems, they would wait for it.\n"
    )
    return {(PAGE, "schedule"): markdown(columns, rows), (PAGE, "schedule:driver"): driver}


def parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def main() -> None:
    parser().parse_args()
    measured = json.loads((RESULTS / "corpus.json").read_text(encoding="utf-8"))
    cost_s = measured["kinds"]["all"]["cpu_s_each"]
    commit_s = commit_seconds()
    print(f"a commit takes {1000 * commit_s:.1f} ms", flush=True)
    runs = []
    for cores, drivers, losses in (
        (1, 1, 0.0),
        (100, 1, 0.0),
        (100, 1, 0.01),
        (100, 1, 0.1),
        (10_000, 1, 0.01),
        (10_000, 10, 0.01),
        (10_000, 100, 0.1),
    ):
        row = simulate(cores, 2.0, cost_s, commit_s, losses, drivers)
        runs.append({"cores": cores, "drivers": drivers, "losses_per_hour": losses, **row})
        print(runs[-1], flush=True)
    results = {"commands": {}, "cost_s": cost_s, "commit_s": round(commit_s, 5), "runs": runs}
    keep(RESULT, results)
    fill(tables(results))


if __name__ == "__main__":
    main()
