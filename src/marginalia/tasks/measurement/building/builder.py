"""How data like those of the measurement task are made."""

from marginalia.core.building import Builder, BuildStep
from marginalia.core.lazy import lazy

BUILDER = Builder(
    name="measurement",
    steps=(
        BuildStep(
            name="adjudicate",
            summary="list what two annotators dispute, and settle it",
            make=lazy(__package__, "adjudication.adjudicate"),
            inputs=("ONE", "OTHER", "[DECISIONS]"),
        ),
    ),
    questions=lazy(__package__, "questions.questions"),
    export_answers=lazy(__package__, "questions.export"),
    compare_annotators=lazy("marginalia.tasks.measurement", "official.annotators.compare"),
)
