"""The card of the similarity task."""

from marginalia.core.task import Metric, SystemCard, Task, late
from marginalia.tasks.similarity.sets import ABOUT, SPLITS

CORE = tuple(SPLITS)

TASK = Task(
    name="similarity",
    question="What says the same thing, and in which respect?",
    shared_task="*SEM 2013 shared task, Semantic Textual Similarity (STS): CORE and TYPED",
    data_licence="none stated; STS 2012 under Microsoft Research terms (non-commercial research)",
    weights_licence="no weights of its own; encoder MIT",
    splits={**ABOUT, "typed": "TYPED: record pairs of your own in sts/typed/*.jsonl"},
    metrics=(
        Metric("mean", "core-without-SMT"),
        Metric("sets.headlines.pearson"),
        Metric("sets.OnWN.pearson"),
        Metric("sets.FNWN.pearson"),
        Metric("typed.mean", "typed"),
    ),
    systems=(
        SystemCard(
            name="encoder",
            make=late(__package__, "system.EncoderCosine"),
            summary="cosine of the shared encoder's sentence vectors, untrained",
            kind="system",
            splits=CORE,
        ),
        SystemCard(
            name="token-cosine",
            make=late(__package__, "baselines.TokenCosine"),
            summary="the organisers' baseline for CORE: cosine of binary token vectors",
            splits=CORE,
        ),
        SystemCard(
            name="random",
            make=late(__package__, "baselines.Random"),
            summary="a number from 0 to 5 drawn from the pair's id",
            kind="floor",
            splits=CORE,
        ),
        SystemCard(
            name="typed-tfidf",
            make=late(__package__, "baselines.TypedTfidf"),
            summary="the organisers' baseline for TYPED: TF-IDF cosine of fields, names, dates, verbs",
            splits=("typed",),
        ),
        SystemCard(
            name="typed-random",
            make=late(__package__, "baselines.TypedRandom"),
            summary="eight numbers from 0 to 5 drawn from the pair's id",
            kind="floor",
            splits=("typed",),
        ),
    ),
    best="encoder",
    load=late(__package__, "data.load"),
    score=late(__package__, "score.score"),
    statistics=late(__package__, "score.statistics"),
    score_files=late(__package__, "submission.score_files"),
    write_submission=late(__package__, "submission.write_submission"),
    encode=late(__package__, "data.encode"),
    decode=late(__package__, "data.decode"),
    sources=late(__package__, "data.sources"),
    published=late(__package__, "data.published"),
    tools={"significance": late(__package__, "score.significance")},
)
