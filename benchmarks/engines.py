"""The catalogue's index against search engines that do the same: SQLite FTS5, bm25s and tantivy.

    python benchmarks/engines.py [--sizes 10000 134000 1000000] [--engine NAME]... [--memory GB] [--work DIR]

Each engine reads the same variables from JSON lines (invented ones, and the real ones of SV-Ident among them), builds
its index and answers in fresh processes on one thread. Four kinds of queries: a label as it is written; the same with a
slip in every longer word; two thirds of the words of a question; and, against the real variables, sentences of papers
that use them (200 of each, 50 from half a million variables on). An answer counts where a variable that asks the same is first (sentences: among the first ten). Needs
the task's data; seconds are of the processor. A process that wants more memory than ``--memory`` is stopped, and its row
says so; every row is kept as soon as it is measured. The rows "ours" are of the index that tantivy replaced (version 1 of
catalogues) and are kept as they were measured then.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engines_searched import engine
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "engines.json"
PAGE = ROOT / "docs" / "explanation" / "catalogue-engine.md"
SIZES = (10_000, 134_000, 1_000_000)
ENGINES = ("shipped", "fts5", "fts5, trigrams", "bm25s", "tantivy", "tantivy, fuzzy")
QUERIES, FEW_QUERIES = 200, 50
"""Of each kind; the few where an engine takes a second for one."""
MAX_SIZE_FOR_ALL = 500_000
MAX_MEMORY_GB = 12.0
KINDS = ("label", "typos", "question", "sentence")


def variables(size: int) -> Iterator[dict[str, str]]:
    """Real variables first, then invented ones; ``group`` says which ask the same."""
    from catalogues import PER_SURVEY, Inventor

    from marginalia.core.data_folder import data_folder
    from marginalia.tasks.variables.catalogue.groups import group_key
    from marginalia.tasks.variables.catalogue.parts import parts_of
    from marginalia.tasks.variables.official.vocabulary import make_variable, read_vocabulary

    real = read_vocabulary(data_folder() / "sv-ident" / "vocabulary_partial.tsv")
    parts = parts_of(real)
    inventor = Inventor()
    for number in range(size):
        if number < len(real):
            id = real.ids[number]
            survey, fields = real[id].survey, dict(parts[id])
        else:
            id, survey = f"V{number}", f"S{number // PER_SURVEY:04}"
            _, label, question, answers, topic = inventor.question()
            fields = {"label": label, "question": question, "answers": answers, "topic": topic}
        made = make_variable(id, survey, fields)
        yield {"id": id, "survey": survey, **made.fields, "group": group_key(made)}


def queries(path: Path) -> dict[str, list[Any]]:
    """By kind: what is asked, and the groups or ids that are right."""
    from marginalia import get_benchmark
    from marginalia.core.data_folder import data_folder

    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    count = QUERIES if len(rows) <= MAX_SIZE_FOR_ALL else FEW_QUERIES
    chosen = random.Random(1)
    some = chosen.sample([row for row in rows if len(row.get("label", "").split()) > 1], count)
    asked = chosen.sample([row for row in rows if len(row.get("question", "").split()) > 5], count)
    split = get_benchmark("variables").load("train", data_folder(), candidates="all")
    known = {row["id"]: row["group"] for row in rows}
    gold = [
        (split.items[id].sentence, [known[one] for one in label.variables if one in known])
        for id, label in split.require_gold().items()
    ]
    return {
        "label": [(row["label"], [row["group"]]) for row in some],
        "typos": [(slips(row["label"], chosen), [row["group"]]) for row in some],
        "question": [(shortened(row["question"], chosen), [row["group"]]) for row in asked],
        "sentence": chosen.sample([pair for pair in gold if pair[1]], count),
    }


def slips(text: str, chosen: random.Random) -> str:
    """Two neighbouring letters exchanged in each word of five letters or more."""

    def slip(word: str) -> str:
        if len(word) < 5:
            return word
        place = chosen.randrange(1, len(word) - 2)
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]

    return " ".join(map(slip, text.split()))


def shortened(text: str, chosen: random.Random) -> str:
    words = text.split()
    return " ".join(chosen.sample(words, max(2, len(words) * 2 // 3)))


def step(what: str, name: str, size: str, work: str) -> dict[str, Any]:
    """One process's part: build, or search."""
    folder = Path(work)
    path, asked = folder / f"{size}.jsonl", folder / f"{size}.queries.json"
    own = folder_of(name, int(size), folder)
    one = engine(name, own)
    if what == "build":
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir()
        start = time.process_time()
        one.build(path)
        found: dict[str, Any] = {"build_cpu_s": time.process_time() - start}
        found["disk_mb"] = sum(f.stat().st_size for f in own.rglob("*") if f.is_file()) / 2**20
        return found
    groups = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            groups[row["id"]] = hash(row["group"])
    base = memory("RssAnon")
    one.open()
    one.search("Arbeitszufriedenheit in Europe")
    times, found = [], {}
    for kind, pairs in json.loads(asked.read_text(encoding="utf-8")).items():
        hits = 0
        for text, wanted in pairs:
            start = time.process_time()
            best = one.search(text)
            times.append(1000 * (time.process_time() - start))
            right = {hash(group) for group in wanted}
            hits += any(groups[id] in right for id in best[: 10 if kind == "sentence" else 1])
        found[kind] = hits / len(pairs)
    found |= {"median_cpu_ms": sorted(times)[len(times) // 2], "slowest_cpu_ms": max(times)}
    return found | {"own_mb": memory("RssAnon") - base}


def memory(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    found = dict(line.split(":", 1) for line in lines if ":" in line)
    return int(found[name].split()[0]) / 1024


def bounded(gigabytes: str, *what: str) -> dict[str, Any]:
    """A step that stops where it would take more memory than that."""
    import resource

    most = int(float(gigabytes) * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        found = step(*what)
    except MemoryError:
        found = {"stopped_at_gb": float(gigabytes)}
    return {**found, "peak_mb": memory("VmHWM")}


def fresh(what: str, name: str, size: int, folder: Path, gigabytes: float) -> dict[str, Any]:
    code = (
        "import json, sys; from engines import bounded; print(json.dumps(bounded(*sys.argv[1:])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(gigabytes), what, name, str(size), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=Path(__file__).parent,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def measure(
    size: int, names: tuple[str, ...], folder: Path, gigabytes: float
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each engine's row as soon as it is there."""
    path, asked = folder / f"{size}.jsonl", folder / f"{size}.queries.json"
    if not path.exists():
        with path.open("w", encoding="utf-8") as file:
            for row in variables(size):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        asked.write_text(json.dumps(queries(path), ensure_ascii=False), encoding="utf-8")
    built: dict[Path, dict[str, Any]] = {}
    for name in names:
        # Two ways to ask one index: it is built once.
        own = folder_of(name, size, folder)
        if own not in built:
            built[own] = fresh("build", name, size, folder, gigabytes)
        found = {"build": built[own]}
        if "stopped_at_gb" not in built[own]:
            found["search"] = fresh("search", name, size, folder, gigabytes)
        print(size, name, json.dumps(found), file=sys.stderr, flush=True)
        yield name, found
    for own in built:
        shutil.rmtree(own, ignore_errors=True)


def folder_of(name: str, size: int, folder: Path) -> Path:
    return folder / f"{size}-{name.partition(', ')[0]}"


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    columns = ("variables", "engine", "build", "its memory", "on disk", "a query", "slowest", "its memory",
               "label first", "with slips", "part of a question", "sentence, in ten")  # fmt: skip
    rows = [
        [f"{int(size):,}", name, *build_cells(row["build"]), *search_cells(row.get("search", {}))]
        for size, each in results["engines"].items()
        for name, row in (*results["tried"]["ours"].get(size, {}).items(), *each.items())
    ]
    return {(PAGE, "engines"): markdown(columns, rows) + "\n`python benchmarks/engines.py`\n"}


def build_cells(row: dict[str, Any]) -> list[str]:
    if "stopped_at_gb" in row:
        return ["stopped", f"more than {row['stopped_at_gb']:.0f} GB", "–"]
    sizes = (f"{row[name]:,.0f} MB" for name in ("peak_mb", "disk_mb"))
    return [f"{row['build_cpu_s']:,.0f} s", *sizes]


def search_cells(row: dict[str, Any]) -> list[str]:
    if "median_cpu_ms" not in row:
        return ["–"] * (3 + len(KINDS))
    return [
        f"{row['median_cpu_ms']:,.1f} ms",
        f"{row['slowest_cpu_ms']:,.0f} ms",
        f"{row['own_mb']:,.0f} MB",
        *(f"{row[kind]:.2f}" for kind in KINDS),
    ]


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--engine", action="append", choices=ENGINES, default=[])
    parser.add_argument("--memory", metavar="GB", type=float, default=MAX_MEMORY_GB)
    parser.add_argument("--work", metavar="DIR", help="where variables are kept")
    return parser


def main() -> None:
    args = parser().parse_args()
    names = tuple(args.engine) or ENGINES
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(args.work or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for size in args.sizes:
            for name, row in measure(size, names, folder, args.memory):
                record(size, name, row)


def record(size: int, name: str, row: dict[str, Any]) -> None:
    results = load(RESULT)
    known = results.setdefault("engines", {})
    old = known.get(str(size), {}) | {name: row}
    known[str(size)] = {name: old[name] for name in ENGINES if name in old}
    results["engines"] = dict(sorted(known.items(), key=lambda pair: int(pair[0])))
    results["measured"] = time.strftime("%Y-%m-%d")
    keep(RESULT, results, "engines", named=False)
    if PAGE.exists():
        fill(tables(results))


if __name__ == "__main__":
    main()
