"""A place that somebody marked with a gap: which of the four patterns it is, by what stands around it."""

from __future__ import annotations

from dataclasses import replace

from marginalia.core.document import Document
from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.finder import checked
from marginalia.tasks.clarification.gaps.phrases import DETERMINERS, looks_adjective
from marginalia.tasks.clarification.gaps.places import Guide, Place, Sentence, read_guide, tag
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
        checked([phenomenon])
        pattern = next(name for name, said in PHENOMENA.items() if said == phenomenon)
    closing = " " if right and not right[0].isspace() and right[0].isalnum() else ""
    text = before + right
    [words] = tag([text])
    earlier = read_guide(Document(id="context", text=context or " ", meta={"title": title}))
    start = max(0, before.rfind(quote) if quote and quote in before else text.find(quote))
    own = Sentence(0, text, words, earlier.sentences[-1].header if earlier.sentences else "", False)
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
    return place, replace(earlier, title=title, sentences=(*earlier.sentences, own))


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
