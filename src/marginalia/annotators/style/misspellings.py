"""Words that are wrong in every text: the usual slips, no dictionary."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from marginalia.annotators.style.consistency import Span
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Edit, Issue
from marginalia.lang import Language
from marginalia.nlp.prose import paragraphs
from marginalia.nlp.tokens import like


class Slips(NamedTuple):
    """The slips of a language, each with what is meant."""

    words: dict[str, str]
    phrases: dict[re.Pattern[str], str]


@cache
def _slips(known: Language) -> Slips:
    pairs = (pair.split(":") for pair in str(known.data("misspellings").get("words", "")).split())
    flag = re.NOFLAG if known.nouns_have_capitals else re.IGNORECASE
    phrases = known.table("misspellings", "phrases").items()
    return Slips(
        {wrong: right.replace("&", " ") for wrong, right in pairs},
        {re.compile(wrong, flag): right for wrong, right in phrases},
    )


def check(draft: Draft) -> Iterator[Issue]:
    slips, as_written = _slips(draft.language), draft.language.nouns_have_capitals
    places: dict[str, list[Span]] = defaultdict(list)
    for word in draft.words:
        key = word.text if as_written else word.text.lower()
        if (
            key in slips.words
            and not word.text.isupper()
            and (as_written or word.opens or word.text.islower())
        ):
            places[key].append((word.start, word.end))
    for key, spans in places.items():
        right = slips.words[key]
        edits = tuple(Edit(start, end, like(right, draft.text[start:end])) for start, end in spans)
        yield Issue(*spans[0], draft.say("write", word=right), edits)
    texts = (draft.text[start:end] for start, end in paragraphs(draft.text))
    if not any(_has_slip(text, draft.language) for text in texts):
        return
    for pattern, right in slips.phrases.items():
        for match in pattern.finditer(draft.text):
            written = like(match.expand(right), match.group())
            yield Issue(
                *match.span(), draft.say("write", word=written), (Edit(*match.span(), written),)
            )


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def _has_slip(paragraph: str, known: Language) -> bool:
    return any(pattern.search(paragraph) for pattern in _slips(known).phrases)
