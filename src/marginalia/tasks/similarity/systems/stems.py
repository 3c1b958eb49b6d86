"""Words brought to one form: what remains of them without their endings, in English and German.

A stem is only for comparison. It need not be a word, and two words with one stem have one meaning
more often than not.
"""

from __future__ import annotations

import re
from functools import lru_cache

FUNCTION_WORDS = frozenset(
    # English
    "a about after all also am an and any are as at be been being both but by can could did do does "
    "doing during each either for from had has have having he her here hers him his how i if in into "
    "is it its itself just may me might more most must my of off on one's only or other our out over own s "
    "shall she should so some such than that the their them then there these they this those through "
    "to too under up upon us was we were what when where which while who whom whose will with would "
    "you your "
    # German
    "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis da dabei damit dann "
    "das dass daß dein dem den denen denn der deren des dessen die dies diese diesem diesen dieser "
    "dieses doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen hat "
    "hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jeder jedes "
    "jene kann können man mehr mein mich mir mit muss müssen nach noch nun nur ob oder sehr sein seine "
    "seinem seinen seiner selbst sich sie sind so soll solche sowie über um und uns unser unter vom "
    "von vor war waren was weil welche wenn wer werden wie wir wird wo wurde wurden zu zum zur zwar "
    "zwischen".split()
)
"""Words that hold a sentence together and say little themselves. Negations are not among them."""

_IRREGULAR = {
    form: lemma
    for lemma, forms in {
        "be": "am are been is was were",
        "begin": "began begun",
        "break": "broke broken",
        "bring": "brought",
        "build": "built",
        "buy": "bought",
        "catch": "caught",
        "child": "children",
        "choose": "chose chosen",
        "come": "came",
        "do": "did does done",
        "draw": "drawn drew",
        "drink": "drank drunk",
        "drive": "driven drove",
        "eat": "ate eaten",
        "fall": "fallen fell",
        "feel": "felt",
        "fight": "fought",
        "find": "found",
        "fly": "flew flown flies",
        "foot": "feet",
        "get": "got gotten",
        "give": "gave given",
        "go": "goes gone went",
        "good": "better best",
        "grow": "grew grown",
        "hang": "hung",
        "have": "had has",
        "hear": "heard",
        "hide": "hid hidden",
        "hold": "held",
        "keep": "kept",
        "knife": "knives",
        "know": "knew known",
        "lead": "led",
        "leave": "left",
        "life": "lives",
        "lie": "lying",
        "lose": "lost",
        "make": "made",
        "man": "men",
        "meet": "met",
        "mouse": "mice",
        "pay": "paid",
        "person": "people",
        "ride": "ridden rode",
        "rise": "risen rose",
        "run": "ran",
        "say": "said",
        "see": "saw seen",
        "sell": "sold",
        "send": "sent",
        "shoot": "shot",
        "show": "shown",
        "sing": "sang sung",
        "sit": "sat",
        "slide": "slid",
        "speak": "spoke spoken",
        "spend": "spent",
        "stand": "stood",
        "steal": "stole stolen",
        "strike": "struck",
        "swim": "swam swum",
        "take": "taken took",
        "teach": "taught",
        "tell": "told",
        "think": "thought",
        "throw": "threw thrown",
        "tie": "tying",
        "tooth": "teeth",
        "wear": "wore worn",
        "wife": "wives",
        "win": "won",
        "woman": "women",
        "write": "written wrote",
    }.items()
    for form in forms.split()
}
_VOWEL = re.compile(r"[aeiouyäöü]")
_UMLAUTS = str.maketrans("äöü", "aou")
# The longest ending that fits is taken; a stem keeps its vowel and at least three letters.
_ENGLISH = (
    ("ational", "ate"), ("ization", "ize"), ("isation", "ize"), ("fulness", "ful"), ("iveness", "ive"),
    ("ations", "ate"), ("ation", "ate"), ("ously", "ous"), ("ively", "ive"), ("ments", "ment"),
    ("ities", "ity"), ("iness", "y"), ("ness", ""), ("ies", "y"), ("ied", "y"), ("ily", "y"),
    ("ers", "er"), ("ings", ""), ("ing", ""), ("eed", "ee"), ("ed", ""), ("ly", ""),
    ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ise", "ize"), ("s", ""),
)  # fmt: skip
_KEEP_S = ("ss", "us", "is")
_GERMAN = (
    "heiten", "keiten", "ungen", "isten", "enden", "ender", "innen", "ende", "eren", "erin", "ung",
    "ern", "em", "en", "er", "es", "et", "st", "e", "n", "s", "t",
)  # fmt: skip


@lru_cache(maxsize=100_000)
def stem(word: str, lang: str = "en") -> str:
    """What remains of a word without its endings: ``playing`` and ``plays`` give ``play``."""
    word = word.lower().replace("’", "'")
    for end in ("'s", "s'", "'"):
        word = word.removesuffix(end) if end != "s'" or len(word) > 3 else word
    return _german(word) if lang == "de" else _english(word)


def _english(word: str) -> str:
    if len(word) < 4 or not word.isalpha():
        return _IRREGULAR.get(word, word)
    known = _IRREGULAR.get(word)
    word = known or word
    for ending, instead in () if known else _ENGLISH:
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < 3 or not _VOWEL.search(rest):
            continue
        if ending == "s" and word.endswith(_KEEP_S):
            break
        if ending in ("ing", "ings", "ed") and rest[-1] == rest[-2] and rest[-1] not in "aeslz":
            rest = rest[:-1]  # stopped, running
        word = rest + instead
        break
    # hope, hoped and hoping meet without the e.
    return word.removesuffix("e") if len(word) > 3 else word


def _german(word: str) -> str:
    word = word.translate(_UMLAUTS).replace("ß", "ss")
    if len(word) > 6 and word.startswith("ge") and word.endswith(("t", "en")):
        word = word[2:]  # gespielt, gesehen
    for _ in range(2):  # kostete, kostet, kost
        for ending in _GERMAN:
            if word.endswith(ending) and len(word) - len(ending) >= (3 if len(ending) > 1 else 4):
                word = word[: -len(ending)]
                break
    return word
