"""Very long sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from marginalia.annotators.style.draft import QUOTATION, Draft, ends_like_a_sentence
from marginalia.annotators.style.masks import BLOT
from marginalia.annotators.style.rule import Example, Issue, Rule

MAX_WORDS = {"en": 50, "de": 44}
"""German says in one compound what English says in three words. Judges found shorter ones a matter of taste, nearly all."""
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
    most = draft.limit("sentences.long", MAX_WORDS.get(draft.lang, 0))
    if not most:
        return
    for start, end in draft.sentences:
        # No word is shorter than a letter and a gap.
        count = _count(draft.text[start:end], most) if end - start > 2 * most else 0
        if not count:
            continue
        said = draft.say(
            f"a sentence of {count} words: could it be two?",
            f"ein Satz von {count} Wörtern: werden es auch zwei?",
        )
        yield Issue(start, end, said)


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


_LONG = (
    "The sheets that were folded on the first day by the members of the group who had come early and who had brought their own bone "
    "folders with them from home were put under the boards together with the sheets that the others had folded on the second day after lunch in the yard behind the mill."
)
_LONG_DE = (
    "Die Blätter, die am ersten Tag von den Mitgliedern der Gruppe gefaltet worden waren, die früh gekommen waren und ihr eigenes Falzbein "
    "von zu Hause mitgebracht hatten, wurden zusammen mit den Blättern unter die Bretter gelegt, die die anderen am zweiten Tag nach dem Essen gefaltet hatten."
)


def rules() -> Iterable[Rule]:
    yield Rule(
        code="sentences.long",
        summary="A very long sentence",
        reason=f"More than {MAX_WORDS['en']} words without a break in English, {MAX_WORDS['de']} in German; profiles and the setting `sentence-words` say otherwise. "
        "What stands between semicolons, colons and dashes is counted by itself; quotations and references are not counted, and sentences that list things are left alone.",
        check=check,
        examples=(
            Example(
                "en",
                _LONG,
                "The sheets of the first day were put under the boards. The others came after lunch.",
            ),
            Example(
                "de",
                _LONG_DE,
                "Die Blätter des ersten Tages lagen unter den Brettern. Die anderen kamen nach dem Essen.",
            ),
        ),
    )
