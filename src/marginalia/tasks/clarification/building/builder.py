"""How data like those of the clarification task are made."""

from marginalia.core.building import Builder, BuildOption, BuildStep
from marginalia.core.lazy import lazy

BUILDER = Builder(
    name="clarification",
    steps=(
        BuildStep(
            name="fillers",
            summary="complete mined revisions to rows of five fillers",
            make=lazy(__package__, "fillers.complete"),
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
            make=lazy(__package__, "fillers.gold"),
            inputs=("RATINGS",),
        ),
    ),
    questions=lazy(__package__, "fillers.questions"),
)
