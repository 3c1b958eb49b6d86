"""The places of a text that a writer may want to clarify, the most plausible problems first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from marginalia.core.document import Document
from marginalia.core.errors import UnknownNameError
from marginalia.tasks.clarification.gaps import determiners, nouns, objects
from marginalia.tasks.clarification.gaps.places import Guide, Place, Sentence, read_guide, tag
from marginalia.tasks.clarification.official.data import PHENOMENA

THRESHOLD = 0.48
"""A place with a lower score is hardly ever a problem. Chosen on the tuned half of the tests' sentences."""
PER_100_WORDS = 3.0


def find(
    doc: Document,
    *,
    per_100_words: float | None = PER_100_WORDS,
    threshold: float = THRESHOLD,
    phenomena: Iterable[str] | None = None,
) -> list[Place]:
    """The places, the most plausible problem first; at most so many per 100 words, but one of any text.

    ``phenomena`` are names of the paper such as ``fused head``; without them all four are looked for. The
    rules are for English.
    """
    wanted = checked(phenomena)
    guide = read_guide(doc)
    found = [
        place for place in places(guide) if place.score >= threshold and place.phenomenon in wanted
    ]
    found.sort(key=lambda place: (-place.score, place.start))
    if per_100_words is None:
        return found
    return found[: max(1, int(guide.size * per_100_words / 100))] if per_100_words > 0 else []


def checked(phenomena: Iterable[str] | None) -> frozenset[str]:
    """The names, if each is that of a phenomenon."""
    known = tuple(PHENOMENA.values())
    wanted = known if phenomena is None else tuple(phenomena)
    for name in wanted:
        if name not in known:
            raise UnknownNameError("phenomenon", name, known)
    return frozenset(wanted)


def places(guide: Guide) -> list[Place]:
    """All places of a guide in reading order, also doubtful ones; one for each word, the surest."""
    kinds: dict[str, set[str]] = {}
    said: dict[str, int] = {}
    if guide.title:
        nouns.learn_kinds(tag([guide.title])[0], kinds, said)
    best: dict[int, Place] = {}
    for number, sentence in enumerate(guide.sentences):
        for place in _in_sentence(number, sentence, kinds, said):
            if place.start not in best or best[place.start].score < place.score:
                best[place.start] = place
        nouns.learn_kinds(sentence.words, kinds, said)
    spoken = (place for place in best.values() if not guide.silent.touch(place.start, place.end))
    return sorted(spoken, key=lambda place: place.start)


def _in_sentence(
    number: int, sentence: Sentence, kinds: dict[str, set[str]], said: dict[str, int]
) -> Iterator[Place]:
    words = sentence.words

    def place(
        pattern: str,
        first: int,
        after: int,
        at: int,
        score: float,
        asks: str,
        **more: str | bool | None,
    ) -> Place:
        start, end = words[first].start, words[after - 1].end
        quote = sentence.text[start:end]
        return Place(
            pattern=pattern,
            number=number,
            start=sentence.start + start,
            end=sentence.start + end,
            quote=quote,
            at=at,
            score=round(score, 4),
            question=f"{' '.join(quote.split())}: {asks}",
            **more,  # type: ignore[arg-type]
        )

    for first, after, score, missing in objects.missing_objects(words):
        opening = f" {missing} " if missing else " "
        asks = f"{missing} what?" if missing else "what?"
        at = words[after - 1].end
        yield place(objects.PATTERN, first, after, at, score, asks, opening=opening)
    for i, score, plural in determiners.missing_heads(words):
        yield place(determiners.PATTERN, i, i + 1, words[i].end, score, "which?", plural=plural)
    for loose in nouns.loose_nouns(words, kinds, said):
        head = loose.head
        if loose.pattern == nouns.COMPOUND:
            at = words[head].start
            yield place(
                loose.pattern,
                head,
                head + 1,
                at,
                loose.score,
                "of which kind?",
                opening="",
                closing=" ",
            )
        elif loose.phrase.head is None:
            at = words[head].end
            yield place(loose.pattern, head, head + 1, at, loose.score, "what of theirs?")
        else:
            at = words[loose.phrase.first].start
            asks = "which part or aspect?"
            yield place(
                loose.pattern, head, head + 1, at, loose.score, asks, opening="the ", closing=" of "
            )
