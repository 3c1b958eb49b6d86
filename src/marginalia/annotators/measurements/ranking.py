"""Which measurements a reader wants first: the hazard ratio before the "95 %" of its confidence interval."""

from __future__ import annotations

import re

from marginalia.annotators.measurements.records import Measurement
from marginalia.annotators.measurements.si_exclusions import MAX_RATIO, TITLE
from marginalia.annotators.measurements.wording import in_si
from marginalia.quantities.values import Value

CUE_WINDOW = 60
"""Characters before a quantity in which a result is named."""
SMALL_COUNT = 12
"""Counts up to here are mostly those of the text's own parts: "two reasons"."""
_RESULT = re.compile(
    r"(?i:hazard|odds|risk|rate|likelihood)[ -](?i:ratios?)|(?i:relative risk|effect size|mean difference|"
    r"accuracy|sensitivity|specificity|precision|recall|correlation|coefficient|prevalence|incidence|mortality|"
    r"survival|efficacy|improvement|increased?|decreased?|reduc(?:ed|tion)|quotenverhältnis|wirkungsgrad|"
    r"genauigkeit)|\b(?:a?HR|a?OR|RR|IRR|AUC|AUROC|F1|BLEU|Pearson|Spearman|R2|R²|r2|r²)\b"
)
"""Words for what a study found."""
_CODE = re.compile(r"\d+(?:[–-]\d+){2,}")
_PAIR = re.compile(r"(\d+)[–-](\d+)")
MAX_RANGE_RATIO = 100
"""No range of plain numbers is wider than this many times its lower end."""
_LEVEL = re.compile(
    r"\s?(?:%|per cent|percent|Prozent)?[\s-]?(?i:CIs?|confidence|credible|Konfidenz)\b"
)
_BEFORE_A_LINE = re.compile(r"\d{1,3} [A-ZÄÖÜ]")
_TEST = re.compile(r"\b[pPnN]\s?(?:values?\s?)?[=<>≤≥]?\s?\Z")
"""A p-value or a number of cases says how sure a result is: it comes after the result."""


_FEW = re.compile(
    r"(?i:one|two|three|an?|zwei|drei|eins|half|both|a third|[123]|(?:at least|more than|up to|mindestens|mehr als|bis zu|under|unter)\s(?:one|eine?[mnrs]?|1)|unter\s\w+|(?:greater|less|more|larger|smaller)\sthan\s(?:zero|0))"
)
"""Counts that nobody needs in the margin: "the two functions", "one of them"."""

_EACH = re.compile(
    r"(?i:(?:one|two|three|an?|eine?[rns]?|zwei|drei)\s(?:\w+\s)?(?:per|for each|pro|je)\s\w+)"
)
"""How things are dealt out, which measures none of them: "one per line", "ein Eintrag pro Zeile"."""
_PICKED = re.compile(
    r"(?i:\b(?:first|last|next|previous|preceding|following|top|upper|lower|oberen|unteren|ersten|letzten|nächsten|vorigen|obigen|folgenden))\s\Z"
)
_PICKED_BEHIND = re.compile(
    r"\s(?:first|last|next|previous|ersten|letzten|nächsten|vorigen|folgenden|largest|smallest|biggest|longest|brightest|größten|kleinsten)\b"
)
_OF = re.compile(r"\s(?:of|von)\s(?:an?\s|about\s|etwa\s)?")
_LISTED_BEFORE = re.compile(r"\b(?:one|ein|eine),\s\Z")


def says_something(record: Measurement) -> bool:
    """Whether a note would say more than the bare number: its unit, what it measures or counts, or how sure it is.

    Dates measure nothing, and counts up to three are part of how one speaks.
    """
    known = record.unit or record.unit_part or record.currency or record.statistics
    if record.doubt == TITLE:
        return False
    quote = record.quantity.quote
    if record.unit is None and (_is_code(quote) or _EACH.fullmatch(quote)):
        return False
    if record.value.kind == "none" and record.unit is None:
        return False  # "room temperature" says no number
    if record.value.kind == "date" or (not known and _FEW.fullmatch(quote)):
        return False
    if record.unit is None and record.value.kind == "list" and _far_apart(record.value):
        return False  # "a sample of 38 and 10,000 iterations" are two things
    context = record.entity or record.property or record.qualifiers
    bare = record.value.kind in ("number", "range")
    return bool(known or context or record.count or not bare)


def _far_apart(value: Value) -> bool:
    return bool(value.low and value.high is not None and value.high > MAX_RATIO * value.low)


def _is_code(quote: str) -> bool:
    """Whether figures with dashes between them are a number of a list, amendment or page: 2018–23–51, 39–19512, 22–11."""
    if _CODE.fullmatch(quote):
        return True
    pair = _PAIR.fullmatch(quote)
    if pair is None:
        return False
    low, high = int(pair[1]), int(pair[2])
    return low >= high or high > MAX_RANGE_RATIO * max(low, 1)


def usefulness(record: Measurement, text: str) -> float:
    """From 0 to 1: by unit, context and what the words around it say. Only the order matters."""
    start = record.quantity.start
    before = text[max(0, start - CUE_WINDOW) : start].rpartition("\n")[2]
    if record.value.kind == "date":
        return 0.05
    if is_level(record, text):
        return 0.02
    if _TEST.search(before):
        return 0.3
    score = 0.25
    if record.unit is not None:
        score += 0.15
    if record.value.uncertainty is not None or record.value.kind == "range":
        score += 0.05
    named = " ".join(part.quote for part in (record.property, record.entity) if part)
    if record.statistics or _RESULT.search(named) or _RESULT.search(before.rpartition(". ")[2]):
        score += 0.3
    score += 0.15 * (record.property is not None) + 0.1 * (record.entity is not None)
    if record.count and (record.value.high is None or record.value.high <= SMALL_COUNT):
        score -= 0.2
    return round(score, 3)


def is_shown(record: Measurement, text: str) -> bool:
    """Whether the margin has a note on it."""
    return (
        says_something(record)
        and not is_level(record, text)
        and not numbers_a_line(record, text)
        and not picks_out(record, text)
        and not repeats_its_phrase(record, text)
    )


def repeats_its_phrase(record: Measurement, text: str) -> bool:
    """Whether a note would only turn round what stands there: "an angle of 23.5 degrees"."""
    if record.property is None or record.entity or record.qualifiers or record.statistics:
        return False
    between = text[record.property.end : record.quantity.start]
    return _OF.fullmatch(between) is not None and not in_si(record)


def picks_out(record: Measurement, text: str) -> bool:
    """Whether it says which of many, and not how many there are: "the first five columns"."""
    if record.unit is not None or record.currency:
        return False
    start, end = record.quantity.start, record.quantity.end
    return bool(
        _PICKED.search(text, max(0, start - 12), start)
        or _PICKED_BEHIND.match(text, end)
        or _LISTED_BEFORE.search(text, max(0, start - 6), start)
    )


def is_level(record: Measurement, text: str) -> bool:
    """Whether this is the 95 % of "95 % CI", which measures nothing."""
    level = record.value.high in (90, 95, 99)
    return level and _LEVEL.match(text, record.quantity.end) is not None


def numbers_a_line(record: Measurement, text: str) -> bool:
    """Whether this stands before an example, a footnote or a heading: "29 Seien a und b die Katheten"."""
    start = record.quantity.start
    begins = start == 0 or text.startswith("\n\n", start - 2)
    return begins and record.unit_part is None and _BEFORE_A_LINE.match(text, start) is not None
