"""The reader: a 12-page PDF cold and from the cache, a 300-page book as it streams, many requests at once.

    python benchmarks/reader.py
    python benchmarks/reader.py --only requests
    python benchmarks/reader.py --only browser --real FOLDER

The PDFs are set from sentences of the shared tasks (MARGINALIA_DATA), two columns to a page, none twice. Each
figure is of a fresh process. Needs reportlab and the web extra; ``browser`` also playwright and chromium: from the moment
a paper of some 14 pages is chosen in the page until its first text and its first word note are on the screen.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep

RESULT = RESULTS / "reader.json"
PAGE = ROOT / "benchmarks/README.md"

WORDS = 480
"""Words on a page."""
SIZES = (12, 300)
REQUESTS = 100
LONG_CHARACTERS = 20_000
LONG_TEXTS = 400
CHROMIUM = "/usr/bin/chromium"
BROWSER_RUNS = 3
WARM_SECONDS = 8
"""Until a server has loaded its models, as it does while nobody waits."""

FIRST = """
import json, sys, time
start = time.perf_counter()
from pathlib import Path
from marginalia.web.library import Library
library = Library()
entry = library.open(Path(sys.argv[1]))
while not any(event["kind"] == "notes" and event["notes"] for event in entry.events):
    time.sleep(0.01)
print(json.dumps(time.perf_counter() - start))
"""

PAPERS = ("s2orc-2020.acl-main.207.pdf", "unst-multi-column.pdf", "futoma2017improved.pdf")
"""Of ``--real``: 13, 13 and 12 pages; beside them one of 14 pages that is made here."""
BROWSED = 14
WATCH = """() => {
  window.seen = {};
  const marks = { text: ".document .text", word: ".note.k-words", all: ".state[data-state=done]" };
  new MutationObserver(() => { for (const [name, mark] of Object.entries(marks)) if (document.querySelector(mark)) seen[name] ??= performance.now(); })
    .observe(document.body, { childList: true, subtree: true, attributes: true });
  document.querySelector("#file").addEventListener("change", () => { seen.start = performance.now(); }, true);
}"""

READ = """
import json, sys, time
start = time.perf_counter()
from marginalia.reader.annotate import stream
from marginalia.reader.cache import NoteCache
from marginalia.reader.read import read
cache = NoteCache()
doc = read(sys.argv[1])
found = {"read_s": time.perf_counter() - start, "characters": len(doc.text), "notes": 0}
for batch in stream(doc, cache=cache):
    if batch.notes and "first_notes_s" not in found:
        found["first_notes_s"] = time.perf_counter() - start
    found["notes"] += len(batch.notes)
found["whole_s"] = time.perf_counter() - start
found["cpu_s"] = time.process_time()
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({**found, "peak_memory_mb": peak / 1024}))
"""


def sentences() -> Iterator[str]:
    folder = Path(os.environ["MARGINALIA_DATA"])
    for path in sorted((folder / "measeval/train/text").glob("*.txt")):
        yield path.read_text(encoding="utf-8")
    seen = set()
    for path in sorted((folder / "complex-lcp/train").glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["sentence"] not in seen:
                    seen.add(row["sentence"])
                    yield row["sentence"]


def make_pdf(path: Path, pages: int) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

    style = ParagraphStyle("text", fontName="Times-Roman", fontSize=10, leading=12.5, spaceAfter=6)
    columns = [Frame(50 + 255 * i, 50, 240, 740, id=str(i)) for i in range(2)]
    pdf = BaseDocTemplate(str(path), pagesize=A4)
    pdf.addPageTemplates(PageTemplate(frames=columns))
    room, story = pages * WORDS, []
    for text in sentences():
        text = " ".join(text.encode("cp1252", "ignore").decode("cp1252").split())
        room -= len(text.split())
        if room < 0:
            break
        story.append(Paragraph(text.replace("&", "&amp;").replace("<", "&lt;"), style))
    pdf.build(story)


def run(path: Path, cache: Path) -> dict[str, Any]:
    env = {**os.environ, "MARGINALIA_CACHE": str(cache)}
    command = [sys.executable, "-c", READ, str(path)]
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return dict(json.loads(result.stdout))


def command_seconds(path: Path, cache: Path) -> float:
    """What a person waits for: the whole command, a page written."""
    env = {**os.environ, "MARGINALIA_CACHE": str(cache)}
    words = ["read", str(path), "-o", str(path.with_suffix(".html"))]
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "marginalia", *words], env=env, check=True)
    return time.perf_counter() - start


def requests() -> dict[str, float]:
    """Seconds of short requests on loopback, all sent at once."""
    import httpx
    import uvicorn

    from marginalia.web.app import create_app
    from marginalia.web.library import Library

    library = Library()
    config = uvicorn.Config(create_app(library), port=0, log_level="warning")
    sock = config.bind_socket()
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{sock.getsockname()[1]}/api/annotate"

    def ask(number: int, text: str = "") -> tuple[int, float]:
        body = {
            "text": text or f"The flask weighed {number} kg and stood on a pedestal of granite."
        }
        start = time.perf_counter()
        answer = httpx.post(url, json=body, timeout=600)
        return answer.status_code, time.perf_counter() - start

    ask(-1)  # the models are loaded
    alone = statistics.median(ask(-number)[1] for number in range(2, 7))
    text = " ".join(text for text, _ in zip(sentences(), range(LONG_TEXTS), strict=False))
    with ThreadPoolExecutor(1) as pool:
        long = pool.submit(ask, 0, text[:LONG_CHARACTERS])
        time.sleep(1)  # it is under way
        behind = max(ask(-number)[1] for number in range(7, 12))
        long_status, long_s = long.result()
    start = time.perf_counter()
    with ThreadPoolExecutor(REQUESTS) as pool:
        answers = list(pool.map(ask, range(REQUESTS)))
    whole = time.perf_counter() - start
    server.should_exit = True
    thread.join(timeout=20)
    seconds = sorted(second for _, second in answers)
    return {
        "requests": REQUESTS,
        "errors": sum(status != 200 for status, _ in answers),
        "median_s": statistics.median(seconds),
        "p95_s": seconds[int(0.95 * len(seconds)) - 1],
        "per_second": REQUESTS / whole,
        "alone_s": alone,
        "behind_a_long_one_s": behind,
        "long_characters": LONG_CHARACTERS,
        "long_s": long_s,
        "long_status": long_status,
    }


def browse(path: Path) -> dict[str, float]:
    """One paper, opened in a page of a server that was just started and has loaded its models."""
    import socket

    from playwright.sync_api import sync_playwright

    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    words = ["serve", "--temporary", "--no-cache", "--no-browse", "--port", str(port)]
    server = subprocess.Popen(
        [sys.executable, "-m", "marginalia", *words], stdout=subprocess.DEVNULL
    )
    try:
        with sync_playwright() as play:
            chromium = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = chromium.new_page(viewport={"width": 1440, "height": 900})
            time.sleep(WARM_SECONDS)
            page.goto(f"http://127.0.0.1:{port}/#/")
            page.click("#add")
            page.evaluate(WATCH)
            page.set_input_files("#file", path)
            page.wait_for_function("() => window.seen.all", timeout=180_000)
            seen = page.evaluate("window.seen")
            chromium.close()
    finally:
        server.terminate()
        server.wait()
    return {f"{name}_s": (seen[name] - seen["start"]) / 1000 for name in ("text", "word", "all")}


def browser(real: Path | None) -> dict[str, Any]:
    found: dict[str, Any] = {"load": os.getloadavg()[0], "papers": {}}
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{BROWSED} pages of sentences.pdf"
        make_pdf(made, BROWSED)
        for path in (made, *(real / name for name in PAPERS if real)):
            runs = [browse(path) for _ in range(BROWSER_RUNS)]
            found["papers"][path.name] = {
                name: statistics.median(run[name] for run in runs) for name in runs[0]
            }
            print(path.name, json.dumps(runs), flush=True)
    return found


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = ["requests", "browser"]
    parser.add_argument("--only", choices=parts, help="measure this alone and keep the rest")
    parser.add_argument("--real", type=Path, help="folder of PDFs, some of which the browser opens")
    return parser


def main() -> None:
    options = parser().parse_args()
    if options.only:
        found = json.loads(RESULT.read_text(encoding="utf-8"))
        found[options.only] = requests() if options.only == "requests" else browser(options.real)
        print(json.dumps(found[options.only]))
        real = " --real FOLDER" if options.real else ""
        keep(RESULT, found, options.only, f"--only {options.only}{real}", named=False)
        fill(tables(found))
        return
    found = {"commands": {}, "documents": []}
    with tempfile.TemporaryDirectory() as folder:
        for pages in SIZES:
            path = Path(folder) / f"{pages}.pdf"
            make_pdf(path, pages)
            cold = run(path, Path(folder) / f"cache-{pages}")
            again = run(path, Path(folder) / f"cache-{pages}")
            row = {"pages": pages, "cold": cold, "cached": again}
            words = [sys.executable, "-c", FIRST, str(path)]
            first = subprocess.run(words, capture_output=True, text=True, check=True)
            row["first_notes_in_browser_s"] = json.loads(first.stdout)
            if pages == SIZES[0]:
                row["command_cold_s"] = command_seconds(path, Path(folder) / "command")
                row["command_cached_s"] = command_seconds(path, Path(folder) / "command")
            found["documents"].append(row)
            print(json.dumps(row))
    found["requests"] = requests()
    found["browser"] = browser(options.real)
    print(json.dumps(found["requests"]))
    keep(RESULT, found)
    fill(tables(found))


def tables(found: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = []
    for row in found["documents"]:
        for name in ("cold", "cached"):
            one = row[name]
            rows.append(
                [
                    f"{row['pages']} pages, {name}",
                    f"{one['read_s']:.1f}",
                    f"{row['first_notes_in_browser_s']:.1f}" if name == "cold" else "–",
                    f"{one['whole_s']:.1f}",
                    f"{one['cpu_s']:.1f}" if "cpu_s" in one else "–",
                    f"{one['peak_memory_mb']:,.0f}",
                ]
            )
    many = found["requests"]
    first = found["documents"][0]
    line = (
        f"The command `marginalia read` on {first['pages']} pages, page written: "
        f"{first['command_cold_s']:.1f} s cold, {first['command_cached_s']:.1f} s from the cache. "
        f"{many['requests']} requests to `/api/annotate` at once: {many['errors']} errors, median "
        f"{many['median_s']:.2f} s, p95 {many['p95_s']:.2f} s; one alone {many['alone_s']:.2f} s, one behind a text of "
        f"{many['long_characters']:,} characters {many['behind_a_long_one_s']:.2f} s.\n"
    )
    opened = [
        [name, *(f"{one[part]:.1f}" for part in ("text_s", "word_s", "all_s"))]
        for name, one in found.get("browser", {}).get("papers", {}).items()
    ]
    seen = ["opened in the browser", "first text s", "first word note s", "all notes s"]
    first_notes = "first notes in the web reader s"
    columns = ["PDF", "read s", first_notes, "all notes s", "CPU s", "peak MB"]
    return {
        (PAGE, "reader:documents"): markdown(columns, rows),
        (PAGE, "reader:browser"): markdown(seen, opened),
        (PAGE, "reader:requests"): line,
    }


if __name__ == "__main__":
    main()
