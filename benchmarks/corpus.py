"""Many documents: throughput, memory, models loaded, broken documents, queries; and a plan made of these.

    python benchmarks/corpus.py all-notes --count 1000
    python benchmarks/corpus.py fast
    python benchmarks/corpus.py kinds
    python benchmarks/corpus.py broken
    python benchmarks/corpus.py query
    python benchmarks/corpus.py plan --core-hour 0.045 --gigabyte-month 0.023

Documents are synthetic (``synthetic.py``). ``scaling_wall`` is the ratio of documents a second by the clock on the wall, of two workers and
of one; ``scaling`` is the same by processor time, which other work on the machine changes little. ``all-notes`` stops after ``--minutes``,
records what is done, and goes on from there when it is run again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import synthetic
from annotate_runs import COUNTING, Limit, run
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "corpus.json"
PAGE = ROOT / "docs" / "explanation" / "scale.md"
PARTS = ("all-notes", "fast", "kinds", "broken", "query", "plan")
FAST = ("--notes", "measurement", "--system", "measurement=rules", "--no-vectors")
KINDS = ("complexity", "measurement", "variables", "clarification", "similarity")
ALL = (*KINDS, "measurement (rules)", "vectors", "all")
SHARE = 20
"""One worker reads a twentieth of what two read: the cost of a document does not depend on their number."""


def all_notes(count: int, minutes: float) -> dict[str, Any]:
    """All notes with one and with two workers, and how often each worker starts each model. Goes on where it was stopped."""
    folder = Path(tempfile.gettempdir()) / f"marginalia-all-notes-{count}"
    (folder / "site").mkdir(parents=True, exist_ok=True)
    (folder / "site" / "sitecustomize.py").write_text(COUNTING)
    catalogue = ("--catalogue", str(ROOT / "examples/survey.ddi.xml"))
    sizes = {1: max(min(count, 8), count // SHARE), 2: count}
    limit = Limit(minutes)
    found: dict[str, Any] = {"words": synthetic.WORDS_PER_DOCUMENT}
    print(f"in {folder}; delete it to begin again", flush=True)
    for workers, size in sizes.items():
        source = folder / f"{size}.jsonl"
        if not source.exists():
            made = synthetic.write_lines(source.with_suffix(".new"), size)
            made.replace(source)
        counted = folder / f"models-{workers}"
        env = {"PYTHONPATH": str(folder / "site"), "COUNT_FILE": str(counted)}
        options = ("--workers", str(workers), *catalogue)
        row = run(source, folder / str(workers), *options, env=env, limit=limit)
        if not row["documents"]:
            raise SystemExit("the time was up before anything was done: run it again to go on")
        started = counted.read_text().splitlines()
        row |= {
            "model_starts": len(started),
            "most_starts_of_one": max(started.count(one) for one in set(started)),
        }
        found[f"workers_{workers}"] = row
    found |= scaling(found["workers_1"], found["workers_2"])
    if found["workers_2"]["documents"] == count:
        shutil.rmtree(folder)
    else:
        found["note"] = f"stopped after {found['workers_2']['documents']} of {count} documents"
    return found


def fast(sizes: tuple[int, ...], words: int) -> dict[str, Any]:
    """The fast system: memory as the corpus grows, and one and two workers on the largest."""
    found: dict[str, Any] = {"words": words, "sizes": {}}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for size in sizes:
            source = synthetic.write_lines(folder / f"{size}.jsonl", size, words=words)
            found["sizes"][str(size)] = run(source, folder / f"out-{size}", "--workers", "2", *FAST)
        found["workers_1"] = run(source, folder / "one", "--workers", "1", *FAST)
    return found | scaling(found["workers_1"], found["sizes"][str(sizes[-1])])


def scaling(one: dict[str, Any], two: dict[str, Any]) -> dict[str, float]:
    """What two workers do against one: by the clock on the wall, and twice the ratio of what a core of each does."""
    return {
        "scaling": round(2 * one["cpu_s_each"] / two["cpu_s_each"], 3),
        "scaling_wall": round(two["documents_per_s"] / one["documents_per_s"], 3),
    }


def kinds(count: int, names: tuple[str, ...] = ALL) -> dict[str, Any]:
    """Each kind of note alone, and vectors alone: what a document costs, and how much of it is spent in the encoder."""
    code = """
import json, sys, time
sys.path.insert(0, sys.argv[3])
import synthetic
from marginalia.nlp import encoder
from marginalia.corpus.document_rows import make_rows
from marginalia.corpus.settings import Settings
from marginalia.corpus.sources import Item
spent = [0.0]
plain = encoder.Encoder._pass
def timed(self, *args):
    begun = time.thread_time()
    try:
        return plain(self, *args)
    finally:
        spent[0] += time.thread_time() - begun
encoder.Encoder._pass = timed
kind, count = sys.argv[1], int(sys.argv[2])
own = {"notes": (kind,), "vectors": False} if kind not in ("all", "vectors") else {"vectors": True}
if kind == "vectors":
    own["notes"], own["systems"] = ("measurement",), {"measurement": "numbers"}
if kind.endswith("(rules)"):
    own["notes"], own["systems"] = ("measurement",), {"measurement": "rules"}
if kind in ("all", "variables"):
    own["options"] = {"catalogue": sys.argv[4]}
settings = Settings(**own).check()
for number, text in enumerate(synthetic.documents(count + 1, seed=7)):
    item = Item(name=f"d/{number}.md", source="d", path="d", stamp="", data=text.encode())
    make_rows(item, item.data, "k", settings)
    if number == 0:
        begun, spent[0] = time.process_time(), 0.0
print(json.dumps({"cpu_s_each": (time.process_time() - begun) / count, "encoder_s_each": spent[0] / count}))
"""
    found: dict[str, Any] = {}
    for kind in names:
        words = [
            sys.executable,
            "-c",
            code,
            kind,
            str(count),
            str(ROOT / "benchmarks"),
            str(ROOT / "examples/survey.ddi.xml"),
        ]
        env = {**os.environ, "MARGINALIA_THREADS": "1", "OMP_NUM_THREADS": "1"}
        ran = subprocess.run(words, capture_output=True, text=True, check=True, env=env)
        found[kind] = {
            name: round(value, 4) for name, value in json.loads(ran.stdout.splitlines()[-1]).items()
        }
        print(kind, found[kind], flush=True)
    return found


def broken(count: int = 1_000, bad: int = 50) -> dict[str, Any]:
    """A thousand documents of which fifty are broken in ten ways; notes that cost nothing, from the tests."""
    ways = (
        ("empty.txt", b""),
        ("blank.md", b" \n"),
        ("latin.txt", b"caf\xe9 \xff\xfe\x00"),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<<"),
        ("no.docx", b"PK\x03\x04 and no more"),
        (
            "bomb.xml",
            b'<!DOCTYPE article [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><article>&b;</article>',
        ),
        ("deep.ipynb", b"[" * 100_000),
        ("crash.txt", b"It will CRASH."),
        ("greedy.txt", b"It is GREEDY."),
        ("bug.txt", b"It meets a BUG."),
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = folder / "documents"
        source.mkdir()
        for number in range(count - bad):
            (source / f"{number:04}.txt").write_text(synthetic.document(number, words=200))
        for number in range(bad):
            name, content = ways[number % len(ways)]
            (source / f"{number:02}-{name}").write_bytes(content)
        env = {"PYTHONPATH": str(ROOT / "tests/corpus/plugin")}
        row = run(
            source, folder / "out", "--workers", "2", "--notes", "fragile", "--no-vectors", env=env
        )
    return {name: row[name] for name in ("documents", "errors", "exit", "wall_s")}


def query(count: int = 1_000_000) -> dict[str, Any]:
    """Queries over a million annotations, on one core."""
    import numpy as np

    from marginalia.corpus.database import connect
    from marginalia.corpus.store import Store
    from marginalia.corpus.supervisor import Part
    from marginalia.corpus.tables import arrow, schema, to_parquet

    pa = arrow()
    queries = {
        "notes by kind": "SELECT task, label, count(*), avg(score) FROM annotations GROUP BY ALL",
        "hard words in most documents": "SELECT lower(quote), count(DISTINCT document) n FROM annotations WHERE label = 'hard word' "
        "GROUP BY 1 ORDER BY n DESC LIMIT 20",
        "notes of one document": "SELECT * FROM annotations WHERE document = 'd/000500.md'",
        "join with documents": "SELECT year, count(*) FROM annotations JOIN documents USING (key) GROUP BY year ORDER BY year",
    }
    found: dict[str, Any] = {"annotations": count, "cpu_s": {}}
    with tempfile.TemporaryDirectory() as temporary:
        chance = np.random.default_rng(0)
        words = np.array(synthetic.vocabulary())
        with Store.open_to_write(Path(temporary) / "c", {"made": "by hand"}) as store:
            for start in range(0, count, 20_000):
                names = [
                    f"d/{(start // 20_000) * 100 + number // 200:06}.md" for number in range(20_000)
                ]
                columns: dict[str, Any] = {
                    "document": names,
                    "key": names,
                    "id": [f"n{number}" for number in range(20_000)],
                    "task": chance.choice(KINDS, 20_000),
                    "label": chance.choice(["hard word", "measurement", "survey variable"], 20_000),
                    "start": chance.integers(0, 12_000, 20_000),
                    "end": chance.integers(0, 12_000, 20_000),
                    "quote": chance.choice(words, 20_000),
                    "score": chance.random(20_000),
                    "attrs": ['{"why": "rare: 1 in 22 million words"}'] * 20_000,
                }
                fields = schema("annotations")
                arrays = [
                    pa.array(columns[f.name], f.type)
                    if f.name in columns
                    else pa.nulls(20_000, f.type)
                    for f in fields
                ]
                docs = sorted(set(names))
                own: dict[str, Any] = {
                    "document": docs,
                    "key": docs,
                    "year": [2000 + n % 20 for n in range(len(docs))],
                }
                more = [
                    pa.array(own[f.name], f.type) if f.name in own else pa.nulls(len(docs), f.type)
                    for f in schema("documents")
                ]
                files = {
                    "annotations": to_parquet([pa.table(arrays, schema=fields)]),
                    "documents": to_parquet([pa.table(more, schema=schema("documents"))]),
                }
                store.commit(Part(files=files, rows={}))
        with connect(Store.open(Path(temporary) / "c")) as database:
            database.query("SET threads = 1")
            for name, sql in queries.items():
                begun = time.process_time()
                database.rows(sql)
                found["cpu_s"][name] = round(time.process_time() - begun, 3)
    return found


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    made: dict[tuple[Path, str], str] = {}
    if "kinds" in results:
        rows = [
            [
                name,
                f"{row['cpu_s_each']:.2f} s",
                f"{3600 / row['cpu_s_each']:,.0f}",
                f"{row['encoder_s_each'] / row['cpu_s_each']:.0%}",
            ]
            for name, row in results["kinds"].items()
        ]
        columns = [
            "notes",
            "a document of 2,000 words",
            "documents an hour and core",
            "in the encoder",
        ]
        made[PAGE, "corpus:kinds"] = markdown(columns, rows)
    if "all-notes" in results:
        rows = []
        for workers in (1, 2):
            row = results["all-notes"][f"workers_{workers}"]
            rows.append(
                [
                    str(workers),
                    f"{row['documents']:,}",
                    _rate(row),
                    f"{row['cpu_s_each']:.2f} s",
                    f"{row['worker_peak_mb']:,} MB",
                    f"{row['driver_peak_mb']:,} MB",
                    str(row["model_starts"]),
                    str(row["most_starts_of_one"]),
                ]
            )
        columns = [
            "workers",
            "documents",
            "an hour, by the clock",
            "processor time each",
            "peak of a worker",
            "of the driver",
            "models started",
            "one model in one worker",
        ]
        made[PAGE, "corpus:all-notes"] = markdown(columns, rows)
    if "fast" in results:
        rows = [
            [
                f"{int(size):,}",
                _rate(row),
                f"{row['cpu_s_each'] * 1000:.0f} ms",
                f"{row['worker_peak_mb']:,} MB",
                f"{row['driver_peak_mb']:,} MB",
                f"{row['bytes_each'] / 1000:.1f} kB",
            ]
            for size, row in results["fast"]["sizes"].items()
        ]
        columns = [
            "documents",
            "an hour, by the clock",
            "processor time each",
            "peak of a worker",
            "of the driver",
            "on disk each",
        ]
        made[PAGE, "corpus:fast"] = markdown(columns, rows)
    if "query" in results:
        rows = [[name, f"{value:.2f} s"] for name, value in results["query"]["cpu_s"].items()]
        made[PAGE, "corpus:query"] = markdown(
            ["query over 1,000,000 annotations", "processor time"], rows
        )
    if {"all-notes", "fast"} <= results.keys():
        made[PAGE, "corpus:scaling"] = _scaling(results)
    if {"kinds", "all-notes", "fast", "plan"} <= results.keys():
        made[PAGE, "corpus:plan"] = plan(results)
        made[PAGE, "corpus:prices"] = _prices(results["plan"])
    if "broken" in results:
        row = results["broken"]
        rows = [[str(row["documents"]), str(row["errors"]), str(row["exit"])]]
        made[PAGE, "corpus:broken"] = markdown(["annotated", "error rows", "exit code"], rows)
    return made


def _rate(row: dict[str, Any]) -> str:
    """Documents an hour, where the machine had nothing else to do."""
    return f"{3600 * row['documents_per_s']:,.0f}" if "documents_per_s" in row else "–"


def _scaling(results: dict[str, Any]) -> str:
    """Two workers against one, in a sentence; by the clock only where both were measured one after the other."""
    sentences = []
    for part, name in (("all-notes", "with all notes"), ("fast", "with the fast system")):
        row = results[part]
        by_clock = f", {row['scaling_wall']:.2f} by the clock" if "scaling_wall" in row else ""
        sentences.append(
            f"{name} {row['scaling']:.2f} times what one does by processor time{by_clock}"
        )
    return f"Two workers do {', and '.join(sentences)}.\n"


def _prices(plan: dict[str, Any]) -> str:
    words, core, gigabyte = (
        plan[name] for name in ("paper_words", "core_hour_dollars", "gigabyte_month_dollars")
    )
    return (
        f"Assumed, not looked up: papers of {words:,} words, {core:g} $ for an hour of a virtual core and {gigabyte:g} $ for a month of a gigabyte. "
        f"Put in your own: `python benchmarks/corpus.py plan --core-hour {core:g} --gigabyte-month {gigabyte:g} --paper-words {words}`.\n"
    )


def plan(results: dict[str, Any]) -> str:
    """Hours, storage and money for corpora and cores, from what a document costs here."""
    assumed = results["plan"]
    longer = assumed["paper_words"] / synthetic.WORDS_PER_DOCUMENT
    fast = results["fast"]
    each = results["kinds"]["all"]["cpu_s_each"] * longer
    quick = results["kinds"]["measurement (rules)"]["cpu_s_each"] * longer
    size = results["all-notes"]["workers_2"]["bytes_each"] * longer
    small = list(fast["sizes"].values())[-1]["bytes_each"] * assumed["paper_words"] / fast["words"]
    rows = []
    for documents in (1_000, 120_000, 200_000_000):
        for name, cost, kept in (("all notes", each, size), ("measurements by rule", quick, small)):
            hours = documents * cost / 3600
            stored = documents * kept / 1e9
            rows.append(
                [
                    f"{documents:,}",
                    name,
                    *(_hours(hours / cores) for cores in (1, 100, 10_000)),
                    f"{stored:,.1f} GB" if stored < 10_000 else f"{stored / 1000:,.0f} TB",
                    f"{hours * assumed['core_hour_dollars']:,.0f} $",
                    f"{stored * assumed['gigabyte_month_dollars']:,.0f} $ a month",
                ]
            )
    columns = [
        "papers",
        "notes",
        "1 core",
        "100 cores",
        "10,000 cores",
        "storage",
        "computing",
        "keeping",
    ]
    return markdown(columns, rows)


def _hours(hours: float) -> str:
    if hours < 1 / 60:
        return f"{hours * 3600:,.0f} s"
    if hours < 1:
        return f"{hours * 60:,.1f} min"
    return f"{hours:,.0f} h" if hours < 72 else f"{hours / 24:,.0f} days"


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument(
        "parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS)
    )
    words.add_argument("--count", type=int, help="documents")
    words.add_argument("--minutes", type=float, default=33, help="stop all-notes after so many")
    words.add_argument("--core-hour", type=float, default=0.045, help="dollars, for the plan")
    words.add_argument("--gigabyte-month", type=float, default=0.023, help="dollars, for the plan")
    words.add_argument("--paper-words", type=int, default=5_000, help="for the plan")
    words.add_argument(
        "--words", type=int, default=synthetic.WORDS_PER_DOCUMENT, help="words of a document (fast)"
    )
    return words


def options_of(part: str, given: argparse.Namespace) -> str:
    """The options that decide about this part."""
    if part == "plan":
        return (
            f"--core-hour {given.core_hour} --gigabyte-month {given.gigabyte_month} "
            f"--paper-words {given.paper_words}"
        )
    options = f"--count {given.count}" if given.count else ""
    own_words = part == "fast" and given.words != synthetic.WORDS_PER_DOCUMENT
    return (options + (f" --words {given.words}" if own_words else "")).strip()


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    for part in given.parts or PARTS:
        if part == "all-notes":
            results[part] = all_notes(given.count or 1_000, given.minutes)
        elif part == "fast":
            count = given.count or 10_000
            results[part] = fast((count // 10, count), given.words)
        elif part == "kinds":
            results[part] = kinds(given.count or 5)
        elif part == "plan":
            results[part] = {
                "core_hour_dollars": given.core_hour,
                "gigabyte_month_dollars": given.gigabyte_month,
                "paper_words": given.paper_words,
            }
        else:
            results[part] = broken() if part == "broken" else query()
        options = options_of(part, given)
        print(part, results[part], flush=True)
        again = load(RESULT)  # another part may have been measured at the same time
        again[part] = results[part]
        keep(RESULT, again, part, options)
        fill({mark: table for mark, table in tables(again).items() if mark[0].exists()})


if __name__ == "__main__":
    main()
