"""English forms undone and made: ``abodes`` is the plural of abode, the plural of home is ``homes``.

Small rules, a table of irregular words that are common enough to be an easier word, and the
frequency list to choose between two spellings (stoped, stopped).
"""

from __future__ import annotations

from collections.abc import Iterator

from marginalia.nlp.frequency import zipf
from marginalia.nlp.syllables import syllables

_VERBS = {
    base: (past, rest[0] if rest else past)
    for base, past, *rest in (
        row.split()
        for row in """arise arose arisen;awake awoke awoken;bear bore borne;beat beat beaten;become became become;
        begin began begun;bend bent;bet bet;bind bound;bite bit bitten;bleed bled;blow blew blown;
        break broke broken;breed bred;bring brought;build built;burst burst;buy bought;cast cast;catch caught;
        choose chose chosen;cling clung;come came come;cost cost;creep crept;cut cut;deal dealt;dig dug;
        draw drew drawn;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed;feel felt;
        fight fought;find found;flee fled;fly flew flown;forbid forbade forbidden;forget forgot forgotten;
        forgive forgave forgiven;freeze froze frozen;get got;give gave given;go went gone;grind ground;
        grow grew grown;hang hung;have had;hear heard;hide hid hidden;hit hit;hold held;hurt hurt;keep kept;
        kneel knelt;know knew known;lay laid;lead led;lean leaned;leave left;lend lent;let let;lie lay lain;light lit;
        lose lost;make made;mean meant;meet met;mistake mistook mistaken;overcome overcame overcome;pay paid;
        put put;quit quit;read read;ride rode ridden;ring rang rung;rise rose risen;run ran run;say said;
        see saw seen;seek sought;sell sold;send sent;set set;shake shook shaken;shed shed;shine shone;
        shoot shot;show showed shown;shrink shrank shrunk;shut shut;sing sang sung;sink sank sunk;sit sat;
        sleep slept;slide slid;speak spoke spoken;spend spent;spin spun;spit spat;split split;spread spread;
        spring sprang sprung;stand stood;steal stole stolen;stick stuck;sting stung;strike struck;strive strove striven;
        swear swore sworn;sweep swept;swell swelled swollen;swim swam swum;swing swung;take took taken;
        teach taught;tear tore torn;tell told;think thought;throw threw thrown;understand understood;
        undertake undertook undertaken;undo undid undone;wake woke woken;wear wore worn;weave wove woven;
        weep wept;win won;wind wound;withdraw withdrew withdrawn;withstand withstood;write wrote written
        """.replace("\n", "").split(";")
    )
}  # fmt: skip
_NOUNS = {
    "calf": "calves", "child": "children", "fish": "fish", "foot": "feet", "goose": "geese",
    "half": "halves", "knife": "knives", "leaf": "leaves", "life": "lives", "loaf": "loaves",
    "man": "men", "mouse": "mice", "offspring": "offspring", "ox": "oxen", "people": "people",
    "person": "people", "self": "selves", "series": "series", "sheep": "sheep", "shelf": "shelves",
    "species": "species", "thief": "thieves", "tooth": "teeth", "wife": "wives", "wolf": "wolves",
    "woman": "women", "analysis": "analyses", "basis": "bases", "crisis": "crises",
}  # fmt: skip
_COMPARED = {
    "bad": ("worse", "worst"), "far": ("farther", "farthest"), "good": ("better", "best"),
    "little": ("less", "least"), "well": ("better", "best"),
}  # fmt: skip
_VOWELS = "aeiou"


def lemmas(word: str, tag: str) -> Iterator[tuple[str, str]]:
    """What a lower-case form may come from: pairs of lemma and form ('', s, ed, ing, er, est)."""
    yield word, ""
    if tag in "nv" and word.endswith("s") and not word.endswith("ss"):
        yield word[:-1], "s"
        if word.endswith("es"):
            yield word[:-2], "s"
        if word.endswith("ies"):
            yield word[:-3] + "y", "s"
        if tag == "n" and word.endswith("ves"):
            yield word[:-3] + "f", "s"
            yield word[:-3] + "fe", "s"
    for ending in {"v": ("ed", "ing"), "a": ("er", "est"), "r": ("er", "est")}.get(tag, ()):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        yield stem, ending
        yield stem + "e", ending
        if stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
            yield stem[:-1], ending
        if ending != "ing" and stem.endswith("i"):
            yield stem[:-1] + "y", ending


def inflect(phrase: str, tag: str, form: str, *, participle: bool = False) -> str:
    """The phrase in that form; a mass noun, which has no plural, stays as it is.

    A verb in two words changes the first, a noun its head: ``find out`` → ``found out``,
    ``change of state`` → ``changes of state``.
    """
    if not form:
        return phrase
    first, _, rest = phrase.partition(" ")
    if tag in "ar":
        return phrase_compared(phrase, form)
    if tag == "v":
        return f"{verb(first, form, participle)} {rest}".strip()
    before, of, after = phrase.partition(" of ")
    start, space, head = before.rpartition(" ")
    return f"{start}{space}{noun(head)}{of}{after}"


def noun(word: str) -> str:
    """The plural of a noun, if texts use it: garments are clothing, not clothings."""
    if word in _NOUNS:
        return _NOUNS[word]
    if word.endswith("man") and zipf(word[:-3] + "men") > 2:
        return word[:-3] + "men"
    plural = with_s(word)
    return plural if zipf(plural) > zipf(word) - 1.9 else word


def with_s(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in tuple(_VOWELS):
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("o"):
        return max(word + "s", word + "es", key=zipf)
    return word + "s"


def verb(word: str, form: str, participle: bool) -> str:
    if form == "s":
        return {"have": "has"}.get(word) or with_s(word)
    if form == "ed" and word in _VERBS:
        return _VERBS[word][participle]
    if form == "ing" and word.endswith("ie"):
        return word[:-2] + "ying"
    if form == "ed" and word.endswith("y") and word[-2:-1] not in tuple(_VOWELS):
        return word[:-1] + "ied"
    return joined(word, form)


def joined(word: str, ending: str) -> str:
    """Word and ending, with the e dropped or the last letter doubled where English does so."""
    if word.endswith("e") and not (ending == "ing" and word.endswith(("ee", "oe", "ye"))):
        return word[:-1] + ending
    doubled = word + word[-1] + ending
    if (
        word[-1] in "bdglmnprt"
        and word[-2:-1] in tuple(_VOWELS)
        and zipf(doubled) > zipf(word + ending)
    ):
        return doubled
    return word + ending


def phrase_compared(phrase: str, form: str) -> str:
    """Comparative or superlative: with an ending for short words, else with more or most."""
    if phrase in _COMPARED:
        return _COMPARED[phrase][form == "est"]
    if " " not in phrase:
        made = phrase[:-1] + "i" + form if phrase.endswith("y") else joined(phrase, form)
        if syllables(phrase) <= 2 and zipf(made) > 2:
            return made
    return f"{'most' if form == 'est' else 'more'} {phrase}"
