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
from corpus_tables import tables
from pages import RESULTS, ROOT
from recording import fill, keep, load

RESULT = RESULTS / "corpus.json"
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
    print(f"in {folder}; delete it to begin anew", flush=True)
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
