"""Contradictions: invented pairs of sentences, and contradictions planted in real documents.

    python benchmarks/contradictions.py pairs
    python benchmarks/contradictions.py planted FOLDER
    python benchmarks/contradictions.py across CORPUS

``pairs`` takes those of the tests, half of which were not looked at while the rules were written. ``planted`` copies a
sentence of each document (files or folders of any format) to another place, changes one thing that it claims, and looks
whether the two are found; what else is found counts against it. ``across`` does so with the numbers of a corpus (made by
``marginalia corpus annotate FOLDER -o CORPUS --notes measurement``): a sentence with another number is put into an excerpt of another
document, and the corpus, grown by these excerpts, is compared.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import tempfile
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
PER_SOURCE, PER_HOST, MAX_PLANTED = 5, 3, 60
"""Across documents: sentences taken from one, sentences put into one, and sentences in all."""
EXCERPT = 800
"""Characters of a document that sentences are put into."""

_AMOUNT = re.compile(
    r"(?<![\w.,/])(\d+)((?:\.\d+)?\s?(?:%|mm|cm|km|m|kg|g|minutes|hours|days|years|°C|percent)(?!\w))"
)
_DENIED = re.compile(r"\b(is|are|was|were|can|should)\b(?! not| no|['’])")
_DUTY = re.compile(r"\bmust\b(?! not)")
_OPPOSITE = {"higher": "lower", "lower": "higher", "increased": "decreased", "decreased": "increased", "always": "never",
             "larger": "smaller", "possible": "impossible", "positive": "negative"}  # fmt: skip
_TURNED = re.compile(rf"\b(?:{'|'.join(_OPPOSITE)})\b")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WHOLE = re.compile(r"[A-Z][^?!\"“”\n]{30,240}\.\Z")


def pairs() -> dict[str, Any]:
    """Precision and recall on each half."""
    from marginalia.annotators.consistency.claims.compare import contradiction

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
    from marginalia.annotators.consistency.claims.within import contradictions
    from marginalia.nlp.prose import spans_of
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


def across(corpus: Path, seed: int = SEED, told: Path | None = None) -> dict[str, Any]:
    """How many numbers that were changed in another document are found, and what else is found across documents."""
    from marginalia.corpus.across import compare
    from marginalia.corpus.database import connect
    from marginalia.corpus.run import annotate_corpus
    from marginalia.corpus.settings import Settings
    from marginalia.corpus.store import Store

    with connect(Store.open(corpus)) as database:
        said = database.rows(
            "SELECT m.document, m.quantity, m.sentence FROM measurements m JOIN documents d USING (key) "
            "WHERE m.si IS NOT NULL AND m.sentence IS NOT NULL AND d.lang = 'en' ORDER BY ALL"
        )
        hosts = database.rows(
            f"SELECT document, text FROM documents WHERE lang = 'en' AND characters > {EXCERPT} ORDER BY document"
        )
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as temporary:
        grown, folder = Path(temporary) / "corpus", Path(temporary) / "planted"
        shutil.copytree(corpus, grown)
        shutil.rmtree(grown / "across", ignore_errors=True)
        folder.mkdir()
        pairs = _plant(said, hosts, folder, draw)
        settings = Settings(notes=("measurement",))
        annotate_corpus([str(folder)], grown, settings)
        with Store.open_to_write(grown, settings.check().facts()) as store:
            compare(store)
            with connect(store) as database:
                rows = database.rows("SELECT * FROM contradictions")
    found = {_pair(row) for row in rows}
    hit = [pair for pair in pairs if pair in found]
    if told is not None:
        listed = [{**row, "planted": _pair(row) in pairs} for row in rows]
        told.write_text("".join(json.dumps(row) + "\n" for row in listed), encoding="utf-8")
    return {
        "documents": len({row["document"] for row in said}),
        "planted": len(pairs),
        "found": len(hit),
        "others found": sum(pair not in pairs for pair in found),
    }


def _pair(row: dict[str, Any]) -> frozenset[str]:
    return frozenset((_plain(row["sentence_a"]), _plain(row["sentence_b"])))


def _plant(
    said: list[dict[str, Any]], hosts: list[dict[str, Any]], folder: Path, draw: random.Random
) -> set[frozenset[str]]:
    """Write excerpts of documents, each with sentences of others whose number is another one; both sentences of each."""
    taken: Counter[str] = Counter()
    chosen: dict[str, tuple[str, str]] = {}
    for row in draw.sample(said, len(said)):
        sentence = _plain(row["sentence"])
        other = _other_number(sentence, row["quantity"])
        if other and sentence not in chosen and taken[row["document"]] < PER_SOURCE:
            taken[row["document"]] += 1
            chosen[sentence] = (other, row["document"])
    planted = list(chosen.items())[:MAX_PLANTED]
    for number in range(0, len(planted), PER_HOST):
        own = planted[number : number + PER_HOST]
        others = [host for host in hosts if host["document"] not in {name for _, (_, name) in own}]
        paragraphs = draw.choice(others)["text"][:EXCERPT].rpartition("\n\n")[0].split("\n\n")
        for _, (other, _) in own:
            paragraphs.insert(draw.randrange(len(paragraphs) + 1), other)
        (folder / f"{number:04}.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
    return {frozenset((sentence, other)) for sentence, (other, _) in planted}


def _other_number(sentence: str, quantity: str) -> str | None:
    """The sentence with another number in this quantity; None where it is no whole sentence or the quantity comes twice."""
    if (
        not _WHOLE.match(sentence)
        or sentence.count(quantity) != 1
        or len(_NUMBER.findall(quantity)) != 1
    ):
        return None
    made = _NUMBER.sub(lambda match: f"{float(match[0]) * 2.5:.3g}", quantity)
    return sentence.replace(quantity, made)


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


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
    if "across" in results:
        told = results["across"]
        made[page, "contradictions:across"] = (
            f"Across documents: of {told['planted']} numbers that were changed in another document of a corpus of {told['documents']}, "
            f"{told['found']} were found ({100 * told['found'] / told['planted']:.0f} %), and {told['others found']} others that nobody had planted.\n"
        )
    return made


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("part", choices=("pairs", "planted", "across"))
    made.add_argument(
        "folder", nargs="?", type=Path, help="documents or corpus to plant contradictions in"
    )
    made.add_argument("--seed", type=int, default=SEED, help="of across")
    made.add_argument("--told", type=Path, help="write what across found here, to be judged")
    return made


def main() -> None:
    args = parser().parse_args()
    results = load(RESULT)
    if args.part == "pairs":
        results["pairs"] = pairs()
        keep(RESULT, results, "pairs")
    elif args.part == "planted":
        results["planted"] = planted(args.folder)
        keep(RESULT, results, "planted", "FOLDER")
    else:
        results["across"] = across(args.folder, args.seed, args.told)
        keep(RESULT, results, "across", f"CORPUS --seed {args.seed}")
    fill(tables(results))


if __name__ == "__main__":
    main()
