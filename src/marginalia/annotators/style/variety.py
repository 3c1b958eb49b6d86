"""British and American spelling in one text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from marginalia.annotators.style.draft import Draft, Word
from marginalia.annotators.style.rule import Edit, Example, Issue, Rule
from marginalia.nlp.tokens import like

MIN_WORDS = 3
"""Words of the prevailing variety, before a word of the other is called an exception."""

_OUR = """arbour ardour armour behaviour candour clamour colour demeanour endeavour favour fervour flavour harbour honour humour
labour neighbour odour parlour rancour rigour rumour savour saviour splendour tumour valour vapour vigour discolour misbehaviour""".split()
_OUR_ENDINGS = ["", "s", "ed", "ing", "ings", "ful", "fully", "less", "able", "ably", "al", "ally", "er", "ers", "hood", "hoods", "ite", "ites", "ly", "y"]  # fmt: skip
_DOUBLED = """cancel channel counsel dial duel enamel equal fuel funnel fuse initial jewel label level libel marvel model panel pedal
quarrel refuel relabel remodel rival shovel signal spiral stencil swivel total towel travel tunnel""".split()
_SINGLE = {
    "analyse": "analyze", "analysed": "analyzed", "analysing": "analyzing", "analyser": "analyzer",
    "paralyse": "paralyze", "paralysed": "paralyzed", "catalyse": "catalyze", "catalysed": "catalyzed",
    "centre": "center", "centres": "centers", "centred": "centered", "centring": "centering",
    "fibre": "fiber", "fibres": "fibers", "theatre": "theater", "theatres": "theaters", "litre": "liter",
    "litres": "liters", "kilometre": "kilometer", "kilometres": "kilometers", "centimetre": "centimeter",
    "centimetres": "centimeters", "millimetre": "millimeter", "millimetres": "millimeters", "lustre": "luster",
    "defence": "defense", "defences": "defenses", "offence": "offense", "pretence": "pretense",
    "grey": "gray", "greyscale": "grayscale", "greyed": "grayed", "artefact": "artifact", "artefacts": "artifacts",
    "aluminium": "aluminum", "mould": "mold", "moulds": "molds", "plough": "plow", "sceptical": "skeptical",
    "sceptic": "skeptic", "tyre": "tire", "tyres": "tires", "jewellery": "jewelry", "skilful": "skillful",
    "fulfil": "fulfill", "fulfils": "fulfills", "fulfilment": "fulfillment", "enrolment": "enrollment",
    "manoeuvre": "maneuver", "sulphur": "sulfur", "sulphate": "sulfate", "paediatric": "pediatric",
    "orthopaedic": "orthopedic", "anaemia": "anemia", "anaesthesia": "anesthesia", "haemoglobin": "hemoglobin",
    "oestrogen": "estrogen", "foetal": "fetal", "oesophagus": "esophagus", "leukaemia": "leukemia",
    "catalogue": "catalog", "catalogues": "catalogs", "ageing": "aging", "acknowledgement": "acknowledgment",
    "cosy": "cozy", "pyjamas": "pajamas", "speciality": "specialty", "learnt": "learned", "encyclopaedia": "encyclopedia",
}  # fmt: skip
# Both varieties know these: what is American about them is not their spelling.
_NO_EVIDENCE = frozenset(
    "tire tires gray specialty learned aging catalog catalogs dialed dialing".split()
)
_VERB = re.compile(r"([a-z]{2,}?)i([sz])(e|es|ed|ing|er|ers|ation|ations|able)")
# Those that end in -ise or -ize everywhere, or where the ending is none; the stem before it.
_ONE_WAY = frozenset(
    """adv advert anc appr ar an bru cap caps chast chem circumc compr comprom conc cru d dem desp dev disgu downs enterpr exc exerc expert
    franch fris gu improv inc ma mala merchand mid midd mo no otherw outs overs parad po porpo pra prec prem pr prom ra reass repr res rev r
    se s superv surpr telev tort tortoi treat turquo undersup ups up upr val w wh sunr moonr lia assa ass undergu""".split()
)


def _pairs() -> dict[str, tuple[str, str]]:
    """Word -> (variety, the other variety's word)."""
    pairs = dict(_SINGLE)
    for stem in _OUR:
        for ending in _OUR_ENDINGS:
            pairs[stem + ending] = stem.removesuffix("our") + "or" + ending
    for stem in _DOUBLED:
        for ending in ("ed", "ing", "er", "ers", "ings"):
            pairs[f"{stem}l{ending}"] = stem + ending
    found = {}
    for british, american in pairs.items():
        found[british] = ("British", american)
        found[american] = ("American", british)
    return found


_PAIRS = _pairs()


def check(draft: Draft) -> Iterator[Issue]:
    if draft.lang != "en":
        return
    spelled: dict[str, list[tuple[Word, str]]] = defaultdict(list)
    endings: dict[str, list[tuple[Word, str]]] = defaultdict(list)
    small = {word.text for word in draft.words if word.text.islower()}
    for word in draft.words:
        text = word.text.lower()
        if word.text != text and not (word.opens and word.text[1:].islower() and text in small):
            continue  # a name keeps its spelling
        if draft.quotations.hold(word.start):
            continue
        if text in _PAIRS:
            variety, other = _PAIRS[text]
            spelled[variety].append((word, other))
        elif (
            (verb := _VERB.fullmatch(text))
            and verb[1] not in _ONE_WAY
            and not verb[1].endswith(("w", "ra", "no"))
            and len(text) > 5
        ):
            swapped = "z" if verb[2] == "s" else "s"
            endings[f"-i{verb[2]}e"].append((word, f"{verb[1]}i{swapped}{verb[3]}"))
    yield from _mixed(draft, spelled, _NO_EVIDENCE)
    yield from _mixed(draft, endings, frozenset())


def _mixed(
    draft: Draft, found: dict[str, list[tuple[Word, str]]], no_evidence: frozenset[str]
) -> Iterator[Issue]:
    """The words of the rarer way, one issue for each with all its places."""
    if len(found) < 2:
        return
    rarer, usual = sorted(found, key=lambda name: len(found[name]))
    texts = {word.text.lower() for word, _ in found[usual]}
    by_word: dict[str, list[tuple[Word, str]]] = defaultdict(list)
    for word, other in found[rarer]:
        by_word[word.text.lower()].append((word, other))
    for text, places in by_word.items():
        word, other = places[0]
        twin = other in texts
        if not twin and (len(found[usual]) < MIN_WORDS or text in no_evidence):
            continue
        if not twin and 3 * len(found[rarer]) > len(found[usual]):
            continue  # no way prevails
        edits = tuple(Edit(one.start, one.end, like(new, one.text)) for one, new in places)
        example = other if twin else found[usual][0][0].text
        said = f"“{text}” is {rarer}, “{example}” elsewhere is {usual}: use one spelling"
        if rarer.startswith("-"):
            said = f"“{text}” with {rarer}, but “{example}” with {usual}: use one spelling"
        yield Issue(word.start, word.end, said, edits)


def rules() -> Iterable[Rule]:
    yield Rule(
        code="spelling.variety",
        summary="British and American spelling are mixed",
        reason="Either is fine, both at once look careless. The rarer of the two is reported: where the same word has both "
        "spellings, or where at least three words, and three times as many, are spelled the other way. Names keep their spelling; "
        "-ize with -our (Oxford spelling) is no mixture.",
        check=check,
        fixes=True,
        examples=(
            Example(
                "en",
                "The colour of the marker shows its state. Choose a color that all can see. The colour stays.",
                "The colour of the marker shows its state. Choose a colour that all can see, and organize them.",
            ),
        ),
    )
