"""The card of the clarification task."""

from marginalia.core.task import Metric, SystemCard, Task, late

TASK = Task(
    name="clarification",
    question="What is left unsaid, and how could it be read?",
    shared_task="SemEval-2022 Task 7, Identifying Plausible Clarifications (CLAIRE)",
    data_licence="CC BY-NC-SA 3.0 (wikiHow, acidAnn/claire)",
    weights_licence="no weights yet",
    splits={
        "train": "official train: 3,995 sentences with 5 fillers each, mostly 2 raters",
        "dev": "official dev: 500 sentences with 5 fillers each, 4 raters",
        "test": "official test: 500 sentences with 5 fillers each, 4 raters",
    },
    metrics=(
        Metric("accuracy", "classification"),
        Metric("spearman", "ranking"),
        Metric("without_neutral.f1", "classification-f1"),
        Metric("multiple_plausible.accuracy", "multiple-plausible"),
    ),
    systems=(
        SystemCard(
            name="bow",
            make=late(__package__, "baselines.BagOfWords"),
            summary="ridge regression on TF-IDF of the filler, its neighbours and earlier mentions",
            kind="floor",
            trains=True,
        ),
        SystemCard(
            name="frequency",
            make=late(__package__, "baselines.Frequency"),
            summary="linear regression on the log frequency of the filler",
            kind="floor",
            trains=True,
        ),
        SystemCard(
            name="majority",
            make=late(__package__, "baselines.Majority"),
            summary="the most frequent class of train; its Spearman is undefined",
            trains=True,
        ),
        SystemCard(
            name="random",
            make=late(__package__, "baselines.Random"),
            summary="a score from 1 to 5 drawn from the row's id",
            kind="floor",
        ),
    ),
    best="bow",
    load=late(__package__, "data.load"),
    score=late(__package__, "score.score"),
    statistics=late(__package__, "score.statistics"),
    score_files=late(__package__, "submission.score_files"),
    score_flags=("strict",),
    write_submission=late(__package__, "submission.write_submission"),
    encode=late(__package__, "ratings.encode"),
    decode=late(__package__, "ratings.decode"),
    sources=late(__package__, "data.sources"),
    published=late(__package__, "data.published"),
)
