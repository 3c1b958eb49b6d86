"""Margin notes on guides and protocols: what an editor would ask, and how it could be read.

Rules find the places (``gaps/``), a learned judge says how likely an editor would revise them, and the rater which
readings are plausible. What is not sure is not shown, so without the learned weights nothing is.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from marginalia.annotators.unclear.gaps import Ranked, Reading, rank
from marginalia.core.distributions import NONCOMMERCIAL, find_weights, missing_weights
from marginalia.core.document import Annotation, Document
from marginalia.core.resolution import system_for_documents
from marginalia.tasks.clarification.benchmark import BENCHMARK
from marginalia.tasks.clarification.gaps.finder import find, instructive
from marginalia.tasks.clarification.gaps.places import Guide, Place, Sentence, read_guide
from marginalia.tasks.clarification.systems.judge import judge

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

SHOWN = ("implicit reference",)
"""Kinds that have notes. At the others (``These are sharp``: which?) hardly any reader would ask."""
MIN_PROBABILITY, MIN_ONLY_PROBABILITY = 0.5, 0.65
"""From here on an editor may well ask; and in a text too short for its share of notes, which then has one."""
MIN_RATING, MAX_BEHIND = 4.4, 0.15
"""Of 5: a reading is offered if it is rated so high and hardly worse than the best; a place without any has no note."""
PER_1000_WORDS = 2.0
"""Notes on the sentences of a guide."""
MAX_SHOWN_READINGS = 3
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}

_WHOLE = re.compile(r"\W*[A-Z].*[.!]\W*\Z", re.DOTALL)
_LEGAL = re.compile(
    r"\b(?:licen[cs]e\w*|copyright|warrant\w*|liab\w*|hereby|pursuant|registrant)\b", re.I
)


def annotate(doc: Document, *, llm: LanguageModel | None = None) -> Iterator[Annotation]:
    """A note on each place of a how-to text at which an editor would ask; on other texts only with a language model."""
    if llm is None:
        return _annotate(doc)
    from marginalia.annotators.unclear.asked import review

    return review(doc, _annotate(doc), llm)


def _annotate(doc: Document) -> Iterator[Annotation]:
    guide = read_guide(doc)
    wanted = instructive(guide)
    if not wanted:
        return
    folder = find_weights(BENCHMARK.name)
    if folder is None:
        missing = missing_weights(BENCHMARK.name, NONCOMMERCIAL)
        warnings.warn(f"{missing} Without them no unclear phrase is noted.", stacklevel=2)
        return
    found = [
        place
        for place in find(doc, per_100_words=None, phenomena=SHOWN)
        if place.number in wanted and is_prose(guide.sentences[place.number], guide)
    ]
    judged = zip(found, judge(found, guide, folder), strict=True)
    likely = sorted(
        ((p, place) for place, p in judged if p >= MIN_PROBABILITY),
        key=lambda one: (-one[0], one[1].start),
    )
    words = sum(len(guide.sentences[i].words) for i in wanted)
    room = int(words * PER_1000_WORDS / 1000)
    likely = (
        likely[:room] if room else [one for one in likely if one[0] >= MIN_ONLY_PROBABILITY][:1]
    )
    made = []
    ranked = rank([place for _, place in likely], guide)
    for (probability, place), one in zip(likely, ranked, strict=True):
        readings = offered(one.readings)
        if readings:
            made.append((place, one, readings, probability))
    made.sort(key=lambda one: one[0].start)
    for number, (place, one, readings, probability) in enumerate(made, 1):
        yield note(number, doc, place, one, readings, probability)


def is_prose(sentence: Sentence, guide: Guide) -> bool:
    """Whether it is a whole sentence of a guide: no command, option, title or licence."""
    text = sentence.text
    if not _WHOLE.match(text) or _LEGAL.search(text):
        return False
    return not guide.silent.touch(sentence.start, sentence.start + len(text))


def offered(readings: Sequence[Reading]) -> list[Reading]:
    """The readings that are shown: things that the text speaks of, plausible and about as plausible as the best."""
    named = [one for one in readings if one.source == "context"]
    best = max((one.rating.score for one in named), default=0.0)
    return [
        one
        for one in named
        if one.rating.label == "PLAUSIBLE"
        and one.rating.score >= max(MIN_RATING, best - MAX_BEHIND)
    ][:MAX_SHOWN_READINGS]


def note(
    number: int,
    doc: Document,
    place: Place,
    ranked: Ranked,
    readings: list[Reading],
    probability: float,
) -> Annotation:
    """One note; its score is the probability that an editor would ask."""
    shown: list[dict[str, Any]] = [
        {"filler": r.filler, "label": r.rating.label, "rating": round(r.rating.score, 2)}
        for r in readings
    ]
    return Annotation(
        id=f"unclear-{number}",
        task="unclear",
        label=place.phenomenon,
        start=place.start,
        end=place.end,
        quote=doc.text[place.start : place.end],
        score=probability,
        attrs={
            "why": sentence(place, [reading.filler for reading in readings], len(readings)),
            "question": place.question,
            "cloze": ranked.sentence,
            "readings": shown,
            "several": len(readings) > 1,
        },
        system=system_for_documents(BENCHMARK).name,
    )


def sentence(place: Place, fillers: list[str], plausible: int) -> str:
    """What the note says: ``Hold: what? the pose · the stretch · your leg; two readings are plausible``."""
    said = f"{place.question} {' · '.join(fillers[:MAX_SHOWN_READINGS])}".strip()
    if plausible < 2:
        return said
    return f"{said}; {NUMBERS.get(plausible, plausible)} readings are plausible"
