"""An easier word only where it can stand in the sentence: of the sense that is meant, in the right form, and at home there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from marginalia.annotators.words.easier.alternatives import fill, is_participle
from marginalia.nlp.frequency import zipf
from marginalia.nlp.inflection import inflect
from marginalia.nlp.tokens import words

MIN_ZIPF = 3.3
MIN_GAIN_ZIPF = 1.2
"""An easier word is at least so common, and so much more common than the hard one: of 60 judged pairs 45 fitted, of the 33 with
this gain 28."""
MIN_FIT = 0.98
"""Cosine between the sentence with the easier word and the sentence as it was."""
SAME_ROOT = 5
"""Words that share so many first letters are as hard as each other (discriminative, discriminatory)."""
_PREPOSITIONS = frozenset("about at by for from in into of on to upon with".split())
_NO_VERBS = frozenset("except like near out round still while".split())
"""Verbs that readers know as other words only: nobody excepts a line."""


def fitting(
    sentence: str,
    start: int,
    end: int,
    lemmas: Iterable[str],
    part: str,
    ending: str,
    encoder: Any,
) -> list[str]:
    """Those of the lemmas (of one sense) that can replace ``sentence[start:end]``, in its form, the best first; often none."""
    token = sentence[start:end]
    after = next(words(sentence[end : end + 20]), None)
    if part == "n" and token.lower().endswith("ing"):
        return []  # a noun made of a verb: no other noun does its work (clustering, bunch)
    if part == "v" and after is not None and after.group().lower() in _PREPOSITIONS:
        return []  # each verb has its own: pertains to, concerns
    participle = is_participle(sentence, start, end)
    if part == "v":
        lemmas = [lemma for lemma in lemmas if lemma not in _NO_VERBS]
    forms = [_cased(inflect(lemma, part, ending, participle=participle), token) for lemma in lemmas]
    easier = [form for form in forms if _is_easier(form, token)]
    if not easier:
        return []
    filled = [fill(sentence, start, end, form)[0] for form in easier]
    vectors = encoder.vectors([sentence, *filled])
    fits = (vectors[1:] @ vectors[0]).tolist()
    kept = [(fit, form) for fit, form in zip(fits, easier, strict=True) if fit >= MIN_FIT]
    return [form for _, form in sorted(kept, reverse=True)]


def _is_easier(form: str, token: str) -> bool:
    return (
        zipf(form) >= max(MIN_ZIPF, zipf(token) + MIN_GAIN_ZIPF)
        and form.lower()[:SAME_ROOT] != token.lower()[:SAME_ROOT]
        and not token.lower().startswith(form.lower())
    )


def _cased(form: str, token: str) -> str:
    return form[0].upper() + form[1:] if token[0].isupper() else form
