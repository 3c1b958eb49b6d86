"""Texts that are made to be slow, at 1, 4 and 16 times the size: how much more work four times the text is.

    python benchmarks/growth.py [--case NAME]

CPU seconds of this process and of the children it waited for. A stage whose work grows with the square takes sixteen
times as long for four times the text; the limit is five. Writes results/growth.json and the table of docs/explanation/robustness.md.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import Document, extract_measurements
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rulebook import RULES
from marginalia.core.errors import MarginaliaError
from marginalia.nlp.language import guess
from marginalia.reader.annotate import annotate
from marginalia.reader.read import read_data

RESULT = RESULTS / "growth.json"
TIMES = (1, 4, 16)
TRIES = 3
"""At 1 and 4 times the size; the largest is tried once."""
LIMIT = 5.0
FEW_SECONDS = 0.2
"""Below this a ratio says more about the machine than about the work."""

Case = tuple[Callable[[int], Any], int, str]
"""What makes and does the work for a size, the size of once, and what that size counts."""

_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def parse(data: bytes | str, suffix: str) -> Document:
    data = data.encode() if isinstance(data, str) else data
    return read_data(data, Path(f"x{suffix}"), lang="en")


def notes(task: str, text: str, suffix: str = ".md") -> Document:
    return annotate(parse(text, suffix), tasks=[task])


def quantities(text: str) -> int:
    """As if nothing of the document were skipped."""
    return len(extract_measurements(Document(id="x", text=text, meta={"lang": "en"})).rows)


def rules(text: str) -> int:
    draft = Draft(parse(text, ".md"))
    return sum(len(list(rule.check(draft))) for rule in RULES.values())


def docx(body: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "word/document.xml", f"<w:document {_WORD}><w:body>{body}</w:body></w:document>"
        )
        styles = "".join(
            f'<w:style w:type="paragraph" w:styleId="S{n}"><w:basedOn w:val="S{n - 1}"/></w:style>'
            for n in range(1, 60)
        )
        package.writestr("word/styles.xml", f"<w:styles {_WORD}>{styles}</w:styles>")
        package.writestr(
            "word/_rels/document.xml.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>'
            "</Relationships>",
        )
    return out.getvalue()


def paragraphs(count: int) -> bytes:
    each = '<w:p><w:pPr><w:pStyle w:val="S59"/></w:pPr><w:r><w:t>Jars are heavy.</w:t></w:r></w:p>'
    return docx(each * count)


def pdf(lines: int) -> bytes:
    """One page with very many lines of text, at places that run over its height again and again."""
    shown = b"".join(
        b"BT /F1 4 Tf %d %d Td (Jars are heavy.) Tj ET\n"
        % (20 + 45 * (n % 12), 780 - 4 * (n // 12 % 190))
        for n in range(lines)
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % p for p in places)
    out += b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % start
    return bytes(out)


def catalogue(rows: int) -> int:
    from marginalia.tasks.variables.catalogue.formats import read_catalogue

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.csv"
        body = "".join(f"v{n},Trust {n},Do you trust number {n}?\n" for n in range(rows))
        path.write_text("id,label,question\n" + body)
        return len(list(read_catalogue([path])))


STEP = "Mix the flour. "
CASES: dict[str, Case] = {
    "blank lines, clarification": (lambda n: notes("clarification", "\n" * n + STEP), 20_000, "lines"),
    "blank lines, lint": (lambda n: rules("\n" * n + STEP), 100_000, "lines"),
    '"1, " again and again, measurement': (lambda n: quantities("The jars held 1, " + "1, " * n), 300, "numbers"),
    "open brackets, measurement": (lambda n: quantities("5 kg (" * n), 200, "brackets"),
    "open brackets, Markdown": (lambda n: parse("[" * n, ".md"), 20_000, "brackets"),
    "links, Markdown": (lambda n: parse("[a](b) " * n, ".md"), 4_000, "links"),
    "inline code, Markdown and clarification": (
        lambda n: notes("clarification", "Use `a` and " * n),
        1_000,
        "spans",
    ),
    "emphasis, Markdown": (lambda n: parse("*a _b " * n, ".md"), 4_000, "marks"),
    "one long line, lint": (lambda n: rules("honey jar " * n), 10_000, "words"),
    "one long word, lint": (lambda n: rules("a" * n), 100_000, "letters"),
    "open brackets, lint": (lambda n: rules("(" * n), 20_000, "brackets"),
    "headings, Markdown": (lambda n: parse("# Jars\n\nHoney.\n\n" * n, ".md"), 1_000, "headings"),
    "list items, Markdown": (lambda n: parse("- Jars of honey.\n" * n, ".md"), 2_000, "items"),
    "list items, lint": (lambda n: rules("- Jars of honey.\n" * n), 1_000, "items"),
    "styled paragraphs, DOCX": (lambda n: parse(paragraphs(n), ".docx"), 2_000, "paragraphs"),
    "empty paragraphs, DOCX": (
        lambda n: parse(docx("<w:p><w:r><w:t>a</w:t></w:r></w:p>" + "<w:p/>" * n), ".docx"),
        20_000,
        "paragraphs",
    ),
    "nested elements, HTML": (lambda n: parse("<div>" * n + "Honey.", ".html"), 1_000, "elements"),
    "unclosed elements, HTML": (lambda n: parse("<p><b>Honey. " * n, ".html"), 100, "elements"),
    "lines on one page, PDF": (lambda n: parse(pdf(n), ".pdf"), 1_000, "lines"),
    "rows, catalogue": (catalogue, 5_000, "rows"),
    "numbers, text": (lambda n: parse("1.2.3 " * n, ".txt"), 20_000, "numbers"),
}  # fmt: skip


def seconds(work: Callable[[int], Any], size: int) -> float:
    gc.collect()
    gc.freeze()  # what was loaded before is no work of this text
    before = os.times()
    with suppress(MarginaliaError):  # a limit is an answer too, if it comes soon
        work(size)
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def measure(name: str) -> dict[str, Any]:
    work, size, unit = CASES[name]
    seconds(
        work, size // 3
    )  # what is loaded once; of another size, because passes of a model are kept
    # The best of some tries; none has the text of another, because what was read is kept.
    took = [
        min(seconds(work, size * times + more) for more in range(TRIES if times < 16 else 1))
        for times in TIMES
    ]
    ratios = [round(later / max(earlier, 0.01), 1) for earlier, later in pairwise(took)]
    return {
        "size": size,
        "unit": unit,
        "seconds": [round(one, 2) for one in took],
        "ratios": ratios,
    }


def is_linear(row: dict[str, Any]) -> bool:
    """Whether four times the text was at most five times the work, wherever there was work to speak of."""
    pairs = zip(row["seconds"][1:], row["ratios"], strict=True)
    return all(ratio <= LIMIT or later < FEW_SECONDS for later, ratio in pairs)


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [
            name,
            f"{row['size']:,} {row['unit']}",
            " → ".join(f"{one:.2f}" for one in row["seconds"]),
            " and ".join(f"{one:.1f}" for one in row["ratios"]),
        ]
        for name, row in results["cases"].items()
    ]
    table = markdown(("text", "once", "CPU seconds at 1, 4 and 16 times", "ratios"), rows)
    return {(ROOT / "docs" / "explanation" / "robustness.md", "growth:cases"): table}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--case", choices=CASES, help="Measure one and print it; nothing is written.")
    return made


def main() -> None:
    given = parser().parse_args()
    if given.case:
        print(measure(given.case))
        return
    guess("Die Gläser wiegen viel, und niemand trägt sie gern.")  # its model is large
    found = {}
    for name in CASES:
        found[name] = measure(name)
        print(f"{'ok ' if is_linear(found[name]) else 'NOT'} {name}: {found[name]}", flush=True)
    results = load(RESULT)
    results["cases"] = found
    keep(RESULT, results)
    fill(tables(results))


if __name__ == "__main__":
    main()
