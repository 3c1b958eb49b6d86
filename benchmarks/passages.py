"""What says the same among many sentences: seconds, memory and recall as the number grows.

    python benchmarks/passages.py [--sizes 10000 30000 100000] [--by words meaning]

Sentences of the shared tasks' training data, and beyond them sentences drawn word by word from a chain of
these; among them planted pairs: paraphrases (STS 2012 and 2014, rated 4.5 or more), near-duplicates (a word
left out, two exchanged, a number changed) and copies (other case, other end mark). A pair is found if
both sentences are in one cluster. Every run is a process of its own with all cores. Runs that are not asked for keep
their figures. Writes results/passages.json and the table in this folder's README.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.nlp.sentences import sentences

RESULT = RESULTS / "passages.json"
SIZES = (10_000, 30_000, 100_000)
PLANTED = 200
"""Pairs of each kind"""
LIMIT = 2_000
ALL_COMPARED = 30_000
"""Up to so many sentences are also searched by meaning alone."""
WORDS = range(6, 60)


def ordinary() -> list[str]:
    """Sentences of complexity, measurement and variables; none of them is an STS sentence."""
    folder = data_folder()
    found: dict[str, None] = {}
    for item in get_benchmark("complexity").load("train", folder).items.values():
        found[item.sentence] = None
    for item in get_benchmark("measurement").load("train", folder).items.values():
        found |= {item.text[start:end]: None for start, end in sentences(item.text)}
    return [text for text in map(_flat, found) if len(text.split()) in WORDS]


def chained(texts: list[str], count: int, drawn: random.Random) -> list[str]:
    """New sentences in which each word has followed the one before it somewhere."""
    after: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        words = text.split()
        for word, following in zip(["", *words], [*words, ""], strict=True):
            after[word].append(following)
    found: dict[str, None] = {}
    while len(found) < count:
        words: list[str] = []
        word = drawn.choice(after[""])
        while word and len(words) < WORDS.stop:
            words.append(word)
            word = drawn.choice(after[word])
        if len(words) in WORDS:
            found[" ".join(words)] = None
    return list(found)


def paraphrases() -> list[tuple[str, str]]:
    pairs: dict[tuple[str, str], None] = {}
    for name in ("train", "dev"):
        split = get_benchmark("similarity").load(name, data_folder())
        for id, score in split.require_gold().items():
            pair = (_flat(split.items[id].s1), _flat(split.items[id].s2))
            long = all(len(text.split()) in WORDS for text in pair)
            if score >= 4.5 and long and _plain(pair[0]) != _plain(pair[1]):
                pairs[pair] = None
    return list(pairs)


def edited(text: str, drawn: random.Random) -> str:
    """Nearly the same: a number changed, a word left out or two exchanged."""
    words = text.split()
    numbers = [place for place, word in enumerate(words) if word.isdigit()]
    if numbers:
        words[numbers[0]] = str(int(words[numbers[0]]) + 1)
        return " ".join(words)
    place = drawn.randrange(1, len(words) - 1)
    if drawn.random() < 0.5:
        del words[place]
    else:
        words[place - 1], words[place] = words[place], words[place - 1]
    return " ".join(words)


def corpus(size: int) -> tuple[list[str], dict[str, list[tuple[int, int]]]]:
    """The sentences in a drawn order, and where the two of each planted pair are."""
    drawn = random.Random(size)
    base = ordinary()
    drawn.shuffle(base)
    real = base[: size // 2]
    sources = drawn.sample(real, 2 * PLANTED)
    planted = {
        "paraphrases": drawn.sample(paraphrases(), PLANTED),
        "near-duplicates": [(text, edited(text, drawn)) for text in sources[:PLANTED]],
        "copies": [(text, text.upper().rstrip(".") + "!") for text in sources[PLANTED:]],
    }
    texts = dict.fromkeys(real)
    texts |= dict.fromkeys(text for pairs in planted.values() for pair in pairs for text in pair)
    while len(texts) < size:
        texts |= dict.fromkeys(chained(base, size - len(texts), drawn))
    order = list(texts)
    drawn.shuffle(order)
    place = {text: number for number, text in enumerate(order)}
    return order, {
        kind: [(place[a], place[b]) for a, b in pairs] for kind, pairs in planted.items()
    }


def measure(size: int, by: str) -> dict[str, Any]:
    """One search, timed stage by stage; meant to be the only work of its process."""
    from marginalia.tasks.similarity.search.passages import Passage
    from marginalia.tasks.similarity.search.search import find

    texts, planted = corpus(size)
    passages = [
        Passage(text, f"d{number // 100}", 0, len(text), number)
        for number, text in enumerate(texts)
    ]
    stages: dict[str, float] = {}
    last = [time.perf_counter()]

    def progress(what: str, done: int, total: int) -> None:
        now = time.perf_counter()
        stages[what] = stages.get(what, 0.0) + (now - last[0] if done else 0.0)
        last[0] = now

    start, cpu = time.perf_counter(), time.process_time()
    found = find(passages, by=by, limit=LIMIT, progress=progress)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    of = {place: number for number, members in enumerate(found.clusters) for place in members}
    recall = {
        kind: sum(a in of and of[a] == of.get(b) for a, b in pairs) / len(pairs)
        for kind, pairs in planted.items()
    }
    # Not getrusage: its peak begins with that of the process which started this one.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]
    return {
        "sentences": len(texts),
        "by": by,
        "encoded": found.counts["encoded"],
        "scored": found.counts["scored"],
        "matches": len(found.matches),
        "complete": found.complete,
        "system": found.system,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "stages": {what: round(value, 1) for what, value in stages.items()},
        "peak_memory_mb": round(peak),
        "recall": {kind: round(value, 3) for kind, value in recall.items()},
    }


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--by", nargs="+", default=("words", "meaning"))
    parser.add_argument("--only", nargs=2, metavar=("SIZE", "BY"), help=argparse.SUPPRESS)
    return parser


def main() -> None:
    options = parser().parse_args()
    if options.only:
        print(json.dumps(measure(int(options.only[0]), options.only[1])))
        return
    results = load(RESULT)
    runs = {(run["size"], run["by"]): run for run in results.get("runs", [])}
    for size in options.sizes:
        for by in options.by:
            if by == "meaning" and size > ALL_COMPARED:
                continue
            command = [sys.executable, __file__, "--only", str(size), by]
            made = subprocess.run(command, capture_output=True, text=True, check=False)
            if made.returncode:
                raise SystemExit(made.stderr)
            runs[size, by] = {"size": size, **json.loads(made.stdout)}
            sys.stderr.write(f"{runs[size, by]}\n")
            order = sorted(runs, key=lambda key: (key[1], key[0]))
            results["runs"] = [runs[key] for key in order]
            part = f"runs: {size} by {by}"
            keep(RESULT, results, part, f"--sizes {size} --by {by}", named=False)
    fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    columns = (
        "sentences", "by", "encoded", "CPU s", "peak MB",
        "paraphrases found", "near-duplicates", "copies",
    )  # fmt: skip
    rows = [
        [
            f"{run['sentences']:,}",
            run["by"],
            f"{run['encoded']:,}",
            f"{run['cpu_seconds']:.0f}",
            f"{run['peak_memory_mb']}",
            *(f"{run['recall'][kind]:.1%}" for kind in run["recall"]),
        ]
        for run in results["runs"]
    ]
    return {(ROOT / "benchmarks" / "README.md", "passages:growth"): markdown(columns, rows)}


def _flat(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


if __name__ == "__main__":
    main()
