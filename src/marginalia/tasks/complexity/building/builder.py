"""How data like those of the complexity task are made."""

from marginalia.core.building import SEED, Builder, BuildOption, BuildStep
from marginalia.core.lazy import lazy

BUILDER = Builder(
    name="complexity",
    steps=(
        BuildStep(
            name="targets",
            summary="draw words and expressions to be rated",
            make=lazy(__package__, "targets.pick"),
            inputs=("TEXT...",),
            options=(
                BuildOption("words", 3000, "Single words of each text."),
                BuildOption("multi", 600, "Expressions of each text."),
                BuildOption("per_token", 5, "Contexts of a token in a text."),
                SEED,
            ),
        ),
        BuildStep(
            name="gold",
            summary="make complexities of ratings from 1 to 5",
            make=lazy(__package__, "splits.gold"),
            inputs=("TARGETS...", "RATINGS"),
            options=(BuildOption("min_ratings", 4, "Targets with fewer ratings are left out."),),
        ),
        BuildStep(
            name="split",
            summary="divide into trial, test and train, 1 : 2 : 17 groups",
            make=lazy(__package__, "splits.split"),
            inputs=("COMPLEX...",),
            options=(SEED,),
        ),
    ),
    questions=lazy(__package__, "targets.questions"),
)
