"""What is known of a word before its sentence is read: how many people know it, how common and how long it is, its shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.words.candidates import Candidate, Sentence
from marginalia.annotators.words.senses import Choice
from marginalia.lexicon.dictionary import Entry
from marginalia.nlp.frequency import zipf
from marginalia.nlp.syllables import syllables

Floats = NDArray[np.float32]
UNKNOWN = -1.0
"""Stands for what the dictionary does not say."""
ENDINGS = "ly tion ment ness ity al ous ive ing ed er ist ism able ible ate ize ise ic s".split()
KINDS = ("name", "term", "abbreviation", "phrase")
WINDOW = 5
"""Sentences on each side within which a word is compared with others."""


def word_features(form: str, entry: Entry | None) -> list[float]:
    """One word by itself."""
    lower = form.lower()
    senses = entry.senses if entry else ()
    first = senses[0] if senses else None
    return [
        zipf(lower),
        max(zipf(lower), zipf(entry.word.lower())) if entry else zipf(lower),
        float(len(form)),
        float(syllables(lower, "en")),
        first.native if first else UNKNOWN,
        first.learner if first else UNKNOWN,
        entry.native if entry else UNKNOWN,
        entry.learner if entry else UNKNOWN,
        min((sense.learner for sense in senses), default=UNKNOWN),
        float(len(senses)),
        float(entry is None),
        *(float(entry is not None and kind in entry.kinds) for kind in KINDS),
        float(first is not None and first.field != "general"),
        float(first is not None and first.register == "technical"),
        float(form[:1].isupper()),
        float(len(form) > 1 and form.isupper()),
        float("-" in form),
        float(any(map(str.isdigit, form))),
    ]


@lru_cache(maxsize=2**14)
def _of_word(form: str, entry: Entry | None) -> tuple[float, ...]:
    return (*word_features(form, entry), *(float(form.lower().endswith(e)) for e in ENDINGS))


def candidate_features(candidate: Candidate, sentence: Sentence) -> list[float]:
    """A word or expression in its sentence."""
    before = sentence.text[: candidate.start].rstrip()
    after = sentence.text[candidate.end : candidate.end + 2].strip()
    return [
        *_of_word(candidate.form, candidate.entry),
        float(len(candidate.parts)),
        min(zipf(part.lower()) for part in candidate.parts),
        max(zipf(part.lower()) for part in candidate.parts),
        float(candidate.opens),
        float(len(sentence.text.split())),
        float(bool(before) and before.split()[-1][:1].isupper()),
        float(after[:1].isupper()),
        float(before.endswith("(") and after.startswith(")")),
    ]


def features_of(sentences: Sequence[Sentence]) -> Floats:
    """One row for each candidate, sentence by sentence."""
    rows = [
        candidate_features(one, sentence) for sentence in sentences for one in sentence.candidates
    ]
    return np.array(rows, dtype=np.float32) if rows else np.zeros((0, 0), dtype=np.float32)


def relative_features(sentences: Sequence[Sentence], first: Floats) -> Floats:
    """How a word compares with the others of its sentence and of those around it: readers stop at what stands out.

    ``first`` is what the words alone say, for each candidate.
    """
    sizes = [len(sentence.candidates) for sentence in sentences]
    ends = np.cumsum([0, *sizes])
    special = np.array([_is_special(one) for each in sentences for one in each.candidates])
    rows = np.zeros((len(first), 7), dtype=np.float32)
    for number, size in enumerate(sizes):
        if not size:
            continue
        low, high = ends[number], ends[number + 1]
        own = first[low:high]
        near = slice(ends[max(0, number - WINDOW)], ends[min(len(sizes), number + WINDOW + 1)])
        around = first[near]
        rows[low:high] = np.stack(
            [
                (own[None, :] > own[:, None]).mean(axis=1),
                (around[None, :] > own[:, None]).mean(axis=1),
                own.max() - own,
                (own[None, :] > own[:, None]).sum(axis=1),
                np.full(size, own.mean()),
                np.full(size, around.mean()),
                np.full(size, special[near].mean()),
            ],
            axis=1,
        )
    return rows


def _is_special(one: Candidate) -> bool:
    """Whether the dictionary knows it first of all as a word of some field."""
    return bool(one.entry and one.entry.senses and one.entry.senses[0].field != "general")


def sense_shares(choices: Sequence[Choice | None]) -> Floats:
    """What the sense that a word has here says of it."""
    rows = [
        [UNKNOWN] * 6
        if one is None
        else [
            one.native,
            one.learner,
            one.sense.native,
            one.sense.learner,
            float(one.sense.field != "general"),
            one.confidence,
        ]
        for one in choices
    ]
    return np.array(rows, dtype=np.float32).reshape(len(rows), 6)
