"""The card of the measurement task."""

from marginalia.core.task import Metric, SystemCard, Task, late

TASK = Task(
    name="measurement",
    question="What was measured, of what, under which conditions?",
    shared_task="SemEval-2021 Task 8, MeasEval",
    data_licence="none stated (MeasEval); the paragraphs come from CC BY articles",
    weights_licence="no weights yet",
    splits={
        "train": "official train: 248 paragraphs, 883 quantities",
        "dev": "official trial: 65 paragraphs, 281 quantities",
        "test": "official eval: 135 paragraphs, 499 quantities",
    },
    metrics=(Metric("overall.f1_overlap", "overall"),),
    systems=(
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
    best="baseline-1",
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
)
