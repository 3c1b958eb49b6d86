"""A gap that a person marked in a sentence, as the fillers and the rater read it."""

from __future__ import annotations

from dataclasses import replace

from marginalia.core.errors import UnknownNameError
from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.phrases import DETERMINERS, looks_adjective
from marginalia.tasks.clarification.gaps.places import Guide, Place, Sentence, read_context, tag
from marginalia.tasks.clarification.official.data import GAP, PHENOMENA

IMPLICIT, FUSED, COMPOUND, METONYMIC = PHENOMENA
_PLURAL = frozenset("these those both several few many two three four five".split())


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
        named = {said: name for name, said in PHENOMENA.items()}
        if phenomenon not in named:
            raise UnknownNameError("phenomenon", phenomenon, tuple(named))
        pattern = named[phenomenon]
    closing = " " if right and not right[0].isspace() and right[0].isalnum() else ""
    text = before + right
    [words] = tag([text])
    earlier = read_context(context, title)
    start = max(0, before.rfind(quote) if quote and quote in before else text.find(quote))
    gapped = Sentence(0, text, words)
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
        plural=last[0] in _PLURAL
        if pattern == FUSED and last[0] in DETERMINERS | _PLURAL
        else None,
    )
    return place, replace(earlier, sentences=(*earlier.sentences, gapped))


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
