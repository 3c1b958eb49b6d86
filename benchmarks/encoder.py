"""The shared English encoder: int8 against fp32 in quality, and against torch in speed.

    python benchmarks/encoder.py --base FOLDER [--only speed]

FOLDER holds gte-small as ``transformers`` loads it (or give its hub name). Needs marginalia[train] and
sentence-transformers. All encoders take turns on the same texts in one process with one thread, several rounds; seconds are
the processor's, and the ratio of each round is taken before the median. Writes results/encoder.json and the table in the
README of this folder.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["MARGINALIA_THREADS"] = "1"

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.stats import pearson
from marginalia.nlp.encoder import Encoder, english

RESULT = RESULTS / "encoder.json"
ROUNDS = 7
SENTENCES = 300
TORCH = "sentence-transformers (torch, fp32)"


def quality(encoder: Encoder) -> dict[str, float]:
    """Pearson of plain cosine on each set of STS 2012."""
    split = get_benchmark("similarity").load("train", data_folder())
    gold = split.require_gold()
    sets: dict[str, list[str]] = {}
    for id in gold:
        sets.setdefault(id.rpartition("/")[0], []).append(id)
    vectors = [
        encoder.vectors([getattr(split.items[id], side) for id in gold]) for side in ("s1", "s2")
    ]
    cosine = dict(zip(gold, (vectors[0] * vectors[1]).sum(axis=1), strict=True))
    return {
        name: round(pearson([gold[id] for id in ids], [cosine[id] for id in ids]), 4)
        for name, ids in sets.items()
    }


def some(texts: list[str]) -> list[str]:
    """Texts from all over the list, as many as are timed."""
    return texts[:: len(texts) // SENTENCES][:SENTENCES]


def speed(systems: dict[str, Callable[[list[str]], Any]], texts: list[str]) -> dict[str, Any]:
    """Sentences per second of each, and its ratio to torch in the same round."""
    seconds: dict[str, list[float]] = {name: [] for name in systems}
    for encode in systems.values():
        encode(texts[:20])
    for _ in range(ROUNDS):
        for name, encode in systems.items():
            start = time.process_time()
            encode(texts)
            seconds[name].append(time.process_time() - start)
    torch = seconds[TORCH]
    return {
        name: {
            "sentences_per_second": round(len(texts) / statistics.median(times), 1),
            "ratio_to_torch": round(
                statistics.median(t / mine for t, mine in zip(torch, times, strict=True)), 2
            ),
        }
        for name, times in seconds.items()
    }


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True)
    parser.add_argument("--only", choices=["speed"], help="measure this alone and keep the rest")
    return parser


def main() -> None:
    given = parser().parse_args()
    base = given.base
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer

    from marginalia.nlp.training.export import export

    torch.set_num_threads(1)
    items = get_benchmark("similarity").load("dev", data_folder()).items
    word = Transformer(base)
    peer = SentenceTransformer(
        modules=[word, Pooling(word.get_word_embedding_dimension(), "mean")], device="cpu"
    )
    with tempfile.TemporaryDirectory() as folder:
        export(base, Path(folder), int8=False)
        full = Encoder(Path(folder))
        difference = np.abs(
            peer.encode(["A test."], normalize_embeddings=True) - full.vectors(["A test."])
        )
        if difference.max() > 1e-4:
            raise SystemExit("the fp32 export does not agree with torch")
        results = load(RESULT)
        results["speed"] = speed(
            {
                TORCH: peer.encode,
                "marginalia fp32": full.vectors,
                "marginalia int8 (shipped)": Encoder(english().folder).vectors,
            },
            some([item.s1 for item in items.values()]),
        )
        if given.only:
            keep(RESULT, results, "speed", "--base FOLDER --only speed", named=False)
        else:
            results["quality"] = {"fp32": quality(full), "int8": quality(english())}
            keep(RESULT, results, options="--base FOLDER")
    fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    page = ROOT / "benchmarks" / "README.md"
    full, small = results["quality"]["fp32"], results["quality"]["int8"]
    rows = [[name, f"{full[name]:.4f}", f"{small[name]:.4f}"] for name in full]
    means = [statistics.mean(side.values()) for side in (full, small)]
    rows.append(["mean", *(f"{mean:.4f}" for mean in means)])
    speeds = [
        [name, f"{value['sentences_per_second']:.0f}", f"{value['ratio_to_torch']:.2f}×"]
        for name, value in results["speed"].items()
    ]
    return {
        (page, "encoder:quality"): markdown(("STS 2012, Pearson of cosine", "fp32", "int8"), rows),
        (page, "encoder:speed"): markdown(
            ("encoder, one thread", "sentences / s", "ratio"), speeds
        ),
    }


if __name__ == "__main__":
    main()
