"""Terms that are written in several ways: data set and dataset, e-mail and email, Straße and Strasse."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from marginalia.annotators.style.consistency import Span, Variant, report
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Example, Issue, Rule
from marginalia.nlp.prose import spans_of
from marginalia.nlp.tokens import like, lower_words

MIN_PART = 3
"""Letters of each word of an open compound: shorter ones make other words (an other, in side)."""
MIN_CLOSED = 5
MIN_BESIDE_CODE = 3
"""A word that also stands in code must be used so often in prose, to be a term and no name of something."""

_HYPHENS = "-‐‑"
# What stands before a noun is no part of it (some time, sometime; every day, everyday; may be, maybe),
_NEVER_FIRST = frozenset(
    """all also and any are away before both but can could either ever every for had has have here how into its less like many may more
    most much must near new nobody non not now off old once one only our out over own same self should some such than that the their
    them then there these they this those through too under upon very was well were what when where which while who why will with would you
    your back down post take get make keep come fall""".split()
)
# and a verb keeps its particle apart, where the noun does not: set up, the setup.
_NEVER_LAST = frozenset(
    """about after again along and apart around aside away back before behind below beyond but down ever for forth forward from less like long
    near off once one out over self than that the there thing this through together under upon while with within without ups
    are was were has have can may will full able ness ment age who when where how""".split()
)
# With a hyphen they are other words than without.
_TWINS = frozenset(
    """recover recreate recreation reform resign resent relay release remark represent repress reserve resort resound retreat
    recollect recount react recede redress reside restrain retract unionised unionized coop corespondent prove proverb
    onthe inthe""".split()
)
# In German two words or one, as one likes; other nouns that stand together once are two words of a sentence.
_OPEN_DE = frozenset("aufgrund mithilfe anstelle zugunsten zulasten infrage zuhause anhand".split())
# In German with ß another word than with ss.
_TWINS_DE = frozenset(
    "masse massen masses busse bussen flosse flossen floss geschosse geschossen russe".split()
)


def check(draft: Draft) -> Iterator[Issue]:
    forms = _single(draft)
    for left, right in draft.pairs:
        key = _pair_key(left.text, right.text, draft.lang)
        if key is not None and key in forms and not draft.quotations.hold(left.start):
            shown = _singular(f"{left.text} {right.text}", draft.lang).lower()
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
    found: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
    for word in draft.words:
        known = _form(word.text, draft.lang)
        if known is not None and not draft.quotations.hold(word.start):
            key, form = known
            found[key][form].append((word.start, word.end))
    return found


# Words come again and again, in a text and in its next version.
@lru_cache(maxsize=2**15)
def _form(text: str, lang: str) -> tuple[str, str] | None:
    """The key of a word and the form it has; None for a name, an abbreviation or a short word."""
    least = MIN_CLOSED - ("ß" in text or "ss" in text)
    if len(text) < least or "'" in text or "’" in text or not _is_plain(text):
        return None
    if sum(text.count(sign) for sign in _HYPHENS) > 1:
        return None
    return _key(text, lang), _singular(text, lang).lower()


@lru_cache(maxsize=2**15)
def _pair_key(left: str, right: str, lang: str) -> str | None:
    return _key(left + right, lang) if _may_be_compound(left, right, lang) else None


def _shown(draft: Draft, form: str, spans: list[Span]) -> str:
    """The form with the capitals that most of its places have."""
    if draft.lang != "de":
        return form
    written = Counter(" ".join(draft.text[start:end].split()) for start, end in spans)
    return written.most_common(1)[0][0]


def _inconsistent(draft: Draft, key: str, variants: list[Variant]) -> Iterator[Issue]:
    closed = [one for one in variants if _is_closed(one.shown)]
    apart = [one for one in variants if not _is_closed(one.shown)]
    if draft.lang == "de" and len(closed) > 1:
        yield from report(draft, closed, _eszett)
    if draft.lang == "de":  # nouns only: what is written small may be the name of a command
        closed, apart = (
            [one for one in some if one.shown[0].isupper()] for some in (closed, apart)
        )
        apart = [
            one for one in apart if " " not in one.shown or len(one.spans) > 1 or key in _OPEN_DE
        ]
    if not closed or not apart or key in _TWINS:
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


def _eszett(quote: str, wanted: Variant) -> str:
    return like(wanted.shown.lower(), quote)


def _key(text: str, lang: str) -> str:
    """What all ways to write a term have in common."""
    joined = "".join(char for char in text.lower() if char not in _HYPHENS)
    if lang == "de":
        return joined if joined.replace("ß", "ss") in _TWINS_DE else joined.replace("ß", "ss")
    return _singular(joined, lang)


def _singular(text: str, lang: str) -> str:
    """Without the plural's s, which English terms keep or lose wherever they are."""
    if (
        lang == "en"
        and len(text) > MIN_CLOSED
        and text.endswith("s")
        and not text.endswith(("ss", "us", "is"))
    ):
        return text[:-1]
    return text


def _is_closed(shown: str) -> bool:
    return not any(sign in shown for sign in (*_HYPHENS, " "))


def _is_plain(text: str) -> bool:
    """No name such as GitHub, no abbreviation: small letters but for the first of each part."""
    parts = text.replace("‐", "-").replace("‑", "-").split("-")
    return all(part[1:].islower() or len(part) == 1 for part in parts)


def _may_be_compound(left: str, right: str, lang: str) -> bool:
    if min(len(left), len(right)) < MIN_PART or not (left.isalpha() and right.isalpha()):
        return False
    if lang == "de":  # of two nouns only
        return (
            left[0].isupper() and right[0].isupper() and left[1:].islower() and right[1:].islower()
        )
    low, last = left.lower(), right.lower()
    return (
        right.islower()
        and left[1:].islower()
        and low not in _NEVER_FIRST
        and last not in _NEVER_LAST
    )


def rules() -> Iterable[Rule]:
    yield Rule(
        code="spelling.variants",
        summary="One term is written in several ways",
        reason="A reader who meets “data set” after “dataset” may wonder whether something else is meant, and a search finds only "
        "one of them. The rarer way is reported once, with all its places in the fix. Verbs with their particle (set up, "
        "the setup) and pairs that grammar asks for (in real time, real-time data) are left alone.",
        check=check,
        fixes=True,
        examples=(
            Example(
                "en",
                "Each dataset has a licence. Download the data set first. A dataset may be large.",
                "Each dataset has a licence. Download the dataset first. We set up a setup.",
            ),
            Example(
                "de",
                "Der Mailserver läuft. Der Mail-Server antwortet. Ein Mailserver genügt.",
                "Der Mailserver läuft. Der Mailserver antwortet. Die Masse der Maße ist groß.",
            ),
        ),
    )
