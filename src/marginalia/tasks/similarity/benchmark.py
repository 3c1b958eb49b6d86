"""The card of the similarity benchmark."""

from marginalia.core.benchmark import Benchmark, SystemCard
from marginalia.core.distributions import NONCOMMERCIAL
from marginalia.core.lazy import lazy
from marginalia.core.report import Metric
from marginalia.tasks.similarity.official.layouts import ABOUT, SPLITS

CORE = tuple(SPLITS)
LEARNED = tuple(name for name in SPLITS if name == "train" or name.startswith("2012-"))
"""The splits that the shipped weights have seen."""
TUNED = tuple(n for n in SPLITS if n in ("train", "dev") or n[:5] in ("2012-", "2014-", "2015-"))

THREE = {
    "mean": "mean",
    "HDL": "sets.headlines.pearson",
    "OnWN": "sets.OnWN.pearson",
    "FNWN": "sets.FNWN.pearson",
}
"""The columns of the sets that anyone can get."""

BENCHMARK = Benchmark(
    name="similarity",
    question="What says the same thing, and in which respect?",
    shared_task="*SEM 2013 shared task, Semantic Textual Similarity (STS): CORE and TYPED",
    data_licence="none stated; STS 2012 under Microsoft Research terms (non-commercial research)",
    weights_licence="non-commercial use only (because of STS 2012); they come with marginalia-noncommercial; encoders MIT",
    splits={**ABOUT, "typed": "TYPED: record pairs of your own in sts/typed/*.jsonl"},
    metrics=(
        Metric("mean", "core-without-SMT"),
        Metric("mean_unweighted"),
        Metric("sets.headlines.pearson"),
        Metric("sets.OnWN.pearson"),
        Metric("sets.FNWN.pearson"),
        Metric("typed.mean", "typed"),
    ),
    systems=(
        SystemCard(
            name="encoder",
            make=lazy(__package__, "systems.learned.EncoderCosine"),
            summary="cosine of the shared encoders' sentence vectors, untrained: holds on every kind of text",
            kind="system",
            splits=CORE,
        ),
        SystemCard(
            name="tuned",
            make=lazy(__package__, "systems.tuned.Tuned"),
            summary="cosine of sentence vectors whose upper layers were fine-tuned, a source at a time",
            kind="system",
            trained_on=TUNED,
            weights=NONCOMMERCIAL,
            splits=CORE,
        ),
        SystemCard(
            name="learned",
            make=lazy(__package__, "systems.learned.Learned"),
            summary="ours for documents: cosines, matched tokens and surface features, weighted as learned",
            kind="system",
            trained_on=LEARNED,
            weights=NONCOMMERCIAL,
            splits=CORE,
        ),
        SystemCard(
            name="features",
            make=lazy(__package__, "systems.classic.Surface"),
            summary="regression on overlaps of words and letters, after DKPro and TakeLab",
            kind="system",
            trained_on=LEARNED,
            weights=NONCOMMERCIAL,
            splits=CORE,
        ),
        SystemCard(
            name="features-per-set",
            make=lazy(__package__, "systems.classic.Surface", per_set=True),
            summary="the same with training data chosen for each set, after TakeLab-best",
            kind="system",
            trained_on=LEARNED,
            weights=NONCOMMERCIAL,
            splits=CORE,
        ),
        SystemCard(
            name="alignment",
            make=lazy(__package__, "systems.classic.Aligned"),
            summary="the share of words that have a partner, after UMBC; untrained",
            kind="system",
            splits=CORE,
        ),
        SystemCard(
            name="token-cosine",
            make=lazy(__package__, "systems.baselines.TokenCosine"),
            summary="the organisers' baseline for CORE: cosine of binary token vectors",
            splits=CORE,
        ),
        SystemCard(
            name="random",
            make=lazy(__package__, "systems.baselines.Random"),
            summary="a number from 0 to 5 drawn from the pair's id",
            kind="floor",
            splits=CORE,
        ),
        SystemCard(
            name="typed-measured",
            make=lazy(__package__, "systems.records.typed.TypedMeasured"),
            summary="ours for TYPED: the encoder for each field, fuzzy names, dates as intervals, places",
            kind="system",
            splits=("typed",),
        ),
        SystemCard(
            name="typed-tfidf",
            make=lazy(__package__, "systems.baselines.TypedTfidf"),
            summary="the organisers' baseline for TYPED: TF-IDF cosine of fields, names, dates, verbs",
            splits=("typed",),
        ),
        SystemCard(
            name="typed-random",
            make=lazy(__package__, "systems.baselines.TypedRandom"),
            summary="eight numbers from 0 to 5 drawn from the pair's id",
            kind="floor",
            splits=("typed",),
        ),
        SystemCard(
            name="prompted",
            make=lazy(__package__, "systems.prompted.make_prompted"),
            summary="a language model that you name with --llm, asked without examples; needs marginalia[llm]",
            kind="prompted",
            needs="llm",
        ),
        SystemCard(
            name="combined",
            make=lazy(__package__, "systems.prompted.make_combined"),
            summary="the same blended with the shipped system; needs marginalia[llm]",
            kind="prompted",
            trained_on=TUNED,
            needs="llm",
        ),
    ),
    preferred={
        "bench": ("tuned", "encoder"),
        # Thresholds of notes and searches were set on its scale, which holds between two languages too.
        "documents:en": ("learned", "encoder"),
        "documents:de": ("learned", "encoder"),
    },
    # "mean_unweighted" of the published rows weighs the sets alike, that of a run the pairs: it is no column of a run.
    board_columns={
        "core": THREE | {"SMT": "sets.SMT.pearson"},
        "core-without-SMT": THREE,
        "typed": {
            name: f"typed.{name}"
            for name in (
                "mean",
                "general",
                "author",
                "people involved",
                "time",
                "location",
                "event",
                "subject",
                "description",
            )
        },
    },
    recipes={
        "tuned": lazy(__package__, "systems.train.upper.train_tuned"),
        "learned": lazy(__package__, "systems.train.upper.train_learned"),
    },
    load=lazy(__package__, "official.data.load"),
    score=lazy(__package__, "official.score.score"),
    statistics=lazy(__package__, "official.score.statistics"),
    outcomes=lazy(__package__, "official.score.outcomes"),
    facets=lazy(__package__, "official.score.facets"),
    score_files=lazy(__package__, "official.submission.score_files"),
    write_submission=lazy(__package__, "official.submission.write_submission"),
    read_submission=lazy(__package__, "official.submission.read_submission"),
    encode=lazy(__package__, "official.data.encode"),
    decode=lazy(__package__, "official.data.decode"),
    census=lazy(__package__, "official.census.census"),
    sources=lazy(__package__, "official.data.sources"),
    published=lazy(__package__, "official.data.published"),
)
