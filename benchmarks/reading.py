"""Real documents: what of their text is read, in which order, and what a peer reads in the same run.

    python benchmarks/reading.py pdf|sentences|pages|typeset|web|ablation|all [--real FOLDER] [--gold FOLDER] [--typeset FOLDER] [--show]

FOLDER (or MARGINALIA_REAL) holds documents of many makers: ``pdf/``, ``gold/`` (their text as others transcribed
it: TEI or Markdown) and ``readability/<page>/{source,expected}.html``. None of it is part of the repository.

PDF, with ``pdftotext`` (poppler), PDFium's own order and, where it is installed, pymupdf4llm as peers:

- words: the share of pdftotext's words, without running heads, that the text has too (as multisets)
- U+FFFD: characters that stayed unread where pdftotext reads all
- ratio: 1 - normalised indel distance to gold, by characters without white space; quotes, dashes and raised figures
  count as the plain ones, since transcriptions differ in them. TEI has its notes and captions at the end: they are compared
  wherever a reader puts them
- order: Kendall's tau of the places of gold's lines in the text, without these
- title: right or wrong, by its SHA-256 (``TITLES``), for documents that have one

Pages, against ``<gold>/<document>.p<number>.md``, the text of a page as a person would copy it, without running heads,
page numbers and labels of figures, a blank line between paragraphs, ``[^]:`` before footnotes: ratio and order as above, and

- broken: the share of gold's sentences of five words or more that a blank line divides, or that are not there
- joined: the share of ends of gold's paragraphs after which the text goes on in the same line
- signs: the share of gold's minus, relation and other mathematical signs that the text of the page has

Typeset, against the gold that ``typeset.py FOLDER`` writes beside its documents: the same figures, and how many notes, captions, rows of
tables, labels of figures and formulas are known as such. Formats besides PDF are compared with pandoc, which wrote most of them.

Sentences, of pages of many makers that were checked by eye against their pictures (``SENTENCES`` has the hash of each sentence of five
words or more): how many of them are sentences of the text, whole and in one paragraph. Peers have no paragraphs to compare.

Ablation: the figures without each rule or threshold in turn, and what the product has.

Web pages, with trafilatura and readability-lxml: F1 of words against the main content as published with the pages (with
or without formulae, whichever is nearer), and how many pages lose a heading, term, item, caption or cell of it.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import itertools
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "reading.json"
PAGE = ROOT / "benchmarks/README.md"
TITLES = json.loads((Path(__file__).parent / "reading_titles.json").read_text(encoding="utf-8"))
"""Document -> SHA-256 of its titles that count as right, in small letters without white space."""
SENTENCES = Path(__file__).parent / "reading_sentences.json"
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


_PLAIN = str.maketrans("‘’“”„‚«»–—‐‑−⁻₋∗·′µ", '\'\'"""\'""-------*.\'μ', "\xad")


_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd☐□]")
"""Bullets, boxes and what no character is known for."""


def plain(text: str) -> str:
    """Without white space, and with the plain forms of signs in which transcriptions differ."""
    text = unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_PLAIN)
    return bare(_PRIVATE.sub("", text))


def title_hash(title: str) -> str:
    return hashlib.sha256(bare(title).casefold().encode()).hexdigest()


def interval(values: list[float], seed: int = 0) -> list[float]:
    """The mean with a 95 % bootstrap interval over documents."""
    rng = np.random.default_rng(seed)
    draws = rng.choice(np.array(values), size=(2000, len(values))).mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return [round(float(x), 4) for x in (statistics.mean(values), low, high)]


def ratio(text: str, lines: list[str], floats: list[str]) -> float:
    """Likeness of gold and the text from gold's first line to its last: what is transcribed may be the body alone."""
    from rapidfuzz.distance import Indel

    text, gold = plain(text), plain("".join([*lines, *floats]))
    moved = []
    for one in filter(None, map(plain, floats)):
        start, end = place_of(one, text)
        moved.append(text[start:end])
        text = text[:start] + text[end:]
    start, end = window(text, [plain(line) for line in lines])
    return float(Indel.normalized_similarity(text[start:end] + "".join(moved), gold))


def window(text: str, lines: list[str]) -> tuple[int, int]:
    """Where gold begins and ends in the text: by its lines that are there, and as much of it as stands before and after them."""
    before, whole = 0, sum(map(len, lines))
    starts, ends = list[int](), list[int]()
    for line in lines:
        if len(line) >= KEY_CHARACTERS:
            if (place := text.find(line[:KEY_CHARACTERS])) >= 0:
                starts.append(place - before)
            if (place := text.rfind(line[-KEY_CHARACTERS:])) >= 0:
                ends.append(place + KEY_CHARACTERS + whole - before - len(line))
        before += len(line)
    return max([0, *starts[:1]]), min([len(text), *ends[-1:]])


def place_of(one: str, text: str) -> tuple[int, int]:
    """Where a piece of gold stands in the text: the same, or nearly; nowhere if less is alike."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    start = text.find(one)
    if start >= 0:
        return start, start + len(one)
    found = partial_ratio_alignment(one, text, score_cutoff=MIN_LIKENESS)
    return (found.dest_start, found.dest_end) if found and len(one) <= len(text) else (0, 0)


def order(text: str, lines: list[str]) -> float | None:
    """Kendall's tau of where gold's lines are found in the text, by their first words."""
    from scipy.stats import kendalltau

    text, places = plain(text).casefold(), []
    for line in lines:
        key = plain(line).casefold()[:40]
        if len(key) >= MIN_LINE_CHARACTERS and text.count(key) == 1:
            places.append(text.index(key))
    if len(places) < 5:
        return None
    return float(kendalltau(range(len(places)), places).statistic)


def gold_lines(path: Path) -> tuple[list[str], list[str]]:
    """The paragraphs of a transcription, and its notes and captions: of TEI its title, abstract, body; of Markdown all without its marks."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".xml":
        from lxml import etree

        tree = etree.fromstring(
            text.encode(), etree.XMLParser(recover=True, resolve_entities=False)
        )
        names = {"p", "head", "title", "note", "figDesc", "item", "formula"}
        lines: list[str] = []
        floats: list[str] = []
        for node in tree.iter():
            if not isinstance(node.tag, str) or etree.QName(node).localname not in names:
                continue
            above = {etree.QName(a).localname for a in node.iterancestors()}
            if above & {"abstract", "body"} or ("text" in above and "back" not in above):
                is_float = etree.QName(node).localname == "note" or "figure" in above
                own = " ".join("".join(node.itertext()).split())
                (floats if is_float else lines).extend([own] if own else [])
        return lines, floats
    return markdown_lines(text), []


def markdown_lines(text: str) -> list[str]:
    """The lines of Markdown without its marks."""
    text = re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", "", text, flags=re.S)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    lines = (re.sub(r"^[#>*\-\s|]+|[|*_`\\]", "", line).strip() for line in text.splitlines())
    return [
        re.sub(r"&lt;|&gt;|&amp;", lambda m: {"l": "<", "g": ">", "a": "&"}[m[0][1]], line)
        for line in lines
        if line and not set(line) <= set("-: |")
    ]


def pdftotext(path: Path, page: int = 0) -> str:
    pages = ["-f", str(page), "-l", str(page)] if page else []
    result = subprocess.run(["pdftotext", *pages, str(path), "-"], capture_output=True, check=False)
    return result.stdout.decode("utf-8", "replace")


def pdfium(path: Path, page: int = 0) -> str:
    import pypdfium2

    pdf = pypdfium2.PdfDocument(path)
    pages = [pdf[page - 1]] if page else list(pdf)
    return "\n".join(one.get_textpage().get_text_bounded() for one in pages)


def pymupdf4llm(path: Path, page: int = 0) -> str:
    import pymupdf4llm as peer

    found = peer.to_markdown(str(path), pages=[page - 1] if page else None, show_progress=False)
    return "\n".join(markdown_lines(found))


def pdf_readers() -> dict[str, Callable[..., str]]:
    readers: dict[str, Callable[..., str]] = {"pdftotext": pdftotext, "pdfium": pdfium}
    if importlib.util.find_spec("pymupdf4llm"):
        readers["pymupdf4llm"] = pymupdf4llm
    return readers


def cpu_seconds() -> float:
    """Of this process and of its children, which do the reading."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def pdfs(real: Path) -> Iterator[dict[str, Any]]:
    """A row per PDF; one that is refused has its reason."""
    from marginalia import FormatError
    from marginalia.reader.read import read as read_document

    for path in sorted((real / "pdf").glob("*.pdf")):
        row: dict[str, Any] = {"document": path.stem}
        start = cpu_seconds()
        try:
            doc = read_document(path)
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
            lines, floats = gold_lines(gold)
            texts = {name: read(path) for name, read in pdf_readers().items()}
            texts["ours"] = without(doc, {"references"})
            row["gold"] = {
                name: [round(ratio(text, lines, floats), 4), order(text, lines)]
                for name, text in texts.items()
            }
        yield row


SIGNS = frozenset("−=<>≤≥±×÷≈∼≡≠∈∪∩⊂→∞∑∏∫√⟨⟩‖◁▷∅∀∃⊺⊗")
MIN_WORDS = 5
NOTE = "[^]: "
"""How a footnote begins in gold."""


def pages(real: Path, gold: Path) -> Iterator[dict[str, Any]]:
    """A row per page that was copied by hand."""
    from marginalia.reader.read import read

    for path in sorted(gold.glob("*.p*.md")):
        stem, number = path.stem.rsplit(".p", 1)
        source = real / "pdf" / f"{stem}.pdf"
        doc = read(source)
        start, end = doc.meta["pages"][int(number) - 1]
        texts = {"ours": without(doc, {"figure"}, start, end)}
        texts |= {name: read_page(source, int(number)) for name, read_page in pdf_readers().items()}
        blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
        paragraphs = [block for block in blocks if not block.startswith(NOTE)]
        notes = [block.removeprefix(NOTE) for block in blocks if block.startswith(NOTE)]
        row: dict[str, Any] = {"document": stem, "page": int(number)}
        for name, text in texts.items():
            row[name] = {
                "ratio": round(similarity(text, paragraphs, notes), 4),
                "order": order(text, paragraphs),
                **boundaries(text, paragraphs),
                "signs": signs(text, paragraphs),
            }
        yield row


def typeset(folder: Path, *, peers: bool = True, names: str = "*.*") -> Iterator[dict[str, Any]]:
    """A row per document of ``typeset.py``."""
    from marginalia.reader.read import read

    for path in sorted(folder.glob(names)):
        gold_path = path.with_suffix(".json")
        if path.suffix == ".json" or not gold_path.exists():
            continue
        gold = json.loads(gold_path.read_text(encoding="utf-8"))
        doc = read(path)
        texts = {"ours": without(doc, set())}
        texts |= {name: other(path) for name, other in readers_of(path).items() if peers}
        cells = ["".join(row) for table in gold["tables"] for row in table]
        floats = [*gold["notes"], *gold["captions"], *gold["formulas"], *cells]
        floats += [label for labels in gold["labels"] for label in labels]
        paragraphs = [line for line in gold["lines"] if len(line.split()) >= MIN_WORDS]
        row: dict[str, Any] = {"document": path.name, "known": known_kinds(doc, gold)}
        for name, text in texts.items():
            row[name] = {
                "ratio": round(ratio(text, gold["lines"], floats), 4),
                "order": order(text, gold["lines"]),
                **boundaries(text, paragraphs),
                "signs": signs(text, [*gold["lines"], *floats]),
            }
        yield row


def readers_of(path: Path) -> dict[str, Callable[..., str]]:
    return pdf_readers() if path.suffix == ".pdf" else {"pandoc": pandoc}


def pandoc(path: Path) -> str:
    form = {".tex": "latex", ".nxml": "jats"}.get(path.suffix, path.suffix[1:])
    command = ["pandoc", "-f", form, "-t", "plain", "--wrap=none", str(path)]
    return subprocess.run(command, capture_output=True, check=False).stdout.decode()


def known_kinds(doc: Any, gold: dict[str, Any]) -> dict[str, list[int]]:
    """How many notes, captions and rows of tables are known as such, and how many there are."""
    from marginalia.nlp.prose import spans_of

    wanted = {
        "footnote": gold["notes"],
        "caption": gold["captions"],
        "table": ["".join(row) for table in gold["tables"] for row in table],
        "figure": [label for labels in gold["labels"] for label in labels],
        "formula": gold["formulas"],
    }
    found = {}
    for kind, pieces in wanted.items():
        spans = [plain(doc.text[start:end]) for start, end in spans_of(doc, {kind})]
        there = "|".join(spans)
        found[kind] = [sum(place_of(plain(one), there) != (0, 0) for one in pieces), len(pieces)]
    return found


def similarity(text: str, paragraphs: list[str], notes: list[str]) -> float:
    """The ratio; notes stand after the last paragraph, or before it if that goes on on the next page."""
    from rapidfuzz.distance import Indel

    orders = ([*paragraphs, *notes], [*paragraphs[:-1], *notes, *paragraphs[-1:]])
    return max(float(Indel.normalized_similarity(plain(text), plain("".join(o)))) for o in orders)


def boundaries(text: str, paragraphs: list[str]) -> dict[str, list[int]]:
    """Sentences that are broken, and paragraphs that are joined, each with how many there are."""
    from marginalia.nlp.sentences import sentences

    whole = "|".join(plain(block) for block in re.split(r"\n\s*\n", text))
    found = [
        plain(_MARK.sub("", block[start:end]))
        for block in paragraphs
        for start, end in sentences(block, None)
        if len(block[start:end].split()) >= MIN_WORDS
    ]
    ends = [
        (plain(first)[-15:], plain(second)[:15])
        for first, second in itertools.pairwise(paragraphs)
        if min(len(first), len(second)) > 30
    ]
    unbroken = re.sub(r"\s*\n\s*", " ", re.sub(r"\n\s*\n", "\0", text))
    joined = plain(unbroken.replace("\0", "|"))
    return {
        "broken": [sum(not is_whole(one, whole) for one in found), len(found)],
        "joined": [sum(first + second in joined for first, second in ends), len(ends)],
    }


_MARK = re.compile(r"\s*(?:[•\x0f\uf0b7]|\d{1,2}[.)])\s+")


def is_whole(sentence: str, blocks: str) -> bool:
    """Whether a sentence is in one of the blocks, but for the order of what is raised and lowered."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    if sentence in blocks:
        return True
    place = partial_ratio_alignment(sentence, blocks)
    if place is None or place.score < MIN_LIKENESS:
        return False
    return "|" not in blocks[place.dest_start : place.dest_end].strip("|")


MIN_LIKENESS = 85
"""Of a sentence with a formula to the one in gold; other sentences are the same or not there."""


def signs(text: str, paragraphs: list[str]) -> list[int]:
    """How many mathematical signs of gold the text has, and how many there are; raised ones count as others."""
    got, wanted = (
        Counter(sign for sign in one.translate(_RAISED) if sign in SIGNS)
        for one in (text, "".join(paragraphs))
    )
    return [(got & wanted).total(), wanted.total()]


_RAISED = str.maketrans("⁻₋⁼₌", "−−==")


def without(doc: Any, kinds: set[str], first: int = 0, last: int | None = None) -> str:
    """The text, or a part of it, without regions that a transcription leaves out too; items with the numbers that they are shown with."""
    from marginalia.nlp.prose import spans_of

    numbers = {one["start"]: f"{one['number']}. " for one in doc.meta["regions"] if "number" in one}
    ends = dict(spans_of(doc, kinds))
    text, last = [], len(doc.text) if last is None else last
    for start in sorted({*numbers, *ends}):
        if first <= start < last:
            text += [doc.text[first:start], "" if start in ends else numbers[start]]
            first = ends.get(start, start)
    return "".join([*text, doc.text[first:last]])


def sentences_of(doc: Any, page: int) -> list[str]:
    """The hashes of the sentences of running text that begin on a page."""
    from marginalia.core.document import SILENT
    from marginalia.nlp.prose import prose_sentences

    first, last = doc.meta["pages"][page - 1]
    return [
        title_hash(plain(doc.text[start:end]))[:16]
        for start, end in prose_sentences(doc, without=[*SILENT, "table", "caption", "heading"])
        if first <= start < last and len(doc.text[start:end].split()) >= MIN_WORDS
    ]


def checked(real: Path) -> Iterator[dict[str, Any]]:
    """A row per page whose sentences were checked by eye."""
    from marginalia.reader.read import read

    gold = json.loads(SENTENCES.read_text(encoding="utf-8"))
    for name, pages in gold.items():
        doc = read(real / "pdf" / f"{name}.pdf")
        for page, wanted in pages.items():
            found = Counter(sentences_of(doc, int(page))) & Counter(wanted)
            yield {"document": name, "page": int(page), "right": found.total(), "of": len(wanted)}


def ablation(real: Path, folder: Path | None) -> Iterator[dict[str, Any]]:
    """A row for the product, and one for each rule or threshold that is switched off."""
    pages = [(folder, *_page_of(folder)) for folder in sorted((real / "readability").iterdir())]
    golds = [
        (path, gold_lines(gold))
        for path in sorted((real / "pdf").glob("*.pdf"))
        if (gold := next(iter((real / "gold").glob(f"{path.stem}.*")), None))
    ]
    measure = lambda: _pdf_figures(real, golds) | _typeset_figures(folder)  # noqa: E731
    yield {"rule": "", "web": _web_figures(pages), "pdf": measure()}
    for name, targets in WEB_RULES.items():
        with _switched(targets):
            yield {"rule": name, "web": _web_figures(pages)}
    for name, targets in PDF_RULES.items():
        with _switched(targets):
            yield {"rule": name, "pdf": measure()}


@contextmanager
def _switched(targets: dict[str, Any]) -> Iterator[None]:
    with ExitStack() as stack:
        for target, value in targets.items():
            stack.enter_context(patch(f"marginalia.reader.{target}", value))
        yield


def _page_of(folder: Path) -> tuple[bytes, str, str]:
    said = json.loads((folder / "expected-metadata.json").read_text("utf-8"))
    expected = (folder / "expected.html").read_text(encoding="utf-8")
    return (folder / "source.html").read_bytes(), expected, said.get("title") or ""


def _web_figures(pages: list[Any]) -> dict[str, float]:
    f1, lost = [], []
    for _, source, expected, title in pages:
        texts, _ = read_ours(source)
        golds = [words(page_text(expected, formulae=shown)) for shown in (True, False)]
        f1.append(max(f1_of(words(text), gold) for text in texts for gold in golds))
        lost.append(lost_blocks(expected, texts, title))
    return {
        "f1": round(statistics.mean(f1), 4),
        "losing": sum(map(bool, lost)),
        "blocks": sum(lost),
    }


def _typeset_figures(folder: Path | None) -> dict[str, float]:
    rows = [row["ours"] for row in typeset(folder, peers=False, names="*.pdf")] if folder else []
    if not rows:
        return {}
    mean = statistics.mean(row["ratio"] for row in rows)
    return {"typeset": round(mean, 4), "broken": sum(row["broken"][0] for row in rows)}


def _pdf_figures(real: Path, golds: list[Any]) -> dict[str, float]:
    from marginalia.reader.read import read

    texts = [(without(read(path), {"references"}), gold) for path, gold in golds]
    ratios = [ratio(text, *gold) for text, gold in texts]
    taus = [tau for text, gold in texts if (tau := order(text, gold[0])) is not None]
    rows = list(checked(real))
    right, of = (sum(row[name] for row in rows) for name in ("right", "of"))
    means = {
        "ratio": statistics.mean(ratios),
        "lowest": min(ratios),
        "order": statistics.mean(taus),
    }
    return {name: round(value, 4) for name, value in means.items()} | {"right": right, "of": of}


WEB_RULES: dict[str, dict[str, Any]] = {
    "nothing is put back": {"parse.html.restore": lambda *_: []},
    "sections with a heading (MAX_SECTION)": {"parse.boxes.MAX_SECTION": 0},
    "captions anywhere in the text": {"parse.boxes._CAPTIONS": frozenset()},
    "long paragraphs in a box of their own": {"parse.boxes.Boxes._is_long": lambda *_: False},
    "headings beside kept text": {"parse.boxes.Boxes._leads": lambda *_: False},
    "the page's own article and main": {"parse.boxes.Boxes.is_within": lambda *_: False},
    "links into the page are no links": {"parse.boxes.Boxes._is_inner": lambda *_: False},
    "lists below a heading": {"parse.boxes._has_heading": lambda _: False},
    "links of a list (MAX_LINKED_LIST .75)": {"parse.boxes.MAX_LINKED_LIST": 0.5},
    "links of a block (MAX_LINKED .5)": {"parse.boxes.MAX_LINKED": 1.0},
    "share of kept blocks (MIN_HOME .2)": {"parse.boxes.MIN_HOME": 0.0},
    "share of its box (MIN_SHARE .5)": {"parse.boxes.MIN_SHARE": 0.0},
    "a list fills its box (MIN_LISTED .8)": {"parse.boxes.MIN_LISTED": 0.0},
    "boxes beside the text by name": {"parse.boxes._is_aside": lambda _: False},
    "tables with paragraphs in short cells (MAX_CELL)": {"parse.tables.MAX_CELL": 0},
    "tables made whole": {"parse.restore._complete_tables": lambda *_: None},
    "definition lists folded": {"parse.html.fold_lists": lambda _: []},
}
"""Rule of web pages -> what is put in its place."""
PDF_RULES: dict[str, dict[str, Any]] = {
    "ruled tables": {"pdf.layout.part_grids": lambda lines, _: (lines, [])},
    "labels of figures": {"pdf.layout.mark_labels": lambda found: found},
    "text within figures": {"pdf.layout.part_figures": lambda lines, *_: (lines, [])},
    "line numbers": {"pdf.layout.Counts.remove": lambda _, lines: lines},
    "notes in the margin": {"pdf.layout.part_notes": lambda lines: (lines, [])},
    "letters that come late": {"pdf.lines._fill_holes": lambda lines: lines},
    "lines too long for their column": {"pdf.columns._stands_beside": lambda *_: False},
    "drawings of words": {"pdf.layout.mark_drawn": lambda _: None},
    "ends that are none (am 12.)": {"pdf.paragraphs.sentences": lambda text: [(len(text), 0)]},
    "running heads": {"pdf.layout.without_running": lambda lines, *_: lines},
    "sentences across columns": {"pdf.layout._joined": lambda found: found},
    "past notes and licences (MAX_BETWEEN 8)": {"pdf.layout.MAX_BETWEEN": 0},
    "sentences across pages": {"pdf.layout._meet": lambda *_: None},
    "sizes of one line (MIN_SIZE_SHARE .2)": {"pdf.lines.MIN_SIZE_SHARE": 1.0},
    "small capitals within a sentence": {"pdf.lines.Line.shares_size": lambda *_: False},
    "ligatures by the words": {"pdf.lines.Ligatures.repair": lambda *_: None},
    "hyphens at line ends": {"pdf.parse.joint": lambda *_: (0, " ")},
}
"""Rule of PDFs -> what is put in its place. What runs in the child process cannot be switched here."""


def page_text(html: str, *, formulae: bool = True) -> str:
    from lxml import etree
    from lxml import html as lxml_html

    tree = lxml_html.document_fromstring(html or "<p></p>")
    unseen = ("script", "style", "noscript", *(() if formulae else ("math",)))
    etree.strip_elements(tree, *unseen, with_tail=False)
    return " ".join(tree.itertext())


def read_ours(source: bytes) -> tuple[list[str], str]:
    from marginalia.reader.read import read_data

    doc = read_data(source, Path("page.html"))
    return [doc.text, without(doc, {"formula"})], str(doc.meta.get("title") or "")


def read_trafilatura(source: bytes) -> tuple[list[str], str]:
    import trafilatura

    data = trafilatura.extract_metadata(source)
    found = trafilatura.extract(source, include_comments=False, include_tables=True)
    return [found or ""], (data.title if data else "") or ""


def read_readability(source: bytes) -> tuple[list[str], str]:
    from readability import Document

    page = Document(source.decode("utf-8", "replace"))
    return [page_text(page.summary())], page.short_title()


READERS: dict[str, Callable[[bytes], tuple[list[str], str]]] = {
    "ours": read_ours,
    "trafilatura": read_trafilatura,
    "readability-lxml": read_readability,
}


def web(real: Path) -> Iterator[dict[str, Any]]:
    for folder in sorted((real / "readability").iterdir()):
        source = (folder / "source.html").read_bytes()
        expected = (folder / "expected.html").read_text(encoding="utf-8")
        golds = [words(page_text(expected)), words(page_text(expected, formulae=False))]
        title = json.loads((folder / "expected-metadata.json").read_text("utf-8")).get("title")
        row: dict[str, Any] = {"document": folder.name}
        for name, read in READERS.items():
            try:
                texts, found = read(source)
            except Exception as error:  # a peer may fail in any way
                texts, found = [""], f"{type(error).__name__}"
            f1 = max(f1_of(words(text), gold) for text in texts for gold in golds)
            right = bare(found).casefold() == bare(title or "").casefold()
            row[name] = [round(f1, 4), right, lost_blocks(expected, texts, title or "")]
        yield row


def f1_of(got: Counter[str], gold: Counter[str]) -> float:
    return 2 * (got & gold).total() / max(1, got.total() + gold.total())


def letters(text: str) -> str:
    return re.sub(r"\W+", "", unicodedata.normalize("NFKC", text)).casefold()


def lost_blocks(expected: str, texts: list[str], title: str) -> int:
    """Headings, terms, items, captions and cells of the main content that are in the text neither with nor without formulae."""
    from lxml import html as lxml_html

    there = "|".join(map(letters, texts))
    names = {letters(title), ""}
    count = 0
    for node in lxml_html.document_fromstring(expected or "<p></p>").iter(*BLOCKS):
        own = letters(node.text_content())[:80]
        is_leaf = node.find(".//li") is None and node.find(".//p") is None
        count += is_leaf and len(own) > 2 and own not in names and own not in there
    return count


BLOCKS = (
    *(f"h{level}" for level in range(1, 7)),
    *"dt dd li figcaption summary caption th td".split(),
)


def summary(kind: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    if kind == "web":
        return {
            name: {
                "f1": interval([row[name][0] for row in rows]),
                "title": round(statistics.mean(row[name][1] for row in rows), 4),
                "pages_that_lose": sum(row[name][2] > 0 for row in rows),
            }
            for name in READERS
        }
    if kind == "sentences":
        return {name: sum(row[name] for row in rows) for name in ("right", "of")} | {
            "pages": len(rows)
        }
    if kind == "ablation":
        return {"rules": len(rows) - 1}
    if kind == "pages":
        return {
            name: page_summary([row[name] for row in rows]) for name in ("ours", *pdf_readers())
        }
    if kind == "typeset":
        pdf = [row for row in rows if row["document"].endswith(".pdf")]
        others = [row for row in rows if "pandoc" in row]
        known = {
            name: [sum(row["known"][name][n] for row in rows) for n in (0, 1)]
            for name in rows[0]["known"]
        }
        return {
            "documents": len(pdf),
            "others": len(others),
            "pdf": {
                name: page_summary([row[name] for row in pdf]) for name in ("ours", *pdf_readers())
            },
            "formats": {
                name: page_summary([row[name] for row in others]) for name in ("ours", "pandoc")
            },
            "known": known,
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
    for name in ("ours", *pdf_readers()):
        taus = [gold[name][1] for gold in golden if gold[name][1] is not None]
        ratios = [gold[name][0] for gold in golden]
        found[name] = {
            "ratio": interval(ratios), "lowest": min(ratios), "order": interval(taus)
        }  # fmt: skip
    return found


def page_summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ratio": interval([row["ratio"] for row in rows]),
        "lowest": min(row["ratio"] for row in rows),
        "order": interval([row["order"] for row in rows if row["order"] is not None]),
    }
    for name in ("broken", "joined", "signs"):
        found[name] = [sum(row[name][n] for row in rows) for n in (0, 1)]
    return found


def tables(result: dict[str, Any]) -> dict[tuple[Path, str], str]:
    pdf, web = result["pdf"]["summary"], result["web"]["summary"]
    copied = result["pages"]["summary"]
    show = lambda x: f"{x[0]:.3f} [{x[1]:.3f}, {x[2]:.3f}]"  # noqa: E731
    share = lambda x: f"{x[0] / x[1]:.3f} ({x[0]} of {x[1]})"  # noqa: E731
    names, own = [name for name in NAMES if name in pdf], [name for name in NAMES if name in copied]
    blank = [""] * (len(names) - 1)
    typeset = result["typeset"]["summary"]
    columns = [
        *((typeset["pdf"], name) for name in own),
        *((typeset["formats"], name) for name in ("ours", "pandoc")),
    ]
    return {
        (PAGE, "reading:pdf"): markdown(
            ("PDF with gold of others", *names),
            [
                ["character ratio", *(show(pdf[name]["ratio"]) for name in names)],
                ["lowest ratio", *(f"{pdf[name]['lowest']:.3f}" for name in names)],
                ["order (Kendall's tau)", *(show(pdf[name]["order"]) for name in names)],
                ["pdftotext's words found, all PDFs", show(pdf["words"]), *blank],
                ["characters unread, all PDFs", str(pdf["unread"]), "0", *blank[1:]],
                ["titles right, all PDFs", show(pdf["title"]), *blank],
                ["CPU seconds a page", f"{pdf['cpu_s_per_page']:.3f}", *blank],
            ],
        ),
        (PAGE, "reading:pages"): markdown(
            ("pages copied by hand", *own),
            [
                ["character ratio", *(show(copied[name]["ratio"]) for name in own)],
                ["lowest ratio", *(f"{copied[name]['lowest']:.3f}" for name in own)],
                ["order (Kendall's tau)", *(show(copied[name]["order"]) for name in own)],
                ["sentences broken", *(share(copied[name]["broken"]) for name in own)],
                ["paragraphs joined", *(share(copied[name]["joined"]) for name in own)],
                ["mathematical signs right", *(share(copied[name]["signs"]) for name in own)],
            ],
        ),
        (PAGE, "reading:typeset"): markdown(
            (
                "documents that were set for this",
                *(f"{name}, PDF" for name in own),
                "ours, other formats",
                "pandoc",
            ),
            [
                [label, *(show_one(sums[name][part]) for sums, name in columns)]
                for label, part, show_one in (
                    ("character ratio", "ratio", show),
                    ("lowest ratio", "lowest", "{:.3f}".format),
                    ("order (Kendall's tau)", "order", show),
                    ("sentences broken", "broken", share),
                    ("paragraphs joined", "joined", share),
                    ("mathematical signs right", "signs", share),
                )
            ],
        ),
        (PAGE, "reading:known"): markdown(
            ("known as such in them", "of all"),
            [[f"{name}s", share(count)] for name, count in typeset["known"].items()],
        ),
        (PAGE, "reading:sentences"): markdown(
            ("page checked by eye", "sentences right", "of"),
            [
                [f"{row['document']}, {row['page']}", str(row["right"]), str(row["of"])]
                for row in result["sentences"]["rows"]
            ],
        ),
        (PAGE, "reading:ablation"): markdown(
            (
                "without",
                "web: F1",
                "pages that lose",
                "PDF: ratio",
                "order",
                "sentences right",
                "typeset: ratio",
                "broken",
            ),
            [_ablation_row(row) for row in result["ablation"]["rows"]],
        ),
        (PAGE, "reading:web"): markdown(
            ("web pages", *READERS),
            [
                ["F1 of words", *(show(web[name]["f1"]) for name in READERS)],
                [
                    "pages that lose a block",
                    *(str(web[name]["pages_that_lose"]) for name in READERS),
                ],
                ["titles", *(f"{web[name]['title']:.3f}" for name in READERS)],
            ],
        ),
    }


def _ablation_row(row: dict[str, Any]) -> list[str]:
    web, pdf = row.get("web"), row.get("pdf")
    return [
        row["rule"] or "(the product)",
        *([f"{web['f1']:.4f}", f"{web['losing']} ({web['blocks']} blocks)"] if web else ["", ""]),
        *([f"{pdf['ratio']:.4f}", f"{pdf['order']:.4f}", f"{pdf['right']} of {pdf['of']}"] if pdf else [""] * 3),
        *([f"{pdf['typeset']:.4f}", str(pdf["broken"])] if pdf and "typeset" in pdf else [""] * 2),
    ]  # fmt: skip


NAMES = ("ours", "pdftotext", "pdfium", "pymupdf4llm")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "kind", choices=["pdf", "sentences", "pages", "typeset", "web", "ablation", "all"]
    )
    parser.add_argument("--real", type=Path, default=os.environ.get("MARGINALIA_REAL"))
    parser.add_argument("--gold", type=Path, help="pages copied by hand")
    parser.add_argument("--typeset", type=Path, help="documents of typeset.py")
    parser.add_argument("--show", action="store_true", help="print each row; write nothing")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    if arguments.real is None:
        sys.exit("name the folder of real documents: --real FOLDER or MARGINALIA_REAL")
    real = Path(arguments.real)
    result = load(RESULT)
    measures: dict[str, Iterable[dict[str, Any]]] = {
        "pdf": pdfs(real), "web": web(real), "sentences": checked(real), "ablation": ablation(real, arguments.typeset)
    }  # fmt: skip
    if arguments.gold:
        measures["pages"] = pages(real, arguments.gold)
    if arguments.typeset:
        measures["typeset"] = typeset(arguments.typeset)
    for kind, found in measures.items():
        if arguments.kind not in (kind, "all"):
            continue
        rows = []
        for row in found:
            rows.append(row)
            if arguments.show:
                print(json.dumps(row))
        result[kind] = {"summary": summary(kind, rows), "rows": rows}
        print(json.dumps(result[kind]["summary"], indent=1))
        if not arguments.show:
            own = {"pages": " --gold FOLDER", "typeset": " --typeset FOLDER"}.get(
                kind, " --typeset FOLDER" * (kind == "ablation")
            )
            keep(RESULT, result, kind, "--real FOLDER" + own)
    if not arguments.show:
        fill(tables(result))


if __name__ == "__main__":
    main()
