"""Terms that are written in several ways: data set and dataset, e-mail and email, Straße and Strasse."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache

from marginalia.annotators.style.consistency import Span, Variant, report
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Issue
from marginalia.lang import Language
from marginalia.nlp.prose import spans_of
from marginalia.nlp.tokens import like, lower_words

MIN_PART = 3
"""Letters of each word of an open compound: shorter ones make other words (an other, in side)."""
MIN_CLOSED = 5
MIN_BESIDE_CODE = 3
"""A word that also stands in code must be used so often in prose, to be a term and no name of something."""

_HYPHENS = "-‐‑"


def check(draft: Draft) -> Iterator[Issue]:
    forms = _single(draft)
    for left, right in draft.pairs:
        key = _pair_key(left.text, right.text, draft.language)
        if key is not None and key in forms and not draft.quotations.hold(left.start):
            shown = _singular(f"{left.text} {right.text}", draft.language).lower()
            forms[key][shown].append((left.start, right.end))
    names = _names_in_code(draft)
    for key, found in forms.items():
        if len(found) > 1 and not (key in names and len(found.get(key, ())) < MIN_BESIDE_CODE):
            variants = [Variant(_shown(draft, form, spans), spans) for form, spans in found.items()]
            yield from _inconsistent(draft, key, variants)


def _names_in_code(draft: Draft) -> frozenset[str]:
    """Words of code and the name of the file: in prose they are names too (``bytearray``, a byte array)."""
    code = spans_of(draft.doc, {"code"})
    texts = [draft.doc.text[start:end] for start, end in code]
    texts += [draft.doc.id, str(draft.doc.meta.get("title", ""))]
    return frozenset(word for text in texts for word in lower_words(text.replace("_", " ")))


def _single(draft: Draft) -> dict[str, dict[str, list[Span]]]:
    """Key -> the ways in which single words are written that have it."""
    forms: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
    for word in draft.words:
        form = _form(word.text, draft.language)
        if form is not None and not draft.quotations.hold(word.start):
            key, written = form
            forms[key][written].append((word.start, word.end))
    return forms


# Words come again and again, in a text and in its next version.
@lru_cache(maxsize=2**15)
def _form(text: str, known: Language) -> tuple[str, str] | None:
    """The key of a word and the form it has; None for a name, an abbreviation or a short word."""
    least = MIN_CLOSED - ("ß" in text or "ss" in text)
    if len(text) < least or "'" in text or "’" in text or not _is_plain(text):
        return None
    if sum(text.count(sign) for sign in _HYPHENS) > 1:
        return None
    return _key(text, known), _singular(text, known).lower()


@lru_cache(maxsize=2**15)
def _pair_key(left: str, right: str, known: Language) -> str | None:
    return _key(left + right, known) if _may_be_compound(left, right, known) else None


def _shown(draft: Draft, form: str, spans: list[Span]) -> str:
    """The form with the capitals that most of its places have."""
    if not draft.language.nouns_have_capitals:
        return form
    written = Counter(" ".join(draft.text[start:end].split()) for start, end in spans)
    return written.most_common(1)[0][0]


def _inconsistent(draft: Draft, key: str, variants: list[Variant]) -> Iterator[Issue]:
    closed = [one for one in variants if _is_closed(one.shown)]
    apart = [one for one in variants if not _is_closed(one.shown)]
    if "also_written" in draft.language.data("style") and len(closed) > 1:
        yield from report(draft, closed, _other_letters)
    if draft.language.nouns_have_capitals:  # nouns only: what is small may be the name of a command
        closed, apart = (
            [one for one in some if one.shown[0].isupper()] for some in (closed, apart)
        )
        is_open = key in draft.listed("open_compounds")
        apart = [one for one in apart if " " not in one.shown or len(one.spans) > 1 or is_open]
    if not closed or not apart or key in draft.listed("twins"):
        return  # real-time data in real time: grammar, not spelling
    one_word = max(closed, key=lambda one: len(one.spans))
    most_apart = max(apart, key=lambda one: len(one.spans))
    together, separate = sum(len(one.spans) for one in closed), sum(len(one.spans) for one in apart)
    first = one_word if one_word.spans[0] < most_apart.spans[0] else most_apart
    wanted = one_word if together > separate else most_apart if separate > together else first
    others = apart if wanted is one_word else [one_word]
    yield from report(draft, [wanted, *others], _rewrite, wanted=wanted)


def _rewrite(quote: str, wanted: Variant) -> str:
    """The quote as the wanted form divides it, with its own capital and ending."""
    model = wanted.shown
    letters = "".join(char for char in quote if char not in _HYPHENS and not char.isspace())
    divided = next(
        (place for place, char in enumerate(model) if char in _HYPHENS or char == " "), None
    )
    if divided is None:
        return letters[:1] + letters[1:].lower()
    tail = letters[divided:]
    tail = tail if model[divided + 1].isupper() is False else tail[:1].upper() + tail[1:]
    return letters[:divided] + model[divided] + tail


def _other_letters(quote: str, wanted: Variant) -> str:
    return like(wanted.shown.lower(), quote)


def _key(text: str, known: Language) -> str:
    """What all ways to write a term have in common."""
    joined = "".join(char for char in text.lower() if char not in _HYPHENS)
    if letters := known.data("style").get("also_written"):
        replaced = joined.replace(*letters)
        joined = joined if replaced in known.words("style", "also_written_twins") else replaced
    return _singular(joined, known)


def _singular(text: str, known: Language) -> str:
    """Without the ending of the plural, where terms keep or lose it wherever they are."""
    ending = known.data("style").get("plural", "")
    others = tuple(known.words("style", "no_plural"))
    if len(text) > MIN_CLOSED and ending and text.endswith(ending) and not text.endswith(others):
        return text.removesuffix(ending)
    return text


def _is_closed(shown: str) -> bool:
    return not any(sign in shown for sign in (*_HYPHENS, " "))


def _is_plain(text: str) -> bool:
    """No name such as GitHub, no abbreviation: small letters but for the first of each part."""
    parts = text.replace("‐", "-").replace("‑", "-").split("-")
    return all(part[1:].islower() or len(part) == 1 for part in parts)


def _may_be_compound(left: str, right: str, known: Language) -> bool:
    if min(len(left), len(right)) < MIN_PART or not (left.isalpha() and right.isalpha()):
        return False
    if known.nouns_have_capitals:  # of two nouns only
        return (
            left[0].isupper() and right[0].isupper() and left[1:].islower() and right[1:].islower()
        )
    low, last = left.lower(), right.lower()
    return (
        right.islower()
        and left[1:].islower()
        and low not in known.words("style", "never_first")
        and last not in known.words("style", "never_last")
    )
