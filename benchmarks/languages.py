"""Which language a text is in: ours (py3langid with the benefit of the doubt), two detectors and the vote of common words that came before, on the same texts.

    python benchmarks/languages.py [--real FOLDER] [--data FOLDER] [--show]

- documents: those of FOLDER (or MARGINALIA_REAL, as in ``reading.py``) as we read them; what is not English is
  listed here, pages of the web declare it
- paragraphs: of those documents, from MIN_CHARACTERS on, at most PER_DOCUMENT of each, in the document's language
- sentences: of papers in English and German (SV-Ident, train), by length
- messages: what Sphinx says, translated by people into many languages, one by one and JOINED together

Foreign as ours: the share of texts in other languages that are taken for English or German, so that notes would be
made on them. Ours as foreign: the share of English and German texts that would get none. Needs lingua-language-detector and Sphinx.
"""

from __future__ import annotations

import argparse
import gettext
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "languages.json"
PAGE = ROOT / "benchmarks/README.md"
OURS = ("en", "de")
MIN_CHARACTERS = 120
PER_DOCUMENT = 20
SENTENCES = 1000
"""Of each language."""
MIN_MESSAGES = 60
"""A language with fewer translated messages is left out."""
JOINED = 8
NOT_ENGLISH = {
    "docling-normal_4pages": "ko", "docling-right_to_left_01": "ar", "folha": "pt", "hausarbeit-jura-de": "de",
    "l2kurz-de": "de", "l2tabu-de": "de", "lemonde-1": "fr", "plumb-2023-06-20-PV": "fr", "qq": "zh",
    "rtl_03": "fa", "unst-fr_olap": "fr",
}  # fmt: skip
"""Documents by name, as a reader sees them."""
LEFT_OUT = {"elsevier_02", "iop_1", "nature_full_2", "unst-docx-hdrftr"}
"""Texts whose letters were shifted, and one of two words."""
FILLING = re.compile(
    r"dolor sit amet|exercitation ullamco|laboris nisi|dolores et ea|delectus omnis"
)
"""In no language at all."""
SAME = {"nb": "no", "nn": "no", "bs": "hr", "sr": "hr", "yue": "zh", "ms": "id"}
"""Written languages that are close to the same: one taken for the other is no mistake here."""

Labelled = list[tuple[str, str]]
"""Language and text."""


def one_code(lang: str) -> str:
    code = re.split(r"[-_@.]", lang.lower())[0]
    return SAME.get(code, code)


def vote() -> Callable[[str], str]:
    from marginalia.nlp.language import english_or_german

    return english_or_german


def ours() -> Callable[[str], str]:
    from marginalia.nlp.language import guess

    return guess


def py3langid() -> Callable[[str], str]:
    """As it comes: with all of its languages and whatever it is sure of."""
    from py3langid import langid

    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    return lambda text: str(identifier.classify(text[:20_000])[0])


def lingua(low: bool = False) -> Callable[[str], str]:
    from lingua import LanguageDetectorBuilder

    builder = LanguageDetectorBuilder.from_all_languages()
    detector = (builder.with_low_accuracy_mode() if low else builder).build()

    def guess(text: str) -> str:
        found = detector.detect_language_of(text)
        return found.iso_code_639_1.name.lower() if found else ""

    return guess


DETECTORS: dict[str, Callable[[], Callable[[str], str]]] = {
    "common words": vote,
    "ours": ours,
    "py3langid": py3langid,
    "lingua": lingua,
    "lingua, low accuracy": lambda: lingua(low=True),
}
PACKAGES = {"ours": "py3langid", "py3langid": "py3langid", "lingua": "lingua-language-detector"}


def documents(real: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Language, text and paragraphs of every document that can be read."""
    from marginalia import MarginaliaError
    from marginalia.nlp.prose import paragraphs
    from marginalia.reader.read import read

    files = [
        path
        for name in ("pdf", "docx", "jats", "html", "md", "other")
        for path in sorted((real / name).glob("*"))
    ]
    files += sorted((real / "readability").glob("*/source.html"))
    for path in files:
        name, lang = path.stem, "en"
        if path.name == "source.html":
            said = json.loads((path.parent / "expected-metadata.json").read_text("utf-8"))
            name, lang = path.parent.name, said.get("lang") or "en"
        if name in LEFT_OUT:
            continue
        try:
            doc = read(path)
        except MarginaliaError:
            continue
        if FILLING.search(doc.text):
            continue
        pieces = [doc.text[a:b] for a, b in paragraphs(doc.text)]
        long = [piece for piece in pieces if len(piece) >= MIN_CHARACTERS and is_prose(piece)]
        step = max(1, len(long) // PER_DOCUMENT)
        yield one_code(NOT_ENGLISH.get(name, lang)), doc.text, long[::step][:PER_DOCUMENT]


def is_prose(text: str) -> bool:
    """Mostly letters in words, no table and no code."""
    letters = sum(one.isalpha() or one.isspace() for one in text)
    return letters >= 0.9 * len(text) and "\t" not in text and text.count("\n") * 40 < len(text)


def sentences(data: Path) -> dict[str, Labelled]:
    import csv

    found: dict[str, Labelled] = defaultdict(list)
    with (data / "sv-ident/train.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for lang in OURS:
        own = [row["sentence"] for row in rows if row["lang"] == lang]
        step = max(1, len(own) // SENTENCES)
        for text in own[::step][:SENTENCES]:
            length = (
                "under 60" if len(text) < 60 else "60 to 119" if len(text) < 120 else "from 120"
            )
            found[f"sentences, {length}"].append((lang, text))
    return dict(sorted(found.items(), key=lambda pair: "from" in pair[0]))


def messages() -> dict[str, Labelled]:
    """What people translated: only messages with more than one word, without the names of things in code."""
    spec = importlib.util.find_spec("sphinx")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("Sphinx is missing: pip install sphinx")
    single: Labelled = []
    joined: Labelled = []
    for path in sorted(Path(spec.submodule_search_locations[0]).glob("locale/*/LC_MESSAGES/*.mo")):
        folder = path.parts[-3]
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        said = sorted(
            {
                re.sub(
                    r"\s+", " ", re.sub(r"%\S*|\{[^}]*\}|[`:'\"<>]\S*|\S*_\S*", " ", text)
                ).strip()
                for key, text in catalogue.items()
                if key and isinstance(key, str) and text != key
            }
        )
        said = [
            text
            for text in said
            if (len(text) >= 20 and text.count(" ") >= 2) or (not text.isascii() and len(text) > 12)
        ]
        if len(said) < MIN_MESSAGES or folder.startswith("en"):
            continue
        lang = one_code(folder)
        single += [(lang, text) for text in said[:MIN_MESSAGES]]
        joined += [
            (lang, " ".join(said[start : start + JOINED]))
            for start in range(0, MIN_MESSAGES - JOINED + 1, JOINED)
        ]
    return {"messages": single, f"messages, {JOINED} joined": joined}


def measure(guess: Callable[[str], str], texts: Labelled) -> dict[str, Any]:
    start = time.process_time()
    found = [(lang, one_code(guess(text) or "none")) for lang, text in texts]
    seconds = time.process_time() - start
    ours = [(want, got) for want, got in found if want in OURS]
    foreign = [(want, got) for want, got in found if want not in OURS]
    kilo = sum(min(len(text), 100_000) for _, text in texts) / 1000
    wrong: dict[str, int] = defaultdict(int)
    for want, got in found:
        if want != got:
            wrong[f"{want} as {got}"] += 1
    return {
        "right": round(sum(want == got for want, got in found) / len(found), 4),
        "foreign_as_ours": _share([got in OURS for _, got in foreign]),
        "ours_as_foreign": _share([got not in OURS for _, got in ours]),
        "ms_per_1000_characters": round(1000 * seconds / kilo, 3),
        "wrong": dict(sorted(wrong.items(), key=lambda pair: -pair[1])[:8]),
    }


def _share(flags: list[bool]) -> float | None:
    return round(sum(flags) / len(flags), 4) if flags else None


def cost(name: str) -> dict[str, Any]:
    """In a process of its own: seconds and megabytes until the first answer; megabytes on disk."""
    code = (
        "import sys, time; sys.path.insert(0, 'benchmarks'); import languages, marginalia.nlp.language, numpy\n"
        "before = languages.memory(); start = time.process_time()\n"
        f"languages.DETECTORS[{name!r}]()('This is a sentence in some language of the world.')\n"
        "print(time.process_time() - start, languages.memory() - before)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    seconds, memory = map(float, out.stdout.split())
    found: dict[str, Any] = {"load_s": round(seconds, 2), "memory_mb": round(memory)}
    if package := PACKAGES.get(name.partition(",")[0]):
        files = importlib.metadata.files(package) or []
        places = [Path(str(file.locate())) for file in files]
        size = sum(place.stat().st_size for place in places if place.is_file())
        about = importlib.metadata.metadata(package)
        found |= {
            "version": importlib.metadata.version(package),
            "licence": about.get("License-Expression") or about.get("License"),
            "disk_mb": round(size / 1e6, 1),
        }
    return found


def memory() -> float:
    """Megabytes that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def tables(result: dict[str, Any]) -> dict[tuple[Path, str], str]:
    found = result["detectors"]
    show = lambda x: "–" if x is None else f"{100 * x:.1f}"  # noqa: E731
    rows = [
        [name, str(size), *(show(found[one]["texts"][name]["right"]) for one in found)]
        for name, size in result["texts"].items()
    ]
    for key, said in (
        ("foreign_as_ours", "foreign as ours"),
        ("ours_as_foreign", "ours as foreign"),
    ):
        for name in ("paragraphs", "messages") if key == "foreign_as_ours" else ("paragraphs",):
            values = [found[one]["texts"][name][key] for one in found]
            rows.append([f"{name}: {said}", "", *map(show, values)])
    costs = [
        ["licence", *(str(found[one].get("licence", "–")) for one in found)],
        ["MB on disk", *(str(found[one].get("disk_mb", "–")) for one in found)],
        ["MB of memory", *(str(found[one]["memory_mb"]) for one in found)],
        ["s to the first answer", *(str(found[one]["load_s"]) for one in found)],
        [
            "ms per 1,000 characters, sentences",
            *(str(found[one]["texts"]["sentences, from 120"]["ms_per_1000_characters"]) for one in found),
        ],
        [
            "ms per 1,000 characters, documents",
            *(str(found[one]["texts"]["documents"]["ms_per_1000_characters"]) for one in found),
        ],
    ]  # fmt: skip
    return {
        (PAGE, "languages:right"): markdown(("% right", "texts", *found), rows),
        (PAGE, "languages:cost"): markdown(("", *found), costs),
    }


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, default=os.environ.get("MARGINALIA_REAL"))
    parser.add_argument("--data", type=Path, default=os.environ.get("MARGINALIA_DATA"))
    parser.add_argument("--show", action="store_true", help="print the figures; write nothing")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    if arguments.real is None or arguments.data is None:
        sys.exit("name the folders: --real (or MARGINALIA_REAL), --data (or MARGINALIA_DATA)")
    whole, pieces = [], []
    for lang, text, long in documents(Path(arguments.real)):
        whole.append((lang, text))
        pieces += [(lang, piece) for piece in long]
    texts = {
        "documents": whole, "paragraphs": pieces, **sentences(Path(arguments.data)), **messages(),
    }  # fmt: skip
    result = load(RESULT)
    result["texts"] = {name: len(rows) for name, rows in texts.items()}
    result["languages"] = {
        name: len({lang for lang, _ in rows}) for name, rows in texts.items()
    }  # fmt: skip
    result["detectors"] = {}
    for name, make in DETECTORS.items():
        guess = make()
        guess("A first text, so that nothing is loaded while the time is taken.")
        measured = {kind: measure(guess, rows) for kind, rows in texts.items()}
        result["detectors"][name] = {**cost(name), "texts": measured}
        print(name, json.dumps(result["detectors"][name], indent=1))
    if not arguments.show:
        keep(RESULT, result, "", "--real FOLDER --data FOLDER")
        fill(tables(result))


if __name__ == "__main__":
    main()
