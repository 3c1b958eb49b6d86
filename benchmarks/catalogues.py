"""Catalogues: building and searching from 10,000 to 1,000,000 invented variables, and a codebook of 500 MB.

    python benchmarks/catalogues.py                    everything
    python benchmarks/catalogues.py growth large       some parts: growth, link, large, dense

Every size is built and searched in a fresh process on one thread, from DDI codebooks made by a seeded
generator. Seconds in the tables are of the processor, so that a busy machine does not change them.
"""

from __future__ import annotations

import argparse
import itertools
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
from xml.sax.saxutils import escape

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "catalogues.json"
PAGE = ROOT / "docs" / "how-to" / "catalogues.md"
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
DENSE = (10_000,)
PARTS = ("growth", "link", "large", "dense")
QUERIES = 60
PER_SURVEY = 2_000
LARGE = 500 * 2**20

ANSWERS = (
    "Yes;No", "Very satisfied;Satisfied;Dissatisfied;Very dissatisfied;No answer",
    "Agree strongly;Agree;Disagree;Disagree strongly;Don't know", "Sehr gut;Gut;Mittel;Schlecht;Keine Angabe",
    "Daily;Weekly;Monthly;Never", "Stimme zu;Stimme nicht zu;Weiß nicht",
)  # fmt: skip
OPENINGS = {
    "en": ("How often do you", "Do you think that", "How satisfied are you with", "To what extent is"),
    "de": ("Wie oft haben Sie", "Sind Sie der Meinung, dass", "Wie zufrieden sind Sie mit", "Inwieweit ist"),
}  # fmt: skip


class Inventor:
    """Questions with the frequencies of words that English and German have; every third is asked again."""

    def __init__(self, seed: int = 0) -> None:
        from wordfreq import top_n_list

        self.random = random.Random(seed)
        self.words, self.sums = {}, {}
        for lang in ("en", "de"):
            words = [word for word in top_n_list(lang, 40_000) if word.isalpha()]
            self.words[lang] = words
            # Zipf's law, flattened at the top: questionnaires use fewer function words than novels.
            self.sums[lang] = list(
                itertools.accumulate(1 / (rank + 30) for rank in range(len(words)))
            )
        self.kept: list[tuple[str, str, str, str, str]] = []

    def some(self, lang: str, low: int, high: int) -> str:
        count = self.random.randint(low, high)
        return " ".join(self.random.choices(self.words[lang], cum_weights=self.sums[lang], k=count))

    def question(self) -> tuple[str, str, str, str, str]:
        """Language, label, question, answers, topic."""
        if self.kept and self.random.random() < 1 / 3:
            return self.random.choice(self.kept)
        lang = self.random.choice(("en", "de"))
        opening = self.random.choice(OPENINGS[lang])
        made = (
            lang,
            self.some(lang, 2, 6).capitalize(),
            f"{opening} {self.some(lang, 6, 20)}?",
            self.random.choice(ANSWERS),
            self.some(lang, 1, 2),
        )
        if len(self.kept) < 50_000:
            self.kept.append(made)
        else:
            self.kept[self.random.randrange(50_000)] = made
        return made

    def variables(self, count: int) -> Iterator[str]:
        """Each as its element ``var``."""
        for number in range(count):
            _, label, question, answers, topic = self.question()
            year = 1980 + self.random.randrange(45)
            categories = "".join(
                f"<catgry><catValu>{place}</catValu><labl>{escape(answer)}</labl></catgry>"
                for place, answer in enumerate(answers.split(";"), 1)
            )
            yield (
                f'<var ID="V{number}" name="v{number}"><labl>{escape(label)} ({year})</labl><qstn>'
                f"<qstnLit>{escape(question)}</qstnLit></qstn>{categories}"
                f"<concept>{escape(topic)}</concept></var>\n"
            )

    def codebook(self, survey: str, variables: Iterator[str]) -> Iterator[str]:
        title = self.some("en", 2, 4).title()
        yield (
            '<codeBook xmlns="ddi:codebook:2_5"><stdyDscr><citation><titlStmt>'
            f"<titl>{title}</titl><IDNo>{survey}</IDNo></titlStmt></citation></stdyDscr><dataDscr>\n"
        )
        yield from variables
        yield "</dataDscr></codeBook>\n"

    def write(self, folder: Path, count: int) -> None:
        """So many variables in codebooks of PER_SURVEY."""
        for number in range(0, count, PER_SURVEY):
            survey = f"S{number // PER_SURVEY:04}"
            some = self.variables(min(PER_SURVEY, count - number))
            with (folder / f"{survey}.xml").open("w", encoding="utf-8") as file:
                file.writelines(self.codebook(survey, some))

    def write_large(self, path: Path, size: int) -> None:
        """One codebook of at least so many bytes; the same thousand variables again and again."""
        block = list(self.variables(1000))

        def repeated() -> Iterator[str]:
            done = 0
            for number in itertools.count():
                for text in block:
                    text = text.replace('ID="V', f'ID="R{number}V')
                    done += len(text.encode())
                    yield text
                if done > size:
                    return

        with path.open("w", encoding="utf-8") as file:
            file.writelines(self.codebook("LARGE", repeated()))


BUILD = """
import json, sys, time
from marginalia.tasks.variables.index.build import build
ends = {}
def progress(what, done, total):
    ends[what] = time.process_time()
start, cpu = time.perf_counter(), time.process_time()
index = build([sys.argv[1]], sys.argv[2], vectors=sys.argv[3], progress=progress)
found = {"build_s": time.perf_counter() - start, "build_cpu_s": time.process_time() - cpu}
found |= {"variables": len(index), "groups": index.groups, "surveys": len(index.surveys)}
found["disk_mb"] = sum(one["bytes"] for one in index.manifest["files"].values()) / 2**20
stages = sorted(ends.items(), key=lambda pair: pair[1])
found["stages_cpu_s"] = {
    what: end - before for (what, end), before in zip(stages, [cpu, *(end for _, end in stages)])
}
found["encoder_cpu_s"] = found["stages_cpu_s"].get("encoder", 0.0)
"""
SEARCH = """
import json, random, statistics, sys, time
from marginalia.tasks.variables.index.search import open_catalogue
start = time.perf_counter()
catalogue = open_catalogue(sys.argv[1])
found = {"open_s": time.perf_counter() - start}
index = catalogue.index
chosen = random.Random(1)
rows = [chosen.randrange(index.groups) for _ in range(int(sys.argv[2]))]
def sentence(row):
    words = index.members(row)[0].fields["question"].split()
    return "The study asked " + " ".join(chosen.sample(words, max(2, len(words) * 2 // 3)))
asked = [(row, sentence(row)) for row in rows]
start, busy = time.perf_counter(), time.process_time()
index.candidates("Arbeitszufriedenheit " + asked[0][1])  # a compound: their word list is loaded once
found["first_ms"] = 1000 * (time.perf_counter() - start)
found["first_cpu_ms"] = 1000 * (time.process_time() - busy)
times, cpu, hits = [], [], 0
for row, text in asked:
    start, busy = time.perf_counter(), time.process_time()
    best = index.candidates(text, k=100)
    times.append(1000 * (time.perf_counter() - start))
    cpu.append(1000 * (time.process_time() - busy))
    hits += index.find(best[0][0].id)[0] == row
found |= {"median_ms": statistics.median(times), "slowest_ms": max(times)}
found |= {"median_cpu_ms": statistics.median(cpu), "slowest_cpu_ms": max(cpu)}
found["first_is_right"] = hits / len(rows)
"""
LINK = """
import json, random, sys, time
from marginalia import Document
from marginalia.annotators.variables.sentences import papers
from marginalia.annotators.variables.variable_notes import link_document
from marginalia.annotators.variables.links import open_links
index = open_links(sys.argv[1])
chosen = random.Random(2)
def sentence():
    words = index.members(chosen.randrange(index.groups))[0].fields["question"].rstrip("?").split()
    return "Respondents of the survey were asked " + " ".join(words) + "."
text = " ".join(sentence() for _ in range(int(sys.argv[2])))
link_document(Document(id="w", text=text[:2000], meta={"lang": "en"}), index)  # the models are loaded
doc = Document(id="x", text=text, meta={"lang": "en"})
cpu, start = time.process_time(), time.perf_counter()
notes = list(link_document(doc, index).notes("variables"))
found = {"sentences": sum(map(len, papers(doc))), "linked": len(notes)}
found |= {"cpu_s": time.process_time() - cpu, "seconds": time.perf_counter() - start}
"""
READ = """
import json, sys, time
from collections import Counter
from pathlib import Path
from marginalia.tasks.variables.catalogue.ddi import read_ddi
start = time.perf_counter()
cpu = time.process_time()
count = sum(1 for _ in read_ddi(Path(sys.argv[1]), Counter()))
found = {"variables": count, "read_s": time.perf_counter() - start}
found["read_cpu_s"] = time.process_time() - cpu
"""
# Not getrusage: its peak begins with that of the process which started this one.
TELL = """
status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
found["peak_mb"] = int(status["VmHWM"].split()[0]) / 1024
found["own_mb"] = int(status["RssAnon"].split()[0]) / 1024
print(json.dumps(found))
"""


def fresh(code: str, *words: object) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", code + TELL, *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    return json.loads(done.stdout)


def measure(size: int, vectors: str, folder: Path) -> dict[str, Any]:
    source, cat = folder / f"source-{size}", folder / f"{size}-{vectors}.cat"
    if not source.is_dir():
        source.mkdir()
        Inventor().write(source, size)
    source_mb = sum(path.stat().st_size for path in source.iterdir()) / 2**20
    shutil.rmtree(cat, ignore_errors=True)  # of an earlier run: what is finished is not built again
    built = fresh(BUILD, source, cat, vectors)
    found = {"source_mb": source_mb, **built, "search": fresh(SEARCH, cat, QUERIES)}
    print(size, vectors, json.dumps(found), file=sys.stderr, flush=True)
    return found


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [
            f"{row['variables']:,}",
            f"{row['groups']:,}",
            f"{row['build_cpu_s']:,.0f} s",
            f"{row['peak_mb']:,.0f} MB",
            f"{row['disk_mb']:,.0f} MB",
            f"{row['search']['median_cpu_ms']:.0f} ms",
            f"{row['search']['slowest_cpu_ms']:.0f} ms",
            f"{row['search']['peak_mb']:,.0f} MB",
            f"{100 * row['search']['first_is_right']:.0f} %",
        ]
        for row in results["growth"].values()
    ]
    columns = ["variables", "groups", "build", "its memory", "on disk", "a sentence", "slowest", "its memory", "right group first"]  # fmt: skip
    found = {
        (PAGE, "catalogue:growth"): markdown(columns, rows)
        + "\n`python benchmarks/catalogues.py`\n"
    }
    if link := results.get("link"):
        said = [
            f"{1000 * row['seconds'] / row['sentences']:.0f} ms with {int(size):,} variables"
            f" ({row['peak_mb']:,.0f} MB)"
            for size, row in sorted(link.items(), key=lambda pair: int(pair[0]))
        ]
        found[PAGE, "catalogue:link"] = (
            f"`link` takes on two cores, for each sentence of a paper with {QUERIES} of them, all steps together: "
            f"{', '.join(said)}.\n"
        )
    if large := results.get("large"):
        text = (
            f"A codebook of {large['mb']:,.0f} MB with {large['variables']:,} variables is read in "
            f"{large['read_cpu_s']:,.0f} s with {large['peak_mb']:,.0f} MB of memory.\n"
        )
        found[PAGE, "catalogue:large"] = text
    if dense := results.get("dense"):
        said = [
            f"{row['groups']:,} groups take {row['encoder_cpu_s']:,.0f} s, "
            f"{row['groups'] / row['encoder_cpu_s']:,.0f} a second, and then a sentence "
            f"{row['search']['median_cpu_ms']:.0f} ms"
            for _, row in sorted(dense.items(), key=lambda pair: int(pair[0]))
        ]
        found[PAGE, "catalogue:dense"] = f"With `--vectors dense` {'; '.join(said)}.\n"
    return found


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--work", metavar="DIR", help="where sources and catalogues are kept")
    return parser


def main() -> None:
    args = parser().parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(args.work or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for size in args.sizes if "growth" in args.parts else ():
            save("growth", {str(size): measure(size, "none", folder)})
        for size in args.sizes if "link" in args.parts else ():
            cat = folder / f"{size}-none.cat"
            if cat.exists():  # that growth has built
                save("link", {str(size): fresh(LINK, cat, QUERIES)})
        if "large" in args.parts:
            large = folder / "large.xml"
            Inventor().write_large(large, LARGE)
            save("large", {"mb": large.stat().st_size / 2**20, **fresh(READ, large)})
            large.unlink()
        if "dense" in args.parts:
            for size in DENSE:
                save("dense", {str(size): measure(size, "dense", folder)})


def save(part: str, found: dict[str, Any]) -> None:
    """Beside what was measured before, so that the parts can be measured one by one."""
    results = {"growth": {}, **load(RESULT), "measured": time.strftime("%Y-%m-%d")}
    results[part] = {**results.get(part, {}), **found}
    results["growth"] = dict(sorted(results["growth"].items(), key=lambda pair: int(pair[0])))
    keep(RESULT, results, part)
    fill(tables(results))


if __name__ == "__main__":
    main()
