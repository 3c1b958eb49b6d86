"""The shared multilingual encoder: what pruning and int8 cost, USE-multilingual beside it, speed.

    python benchmarks/multilingual.py --base E5 --use USE --dictionary FILE

E5 holds multilingual-e5-small as ``transformers`` loads it, USE the weights that use_multilingual.py
wants, FILE the German-English dictionary of Debian's trans-de-en. Needs marginalia[train],
sentence-transformers and sentencepiece. Measured are plain cosines: Pearson on every fourth pair of STS
2012 and 2014; for the sentences of SV-Ident that have a gold variable among the candidates, MAP@10 of
the candidates' texts; and how often the translation of a phrase is the nearest of 1,000. Writes
results/multilingual.json and the tables in the README of this folder.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["MARGINALIA_THREADS"] = "1"

import numpy as np
from encoder import TORCH, some, speed
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load
from use_multilingual import UseMultilingual

from marginalia import get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.stats import pearson
from marginalia.nlp.encoder import Encoder, multilingual

RESULT = RESULTS / "multilingual.json"
EVERY = 4
PHRASES = 1000
LONG = 250
"""Characters of a variable's text that are encoded: what comes later is lists of answers."""
LANGUAGES = ("en", "de")
COLUMNS = {
    "STS 2012": "sts-2012",
    "STS 2014": "sts-2014",
    "link en": "surveys-en",
    "link de": "surveys-de",
    "link en, all": "all-en",
    "link de, all": "all-de",
    "de → en": "de-en",
    "en → de": "en-de",
}

Vectors = Callable[[list[str]], Any]


def similarity(vectors: Vectors) -> dict[str, float]:
    """The mean over the sets of a year of Pearson of the cosine."""
    found: dict[str, list[float]] = {}
    for name, year in (("train", "2012"), ("dev", "2014")):
        split = get_benchmark("similarity").load(name, data_folder())
        gold = split.require_gold()
        sets: dict[str, list[str]] = {}
        for id in gold:
            sets.setdefault(id.rpartition("/")[0], []).append(id)
        for ids in sets.values():
            kept = ids[::EVERY]
            sides = [vectors([getattr(split.items[id], s) for id in kept]) for s in ("s1", "s2")]
            cosine = (sides[0] * sides[1]).sum(axis=1).tolist()
            found.setdefault(year, []).append(pearson([gold[id] for id in kept], cosine))
    return {f"sts-{year}": statistics.mean(each) for year, each in found.items()}


def linking(vectors: Vectors) -> dict[str, float]:
    """MAP@10 of the gold variables among the candidates, by language of the sentence."""
    found: dict[str, list[float]] = {}
    for candidates in ("surveys", "all"):
        for name in ("train", "dev"):
            split = get_benchmark("variables").load(name, data_folder(), candidates=candidates)
            for id, label in split.require_gold().items():
                item = split.items[id]
                gold = {variable for variable in label.variables if variable in item.catalogue}
                if gold:
                    texts = [variable.text[:LONG] for variable in item.catalogue]
                    cosine = vectors(texts) @ vectors([item.sentence])[0]
                    best = np.argsort(-cosine, kind="stable")[:10]
                    hits = np.array([item.catalogue.ids[i] in gold for i in best])
                    precision = hits.cumsum() / np.arange(1, len(hits) + 1)
                    value = float((precision * hits).sum() / min(len(gold), 10))
                    found.setdefault(f"{candidates}-{item.lang}", []).append(value)
    return {name: statistics.mean(each) for name, each in found.items()}


def phrases(dictionary: Path) -> list[tuple[str, str]]:
    """German and English phrases of at least six words that translate each other, drawn at random."""
    found = set()
    for line in dictionary.read_text(encoding="utf-8").splitlines():
        german, mark, english_ = line.partition("::")
        if mark and not line.startswith("#"):
            for sides in zip(german.split("|"), english_.split("|"), strict=False):
                bare = [" ".join(re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", s).split()) for s in sides]
                one_meaning = not any(sign in side for side in bare for sign in ";/")
                if one_meaning and min(len(side.split()) for side in bare) >= 6:
                    found.add((bare[0], bare[1]))
    return random.Random(0).sample(sorted(found), PHRASES)


def translation(vectors: Vectors, pairs: list[tuple[str, str]]) -> dict[str, float]:
    german, english_ = (vectors(list(side)) for side in zip(*pairs, strict=True))
    near, own = german @ english_.T, np.arange(len(pairs))
    return {
        "de-en": float((near.argmax(axis=1) == own).mean()),
        "en-de": float((near.argmax(axis=0) == own).mean()),
    }


def once(vectors: Vectors) -> Vectors:
    """The same, but no text is encoded twice."""
    known: dict[str, Any] = {}

    def look(texts: list[str]) -> Any:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, vectors(new), strict=True))
        return np.stack([known[text] for text in texts])

    return look


def quality(vectors: Vectors, pairs: list[tuple[str, str]]) -> dict[str, float]:
    vectors = once(vectors)
    figures = similarity(vectors) | linking(vectors) | translation(vectors, pairs)
    return {name: round(value, 4) for name, value in figures.items()}


def without_prefix() -> Encoder:
    encoder = Encoder(multilingual().folder)
    encoder.manifest["prefix"] = ""
    return encoder


def all_texts() -> Iterator[tuple[str, list[str]]]:
    """Texts that had no say in which pieces stay, by data set."""
    sets = [(name, get_benchmark(name).load("train", data_folder()).items) for name in SIDES]
    for name, items in sets:
        yield name, [str(getattr(item, side)) for item in items.values() for side in SIDES[name]]


SIDES = {
    "complexity": ("sentence",),
    "measurement": ("text",),
    "variables": ("sentence",),
    "similarity": ("s1", "s2"),
}


def cut_otherwise(whole: Any, texts: list[str]) -> list[str]:
    """The texts that the pruned tokenizer cuts otherwise than the whole one."""
    cuts = [[e.tokens for e in t.encode_batch(texts)] for t in (whole, multilingual().tokenizer)]
    return [text for text, a, b in zip(texts, *cuts, strict=True) if a != b]


def changed(whole: Any) -> dict[str, Any]:
    """How many texts are cut otherwise, and how many pieces are left."""
    shares = {}
    for name, texts in all_texts():
        distinct = list(dict.fromkeys(texts))
        shares[name] = [len(distinct), len(cut_otherwise(whole, distinct))]
    return {
        "pieces": [whole.get_vocab_size(), multilingual().tokenizer.get_vocab_size()],
        "texts and changed": shares,
    }


LOADING = """
import resource, time
start = time.perf_counter()
from marginalia.nlp.encoder import multilingual
multilingual().vectors(["Ein Satz."])
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def loading() -> dict[str, float]:
    """Seconds from import to the first vector, and peak memory, in a process of its own."""
    runs = [
        subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    seconds, memory = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "seconds_to_first_vector": round(min(seconds), 2),
        "peak_megabytes": round(max(memory) * unit / 1e6),
    }


OPTIONS = "--base E5 --use USE --dictionary FILE"
"""Of the command, as it is kept with the results."""


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True)
    parser.add_argument("--use", type=Path, required=True)
    parser.add_argument("--dictionary", type=Path, required=True)
    parser.add_argument("--only", choices=("speed", "quality"), help="keep the rest as it was")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    results = load(RESULT)
    if arguments.only != "quality":
        results["loading"] = loading()  # a child counts the memory of its parent, small until here
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import AutoTokenizer

    from marginalia.nlp.training.export import export

    torch.set_num_threads(1)
    word = Transformer(arguments.base)
    peer = SentenceTransformer(
        modules=[word, Pooling(word.get_word_embedding_dimension(), "mean")], device="cpu"
    )
    prefix = multilingual().manifest["prefix"]
    tokenizer = AutoTokenizer.from_pretrained(arguments.base).backend_tokenizer
    pairs = phrases(arguments.dictionary)
    variables = get_benchmark("variables").load("train", data_folder()).items.values()
    german = some([item.sentence for item in variables if item.lang == "de"])
    with tempfile.TemporaryDirectory() as folder:
        export(arguments.base, Path(folder), int8=False, languages=LANGUAGES, prefix=prefix)
        pruned = Encoder(Path(folder))
        pruned_once = once(pruned.vectors)

        def torch_vectors(texts: list[str]) -> Any:
            return peer.encode([prefix + text for text in texts], normalize_embeddings=True)

        def whole(texts: list[str]) -> Any:
            """Torch where the cut differs; elsewhere the vectors are those of the pruned model."""
            found, other = pruned_once(texts), cut_otherwise(tokenizer, texts)
            for text, vector in zip(other, torch_vectors(other) if other else [], strict=True):
                found[texts.index(text)] = vector
            return found

        difference = np.abs(torch_vectors(german[:20]) - pruned.vectors(german[:20]))
        if difference.max() > 1e-4:
            raise SystemExit("the pruned fp32 export does not agree with torch")
        if arguments.only != "quality":
            results["tokenizer"] = changed(tokenizer)
            results["speed"] = speed(
                {
                    TORCH: torch_vectors,
                    "marginalia fp32, pruned": pruned.vectors,
                    "marginalia int8 (shipped)": multilingual().vectors,
                },
                german,
            )
            for part in ("loading", "tokenizer", "speed"):
                keep(RESULT, results, part, f"{OPTIONS} --only speed", named=False)
            fill(tables(results))
        if arguments.only == "speed":
            return
        os.environ.pop("MARGINALIA_THREADS")
        systems: dict[str, Vectors] = {
            "pruned, fp32": pruned_once,
            "whole vocabulary, fp32": whole,
            "pruned, int8 (shipped)": multilingual().vectors,
            "the same without prefix": without_prefix().vectors,
            "USE-multilingual v3": UseMultilingual(arguments.use).vectors,
        }
        results["quality"] = {}
        for name, vectors in systems.items():
            results["quality"][name] = quality(vectors, pairs)
            keep(RESULT, results, "quality", f"{OPTIONS} --only quality", named=False)
            fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    page = ROOT / "benchmarks" / "README.md"
    rows = [
        [name, *(f"{figures[column]:.3f}" for column in COLUMNS.values())]
        for name, figures in results.get("quality", {}).items()
    ]
    speeds = [
        [name, f"{value['sentences_per_second']:.0f}", f"{value['ratio_to_torch']:.2f}×"]
        for name, value in results["speed"].items()
    ]
    texts = [
        [name, f"{count:,}", f"{count and other / count:.2%}"]
        for name, (count, other) in results["tokenizer"]["texts and changed"].items()
    ]
    return {
        (page, "multilingual:quality"): markdown(("plain cosine", *COLUMNS), rows),
        (page, "multilingual:speed"): markdown(
            ("encoder, one thread, German sentences", "sentences / s", "ratio"), speeds
        ),
        (page, "multilingual:tokenizer"): markdown(("texts of", "texts", "cut otherwise"), texts),
    }


if __name__ == "__main__":
    main()
