"""Very long sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marginalia.annotators.style.draft import QUOTATION, Draft, ends_like_a_sentence
from marginalia.annotators.style.masks import BLOT
from marginalia.annotators.style.rule import Issue

MAX_COMMAS_PER_WORD = 0.15
"""With more, a sentence is a list: long, but read item by item."""

_LIST = re.compile(
    r"\n\s*(?:[-*•]|\d+[.)]?)\s|[~=_-]{4}|\t|\(?\b[1a]\).{0,600}?\(?\b[2b]\)", re.DOTALL
)
# What divides a sentence for its reader; also where the space after a full stop is missing.
_DIVISION = re.compile(r"[;:—–](?=\s)|—|(?<=[a-zäöüß)])[.!?](?=[A-ZÄÖÜ])|[.!?]\s")
# Another's words and where they stand cannot be written anew.
_QUOTED = re.compile(rf"{QUOTATION}|\[[^\[\]]*\]")
_QUOTE_MARK = re.compile(r"[\"“”„«»]")
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")


def check(draft: Draft) -> Iterator[Issue]:
    most = draft.limit("sentences.long", draft.language.data("style").get("sentence_words", 0))
    if not most:
        return
    for start, end in draft.sentences:
        # No word is shorter than a letter and a gap.
        count = _count(draft.text[start:end], most) if end - start > 2 * most else 0
        if count:
            yield Issue(start, end, draft.say("long", count=count))


def _count(text: str, most: int) -> int:
    """The words of a sentence that has more than so many in one part; 0 if it has not, or lists things."""
    if not ends_like_a_sentence(text) or _LIST.search(text) or text.startswith(BLOT):
        return 0
    text = _QUOTED.sub(" ", text)
    if _QUOTE_MARK.search(text):
        return 0  # part of a longer quotation
    parts = [len(_WORD.findall(part)) for part in _DIVISION.split(text)]
    signs = text.count(",") + text.count(BLOT) / 5
    is_list = signs > MAX_COMMAS_PER_WORD * sum(parts)
    return 0 if max(parts) <= most or is_list else sum(parts)
