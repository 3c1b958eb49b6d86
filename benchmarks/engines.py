"""The catalogue's index against search engines that do the same: SQLite FTS5, bm25s and tantivy.

    python benchmarks/engines.py [--sizes 10000 134000 1000000] [--engine NAME]... [--work DIR]

Each engine reads the same variables from JSON lines (invented ones, and the real ones of SV-Ident among them), builds
its index and answers in fresh processes on one thread. Four kinds of queries: a label as it is written; the same with a
slip in every longer word; two thirds of the words of a question; and, against the real variables, sentences of papers
that use them (200 of each, 50 from half a million variables on). An answer counts where a variable that asks the same is first (sentences: among the first ten). Needs
the task's data; seconds are of the processor. The rows "ours" are of the index that tantivy replaced (version 1 of
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

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "engines.json"
PAGE = ROOT / "docs" / "explanation" / "catalogue-engine.md"
SIZES = (10_000, 134_000, 1_000_000)
ENGINES = ("shipped", "fts5", "fts5, trigrams", "bm25s", "tantivy", "tantivy, fuzzy")
QUERIES, FEW_QUERIES = 200, 50
"""Of each kind; the few where an engine takes a second for one."""
MAX_SIZE_FOR_ALL = 500_000
FIELDS = {
    "label": (("label",), 1.0),
    "core": (("question", "subquestion"), 1.0),
    "rest": (("study", "items", "answers", "topic"), 0.3),
}
"""Fields of tantivy: which of ours they hold, and what they count."""
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
    from marginalia import get_task
    from marginalia.core.data_folder import data_folder

    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    count = QUERIES if len(rows) <= MAX_SIZE_FOR_ALL else FEW_QUERIES
    chosen = random.Random(1)
    some = chosen.sample([row for row in rows if len(row.get("label", "").split()) > 1], count)
    asked = chosen.sample([row for row in rows if len(row.get("question", "").split()) > 5], count)
    split = get_task("variables").load("train", data_folder(), candidates="all")
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


class Shipped:
    """The catalogue as it ships: tantivy with our words, near letters and stems, groups and stored variables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "shipped"

    def build(self, path: Path) -> None:
        from marginalia.tasks.variables.index.build import build

        build([path], self.folder, vectors="none")

    def open(self) -> None:
        from marginalia.tasks.variables.index.search import open_catalogue

        self.catalogue = open_catalogue(self.folder)

    def search(self, text: str) -> list[str]:
        return [hit.id for hit in self.catalogue.search(text, k=10)]


class Fts5:
    """SQLite with trigrams; a query is its words (found anywhere in a word), or its groups of three letters."""

    def __init__(self, folder: Path, by: str = "words") -> None:
        self.path, self.by = folder / "fts5.db", by

    def build(self, path: Path) -> None:
        import sqlite3

        db = sqlite3.connect(self.path)
        db.execute(
            "create virtual table v using fts5(id unindexed, label, text, tokenize='trigram')"
        )
        rows = map(json.loads, path.open(encoding="utf-8"))
        db.executemany(
            "insert into v values (?, ?, ?)",
            ((r["id"], r.get("label", ""), whole(r)) for r in rows),
        )
        db.commit()
        db.execute("insert into v(v) values ('optimize')")
        db.commit()
        db.close()

    def open(self) -> None:
        import sqlite3

        self.db = sqlite3.connect(self.path)

    def search(self, text: str) -> list[str]:
        from marginalia.tasks.variables.index.terms import STOP_WORDS

        words = [w for w in dict.fromkeys(plain(text)) if len(w) > 2 and w not in STOP_WORDS]
        words = words or [w for w in plain(text) if len(w) > 2]
        if self.by == "trigrams":
            words = list(dict.fromkeys(w[i : i + 3] for w in words for i in range(len(w) - 2)))
        asked = " OR ".join(f'"{word}"' for word in words)
        if not asked:
            return []
        found = self.db.execute(
            "select id from v where v match ? order by bm25(v, 0, 3, 1) limit 10", (asked,)
        )
        return [id for (id,) in found]


class Bm25s:
    """bm25s, memory-mapped, over our words, parts of compounds and groups of four letters."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "bm25s"

    def tokens(self, text: str) -> list[str]:
        from marginalia.tasks.variables.index.terms import grams, query_terms

        words = list(query_terms(text))
        return [*words, *(gram for word in words for gram in grams(word))]

    def build(self, path: Path) -> None:
        from bm25s import BM25

        rows = [json.loads(line) for line in path.open(encoding="utf-8")]
        index = BM25(k1=1.5, b=0.75, method="lucene", backend="numpy")
        index.index([self.tokens(whole(row)) for row in rows], show_progress=False)
        index.save(self.folder, corpus=None)
        (self.folder / "ids.json").write_text(json.dumps([row["id"] for row in rows]))

    def open(self) -> None:
        from bm25s import BM25

        self.index = BM25.load(self.folder, mmap=True)
        self.ids = json.loads((self.folder / "ids.json").read_text())

    def search(self, text: str) -> list[str]:
        import numpy as np

        known = [token for token in self.tokens(text) if token in self.index.vocab_dict]
        if not known:
            return []
        scores = self.index.get_scores(known)
        best = np.argpartition(-scores, 10)[:10]
        return [self.ids[place] for place in best[np.argsort(-scores[best], kind="stable")]]


class Tantivy:
    """tantivy with words as they are, or each longer word with its neighbours at an edit or two."""

    def __init__(self, folder: Path, by: str = "words") -> None:
        self.folder, self.by = folder / "tantivy", by

    def schema(self) -> Any:
        import tantivy

        made = tantivy.SchemaBuilder()
        made.add_text_field("id", stored=True, tokenizer_name="raw")
        for name in FIELDS:
            made.add_text_field(name, tokenizer_name="whitespace")
        return made.build()

    def build(self, path: Path) -> None:
        import tantivy

        self.folder.mkdir()
        index = tantivy.Index(self.schema(), path=str(self.folder))
        writer = index.writer(heap_size=200_000_000, num_threads=1)
        for line in path.open(encoding="utf-8"):
            row = json.loads(line)
            texts = {
                name: " ".join(terms(" ".join(row[one] for one in names if row.get(one))))
                for name, (names, _) in FIELDS.items()
            }
            writer.add_document(tantivy.Document(id=row["id"], **texts))
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        import tantivy

        self.index = tantivy.Index.open(str(self.folder))
        self.searcher = self.index.searcher()

    def search(self, text: str) -> list[str]:
        import tantivy

        from marginalia.tasks.variables.index.terms import STOP_WORDS, query_terms

        schema = self.index.schema
        parts = []
        for word, weight in query_terms(text).items():
            for field, (_, more) in FIELDS.items():
                query = tantivy.Query.term_query(schema, field, word)
                parts.append(tantivy.Query.boost_query(query, weight * more))
                if self.by == "fuzzy" and len(word) > 4 and word not in STOP_WORDS:
                    near = tantivy.Query.fuzzy_term_query(schema, field, word, 1)
                    parts.append(tantivy.Query.boost_query(near, more / 2))
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in parts])
        found = self.searcher.search(query, 10, count=False)
        return [self.searcher.doc(place)["id"][0] for _, place in found.hits]


def engine(name: str, folder: Path) -> Any:
    kind, _, by = name.partition(", ")
    made = {"shipped": Shipped, "fts5": Fts5, "bm25s": Bm25s, "tantivy": Tantivy}[kind]
    return made(folder, by) if by else made(folder)


def whole(row: dict[str, str]) -> str:
    names = ("study", "label", "question", "subquestion", "items", "answers", "topic")
    return " ".join(row[name] for name in names if row.get(name))


def terms(text: str) -> list[str]:
    """Our words and parts of compounds, in the order of the text."""
    from marginalia.nlp.tokens import lower_words
    from marginalia.tasks.variables.index.terms import terms_of

    return [term for word in lower_words(text) for term, _ in terms_of(word)]


def plain(text: str) -> list[str]:
    import re

    return re.findall(r"\w+", text.lower())


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


def fresh(what: str, name: str, size: int, folder: Path) -> dict[str, Any]:
    code = (
        "import json, sys; from engines import step, memory; found = step(*sys.argv[1:]); "
        "print(json.dumps({**found, 'peak_mb': memory('VmHWM')}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, what, name, str(size), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=Path(__file__).parent,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def measure(size: int, names: tuple[str, ...], folder: Path) -> dict[str, Any]:
    path, asked = folder / f"{size}.jsonl", folder / f"{size}.queries.json"
    if not path.exists():
        with path.open("w", encoding="utf-8") as file:
            for row in variables(size):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        asked.write_text(json.dumps(queries(path), ensure_ascii=False), encoding="utf-8")
    found, built = {}, {}
    for name in names:
        # Two ways to ask one index: it is built once.
        own = folder_of(name, size, folder)
        if own not in built:
            built[own] = fresh("build", name, size, folder)
        found[name] = {"build": built[own], "search": fresh("search", name, size, folder)}
        print(size, name, json.dumps(found[name]), file=sys.stderr, flush=True)
    for own in built:
        shutil.rmtree(own, ignore_errors=True)
    return found


def folder_of(name: str, size: int, folder: Path) -> Path:
    return folder / f"{size}-{name.partition(', ')[0]}"


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    columns = ("variables", "engine", "build", "its memory", "on disk", "a query", "slowest", "its memory",
               "label first", "with slips", "part of a question", "sentence, in ten")  # fmt: skip
    rows = [
        [
            f"{int(size):,}",
            name,
            f"{row['build']['build_cpu_s']:,.0f} s",
            f"{row['build']['peak_mb']:,.0f} MB",
            f"{row['build']['disk_mb']:,.0f} MB",
            f"{row['search']['median_cpu_ms']:,.1f} ms",
            f"{row['search']['slowest_cpu_ms']:,.0f} ms",
            f"{row['search']['own_mb']:,.0f} MB",
            *(f"{row['search'][kind]:.2f}" for kind in KINDS),
        ]
        for size, each in results["engines"].items()
        for name, row in (*results["tried"]["ours"].get(size, {}).items(), *each.items())
    ]
    return {(PAGE, "engines"): markdown(columns, rows) + "\n`python benchmarks/engines.py`\n"}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--engine", action="append", choices=ENGINES, default=[])
    parser.add_argument("--work", metavar="DIR", help="where variables are kept")
    return parser


def main() -> None:
    args = parser().parse_args()
    names = tuple(args.engine) or ENGINES
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(args.work or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for size in args.sizes:
            results = load(RESULT)
            known = results.setdefault("engines", {})
            old = known.get(str(size), {}) | measure(size, names, folder)
            known[str(size)] = {name: old[name] for name in ENGINES if name in old}
            results["engines"] = dict(sorted(known.items(), key=lambda pair: int(pair[0])))
            results["measured"] = time.strftime("%Y-%m-%d")
            keep(RESULT, results, "engines", named=False)
            if PAGE.exists():
                fill(tables(results))


if __name__ == "__main__":
    main()
