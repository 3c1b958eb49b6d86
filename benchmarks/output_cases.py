"""The commands whose outputs are compared: every kind of reading over every example, and the recorded cases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

DOCUMENTS = (
    "abstract-de.txt",
    "article.html",
    "article.pdf",
    "guide.md",
    "methoden.txt",
    "methods.txt",
    "report.md",
)
CATALOGUE = "examples/survey.ddi.xml"
READ = ("json", "jsonl", "jsonld", "csv", "parquet", "ttl", "brat", "xmi", "html")
LINT = ("text", "json", "sarif", "github")
EXTRACT = ("csv", "json", "jsonl", "parquet", "ttl", "html", "ann", "tsv")
SCORED = {
    "complex-lcp": "complexity",
    "measeval": "measurement",
    "sv-ident": "variables",
    "claire": "clarification",
    "sts": "similarity",
}
"""The folders of recorded cases and their tasks."""

RECORDS = [
    {
        "dcTitle": ["A view of the harbour at dusk"],
        "dcSubject": ["harbour", "painting"],
        "dcDescription": ["Oil painting of fishing boats at anchor."],
        "dcCreator": ["Anna Maria Holm"],
        "dcDate": ["1871"],
        "dcSource": ["City Museum"],
    },
    {
        "dcTitle": ["Boats in the harbour, evening"],
        "dcSubject": ["boats", "painting"],
        "dcDescription": ["Fishing boats anchored in a port."],
        "dcCreator": ["A. M. Holm"],
        "dcDate": ["c. 1870"],
        "dcSource": ["City Museum"],
    },
]


def commands(work: Path) -> Iterator[tuple[str, list[str]]]:
    """A name and the words of each command, in an order in which later ones find what earlier ones wrote."""
    yield from reading()
    yield from surveys()
    yield from sentences()
    yield from gaps()
    yield from scores(work)


def reading() -> Iterator[tuple[str, list[str]]]:
    paths = [f"examples/{name}" for name in DOCUMENTS]
    for name, path in zip(DOCUMENTS, paths, strict=True):
        yield f"read-{name}", ["read", path]
        words = ["read", path, "--all", "--format", "json", "-o", f"all-{name}.json"]
        yield f"read-all-{name}", [*words, "--catalogue", CATALOGUE]
    for format in READ:
        yield f"read-as-{format}", ["read", *paths, "--format", format, "-o", f"read-{format}/"]
    # A PDF of ours keeps the notes in itself: that of the page, and the text read again from it.
    yield "read-as-pdf", ["read", "examples/article.pdf", "--format", "pdf", "-o", "noted.pdf"]
    yield "read-pdf-again", ["read", "noted.pdf", "--notes", "words", "--format", "json"]
    yield "read-learner", ["read", "examples/guide.md", "--for", "learner", "--format", "json"]
    for format in LINT:
        words = ["lint", *(path for path in paths if not path.endswith(".pdf")), "--format", format]
        yield f"lint-{format}", words
    yield "lint-some", ["lint", "examples/guide.md", "--select", "style", "--max", "3"]
    for name, path in zip(DOCUMENTS, paths, strict=True):
        yield f"extract-{name}", ["extract", "measurement", path, "--json"]
    for format in EXTRACT:
        out = [
            "--format",
            format,
            "-o",
            f"extract-{format}{'/' if format in ('ann', 'tsv') else ''}",
        ]
        yield f"extract-as-{format}", ["extract", "measurement", *paths, *out]
    yield "extract-rules", ["extract", "measurement", *paths, "--system", "rules", "--json"]


def surveys() -> Iterator[tuple[str, list[str]]]:
    for name in DOCUMENTS:
        words = ["link", f"examples/{name}", "--catalogue", CATALOGUE]
        yield f"link-{name}", words
        yield f"link-json-{name}", [*words, "--json"]
    paper = ["link", "examples/article.html", "--catalogue", CATALOGUE]
    yield "link-by-variable", [*paper, "--by", "variable", "--json"]
    for suffix in ("csv", "json", "ttl", "html"):
        yield f"link-as-{suffix}", [*paper, "-o", f"links.{suffix}"]
    yield "catalogue-build", ["catalogue", "build", CATALOGUE, "-o", "survey.cat"]
    for source in ("survey.cat", CATALOGUE):
        kind = Path(source).suffix[1:]
        yield f"catalogue-info-{kind}", ["catalogue", "info", source, "--json"]
        for by in ("both", "words", "fuzzy", "meaning"):
            words = ["catalogue", "search", source, "trust in courts", "--by", by, "--json"]
            yield f"catalogue-search-{by}-{kind}", words
    yield "catalogue-search", ["catalogue", "search", "survey.cat", "Vertrauen in die Polizei"]
    asked = "How satisfied are you with the way democracy works?"
    yield "catalogue-candidates", ["catalogue", "candidates", "survey.cat", asked, "--json"]
    yield "link-built", ["link", "examples/abstract-de.txt", "--catalogue", "survey.cat", "--json"]


def sentences() -> Iterator[tuple[str, list[str]]]:
    pairs = {
        "paraphrase": ("A man plays a guitar.", "A guitar is being played by a man."),
        "negated": ("Films that were dried slowly did not crack.", "The films did crack."),
        "german": ("Die Katze schläft auf dem Sofa.", "Eine Katze liegt schlafend auf der Couch."),
        "across": ("The cat sleeps on the sofa.", "Die Katze schläft auf dem Sofa."),
        "numbers": ("The films were 120 μm thick.", "The films were 0.2 mm thick."),
    }
    for name, pair in pairs.items():
        yield f"similar-{name}", ["similar", *pair]
        yield f"similar-json-{name}", ["similar", *pair, "--json"]
    for system in ("encoder", "features", "alignment", "token-cosine"):
        words = ["similar", *pairs["paraphrase"], "--system", system, "--json"]
        yield f"similar-by-{system}", words
    yield "similar-files", ["similar", "examples/methods.txt", "examples/report.md", "--json"]
    for suffix in ("csv", "json", "html"):
        words = ["similar", "examples/methods.txt", "examples/report.md", "-o", f"pairs.{suffix}"]
        yield f"similar-as-{suffix}", words
    asked = "Films that dry slowly do not crack."
    yield "similar-in-file", ["similar", asked, "examples/report.md", "--json"]
    yield "similar-within", ["similar", "--within", "examples/report.md", "--json"]
    yield "similar-corpus", ["similar", "--corpus", "examples", "--by", "words", "--json"]
    yield "similar-records", ["similar", *map(json.dumps, RECORDS), "--json"]


def gaps() -> Iterator[tuple[str, list[str]]]:
    files = ["examples/guide.md", "examples/report.md"]
    yield "clarify-find", ["clarify", "find", files[0]]
    yield "clarify-find-all", ["clarify", "find", *files, "--all", "--json"]
    for suffix in ("csv", "json", "jsonl"):
        yield f"clarify-as-{suffix}", ["clarify", "find", files[0], "-o", f"gaps.{suffix}"]
    gap = ["--sentence", "Hold ______ for ten seconds.", "--context", "Lift your leg slowly."]
    yield "clarify-fill", ["clarify", "fill", *gap, "--json"]
    yield "clarify-sentence", ["clarify", "rank", *gap, "--json"]
    fillers = ["--filler", "your leg", "--filler", "the door", "--filler", "your breath"]
    yield "clarify-fillers", ["clarify", "rank", *gap, *fillers, "--json"]


def scores(work: Path) -> Iterator[tuple[str, list[str]]]:
    for folder, task in SCORED.items():
        for case in sorted((work / "cases" / folder).glob("case-*")):
            path = case.relative_to(work).as_posix()
            words = [
                "bench",
                "score",
                task,
                "--gold",
                f"{path}/gold",
                "--pred",
                f"{path}/submission",
            ]
            yield f"score-{folder}-{case.name}", [*words, "--json"]
            if "official_limit_option" in (case / "expected.json").read_text(encoding="utf-8"):
                yield f"score-{folder}-{case.name}-limit", [*words, "--limit", "--json"]
