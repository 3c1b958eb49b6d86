"""One system of the measurement task in fresh processes: seconds, memory, and how both grow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

PARAGRAPHS = (40, 80, 160, 313)
QUANTITIES = (10, 25, 50, 100, 200)
LONGEST = max(QUANTITIES)

FIRST = """
import json, sys, time
start = time.perf_counter()
from marginalia import get_benchmark
from marginalia.tasks.measurement.official.data import Paragraph
task = get_benchmark("measurement")
system = task.system(sys.argv[1])
system.predict({"x": Paragraph("x", "unknown", "The lake is 31 m deep.")})
cold = time.perf_counter() - start
items = {str(i): Paragraph("x", "unknown", text) for i, text in enumerate(json.load(sys.stdin))}
wall, cpu = time.perf_counter(), time.process_time()
system.predict(items)
wall_s, cpu_s = time.perf_counter() - wall, time.process_time() - cpu
# Not getrusage: its peak begins with that of the process which started this one.
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"paragraphs": len(items), "wall_s": wall_s,
    "cpu_s": cpu_s, "cold_start_s": cold, "peak_memory_mb": peak / 1024}))
"""

GROWTH = """
import json, statistics, sys, time
from marginalia import get_benchmark
from marginalia.tasks.measurement.official.data import Paragraph
found = {}
for what, steps in json.load(sys.stdin).items():
    found[what] = []
    for size, texts in steps:
        items = {str(i): Paragraph("x", "unknown", text) for i, text in enumerate(texts)}
        times = []
        for _ in range(3):
            # Made anew, since it may remember what it read.
            system = get_benchmark("measurement").system(sys.argv[1])
            system.predict({"x": Paragraph("x", "unknown", "The lake is 31 m deep.")})
            start = time.process_time()
            pred = system.predict(items)
            times.append(time.process_time() - start)
        quantities = sum(span.type == "Quantity" for spans in pred.values() for span in spans)
        found[what].append(
            {"size": size, "cpu_s": statistics.median(times), "quantities_found": quantities})
print(json.dumps(found))
"""


def against_torch(base: str, texts: list[str]) -> dict[str, float]:
    """CPU seconds of the shipped graphs and of the same network in torch, in turns, on one thread.

    Torch gets fresh heads on the base model: what they say is nothing, what they cost is the same.
    """
    import statistics
    import time

    import torch

    from marginalia.nlp.encoder import english
    from marginalia.quantities.finder import find_quantities
    from marginalia.tasks.measurement.systems.inference import Graphs
    from marginalia.tasks.measurement.systems.inputs import ASKED, ask, read_windows
    from marginalia.tasks.measurement.systems.train.recipe import load_network

    torch.set_num_threads(1)
    slow, fast = load_network(base).eval(), Graphs()

    def in_torch(text: str) -> None:
        quantities = find_quantities(text)
        for window in read_windows(text, english().tokenizer):
            pieces = torch.from_numpy(window.pieces)[None]
            mask = torch.ones_like(pieces)
            vectors = slow.encode(pieces, torch.from_numpy(window.shapes)[None], mask)
            slow.quantity(vectors), slow.unit(vectors), slow.kinds(vectors)
            covered = [window.cover(q.start, q.end) for q in quantities]
            places = [place for place in covered if place]
            if places:
                seen = ask(window, places, places)
                asked = {name: torch.from_numpy(getattr(seen, name)) for name in ASKED}
                slow.read(vectors, mask, torch.zeros(len(places), dtype=torch.long), asked)

    seconds: dict[str, list[float]] = {"torch": [], "onnx": []}
    with torch.inference_mode():
        for number in range(4):
            for name, work in (("torch", in_torch), ("onnx", fast._quantities)):
                start = time.process_time()
                for text in texts:
                    work(text)
                if number:  # the first round warms up
                    seconds[name].append(time.process_time() - start)
    ratio = statistics.median(a / b for a, b in zip(*seconds.values(), strict=True))
    found = {name: len(texts) / statistics.median(times) for name, times in seconds.items()}
    return {**found, "ratio": ratio}


def measure(name: str, texts: list[str]) -> dict[str, Any]:
    """All labelled paragraphs after a cold start; then growth, each step the median of three."""
    found = _fresh(FIRST, name, texts)
    found["growth"] = _fresh(GROWTH, name, growth(texts))
    print(name, found, file=sys.stderr, flush=True)
    return found


def growth(texts: list[str]) -> dict[str, list[tuple[int, list[str]]]]:
    """Texts by what grows. A paragraph grows by sentences with a quantity each, or only its quantities do."""
    return {
        "paragraphs": [(n, texts[:n]) for n in PARAGRAPHS],
        "quantities of a paragraph that grows with them": [(n, [page(n, n)]) for n in QUANTITIES],
        f"quantities of a paragraph of {LONGEST} sentences": [
            (n, [page(n, LONGEST)]) for n in QUANTITIES
        ],
    }


def page(quantities: int, sentences: int) -> str:
    """So many sentences of like length, so many of them, evenly spread, with a quantity."""
    told = [
        f"The depth of lake {chr(65 + i % 26)} was {i + 3}.5 m."
        if (i + 1) * quantities // sentences > i * quantities // sentences
        else f"The depth of lake {chr(65 + i % 26)} was not told."
        for i in range(sentences)
    ]
    return " ".join(told)


def _fresh(code: str, name: str, given: Any) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", code, name],
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "MARGINALIA_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    return json.loads(done.stdout)
