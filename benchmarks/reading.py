"""Real documents: what of their text is read, in which order, and what a peer reads in the same run.

    python benchmarks/reading.py pdf|web|all [--real FOLDER] [--show]

FOLDER (or MARGINALIA_REAL) holds documents of many makers: ``pdf/``, ``gold/`` (their text as others transcribed
it: TEI or Markdown) and ``readability/<page>/{source,expected}.html``. None of it is part of the repository.

PDF, with ``pdftotext`` (poppler) and PDFium's own order as peers:

- words: the share of pdftotext's words, without running heads, that the text has too (as multisets)
- U+FFFD: characters that stayed unread where pdftotext reads all
- ratio: 1 - normalised indel distance to gold, by characters without white space
- order: Kendall's tau of the places of gold's lines in the text
- title: right or wrong, by its SHA-256 (``TITLES``), for documents that have one

Web pages, with trafilatura and readability-lxml: F1 of words against the main content as published with the pages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "reading.json"
PAGE = ROOT / "benchmarks/README.md"
TITLES = json.loads((Path(__file__).parent / "reading_titles.json").read_text(encoding="utf-8"))
"""Document -> SHA-256 of its titles that count as right, in small letters without white space."""
MIN_LINE_CHARACTERS = 20
MIN_RUNNING_PAGES = 3
KEY_CHARACTERS = 30
"""So much of a line finds it in a text."""


def words(text: str) -> Counter[str]:
    """The words, however figures and ligatures are encoded and whether or not a hyphen joins them."""
    text = unicodedata.normalize("NFKC", text).lower().replace("\xad", "")
    return Counter(re.findall(r"\w+", re.sub(r"(?<=\w)[-‐]\s*(?=\w)", "", text)))


def without_running(text: str) -> str:
    """The text of pages (form feeds between them) without lines that stand on three of them, but for numbers."""
    pages = [page.splitlines() for page in text.split("\f")]
    plain = [[re.sub(r"\d+", "0", line).strip() for line in page] for page in pages]
    seen = Counter(line for page in plain for line in set(page))
    kept = (
        line
        for page, patterns in zip(pages, plain, strict=True)
        for line, pattern in zip(page, patterns, strict=True)
        if seen[pattern] < MIN_RUNNING_PAGES
    )
    return "\n".join(kept)


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def title_hash(title: str) -> str:
    return hashlib.sha256(bare(title).casefold().encode()).hexdigest()


def interval(values: list[float], seed: int = 0) -> list[float]:
    """The mean with a 95 % bootstrap interval over documents."""
    rng = np.random.default_rng(seed)
    draws = rng.choice(np.array(values), size=(2000, len(values))).mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return [round(float(x), 4) for x in (statistics.mean(values), low, high)]


def ratio(text: str, lines: list[str]) -> float:
    """Likeness of gold and the text from gold's first line to its last: what is transcribed may be the body alone."""
    from rapidfuzz.distance import Indel

    text, gold = bare(text), bare("".join(lines))
    keys = [bare(line) for line in lines if len(bare(line)) >= KEY_CHARACTERS]
    starts = [text.find(key[:KEY_CHARACTERS]) for key in keys]
    ends = [text.rfind(key[-KEY_CHARACTERS:]) + KEY_CHARACTERS for key in keys]
    start = min((place for place in starts if place >= 0), default=0)
    end = max((place for place in ends if place >= KEY_CHARACTERS), default=len(text))
    return float(Indel.normalized_similarity(text[start:end], gold))


def order(text: str, lines: list[str]) -> float | None:
    """Kendall's tau of where gold's lines are found in the text, by their first words."""
    from scipy.stats import kendalltau

    text, places = bare(text).casefold(), []
    for line in lines:
        key = bare(line).casefold()[:40]
        if len(key) >= MIN_LINE_CHARACTERS and text.count(key) == 1:
            places.append(text.index(key))
    if len(places) < 5:
        return None
    return float(kendalltau(range(len(places)), places).statistic)


def gold_lines(path: Path) -> list[str]:
    """The paragraphs of a transcription: of TEI its title, abstract, body; of Markdown without its marks."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".xml":
        from lxml import etree

        tree = etree.fromstring(
            text.encode(), etree.XMLParser(recover=True, resolve_entities=False)
        )
        names = {"p", "head", "title", "note", "figDesc", "item", "formula"}
        found = []
        for node in tree.iter():
            if not isinstance(node.tag, str) or etree.QName(node).localname not in names:
                continue
            above = {etree.QName(a).localname for a in node.iterancestors()}
            if above & {"abstract", "body"} or ("text" in above and "back" not in above):
                found.append(" ".join("".join(node.itertext()).split()))
        return [line for line in found if line]
    text = re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", "", text, flags=re.S)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    lines = (re.sub(r"^[#>*\-\s|]+|[|*_`\\]", "", line).strip() for line in text.splitlines())
    return [
        re.sub(r"&lt;|&gt;|&amp;", lambda m: {"l": "<", "g": ">", "a": "&"}[m[0][1]], line)
        for line in lines
        if line and not set(line) <= set("-: |")
    ]


def pdftotext(path: Path) -> str:
    result = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, check=False)
    return result.stdout.decode("utf-8", "replace")


def pdfium(path: Path) -> str:
    import pypdfium2

    pdf = pypdfium2.PdfDocument(path)
    return "\n".join(page.get_textpage().get_text_bounded() for page in pdf)


def cpu_seconds() -> float:
    """Of this process and of its children, which do the reading."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def pdfs(real: Path) -> Iterator[dict[str, Any]]:
    """A row per PDF; one that is refused has its reason."""
    from marginalia import FormatError
    from marginalia.reader.read import read

    for path in sorted((real / "pdf").glob("*.pdf")):
        row: dict[str, Any] = {"document": path.stem}
        start = cpu_seconds()
        try:
            doc = read(path)
        except FormatError as error:
            yield {**row, "refused": re.sub(r"^.*?: ", "", str(error))}
            continue
        row["cpu_s"] = round(cpu_seconds() - start, 2)
        row["pages"] = len(doc.meta.get("pages", ()))
        peer = pdftotext(path)
        there, wanted = words(doc.text), words(without_running(peer))
        row["words"] = round(sum((there & wanted).values()) / max(1, wanted.total()), 4)
        row["unread"] = [doc.text.count("\ufffd"), peer.count("\ufffd")]
        if TITLES.get(path.stem):
            row["title"] = title_hash(str(doc.meta.get("title") or "")) in TITLES[path.stem]
        row["lang"] = doc.meta.get("lang")
        gold = next(iter((real / "gold").glob(f"{path.stem}.*")), None)
        if gold is not None:
            lines = gold_lines(gold)
            row["gold"] = {
                name: [round(ratio(text, lines), 4), order(text, lines)]
                for name, text in {
                    "ours": body(doc), "pdftotext": peer, "pdfium": pdfium(path)
                }.items()
            }  # fmt: skip
        yield row


def body(doc: Any) -> str:
    """The text without what a transcription of the body leaves out too: references."""
    from marginalia.nlp.prose import spans_of

    left_out = spans_of(doc, {"references"})
    text, last = [], 0
    for start, end in left_out:
        text.append(doc.text[last:start])
        last = end
    return "".join([*text, doc.text[last:]])


def page_text(html: str) -> str:
    from lxml import html as lxml_html

    tree = lxml_html.document_fromstring(html or "<p></p>")
    for node in tree.iter("script", "style", "noscript"):
        node.text = ""
    return " ".join(tree.itertext())


def read_ours(source: bytes) -> tuple[str, str]:
    from marginalia.reader.read import read_data

    doc = read_data(source, Path("page.html"))
    return doc.text, str(doc.meta.get("title") or "")


def read_trafilatura(source: bytes) -> tuple[str, str]:
    import trafilatura

    data = trafilatura.extract_metadata(source)
    found = trafilatura.extract(source, include_comments=False, include_tables=True)
    return found or "", (data.title if data else "") or ""


def read_readability(source: bytes) -> tuple[str, str]:
    from readability import Document

    page = Document(source.decode("utf-8", "replace"))
    return page_text(page.summary()), page.short_title()


READERS: dict[str, Callable[[bytes], tuple[str, str]]] = {
    "ours": read_ours,
    "trafilatura": read_trafilatura,
    "readability-lxml": read_readability,
}


def web(real: Path) -> Iterator[dict[str, Any]]:
    for folder in sorted((real / "readability").iterdir()):
        source = (folder / "source.html").read_bytes()
        gold = words(page_text((folder / "expected.html").read_text(encoding="utf-8")))
        title = json.loads((folder / "expected-metadata.json").read_text("utf-8")).get("title")
        row: dict[str, Any] = {"document": folder.name}
        for name, read in READERS.items():
            try:
                text, found = read(source)
            except Exception as error:  # a peer may fail in any way
                text, found = "", f"{type(error).__name__}"
            got = words(text)
            shared = (got & gold).total()
            precision, recall = shared / max(1, got.total()), shared / max(1, gold.total())
            f1 = 2 * precision * recall / (precision + recall) if shared else 0.0
            right = bare(found).casefold() == bare(title or "").casefold()
            row[name] = [round(f1, 4), right]
        yield row


def summary(kind: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    if kind == "web":
        return {
            name: {
                "f1": interval([row[name][0] for row in rows]),
                "title": round(statistics.mean(row[name][1] for row in rows), 4),
            }
            for name in READERS
        }
    read = [row for row in rows if "refused" not in row]
    golden = [row["gold"] for row in read if "gold" in row]
    titles = [float(row["title"]) for row in read if "title" in row]
    found: dict[str, Any] = {
        "documents": len(rows),
        "refused": len(rows) - len(read),
        "words": interval([row["words"] for row in read]),
        "unread": sum(row["unread"][0] for row in read if not row["unread"][1]),
        "title": interval(titles),
        "cpu_s_per_page": round(
            sum(row["cpu_s"] for row in read) / sum(row["pages"] for row in read), 4
        ),
    }
    for name in ("ours", "pdftotext", "pdfium"):
        taus = [gold[name][1] for gold in golden if gold[name][1] is not None]
        ratios = [gold[name][0] for gold in golden]
        found[name] = {
            "ratio": interval(ratios), "lowest": min(ratios), "order": interval(taus)
        }  # fmt: skip
    return found


def tables(result: dict[str, Any]) -> dict[tuple[Path, str], str]:
    pdf, pages = result["pdf"]["summary"], result["web"]["summary"]
    show = lambda x: f"{x[0]:.3f} [{x[1]:.3f}, {x[2]:.3f}]"  # noqa: E731
    names = ("ours", "pdftotext", "pdfium")
    return {
        (PAGE, "reading:pdf"): markdown(
            ("PDF with gold", *names),
            [
                ["character ratio", *(show(pdf[name]["ratio"]) for name in names)],
                ["lowest ratio", *(f"{pdf[name]['lowest']:.3f}" for name in names)],
                ["order (Kendall's tau)", *(show(pdf[name]["order"]) for name in names)],
                ["pdftotext's words found, all PDFs", show(pdf["words"]), "", ""],
                ["characters unread, all PDFs", str(pdf["unread"]), "0", ""],
                ["titles right, all PDFs", show(pdf["title"]), "", ""],
                ["CPU seconds a page", f"{pdf['cpu_s_per_page']:.3f}", "", ""],
            ],
        ),
        (PAGE, "reading:web"): markdown(
            ("web pages", *READERS),
            [
                ["F1 of words", *(show(pages[name]["f1"]) for name in READERS)],
                ["titles", *(f"{pages[name]['title']:.3f}" for name in READERS)],
            ],
        ),
    }


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["pdf", "web", "all"])
    parser.add_argument("--real", type=Path, default=os.environ.get("MARGINALIA_REAL"))
    parser.add_argument("--show", action="store_true", help="print each row; write nothing")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    if arguments.real is None:
        sys.exit("name the folder of real documents: --real FOLDER or MARGINALIA_REAL")
    real = Path(arguments.real)
    result = load(RESULT)
    for kind, measure in {"pdf": pdfs, "web": web}.items():
        if arguments.kind not in (kind, "all"):
            continue
        rows = []
        for row in measure(real):
            rows.append(row)
            if arguments.show:
                print(json.dumps(row))
        result[kind] = {"summary": summary(kind, rows), "rows": rows}
        print(json.dumps(result[kind]["summary"], indent=1))
        if not arguments.show:
            keep(RESULT, result, kind, "--real FOLDER")
    if not arguments.show:
        fill(tables(result))


if __name__ == "__main__":
    main()
