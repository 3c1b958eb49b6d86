"""How data like those of the variables task are made."""

from marginalia.core.building import Builder, BuildOption, BuildStep
from marginalia.core.lazy import lazy

BUILDER = Builder(
    name="variables",
    steps=(
        BuildStep(
            name="adjudicate",
            summary="list what annotators dispute, and settle it",
            make=lazy(__package__, "adjudication.adjudicate"),
            inputs=("FILE...",),
            options=(
                BuildOption("decisions", "", "The list with is_variable and variable filled in."),
            ),
        ),
    ),
    questions=lazy(__package__, "adjudication.questions"),
    export_answers=lazy(__package__, "adjudication.export"),
    compare_annotators=lazy("marginalia.tasks.variables", "official.agreement.compare"),
    merge_annotators=lazy("marginalia.tasks.variables", "official.agreement.merge"),
)
