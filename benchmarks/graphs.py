"""A pass through a shipped graph: as it is stored, and as it is changed while it is loaded.

    python benchmarks/graphs.py

Both take turns in one process with one thread; milliseconds are the processor's, the least of several rounds. Writes
results/graphs.json and the table in the README of this folder.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep

from marginalia.nlp.encoder import english
from marginalia.nlp.fast_graph import signed_products_are_exact
from marginalia.nlp.onnx import open_session, start

RESULT = RESULTS / "graphs.json"
ROUNDS = 20
PIECES = (15, 40, 120)
NETWORK = ROOT / "noncommercial/src/marginalia_noncommercial/clarification/network.onnx"
FILLERS = 10


def numbers(session: Any, pieces: int) -> dict[str, Any]:
    """Input of the right shapes; what it says makes no difference to the time."""
    random = np.random.default_rng(pieces)
    sizes = {"pieces": pieces, "tokens": pieces, "fillers": FILLERS, "batch": 1}
    made: dict[str, Any] = {}
    for given in session.get_inputs():
        shape = [sizes.get(size, size) for size in given.shape]
        made[given.name] = np.zeros(shape, dtype=np.int64)
        if given.name == "input_ids":
            made[given.name] = random.integers(1000, 20000, shape)
        elif given.name == "attention_mask":
            made[given.name] += 1
        elif given.type == "tensor(float)":
            made[given.name] = random.normal(0, 0.05, shape).astype(np.float32)
    return made


def passes(path: Path, *, norms_apart: bool, output: str) -> list[dict[str, Any]]:
    """The least milliseconds of a pass over each number of pieces, and how far its numbers are apart."""
    sessions = {"stored": open_session(path), "loaded": start(path, norms_apart=norms_apart)}
    found = []
    for pieces in PIECES:
        least = dict.fromkeys(sessions, float("inf"))
        made: dict[str, Any] = {}
        for _ in range(ROUNDS):
            for name, session in sessions.items():
                feed = numbers(session, pieces)
                begin = time.process_time()
                [made[name]] = session.run([output], feed)
                least[name] = min(least[name], time.process_time() - begin)
        found.append(
            {
                "pieces": pieces,
                **{f"{name}_ms": round(1000 * seconds, 2) for name, seconds in least.items()},
                "same_bits": made["stored"].tobytes() == made["loaded"].tobytes(),
            }
        )
    return found


def parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=__doc__)


def main() -> None:
    parser().parse_args()
    lower = english().folder / "lower.onnx"
    results: dict[str, Any] = {
        "commands": {},
        "signed_products_are_exact": signed_products_are_exact(),
        "passes": {
            "shared encoder, eight layers: norms by themselves": passes(
                lower, norms_apart=True, output="layer_8"
            ),
            "clarification network: signed weights": passes(
                NETWORK, norms_apart=False, output="heads"
            ),
        },
    }
    keep(RESULT, results)
    fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [
            name,
            str(one["pieces"]),
            f"{one['stored_ms']:.1f}",
            f"{one['loaded_ms']:.1f}",
            f"{one['stored_ms'] / one['loaded_ms']:.2f}×",
            "yes" if one["same_bits"] else "no",
        ]
        for name, found in results["passes"].items()
        for one in found
    ]
    columns = ("graph", "pieces", "as stored, CPU ms", "as loaded", "ratio", "same bits")
    return {(ROOT / "benchmarks/README.md", "graphs:passes"): markdown(columns, rows)}


if __name__ == "__main__":
    main()
