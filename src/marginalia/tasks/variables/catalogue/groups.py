"""The same question asked again: in another wave, another year, another survey.

Such variables differ in year, wave and question number only. They form a group, share its score and
are shown as one.
"""

from __future__ import annotations

import hashlib
import re

from marginalia.tasks.variables.official.vocabulary import Variable

_YEAR = re.compile(r"\b(?:1[89]|20)\d\d(?:\s*[-–/]\s*(?:(?:1[89]|20)?\d\d))?\b")
_WAVE = re.compile(
    r"\b(?:wave|welle|round|runde|time ?point|messzeitpunkt|panel ?welle)\s*(?:\d+|[ivx]+)\b"
    r"|\b\d+\.\s*(?:welle|wave|runde)\b|\b[wt]\d{1,2}\b",
    re.IGNORECASE,
)
# "F.I-28(a)", "Q3g", "V17:" and "12a." at the start of a label or question.
_NUMBER = re.compile(
    r"^\W*(?:(?:[fqvs]|frage|question|item|var)\s?\.?\s?)?(?:[ivx]+-)?\d+\w?(?:\(\w+\)|[-_.]\w{1,3}\b)*[\s.:)]+",
    re.IGNORECASE,
)
_OTHER = re.compile(r"[\W_]+")


def group_key(variable: Variable) -> str:
    """Label, question and items in small letters, without what changes from wave to wave.

    The label belongs to it: the items of a battery share their question.
    """
    fields = variable.fields
    parts = [fields.get(name, "") for name in ("label", "question", "subquestion")]
    if not any(parts):
        parts = [variable.text]
    key = "|".join(_normal(part) for part in parts)
    # Nothing but numbers: a variable like no other.
    return key if key.strip("|") else f"{variable.survey}:{variable.id}"


def group_hash(variable: Variable) -> int:
    """The key as a number of 64 bits: two keys of a million share one in one catalogue of 30 million."""
    return hash64(group_key(variable))


def hash64(text: str) -> int:
    """A number that stays the same from one process to the next, unlike ``hash``."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _normal(text: str) -> str:
    text = _NUMBER.sub("", text)
    text = _WAVE.sub(" ", _YEAR.sub(" ", text))
    return _OTHER.sub(" ", text).strip().lower()
