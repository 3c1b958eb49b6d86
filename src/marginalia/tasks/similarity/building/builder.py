"""How data like those of the similarity task are made."""

from marginalia.core.building import SEED, Builder, BuildOption, BuildStep
from marginalia.core.lazy import lazy

BUILDER = Builder(
    name="similarity",
    steps=(
        BuildStep(
            name="pairs",
            summary="draw pairs of sentences evenly over string similarity",
            make=lazy(__package__, "pairs.sample"),
            inputs=("PAIRS...",),
            options=(
                BuildOption("count", 750, "Pairs to draw."),
                BuildOption("low", 0.0, "Lowest string similarity."),
                BuildOption("high", 1.0, "Highest string similarity."),
                BuildOption("bins", 10, "Ranges of similarity with equal shares."),
                SEED,
            ),
        ),
        BuildStep(
            name="headlines",
            summary="pair headlines of the same and of other clusters",
            make=lazy(__package__, "pairs.headlines"),
            inputs=("CLUSTERS...",),
            options=(
                BuildOption("count", 375, "Pairs of each kind."),
                BuildOption("bins", 10, "Ranges of similarity with equal shares."),
                BuildOption("max_other", 50_000, "Pairs across clusters to draw from."),
                SEED,
            ),
        ),
        BuildStep(
            name="records",
            summary="pair records with similar ones, near and far",
            make=lazy(__package__, "records.expand"),
            inputs=("RECORDS...",),
            options=(
                BuildOption("near", 892, "Pairs at distance 1."),
                BuildOption("far", 445, "Pairs at distance 2."),
                SEED,
            ),
        ),
        BuildStep(
            name="gold",
            summary="official gold of sentence pairs from ratings of 0 to 5",
            make=lazy(__package__, "pairs.gold"),
            inputs=("PAIRS", "RATINGS"),
        ),
        BuildStep(
            name="typed-gold",
            summary="make gold of ratings in eight respects",
            make=lazy(__package__, "records.gold"),
            inputs=("PAIRS", "RATINGS..."),
        ),
    ),
    questions=lazy(__package__, "pairs.questions"),
)
