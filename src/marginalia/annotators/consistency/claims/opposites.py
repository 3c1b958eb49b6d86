"""Words that exclude each other where they are said of one thing: ``open`` and ``closed``, ``steigt`` and ``sinkt``."""

from __future__ import annotations

from functools import cache

from marginalia.nlp.stems import stem

_PAIRS = {
    "en": """
    open/closed opened/closed open/shut open/close opens/closes enabled/disabled enable/disable enables/disables
    included/excluded include/exclude includes/excludes inclusive/exclusive accepted/rejected accept/reject
    accepts/rejects approved/rejected higher/lower rise/fall rose/fell rises/falls risen/fallen increase/decrease
    increased/decreased increases/decreases grew/shrank grow/shrink grows/shrinks rose/dropped rose/declined
    increased/declined gained/lost warm/cold hot/cold safe/unsafe safe/dangerous possible/impossible
    valid/invalid visible/hidden visible/invisible public/private empty/full true/false present/absent
    present/missing available/unavailable mutable/immutable synchronous/asynchronous stable/unstable
    legal/illegal soluble/insoluble known/unknown reversible/irreversible sensitive/insensitive
    ascending/descending succeeds/fails succeeded/failed passes/fails passed/failed improved/worsened
    improve/worsen improves/worsens more/less more/fewer faster/slower larger/smaller bigger/smaller greater/smaller
    better/worse longer/shorter stronger/weaker older/younger earlier/later warmer/colder heavier/lighter
    cheaper/dearer positive/negative significant/insignificant complete/incomplete correct/incorrect right/wrong
    wet/dry heavy/light thick/thin rough/smooth hard/soft strong/weak expensive/cheap deep/shallow early/late
    left/right before/after above/below inside/outside alive/dead guilty/innocent fast/slow wide/narrow
    supported/unsupported automatic/manual automatically/manually locked/unlocked permanent/temporary
    active/inactive successful/unsuccessful equal/unequal necessary/unnecessary online/offline allow/forbid
    allows/forbids deterministic/random best/worst strict/lenient free/chargeable encrypted/unencrypted
    lossless/lossy flammable/nonflammable edible/poisonous conductive/insulating transparent/opaque
    """,
    "de": """
    geöffnet/geschlossen offen/geschlossen öffnet/schließt aktiviert/deaktiviert eingeschaltet/ausgeschaltet
    enthalten/ausgeschlossen angenommen/abgelehnt höher/niedriger höher/tiefer steigt/sinkt steigt/fällt stieg/sank
    stieg/fiel gestiegen/gesunken gestiegen/gefallen steigen/sinken nimmt/verliert zugenommen/abgenommen
    erhöht/gesenkt erhöht/verringert warm/kalt heiß/kalt sicher/unsicher sicher/gefährlich möglich/unmöglich
    gültig/ungültig sichtbar/unsichtbar öffentlich/privat leer/voll wahr/falsch vorhanden/abwesend
    verfügbar/vergriffen stabil/instabil legal/illegal löslich/unlöslich bekannt/unbekannt
    aufsteigend/absteigend bestanden/durchgefallen verbessert/verschlechtert mehr/weniger schneller/langsamer
    größer/kleiner besser/schlechter länger/kürzer stärker/schwächer älter/jünger früher/später wärmer/kälter
    schwerer/leichter positiv/negativ vollständig/unvollständig richtig/falsch nass/trocken schwer/leicht dick/dünn
    rau/glatt hart/weich stark/schwach teuer/billig tief/flach früh/spät links/rechts
    innerhalb/außerhalb lebendig/tot schuldig/unschuldig schnell/langsam breit/schmal automatisch/manuell
    gesperrt/entsperrt dauerhaft/vorübergehend aktiv/inaktiv erfolgreich/erfolglos notwendig/unnötig kostenlos/kostenpflichtig
    kostenlos/gebührenpflichtig barrierefrei/unzugänglich
    """,
}
NEGATIVE_PREFIXES = ("un", "non", "non-", "nicht-")
MIN_PREFIXED = 4
"""Letters of a word that ``un`` may turn into its opposite."""


@cache
def _tables(lang: str) -> tuple[frozenset[frozenset[str]], dict[str, str]]:
    """The pairs, and for each stem the name of the set of words that it is in: hot, warm and cold are one set."""
    pairs = frozenset(
        frozenset(stem(word, lang) for word in pair.split("/")) for pair in _PAIRS[lang].split()
    )
    named: dict[str, str] = {}
    for pair in sorted(sorted(pair) for pair in pairs):
        names = {named.get(word, word) for word in pair}
        name = min(names)
        for word, old in list(named.items()):
            if old in names:
                named[word] = name
        named.update(dict.fromkeys(pair, name))
    return pairs, named


def family(word: str, lang: str) -> str | None:
    """The set of opposites that a word is in, under one name for all of them; None where it has none."""
    return _tables(lang)[1].get(stem(word, lang))


def positive(word: str) -> str:
    """The word without the prefix that turns it round: ``unknown`` gives ``known``."""
    for prefix in NEGATIVE_PREFIXES:
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) >= MIN_PREFIXED:
            return rest
    return word


def are_opposites(a: str, b: str, lang: str) -> bool:
    """Whether the words exclude each other."""
    if {a, b} == {"on", "off"}:  # in no table, because "on" is mostly a preposition
        return True
    if frozenset((stem(a, lang), stem(b, lang))) in _tables(lang)[0]:
        return True
    one, other = positive(a), positive(b)
    return (one != a) != (other != b) and stem(one, lang) == stem(other, lang)
