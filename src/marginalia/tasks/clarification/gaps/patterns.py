"""What a single insertion added: one of the four patterns of CLAIRE, or none of them.

Section 4.1 of the overview paper: a noun phrase mentioned in the context (implicit reference); a noun after a
determiner or adjective that had none (fused head); a noun before another noun (compound); ``x's y`` or
``y of x`` where there was ``x`` (metonymy).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.lexicon import is_noun, singular
from marginalia.tasks.clarification.gaps.phrases import DETERMINERS, looks_adjective
from marginalia.tasks.clarification.gaps.places import Word
from marginalia.tasks.clarification.official.data import GAP

IMPLICIT, FUSED = "IMPLICIT REFERENCE", "FUSED HEAD"
COMPOUND, METONYMIC = "ADDED COMPOUND", "METONYMIC REFERENCE"

_TOKEN = re.compile(r"[^\W_]+(?:[-‐‑.][^\W_]+)*|['’]s\b|\S")
_GENITIVES = ("'s", "’s", "'", "’")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A run of tokens of the new sentence that the old one lacks: ``tokens[start:end]``."""

    text: str
    """The new sentence."""
    tokens: tuple[Word, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Match:
    """An insertion that fits a pattern: the filler, and the new sentence with a gap in its place."""

    pattern: str
    filler: str
    sentence: str


def tokens(text: str) -> list[tuple[int, int]]:
    """Words and marks; ``'s`` is a token of its own, since a revision may add just that."""
    return [match.span() for match in _TOKEN.finditer(text)]


def single_insertion(old: str, new: str) -> Iterator[tuple[int, int]]:
    """Where tokens were put in, if that is all that differs: runs of the new tokens, as ``start, end``.

    ``the teeth`` became ``the colour of the teeth``: either ``the colour of`` or ``colour of the`` is new, so
    there can be several runs that explain the same change.
    """
    before = [old[a:b] for a, b in tokens(old)]
    after = [new[a:b] for a, b in tokens(new)]
    size = len(after) - len(before)
    if size <= 0 or not before:
        return
    same = _common(before, after)
    rest = _common(before[::-1], after[::-1])
    for start in range(len(before) - rest, same + 1):
        yield start, start + size


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many tokens at the start are equal; the first may have lost its capital to a new one."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def match(insertion: Insertion, mentioned: Collection[str] | None) -> Match | None:
    """The pattern of an insertion.

    ``mentioned`` are the singulars of the words in the context; an implicit reference must be among them.
    None where there is no context to look at.
    """
    for rule in (_metonymic, _compound, _fused):
        found = rule(insertion)
        if found:
            return found
    return _implicit(insertion, mentioned)


def _filled(insertion: Insertion, pattern: str, first: int, last: int) -> Match:
    """A match whose filler are the tokens from ``first`` to ``last``, both included."""
    start, end = insertion.tokens[first].start, insertion.tokens[last].end
    text = insertion.text
    return Match(pattern, text[start:end], f"{text[:start]}{GAP}{text[end:]}")


def _new(insertion: Insertion) -> tuple[Word, ...]:
    return insertion.tokens[insertion.start : insertion.end]


def _before(insertion: Insertion) -> Word | None:
    return insertion.tokens[insertion.start - 1] if insertion.start else None


def _after(insertion: Insertion) -> Word | None:
    rest = insertion.tokens[insertion.end : insertion.end + 1]
    return rest[0] if rest and rest[0].text[0].isalnum() else None


def _is_noun(word: Word | None) -> bool:
    return word is not None and word.tag in NOUNS and word.text[0].isalpha()


def _metonymic(insertion: Insertion) -> Match | None:
    new, before, after = _new(insertion), _before(insertion), _after(insertion)
    last = insertion.end - 1
    owner = before is not None and (_is_noun(before) or before.lower in ("other", "one", "else"))
    # x -> x's y
    if owner and len(new) == 2 and new[0].text in _GENITIVES and _is_noun(new[1]):
        return _filled(insertion, METONYMIC, last, last)
    # x's -> x's y
    owned = before is not None and before.text in _GENITIVES and not _is_noun(after)
    if owned and len(new) == 1 and _is_noun(new[0]):
        return _filled(insertion, METONYMIC, last, last)
    # x -> y of x
    if len(new) < 2 or new[-1].lower != "of" or not _is_noun(new[-2]):
        return None
    alone = len(new) > 2 or before is None or before.tag not in NOUNS
    if alone and all(_opens(word) for word in new[:-2]) and _noun_follows(insertion):
        return _filled(insertion, METONYMIC, last - 1, last - 1)
    return None


def _opens(word: Word) -> bool:
    return word.tag in ("DET", "NUM") or word.lower in DETERMINERS


def _noun_follows(insertion: Insertion) -> bool:
    """Whether a noun comes next, with determiners and adjectives before it at most."""
    for word in insertion.tokens[insertion.end : insertion.end + 4]:
        if _is_noun(word):
            return True
        if not (_opens(word) or word.tag in ("ADJ", "ADV") or word.lower in DETERMINERS):
            return word.tag == "PRON"
    return False


def _compound(insertion: Insertion) -> Match | None:
    new, after, before = _new(insertion), _after(insertion), _before(insertion)
    if len(new) != 1 or new[0].tag != "NOUN" or not _is_noun(new[0]) or not _is_noun(after):
        return None
    if before is not None and before.text in _GENITIVES and after is None:
        return None
    if singular(new[0].lower) != new[0].lower and not is_noun(new[0].lower):
        return None  # a plural; "savings" is none
    return _filled(insertion, COMPOUND, insertion.start, insertion.start)


def _fused(insertion: Insertion) -> Match | None:
    new, before, after = _new(insertion), _before(insertion), _after(insertion)
    if len(new) != 1 or not _is_noun(new[0]) or before is None or _is_noun(after):
        return None
    alone = before.tag in ("DET", "ADJ", "NUM") or before.lower in DETERMINERS
    if not (alone or looks_adjective(before)) or before.lower in ("a", "an", "the"):
        return None
    if after is not None and (after.tag == "ADJ" or after.lower in DETERMINERS):
        return None
    return _filled(insertion, FUSED, insertion.start, insertion.start)


def _implicit(insertion: Insertion, mentioned: Collection[str] | None) -> Match | None:
    new, before, after = _new(insertion), _before(insertion), _after(insertion)
    first, last = insertion.start, insertion.end - 1
    let = before is not None and before.lower == "let"  # let the dough rest
    if (_is_noun(after) and not let) or not _is_noun(new[-1]):
        return None
    preposition = new[0].tag == "ADP" and len(new) > 1
    phrase = new[1:] if preposition else new
    opened = len(phrase) == 2 and _opens(phrase[0])
    if not (opened or len(phrase) == 1 or (len(phrase) == 2 and _is_noun(phrase[0]))):
        return None
    known = mentioned is not None and singular(phrase[-1].lower) in mentioned
    if not known and (mentioned is not None or preposition or not opened):
        return None
    if (
        not preposition
        and before is not None
        and before.tag not in ("VERB", "ADP", "ADV", "PART", "AUX")
    ):
        return None
    return _filled(insertion, IMPLICIT, first + preposition, last)
