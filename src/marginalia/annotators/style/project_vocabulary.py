"""What a project's vocabulary says: how its terms are written, and what it does not want to read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from marginalia.annotators.style.consistency import Span
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Edit, Issue


def check_accepted(draft: Draft) -> Iterator[Issue]:
    """Terms with other capitals than the vocabulary has."""
    terms = {term.lower(): term for term in draft.vocabulary.literal}
    if not terms:
        return
    places: dict[tuple[str, str], list[Span]] = defaultdict(list)
    either = "|".join(sorted(map(re.escape, terms), key=len, reverse=True))
    for match in re.finditer(rf"(?<![\w-])(?:{either})(?![\w-])", draft.text, re.IGNORECASE):
        term = terms[match.group().lower()]
        opens = match.group()[1:] == term[1:] and term[0].islower()  # the first word of a sentence
        if match.group() != term and not opens and not draft.vocabulary.accepts(match.group()):
            places[match.group(), term].append(match.span())
    for (_, term), spans in places.items():
        said = draft.say("in_vocabulary", term=term)
        yield Issue(*spans[0], said, tuple(Edit(*span, term) for span in spans))


def check_rejected(draft: Draft) -> Iterator[Issue]:
    for pattern in draft.vocabulary.rejected:
        for match in pattern.finditer(draft.text):
            yield Issue(*match.span(), draft.say("rejected"))
