"""How much of real documents gets no notes, by the kind of region, and how much of that a person would not mute.

    python benchmarks/passed_over.py [--real FOLDER] [--text FOLDER]

FOLDER (or MARGINALIA_REAL) is the collection of ``reading.py``. What is muted is written with ``--text`` to be read;
what a reader found wrong there is kept in ``passed_over_judged.json`` (document -> kind -> share of what is muted that a
person would not mute), beside the share at that time. Nothing else is kept of the documents.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "passed_over.json"
PAGE = ROOT / "benchmarks/README.md"
FOLDERS = ("pdf", "docx", "jats", "html", "md", "other", "readability")
WEB_PAGES = 20
READ_FROM = 0.02
"""What a kind of region mutes of a document is read by a person from this share on."""
JUDGED = json.loads((Path(__file__).parent / "passed_over_judged.json").read_text(encoding="utf-8"))


def documents(real: Path) -> Iterator[tuple[str, Path]]:
    for folder in FOLDERS:
        if folder == "readability":
            pages = sorted((real / folder).glob("*/source.html"))
            step = max(1, len(pages) // WEB_PAGES)
            yield from (
                (f"{folder}/{path.parent.name}", path) for path in pages[::step][:WEB_PAGES]
            )
        else:
            yield from (
                (f"{folder}/{path.name}", path) for path in sorted((real / folder).iterdir())
            )


def measure(real: Path, texts: Path | None) -> Iterator[tuple[str, dict[str, Any]]]:
    from marginalia import MarginaliaError
    from marginalia.core.document import SILENT
    from marginalia.nlp.prose import spans_of
    from marginalia.reader.read import read

    for name, path in documents(real):
        try:
            doc = read(path)
        except MarginaliaError:
            yield name, {"refused": True}
            continue
        row: dict[str, Any] = {"characters": len(doc.text), "lang": doc.meta["lang"]}
        for kind in sorted(SILENT):
            spans = spans_of(doc, {kind})
            share = sum(end - start for start, end in spans) / len(doc.text)
            if share:
                row[kind] = round(share, 4)
            if texts and share >= READ_FROM:
                said = "\n-----\n".join(doc.text[start:end] for start, end in spans)
                place = texts / f"{name.replace('/', '_')}.{kind}.txt"
                place.write_text(said, encoding="utf-8")
        yield name, row


def wrongly(name: str, kind: str, share: float) -> float | None:
    """The share of the document that this kind mutes and a person would not; None where nobody has looked."""
    wrong = JUDGED.get(name, {}).get(kind)
    if wrong is None:
        return 0.0 if share < READ_FROM else None
    return share * float(wrong)


def summary(rows: dict[str, dict[str, Any]]) -> dict[str, Any]:
    kinds = sorted(
        {key for row in rows.values() for key in row} - {"characters", "lang", "refused"}
    )
    found: dict[str, Any] = {}
    for kind in kinds:
        shares = {name: row[kind] for name, row in rows.items() if kind in row}
        much = {name: share for name, share in shares.items() if share >= READ_FROM}
        wrong = [wrongly(name, kind, share) for name, share in much.items()]
        judged = [one for one in wrong if one is not None]
        found[kind] = {
            "documents": len(shares),
            "median": round(statistics.median(shares.values()), 4),
            "highest": max(shares.values()),
            "much": len(much),
            "read": len(judged),
            "wrong": sum(one > READ_FROM for one in judged),
            "most_wrong": round(max(judged, default=0.0), 4),
        }
    return found


def tables(result: dict[str, Any]) -> dict[tuple[Path, str], str]:
    columns = (
        "kind", "documents", "median share", "highest", "2 % or more", "of these read", "2 % or more wrongly", "most wrongly"
    )  # fmt: skip
    rows = [
        [
            kind,
            str(one["documents"]),
            f"{one['median']:.1%}",
            f"{one['highest']:.1%}",
            str(one["much"]),
            str(one["read"]),
            str(one["wrong"]),
            f"{one['most_wrong']:.1%}",
        ]
        for kind, one in result["summary"].items()
    ]
    return {(PAGE, "passed_over:kinds"): markdown(columns, rows)}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, default=os.environ.get("MARGINALIA_REAL"))
    parser.add_argument("--text", type=Path, help="a folder for what is muted; writes no result")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    if arguments.real is None:
        sys.exit("name the folder of real documents: --real FOLDER or MARGINALIA_REAL")
    if arguments.text:
        arguments.text.mkdir(parents=True, exist_ok=True)
    result = load(RESULT)
    result["rows"] = dict(measure(Path(arguments.real), arguments.text))
    result["summary"] = summary(result["rows"])
    for name, row in result["rows"].items():
        print(name, row)
    print(json.dumps(result["summary"], indent=1))
    if not arguments.text:
        keep(RESULT, result, "", "--real FOLDER")
        fill(tables(result))


if __name__ == "__main__":
    main()
