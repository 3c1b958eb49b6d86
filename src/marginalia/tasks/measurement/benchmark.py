"""The card of the measurement benchmark."""

from marginalia.core.benchmark import Benchmark, SystemCard
from marginalia.core.lazy import lazy
from marginalia.core.report import Metric

BENCHMARK = Benchmark(
    name="measurement",
    question="What was measured, of what, under which conditions?",
    shared_task="SemEval-2021 Task 8, MeasEval",
    data_licence="none stated (MeasEval); the paragraphs come from CC BY articles",
    weights_licence="Apache-2.0 (made from MeasEval, which states no licence)",
    splits={
        "train": "official train: 248 paragraphs, 883 quantities",
        "dev": "official trial: 65 paragraphs, 281 quantities",
        "test": "official eval: 135 paragraphs, 499 quantities",
    },
    metrics=(Metric("overall.f1_overlap", "overall"),),
    systems=(
        SystemCard(
            name="pointer",
            make=lazy(__package__, "systems.pointer.Pointer"),
            summary="ours: quantities by rule, their context by a pointer network, one encoder pass",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="strict",
            make=lazy(__package__, "systems.pointer.make_strict"),
            summary="the same for readers: spans, conditions and lists as in our own annotation",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="rules",
            make=lazy(__package__, "systems.rules.Rules"),
            summary="fast: quantities and what they measure by rule, without an encoder",
            kind="system",
            trained_on=("train",),
        ),
        SystemCard(
            name="baseline-1",
            make=lazy(__package__, "systems.baselines.Proximity"),
            summary="the organisers' baseline 1: tagged spans, listed units, the nearest spans linked",
            trains=True,
        ),
        SystemCard(
            name="baseline-2",
            make=lazy(__package__, "systems.baselines.InOrder"),
            summary="the organisers' baseline 2: the same spans linked in text order",
            trains=True,
        ),
        SystemCard(
            name="numbers",
            make=lazy(__package__, "systems.baselines.Numbers"),
            summary="every number with the common unit after it",
            kind="floor",
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
            trained_on=("train", "dev"),
            needs="llm",
        ),
    ),
    preferred={
        "bench": ("pointer",),
        # The spans that score best may be wider than a reader wants; only the rules read German.
        "documents:en": ("strict",),
        "documents:de": ("rules",),
    },
    board_columns={"overall": {"F1 (Overlap)": "overall.f1_overlap"}},
    recipes={"pointer": lazy(__package__, "systems.train.own.train_pointer")},
    load=lazy(__package__, "official.data.load"),
    score=lazy(__package__, "official.score.score"),
    statistics=lazy(__package__, "official.score.statistics"),
    outcomes=lazy(__package__, "official.outcomes.outcomes"),
    facets=lazy(__package__, "official.outcomes.facets"),
    score_files=lazy(__package__, "official.submission.score_files"),
    score_flags=("limit",),
    write_submission=lazy(__package__, "official.submission.write_submission"),
    read_submission=lazy(__package__, "official.submission.read_submission"),
    encode=lazy(__package__, "official.spans.encode"),
    decode=lazy(__package__, "official.spans.decode"),
    census=lazy(__package__, "official.census.census"),
    sources=lazy(__package__, "official.data.sources"),
    published=lazy(__package__, "official.data.published"),
    agreement=lazy(__package__, "official.agreement.agreement"),
)
