"""What a writer meant to come back to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Example, Issue, Rule

_LEFT = re.compile(
    r"(?<![\w`“\"-])(?:(?:TODO|FIXME|TBD|TBA|XXX)(?=\s*[:.)\]]|\s*$)|lorem ipsum dolor|\[(?:citation needed|to be (?:added|done|written)|insert [^\]\n]{1,40})\]"
    r"|(?<!\S)\?\?\?(?=\s|[.)\]]\s))",
    re.MULTILINE,
)


def check(draft: Draft) -> Iterator[Issue]:
    for match in _LEFT.finditer(draft.text):
        said = draft.say("is this still to be done?", "ist hier noch etwas zu tun?")
        yield Issue(*match.span(), said)


def rules() -> Iterable[Rule]:
    yield Rule(
        code="text.placeholder",
        summary="Something was left to be done",
        reason="TODO, TBD, ??? and lorem ipsum are notes to oneself, and should not be published.",
        check=check,
        examples=(
            Example(
                "en",
                "The sheets weigh TBD. TODO: ask the mill.",
                "The sheets weigh 80 g. Add them to your todo list.",
            ),
            Example("de", "Die Blätter wiegen ??? Gramm.", "Die Blätter wiegen 80 Gramm, oder?"),
        ),
    )
