"""The fine-tuned system of similarity judged on sources left out: tuned anew on the others, four groups of sources in turn.

One source at a time would take thirteen trainings; in groups each system has seen even less that is like the source it is
judged on.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from marginalia import Split

Floats = NDArray[np.float64]

GROUPS = (
    ("MSRpar", "belief", "headlines"),
    ("MSRvid", "OnWN", "tweet-news"),
    ("SMTeuroparl", "answers-forums", "images"),
    ("SMTnews", "answers-students", "deft-forum", "deft-news"),
)
"""Each has a large source, a small one, and two that are not alike."""


def retuned(whole: Split, judged: Split, learned: Floats) -> dict[str, Floats]:
    """The scores of the pairs to be judged: the cosine alone, and with its share of ``learned`` as shipped.

    Trained on all pairs of the other sources, and read as it would ship, in int8; ``learned`` has the scores of the same
    pairs, also by what was fitted without their source.
    """
    import json

    from marginalia.nlp.encoder import english
    from marginalia.nlp.onnx import start
    from marginalia.tasks.similarity.systems.ours import obvious
    from marginalia.tasks.similarity.systems.train.recipe import labelled
    from marginalia.tasks.similarity.systems.train.tuning import scale_of, source_of, tune
    from marginalia.tasks.similarity.systems.train.upper import (
        LEARNED_SHARE,
        RATE,
        SEED,
        UpperLayers,
        set_up,
    )
    from marginalia.tasks.similarity.systems.tuned import TunedVectors

    rows, wanted = labelled(whole), labelled(judged)
    upper = UpperLayers(english(), sorted({text for pair in rows.pairs for text in pair}))
    kinds = np.array([source_of(name) for name in rows.sets])
    out = np.array([source_of(name) for name in wanted.sets])
    cosine = np.zeros(len(out))
    for group in GROUPS:
        set_up(SEED)
        rest = rows.take(~np.isin(kinds, group))
        network = tune(rest, upper.network(), upper.encode, rate=RATE, seed=SEED)
        texts = sorted({text for pair in rest.pairs for text in pair})
        made = TunedVectors({"unrelated": 0.0, "learned": 0.0}, start(upper.to_onnx(network)))
        scale = json.loads(scale_of(texts, made.vectors, LEARNED_SHARE))
        made = TunedVectors(scale, made.upper)
        places = np.flatnonzero(np.isin(out, group))
        read = list(dict.fromkeys(text for place in places for text in wanted.pairs[place]))
        known: Mapping[str, Floats] = dict(zip(read, made.vectors(read), strict=True))
        for place in places:
            a, b = wanted.pairs[place]
            same = obvious(a, b)
            cosine[place] = same.score if same else made.scale.points(float(known[a] @ known[b]))
        print(f"tuned without {', '.join(group)}", file=sys.stderr, flush=True)
    mixed = (1 - LEARNED_SHARE) * cosine + LEARNED_SHARE * learned
    return {"tuned, cosine alone": cosine, "tuned": mixed}
