"""The card of the task."""

from marginalia import Benchmark, Metric, SystemCard, lazy

BENCHMARK = Benchmark(
    name="acronyms",
    question="Which abbreviation is never explained?",
    shared_task="none: an example of a plug-in",
    data_licence="Apache-2.0",
    weights_licence="no weights",
    splits={"train": "8 invented texts", "dev": "6 invented texts", "test": "4 invented texts"},
    metrics=(Metric("accuracy"),),
    systems=(
        SystemCard(
            name="brackets",
            make=lazy(__package__, "system.Brackets"),
            summary="explained is what stands in brackets after its long form",
            kind="system",
        ),
        SystemCard(
            name="majority",
            make=lazy(__package__, "system.Majority"),
            summary="the commoner answer of the train split",
            kind="floor",
            trains=True,
        ),
    ),
    preferred={"bench": ("brackets",)},
    load=lazy(__package__, "data.load"),
    score=lazy(__package__, "score.score"),
    statistics=lazy(__package__, "score.statistics"),
    outcomes=lazy(__package__, "score.outcomes"),
    score_files=lazy(__package__, "data.score_files"),
    write_submission=lazy(__package__, "data.write_submission"),
    encode=bool,
    decode=bool,
    sources=list,
    published=lazy(__package__, "data.published"),
)
