"""The card of the complexity task."""

from marginalia.core.task import Metric, SystemCard, Task, late

TASK = Task(
    name="complexity",
    question="Which words will stop the reader?",
    shared_task="SemEval-2021 Task 1, Lexical Complexity Prediction (LCP)",
    data_licence="CC BY 4.0 (CompLex 2.0)",
    weights_licence="CC BY 4.0 (trained on CompLex 2.0); encoder MIT",
    splits={
        "train": "official train: 7,662 words and 1,517 multi-words",
        "dev": "official trial: 421 words and 99 multi-words",
        "test": "official test: 917 words and 184 multi-words",
    },
    metrics=(Metric("words.pearson", "subtask-1"), Metric("multi.pearson", "subtask-2")),
    systems=(
        SystemCard(
            name="ensemble",
            make=late(__package__, "system.make_ensemble"),
            summary="ours: boosting and networks on features and vectors of the shared encoder",
            kind="system",
            trained_on=("train",),
        ),
        SystemCard(
            name="hybrid",
            make=late(__package__, "system.make_hybrid"),
            summary="small networks on features and vectors",
            kind="system",
            trained_on=("train",),
        ),
        SystemCard(
            name="encoder",
            make=late(__package__, "system.make_encoder"),
            summary="small networks on the encoder's vectors alone",
            kind="system",
            trained_on=("train",),
        ),
        SystemCard(
            name="features",
            make=late(__package__, "system.make_features"),
            summary="gradient boosting on features, without the encoder",
            kind="system",
            trained_on=("train",),
        ),
        SystemCard(
            name="frequency",
            make=late(__package__, "baselines.Frequency"),
            summary="the organisers' baseline: linear regression on log frequency",
            trains=True,
        ),
        SystemCard(
            name="length",
            make=late(__package__, "baselines.Length"),
            summary="linear regression on the number of letters",
            kind="floor",
            trains=True,
        ),
        SystemCard(
            name="random",
            make=late(__package__, "baselines.Random"),
            summary="a number from 0 to 1 drawn from the row's id",
            kind="floor",
        ),
    ),
    best="ensemble",
    load=late(__package__, "data.load"),
    score=late(__package__, "score.score"),
    statistics=late(__package__, "score.statistics"),
    score_files=late(__package__, "submission.score_files"),
    write_submission=late(__package__, "submission.write_submission"),
    encode=float,
    decode=float,
    sources=late(__package__, "data.sources"),
    published=late(__package__, "data.published"),
    annotate=late(__package__, "annotate.annotate"),
    findings={"hard word": "note", "hard expression": "note"},
    note_options={"level": ("learner", "general", "expert")},
    tools={
        "summary": late(__package__, "annotate.summary"),
        "alternatives": late(__package__, "alternatives.alternatives"),
    },
)
