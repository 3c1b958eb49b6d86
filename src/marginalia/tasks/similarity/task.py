"""The card of the similarity task."""

from marginalia.core.task import Metric, SystemCard, Task, late
from marginalia.tasks.similarity.sets import ABOUT, SPLITS

CORE = tuple(SPLITS)
LEARNED = tuple(name for name in SPLITS if name == "train" or name.startswith("2012-"))
"""The splits that the shipped weights have seen."""

TASK = Task(
    name="similarity",
    question="What says the same thing, and in which respect?",
    shared_task="*SEM 2013 shared task, Semantic Textual Similarity (STS): CORE and TYPED",
    data_licence="none stated; STS 2012 under Microsoft Research terms (non-commercial research)",
    weights_licence="non-commercial research (because of STS 2012); encoders MIT",
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
            name="learned",
            make=late(__package__, "system.Learned"),
            summary="ours: encoder cosines and matched tokens, weighted as learned, with surface features",
            kind="system",
            trained_on=LEARNED,
            splits=CORE,
        ),
        SystemCard(
            name="both",
            make=late(__package__, "system.Both"),
            summary="the same with the mean of two encoders for English: a little better, and slower",
            kind="system",
            trained_on=LEARNED,
            splits=CORE,
        ),
        SystemCard(
            name="encoder",
            make=late(__package__, "system.EncoderCosine"),
            summary="cosine of the shared encoder's sentence vectors, untrained",
            kind="system",
            splits=CORE,
        ),
        SystemCard(
            name="features",
            make=late(__package__, "classic.Surface"),
            summary="regression on overlaps of words and letters, after DKPro and TakeLab",
            kind="system",
            trained_on=LEARNED,
            splits=CORE,
        ),
        SystemCard(
            name="features-per-set",
            make=late(__package__, "classic.make_per_set"),
            summary="the same with training data chosen for each set, after TakeLab-best",
            kind="system",
            trained_on=LEARNED,
            splits=CORE,
        ),
        SystemCard(
            name="alignment",
            make=late(__package__, "classic.Aligned"),
            summary="the share of words that have a partner, after UMBC; untrained",
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
            name="typed-measured",
            make=late(__package__, "typed_system.TypedMeasured"),
            summary="ours for TYPED: the encoder for each field, fuzzy names, dates as intervals, places",
            kind="system",
            splits=("typed",),
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
    best="learned",
    load=late(__package__, "data.load"),
    score=late(__package__, "score.score"),
    statistics=late(__package__, "score.statistics"),
    score_files=late(__package__, "submission.score_files"),
    write_submission=late(__package__, "submission.write_submission"),
    encode=late(__package__, "data.encode"),
    decode=late(__package__, "data.decode"),
    sources=late(__package__, "data.sources"),
    published=late(__package__, "data.published"),
    annotate=late(__package__, "annotate.annotate"),
    whole=True,
    findings={"contradiction": "warning", "repetition": "note"},
    tools={
        "significance": late(__package__, "score.significance"),
        "similar": late(__package__, "explain.similar"),
        "explain": late(__package__, "explain.explain"),
        "records": late(__package__, "explain.compare_records"),
        "compare": late(__package__, "compare.compare_documents"),
        "look_up": late(__package__, "compare.look_up"),
        "passages": late(__package__, "search.find_passages"),
    },
)
