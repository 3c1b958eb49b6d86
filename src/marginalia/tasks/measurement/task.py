"""The card of the measurement task."""

from marginalia.core.task import Metric, SystemCard, Task, late

TASK = Task(
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
            make=late(__package__, "system.Pointer"),
            summary="ours: quantities by rule, their context pointed to in one encoder pass",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="strict",
            make=late(__package__, "system.make_strict"),
            summary="the same, spans as a reader wants them: in one sentence, without a quantity, apart",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="tagger",
            make=late(__package__, "system.TokenTagger"),
            summary="a token classifier on the same pass, the nearest spans linked",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="rules",
            make=late(__package__, "rules.Rules"),
            summary="fast: quantities and what they measure by rule, no encoder",
            kind="system",
            trained_on=("train",),
        ),
        SystemCard(
            name="baseline-1",
            make=late(__package__, "baselines.Proximity"),
            summary="the organisers' baseline 1: tagged spans, listed units, the nearest spans linked",
            trains=True,
        ),
        SystemCard(
            name="baseline-2",
            make=late(__package__, "baselines.InOrder"),
            summary="the organisers' baseline 2: the same spans linked in text order",
            trains=True,
        ),
        SystemCard(
            name="numbers",
            make=late(__package__, "baselines.Numbers"),
            summary="every number with the common unit after it",
            kind="floor",
        ),
    ),
    best="pointer",
    load=late(__package__, "data.load"),
    score=late(__package__, "score.score"),
    statistics=late(__package__, "score.statistics"),
    score_files=late(__package__, "submission.score_files"),
    score_flags=("limit",),
    write_submission=late(__package__, "submission.write_submission"),
    encode=late(__package__, "spans.encode"),
    decode=late(__package__, "spans.decode"),
    sources=late(__package__, "data.sources"),
    published=late(__package__, "data.published"),
    annotate=late(__package__, "annotate.annotate"),
    tools={
        "extract": late(__package__, "extract.extract"),
        "rows": late(__package__, "extract.rows"),
        "triples": late(__package__, "triples.triples"),
        "agreement": late(__package__, "iaa.agreement"),
    },
)
