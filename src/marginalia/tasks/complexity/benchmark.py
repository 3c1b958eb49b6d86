"""The card of the complexity benchmark."""

from marginalia.core.benchmark import Benchmark, SystemCard
from marginalia.core.lazy import lazy
from marginalia.core.report import Metric

BENCHMARK = Benchmark(
    name="complexity",
    question="Which words will stop the reader?",
    shared_task="SemEval-2021 Task 1, Lexical Complexity Prediction (LCP)",
    data_licence="CC BY 4.0 (CompLex 2.0)",
    weights_licence="CC BY 4.0 (trained on CompLex 2.0); encoder MIT, language model of ensemble-lm Apache-2.0",
    splits={
        "train": "official train: 7,662 words and 1,517 multi-words",
        "dev": "official trial: 421 words and 99 multi-words",
        "test": "official test: 917 words and 184 multi-words",
    },
    metrics=(Metric("words.pearson", "subtask-1"), Metric("multi.pearson", "subtask-2")),
    systems=(
        SystemCard(
            name="ensemble",
            make=lazy(__package__, "systems.heads.make_ensemble"),
            summary="ours: boosting and networks on features and vectors of the shared encoder",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="ensemble-lm",
            make=lazy(__package__, "systems.heads.make_ensemble_lm"),
            summary="the same with what a language model knows of the words; needs marginalia[lm]",
            kind="system",
            trained_on=("train", "dev"),
            needs="lm",
        ),
        SystemCard(
            name="hybrid",
            make=lazy(__package__, "systems.heads.make_hybrid"),
            summary="small networks on features and vectors",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="encoder",
            make=lazy(__package__, "systems.heads.make_encoder"),
            summary="small networks on vectors of the encoder, which stays as it is",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="tuned",
            make=lazy(__package__, "systems.fine_tuned.FineTuned"),
            summary="two layers of the encoder, fine-tuned on targets in their sentences",
            kind="system",
            trains=True,
            needs="train",
        ),
        SystemCard(
            name="features",
            make=lazy(__package__, "systems.heads.make_features"),
            summary="gradient boosting on features, without the encoder",
            kind="system",
            trained_on=("train", "dev"),
        ),
        SystemCard(
            name="frequency",
            make=lazy(__package__, "systems.baselines.Frequency"),
            summary="the organisers' baseline: linear regression on log frequency",
            trains=True,
        ),
        SystemCard(
            name="length",
            make=lazy(__package__, "systems.baselines.Length"),
            summary="linear regression on the number of letters",
            kind="floor",
            trains=True,
        ),
        SystemCard(
            name="random",
            make=lazy(__package__, "systems.baselines.Random"),
            summary="a number from 0 to 1 drawn from the row's id",
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
    preferred={"bench": ("ensemble-lm", "ensemble"), "documents": ("ensemble",)},
    board_columns={
        board: {
            name: f"{part}.{name.lower()}" for name in ("Pearson", "Spearman", "MAE", "MSE", "R2")
        }
        for board, part in (("subtask-1", "words"), ("subtask-2", "multi"))
    },
    recipes={
        "ensemble": lazy(__package__, "systems.train.recipe.train_ensemble"),
        "ensemble-lm": lazy(__package__, "systems.train.recipe.train_ensemble_lm"),
        "tuned": lazy(__package__, "systems.train.recipe.train_tuned"),
    },
    load=lazy(__package__, "official.data.load"),
    score=lazy(__package__, "official.score.score"),
    statistics=lazy(__package__, "official.score.statistics"),
    outcomes=lazy(__package__, "official.score.outcomes"),
    facets=lazy(__package__, "official.score.facets"),
    score_files=lazy(__package__, "official.submission.score_files"),
    write_submission=lazy(__package__, "official.submission.write_submission"),
    read_submission=lazy(__package__, "official.submission.read_submission"),
    encode=float,
    decode=float,
    census=lazy(__package__, "official.census.census"),
    sources=lazy(__package__, "official.data.sources"),
    published=lazy(__package__, "official.data.published"),
)
