"""What a writer meant to come back to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Issue
from marginalia.lang import compile_all

_LEFT_OPEN = (
    r"(?<![\w`“\"-])(?:(?:TODO|FIXME|TBD|TBA|XXX)(?=\s*[:.)\]]|\s*$)|lorem ipsum dolor"
    r"|<ALL>|(?<!\S)\?\?\?(?=\s|[.)\]]\s))"
)


def check(draft: Draft) -> Iterator[Issue]:
    left_open = compile_all(_LEFT_OPEN, "style", "placeholders", re.MULTILINE)
    for match in left_open.finditer(draft.text):
        yield Issue(*match.span(), draft.say("placeholder"))
