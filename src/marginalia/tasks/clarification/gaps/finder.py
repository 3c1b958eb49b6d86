"""The places of a text that a writer may want to clarify, the most plausible problems first, in sentences that tell a
reader what to do (how-to guides, recipes, protocols, sections on methods); and a place that was marked with a gap.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from marginalia.core.document import Document
from marginalia.core.errors import UnknownNameError
from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps import determiners, nouns, objects
from marginalia.tasks.clarification.gaps.orders import is_order
from marginalia.tasks.clarification.gaps.phrases import DETERMINERS, looks_adjective
from marginalia.tasks.clarification.gaps.places import Guide, Place, Sentence, read_guide, tag
from marginalia.tasks.clarification.official.data import GAP, PHENOMENA

MIN_ORDER_SHARE = 0.25
"""A document with such a share of orders is a guide as a whole."""
MIN_ORDERS = 2

_HOW_TO = re.compile(r"\s*how to\b", re.I)
_SECTION = re.compile(
    r"\b(?:methods?|procedures?|protocols?|instructions?|steps?|directions?|preparation|installation|usage|set-?up|"
    r"how to|getting started)\b",
    re.I,
)
THRESHOLD = 0.48
"""A place with a lower score is hardly ever a problem. Chosen on the tuned half of the tests' sentences."""
PER_100_WORDS = 3.0
IMPLICIT, FUSED, COMPOUND, METONYMIC = PHENOMENA
_PLURAL = frozenset("these those both several few many two three four five".split())


def is_instruction(sentence: Sentence) -> bool:
    """Whether the sentence gives an order: ``Fold it``, ``Then fold it``, ``If it sticks, pull``."""
    words = sentence.words
    return any(is_order(words, i) for i in range(len(words)) if i == 0 or words[i].tag == "VERB")


def instructive(guide: Guide) -> frozenset[int]:
    """The numbers of the sentences to look at: all of a guide, else those under a heading on methods.

    A document is a guide if its title says how to do something, or if enough of its sentences are orders.
    Elsewhere a section counts that gives orders too, if its heading is about methods or the orders are steps of a
    list; a report on what was done has none.
    """
    orders = {i for i, sentence in enumerate(guide.sentences) if is_instruction(sentence)}
    count = len(guide.sentences)
    if not orders:
        return frozenset()
    if _HOW_TO.match(guide.title) or (
        len(orders) >= MIN_ORDERS and len(orders) >= MIN_ORDER_SHARE * count
    ):
        return frozenset(range(count))
    chosen: set[int] = set()
    sections: dict[str, set[int]] = defaultdict(set)
    for i, sentence in enumerate(guide.sentences):
        sections[sentence.header].add(i)
    for header, numbers in sections.items():
        steps = sum(guide.sentences[i].listed for i in numbers & orders)
        gives_steps = _SECTION.search(header) or steps >= MIN_ORDERS
        if gives_steps and len(numbers & orders) >= MIN_ORDER_SHARE * len(numbers):
            chosen |= numbers
    return frozenset(chosen)


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
    counts: dict[str, int] = {}
    if guide.title:
        nouns.learn_kinds(tag([guide.title])[0], kinds, counts)
    best: dict[int, Place] = {}
    for number, sentence in enumerate(guide.sentences):
        for place in _in_sentence(number, sentence, kinds, counts):
            if place.start not in best or best[place.start].score < place.score:
                best[place.start] = place
        nouns.learn_kinds(sentence.words, kinds, counts)
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


def marked(
    sentence: str, *, context: str = "", title: str = "", phenomenon: str | None = None
) -> tuple[Place, Guide]:
    """The place of the first gap of a sentence, and a guide of the context and that sentence.

    A sentence without a gap is open at its end, as items of the task are. Further gaps stay as they are.
    ``phenomenon`` overrides what the words around the gap suggest.
    """
    left, gap, right = sentence.strip().partition(GAP)
    before = left.rstrip()
    if not gap:
        before, right = sentence.strip(), ""
    pattern, quote = _pattern(before, right)
    if phenomenon is not None:
        checked([phenomenon])
        pattern = next(name for name, said in PHENOMENA.items() if said == phenomenon)
    closing = " " if right and not right[0].isspace() and right[0].isalnum() else ""
    text = before + right
    [words] = tag([text])
    earlier = read_guide(Document(id="context", text=context or " ", meta={"title": title}))
    start = max(0, before.rfind(quote) if quote and quote in before else text.find(quote))
    gapped = Sentence(
        0, text, words, earlier.sentences[-1].header if earlier.sentences else "", False
    )
    number = len(earlier.sentences)
    last = quote.lower().split()[-1:] or [""]
    place = Place(
        pattern=pattern,
        number=number,
        start=start,
        end=start + len(quote),
        quote=quote,
        at=len(before),
        opening=" " if before else "",
        closing=closing,
        question=f"{quote}: what?" if quote else "What?",
        score=1.0,
        plural=last[0] in _PLURAL
        if pattern == FUSED and last[0] in DETERMINERS | _PLURAL
        else None,
    )
    return place, replace(earlier, title=title, sentences=(*earlier.sentences, gapped))


def _pattern(left: str, right: str) -> tuple[str, str]:
    """The pattern, and the word that the gap belongs to."""
    before, after = tag([left, right.strip()])
    last = before[-1] if before else None
    if after and after[0].lower == "of" and last is not None and last.tag != "VERB":
        head = next((w for w in after[1:] if w.tag in NOUNS), after[-1])
        return METONYMIC, head.text
    if last is not None and last.lower.endswith(("'s", "s'")):
        return METONYMIC, last.text
    if after and after[0].tag in NOUNS and right[:1].isspace():
        return COMPOUND, after[0].text
    if last is not None:
        alone = last.tag in ("DET", "NUM") or last.lower in DETERMINERS or looks_adjective(last)
        return (FUSED if alone else IMPLICIT), last.text
    return IMPLICIT, ""
