"""Contradictions: invented pairs of sentences, and contradictions planted in real documents.

    python benchmarks/contradictions.py pairs
    python benchmarks/contradictions.py planted FOLDER

``pairs`` takes those of the tests, half of which were not looked at while the rules were written. ``planted`` copies a
sentence of each document (files or folders of any format) to another place, changes one thing that it claims, and looks
whether the two are found; what else is found counts against it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

import marginalia
from marginalia import Document, MarginaliaError

RESULT = RESULTS / "contradictions.json"
PAIRS = ROOT / "tests" / "tasks" / "similarity" / "claims" / "pairs.jsonl"
PER_DOCUMENT = 2
"""Sentences of a document that are tried for each kind; and characters of a document."""
MAX_CHARACTERS = 150_000
SEED = 20261117

_AMOUNT = re.compile(
    r"(?<![\w.,/])(\d+)((?:\.\d+)?\s?(?:%|mm|cm|km|m|kg|g|minutes|hours|days|years|°C|percent)(?!\w))"
)
_DENIED = re.compile(r"\b(is|are|was|were|can|should)\b(?! not| no|['’])")
_DUTY = re.compile(r"\bmust\b(?! not)")
_OPPOSITE = {"higher": "lower", "lower": "higher", "increased": "decreased", "decreased": "increased", "always": "never",
             "larger": "smaller", "possible": "impossible", "positive": "negative"}  # fmt: skip
_TURNED = re.compile(rf"\b(?:{'|'.join(_OPPOSITE)})\b")
_WHOLE = re.compile(r"[A-Z][^?!\"“”\n]{30,240}\.\Z")


def pairs() -> dict[str, Any]:
    """Precision and recall on each half."""
    from marginalia.tasks.similarity.claims.compare import contradiction

    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    found: dict[str, Any] = {}
    for half in ("tuned", "held-out"):
        for lang in ("en", "de"):
            own = [row for row in rows if row["half"] == half and row["lang"] == lang]
            said = [row for row in own if contradiction(row["left"], row["right"])]
            found[f"{half}: {lang}"] = {
                "pairs": len(own),
                "contradictions": sum(row["contradicts"] for row in own),
                "found": len(said),
                "right": sum(row["contradicts"] for row in said),
            }
    return found


def changed(sentence: str, kind: str) -> str | None:
    """The sentence with one thing that it claims turned round."""
    if kind == "number":
        match = _AMOUNT.search(sentence)
        if match is None:
            return None
        return f"{sentence[: match.start(1)]}{int(match[1]) * 3 + 7}{sentence[match.end(1) :]}"
    if kind == "negation":
        return _DENIED.sub(r"\1 not", sentence, count=1) if _DENIED.search(sentence) else None
    if kind == "duty":
        return _DUTY.sub("need not", sentence, count=1) if _DUTY.search(sentence) else None
    turned = _TURNED.sub(lambda match: _OPPOSITE[match[0]], sentence, count=1)
    return turned if turned != sentence else None


def documents(folder: Path) -> Iterator[Document]:
    paths = sorted(
        path for path in folder.rglob("*") if path.is_file() and "gold" not in path.parts
    )
    for path in paths:
        try:
            doc = marginalia.read(path, notes=[])
        except (MarginaliaError, OSError, ValueError):
            continue
        if (
            doc.text.strip()
            and len(doc.text) <= MAX_CHARACTERS
            and doc.meta.get("lang", "en") == "en"
        ):
            yield doc


def planted(folder: Path) -> dict[str, Any]:
    """How many planted contradictions are found, by kind, and what else was found in the documents."""
    from marginalia.nlp.prose import spans_of
    from marginalia.tasks.similarity.claims.within import contradictions
    from marginalia.tasks.similarity.search.passages import passages

    draw = random.Random(SEED)
    tried: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    others, count, words = 0, 0, 0
    for doc in documents(folder):
        count += 1
        words += len(doc.text.split())
        found = list(passages(doc))
        others += len(list(contradictions(found, spans_of(doc, {"item"}))))
        whole = [one for one in found if _WHOLE.match(one.text)]
        for kind in ("number", "negation", "duty", "opposite"):
            for one in draw.sample(whole, min(len(whole), 40)):
                other = changed(one.text, kind)
                if other is None or tried[f"{doc.id} {kind}"] >= PER_DOCUMENT:
                    continue
                tried[f"{doc.id} {kind}"] += 1
                tried[kind] += 1
                place = draw.choice(found).end
                text = f"{doc.text[:place]} {other}\n\n{doc.text[place:]}"
                regions = list(doc.meta.get("regions", ()))
                moved = [_moved(region, place, len(text) - len(doc.text)) for region in regions]
                made = Document(id=doc.id, text=text, meta={**doc.meta, "regions": moved})
                again = list(passages(made))
                said = contradictions(again, spans_of(made, {"item"}))
                hit[kind] += any(
                    {again[a].text, again[b].text} == {one.text, other} for a, b, _ in said
                )
    kinds = ("number", "negation", "duty", "opposite")
    return {
        "documents": count,
        "words": words,
        "found without planting": others,
        "kinds": {kind: {"planted": tried[kind], "found": hit[kind]} for kind in kinds},
    }


def _moved(region: dict[str, Any], place: int, by: int) -> dict[str, Any]:
    return {
        **region,
        "start": region["start"] + (by if region["start"] >= place else 0),
        "end": region["end"] + (by if region["end"] > place else 0),
    }


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = []
    for half in ("tuned", "held-out"):
        own = [results["pairs"][f"{half}: {lang}"] for lang in ("en", "de")]
        total = {name: sum(one[name] for one in own) for name in own[0]}
        for lang, one in (("English", own[0]), ("German", own[1]), ("all", total)):
            precision, recall = (
                one["right"] / max(1, one["found"]),
                one["right"] / one["contradictions"],
            )
            rows.append([half, lang, str(one["pairs"]), f"{precision:.2f}", f"{recall:.2f}"])
    page = ROOT / "src" / "marginalia" / "tasks" / "similarity" / "README.md"
    made = {
        (page, "contradictions:pairs"): markdown(
            ("half", "language", "pairs", "precision", "recall"), rows
        )
    }
    if "planted" in results:
        told = results["planted"]
        lines = [
            [
                kind,
                str(one["planted"]),
                f"{one['found']}, that is {100 * one['found'] / max(1, one['planted']):.0f} %",
            ]
            for kind, one in told["kinds"].items()
        ]
        made[page, "contradictions:planted"] = markdown(
            ("what was changed", "planted", "found"), lines
        )
    return made


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("part", choices=("pairs", "planted"))
    made.add_argument("folder", nargs="?", type=Path, help="documents to plant contradictions in")
    return made


def main() -> None:
    args = parser().parse_args()
    results = load(RESULT)
    results[args.part] = pairs() if args.part == "pairs" else planted(args.folder)
    keep(RESULT, results, args.part, "FOLDER" if args.part == "planted" else "")
    fill(tables(results))


if __name__ == "__main__":
    main()
