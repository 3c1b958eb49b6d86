"""The card of the clarification task."""

from marginalia.core.building import BuildOption, BuildStep
from marginalia.core.distributions import NONCOMMERCIAL
from marginalia.core.task import Metric, SystemCard, Task, lazy

TASK = Task(
    name="clarification",
    question="What is left unsaid, and how could it be read?",
    shared_task="SemEval-2022 Task 7, Identifying Plausible Clarifications (CLAIRE)",
    data_licence="CC BY-NC-SA 3.0 (wikiHow, acidAnn/claire)",
    weights_licence="CC-BY-NC-SA-3.0, as the data: no commercial use; they come with marginalia-noncommercial",
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
            name="rater",
            make=lazy(__package__, "systems.ours.Rater"),
            summary="ours: one pass for a context and its fillers, compared with each other",
            kind="system",
            trained_on=("train",),
            weights=NONCOMMERCIAL,
        ),
        SystemCard(
            name="rater-lm",
            make=lazy(__package__, "systems.ours.make_rater_lm"),
            summary="the same with a language model that learned to rate; needs marginalia[lm]",
            kind="system",
            trained_on=("train",),
            weights=NONCOMMERCIAL,
            needs="lm",
        ),
        SystemCard(
            name="encoder",
            make=lazy(__package__, "systems.ours.make_encoder"),
            summary="the fine-tuned encoder alone, each filler for itself",
            kind="system",
            trained_on=("train",),
            weights=NONCOMMERCIAL,
        ),
        SystemCard(
            name="lm",
            make=lazy(__package__, "systems.baselines.Likelier"),
            summary="unsupervised: likelihood under a language model; needs marginalia[lm]",
            kind="system",
            needs="lm",
        ),
        SystemCard(
            name="related",
            make=lazy(__package__, "systems.relatedness.Related"),
            summary="untrained: what the guide mentions, or what is near to it in meaning",
            kind="floor",
        ),
        SystemCard(
            name="ordinal",
            make=lazy(__package__, "systems.ordinal.Ordinal"),
            summary="ordinal regression on frequency, mentions, agreement and relatedness",
            kind="system",
            trains=True,
        ),
        SystemCard(
            name="bow",
            make=lazy(__package__, "systems.baselines.BagOfWords"),
            summary="ridge regression on TF-IDF of the filler, its neighbours and earlier mentions",
            kind="floor",
            trains=True,
        ),
        SystemCard(
            name="frequency",
            make=lazy(__package__, "systems.baselines.Frequency"),
            summary="linear regression on the log frequency of the filler",
            kind="floor",
            trains=True,
        ),
        SystemCard(
            name="majority",
            make=lazy(__package__, "systems.baselines.Majority"),
            summary="the most frequent class of train; its Spearman is undefined",
            trains=True,
        ),
        SystemCard(
            name="random",
            make=lazy(__package__, "systems.baselines.Random"),
            summary="a score from 1 to 5 drawn from the row's id",
            kind="floor",
        ),
    ),
    board_columns={
        "classification": {"accuracy": "accuracy"},
        "ranking": {"Spearman": "spearman"},
        # Over all classes, micro F1 is the accuracy.
        "classification-f1": {"F1 (all)": "accuracy", "F1 (w/o N)": "without_neutral.f1"},
        "multiple-plausible": {"accuracy (#P>=2)": "multiple_plausible.accuracy"},
        "leaderboard": {"accuracy": "accuracy", "Spearman": "spearman"},
    },
    best="rater",
    with_lm="rater-lm",
    recipes={"rater": lazy(__package__, "systems.train.own.train_rater")},
    fallback="related",
    load=lazy(__package__, "official.data.load"),
    score=lazy(__package__, "official.score.score"),
    statistics=lazy(__package__, "official.score.statistics"),
    outcomes=lazy(__package__, "official.outcomes.outcomes"),
    facets=lazy(__package__, "official.outcomes.facets"),
    score_files=lazy(__package__, "official.submission.score_files"),
    score_flags=("strict",),
    write_submission=lazy(__package__, "official.submission.write_submission"),
    read_submission=lazy(__package__, "official.submission.read_submission"),
    encode=lazy(__package__, "official.ratings.encode"),
    decode=lazy(__package__, "official.ratings.decode"),
    sources=lazy(__package__, "official.data.sources"),
    published=lazy(__package__, "official.data.published"),
    annotate=lazy(__package__, "notes.annotate.annotate"),
    note_languages=("en",),
    whole=True,
    findings=dict.fromkeys(
        ("implicit reference", "fused head", "noun compound", "metonymy"), "note"
    ),
    build_steps=(
        BuildStep(
            name="fillers",
            summary="complete mined revisions to rows of five fillers",
            make=lazy(__package__, "building.fillers.complete"),
            inputs=("MINED...",),
            options=(
                BuildOption("words", "", "File of further candidates, one on each line."),
                BuildOption(
                    "model",
                    "",
                    "GGUF language model that adds and ranks candidates; needs marginalia[lm].",
                ),
            ),
        ),
        BuildStep(
            name="gold",
            summary="official labels and scores from ratings of 1 to 5",
            make=lazy(__package__, "building.fillers.gold"),
            inputs=("RATINGS",),
        ),
    ),
    questions=lazy(__package__, "building.questions.questions"),
)
