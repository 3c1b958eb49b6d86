"""British and American spelling in one text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from marginalia.annotators.style.draft import Draft, Word
from marginalia.annotators.style.rule import Edit, Issue
from marginalia.lang import language
from marginalia.nlp.tokens import like

ENGLISH = "en"
MIN_WORDS = 3
"""Words of the prevailing variety, before a word of the other is called an exception."""

_VERB = re.compile(r"([a-z]{2,}?)i([sz])(e|es|ed|ing|er|ers|ation|ations|able)")


@cache
def _pairs() -> dict[str, tuple[str, str]]:
    """Word -> (variety, the other variety's word)."""
    known = language(ENGLISH)
    data = known.data("variety")
    pairs = dict(pair.split("/") for pair in data["pairs"].split())
    for stem in known.words("variety", "our"):
        for ending in data["our_endings"]:
            pairs[stem + ending] = stem.removesuffix("our") + "or" + ending
    for stem in known.words("variety", "doubled"):
        for ending in known.words("variety", "doubled_endings"):
            pairs[f"{stem}l{ending}"] = stem + ending
    british = {word: ("British", other) for word, other in pairs.items()}
    return british | {word: ("American", other) for other, word in pairs.items()}


def check(draft: Draft) -> Iterator[Issue]:
    if draft.lang != ENGLISH:
        return
    pairs, one_way = _pairs(), draft.language.words("variety", "one_way")
    spelled: dict[str, list[tuple[Word, str]]] = defaultdict(list)
    endings: dict[str, list[tuple[Word, str]]] = defaultdict(list)
    small = {word.text for word in draft.words if word.text.islower()}
    for word in draft.words:
        text = word.text.lower()
        if word.text != text and not (word.opens and word.text[1:].islower() and text in small):
            continue  # a name keeps its spelling
        if draft.quotations.hold(word.start):
            continue
        if text in pairs:
            variety, other = pairs[text]
            spelled[variety].append((word, other))
        elif (
            (verb := _VERB.fullmatch(text))
            and verb[1] not in one_way
            and not verb[1].endswith(("w", "ra", "no"))
            and len(text) > 5
        ):
            swapped = "z" if verb[2] == "s" else "s"
            endings[f"-i{verb[2]}e"].append((word, f"{verb[1]}i{swapped}{verb[3]}"))
    yield from _mixed(draft, spelled, draft.language.words("variety", "no_evidence"))
    yield from _mixed(draft, endings, frozenset())


def _mixed(
    draft: Draft, by_variety: dict[str, list[tuple[Word, str]]], no_evidence: frozenset[str]
) -> Iterator[Issue]:
    """The words of the rarer way, one issue for each with all its places."""
    if len(by_variety) < 2:
        return
    rarer, usual = sorted(by_variety, key=lambda name: len(by_variety[name]))
    texts = {word.text.lower() for word, _ in by_variety[usual]}
    by_word: dict[str, list[tuple[Word, str]]] = defaultdict(list)
    for word, other in by_variety[rarer]:
        by_word[word.text.lower()].append((word, other))
    for text, places in by_word.items():
        word, other = places[0]
        twin = other in texts
        if not twin and (len(by_variety[usual]) < MIN_WORDS or text in no_evidence):
            continue
        if not twin and 3 * len(by_variety[rarer]) > len(by_variety[usual]):
            continue  # no way prevails
        edits = tuple(Edit(one.start, one.end, like(new, one.text)) for one, new in places)
        example = other if twin else by_variety[usual][0][0].text
        said = f"“{text}” is {rarer}, “{example}” elsewhere is {usual}: use one spelling"
        if rarer.startswith("-"):
            said = f"“{text}” with {rarer}, but “{example}” with {usual}: use one spelling"
        yield Issue(word.start, word.end, said, edits)
