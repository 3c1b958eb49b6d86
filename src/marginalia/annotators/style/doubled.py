"""A word written twice, which the eye passes over at the end of a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Edit, Example, Issue, Rule

_NEVER_TWICE = {
    "en": frozenset(
        """a an the of to and or for with from by at as is are was were be been has have can will would should could may must
        this these those their its our your his into than then if when which while we they you it he she not but also some any each
        between using use used about after before because there where how what on in""".split()
    ),
    "de": frozenset(
        """ein eine einen einem einer eines und oder aber für mit von vom zum zur zu auf aus bei nach über unter durch im am an in als wie
        wenn ist sind war waren wird werden wurde wurden kann können soll sollen muss müssen hat haben nicht auch noch nur
        sich man wir ich dass weil damit sowie bzw sehr""".split()
    ),
}
# What may stand twice, and rightly: "what it is is a mill", "the one he gave in in the end", "wie er ist, ist er".
_MAY = frozenset("is in on".split())


def check(draft: Draft) -> Iterator[Issue]:
    never = _NEVER_TWICE.get(draft.lang, frozenset())
    for left, right in draft.pairs:
        low = left.text.lower()
        if (
            right.text.lower() != low
            or low not in never
            or (
                low in _MAY
                and draft.lang == "en"
                and "\n" not in draft.text[left.end : right.start]
            )
        ):
            continue
        if (
            right.text != low
            or left.text.isupper()
            or draft.text[right.end : right.end + 1] in ".-"
        ):
            continue  # vitamin A a day; AT at; man man.7, und und-Verknüpfung
        said = draft.say(f"“{low}” is written twice", f"„{low}“ steht zweimal da")
        yield Issue(left.start, right.end, said, (Edit(left.start, right.end, left.text),))


def rules() -> Iterable[Rule]:
    yield Rule(
        code="wording.doubled",
        summary="A word is written twice",
        reason="“the the” survives proofreading, above all across a line end. Only small words that never rightly stand twice are reported: "
        "“had had” and “very very” are not.",
        check=check,
        fixes=True,
        examples=(
            Example(
                "en",
                "Fold the the sheet once.",
                "Fold the sheet once. It had had a very very long day.",
            ),
            Example(
                "de", "Das Blatt wird wird einmal gefaltet.", "Die, die die Blätter falten, warten."
            ),
        ),
    )
