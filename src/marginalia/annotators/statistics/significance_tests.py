"""Results of significance tests against the p that is reported with them.

The rules are those of statcheck (Nuijten et al. 2016, Behavior Research Methods 48): p is computed anew from the statistic and its
degrees of freedom; any value that the statistic may have been rounded from counts; half of p is right where the text speaks of
one-tailed tests. Beyond them: where a text speaks of corrected p-values a larger p than the computed one is no error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from marginalia.annotators.statistics.distributions import (
    chi_square,
    correlation,
    fisher,
    normal,
    student,
)
from marginalia.annotators.statistics.manuscript import SUBJECT, Finding, Manuscript
from marginalia.annotators.statistics.written import (
    MINUS,
    Written,
    decimals,
    number,
    read,
    show,
    signed,
)
from marginalia.lang import language
from marginalia.quantities.numerals import decimal_sign

ALPHA = Decimal("0.05")
EXACT_WINDOW = 600
"""Characters around a z: "exact Wilcoxon tests" often stands before a list of them."""
_EXPONENT = (
    rf"(?:\s?[×x*·]\s?10\s?\^?\s?(?P<power>[{MINUS}⁻]\s?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)|[eE](?P<e>[{MINUS}]\d+))"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−–", "0123456789---")


@cache
def _pattern(lang: str) -> re.Pattern[str]:
    n, s = number(lang), signed(lang)
    point = "[.,]" if decimal_sign(lang) == "," else r"\."
    df = rf"\d+(?:{point}\d+)?"
    size = rf"(?:\s?[,;]?\s?[Nn]\s?=\s?(?P<chi_n>{n}))?"
    two = (
        rf"(?P<plain1>\d+),(?P<plain2>\d+)(?=\s?[\])])|(?P<df1>{df})\s?(?:;|/|,\s?)\s?(?P<df2>{df})"
    )
    equals = rf"\s?=\s?(?P<value>{s})(?!\s?[×x*·]\s?10|[\d{MINUS}]|[.,·]\d|\s?%)"
    one = rf"\s?[\[(]\s?(?:df\s?=\s?)?(?P<NAME>{df})\s?[\])]"
    lowered = r"_?(?P<NAME>\d+(?:\.\d+)?)(?=\s?=)"
    aside = rf"(?:\s?[,;]\s?(?!(?i:[p])\b)[^\W\d][^,;()=<>\[\]]{{0,24}}?\s?=?\s?{s}(?:\s?%)?(?:\s?\[[^\]]{{1,30}}\])?)"
    late = rf"(?:\s?[,;]\s?(?:(?:df|d\.f\.|FG)\s?=\s?(?P<late>{df})(?:\s?[,;]\s?(?P<late2>{df}))?|[Nn]\s?=\s?(?P<n>{n})))?"
    statistic = (
        rf"t(?:{one.replace('NAME', 't_df')}|{lowered.replace('NAME', 't_low')})?"
        rf"|F(?:\s?[\[(]\s?(?:df\s?=\s?)?(?:{two})\s?[\])]|_?(?P<low1>\d+),\s?(?P<low2>\d+)(?=\s?=))?"
        rf"|(?:[χΧ𝜒]\s?(?:²|2|\^2)|[Cc]hi-?(?:²|2|\s?[Ss]quared?|\s?-?[Qq]uadrat))(?:\s?[\[(]\s?(?:df\s?=\s?)?(?P<chi_df>\d+){size}\s?[\])])?"
        rf"|[zZ]|r(?:{one.replace('NAME', 'r_df')})?|Q\s?(?:[A-Za-z]{{1,7}})?{one.replace('NAME', 'q_df')}"
    )
    ns = language(lang).pattern(SUBJECT, "not_significant_short")
    p = (
        rf"(?:[pP](?:[- ]?(?:values?|Wert))?\s?(?P<sign>[=<>≤≥]|=\s?<)\s?(?P<p>{n})(?:{_EXPONENT})?(?![\d%]|[.,·]\d|\s?%|\s?[×x]\s?10)"
        rf"|(?P<ns>{ns}))"
    )
    return re.compile(
        rf"(?<![\w.^∆Δ{MINUS}])(?P<statistic>{statistic}){equals}{late}{aside}{{0,2}}\s?[,;:]?\s?[(\[]?\s?(?:(?:and|und|with|mit|two-tailed|one-tailed)\s)?{p}"
    )


@dataclass(frozen=True, slots=True)
class Result:
    """A test as it is reported."""

    kind: str
    value: Written
    dfs: tuple[float, ...]
    sign: str
    p: Written
    span: tuple[int, int]

    def compute(self, value: Decimal | float) -> float:
        x = float(value)
        match self.kind:
            case "t":
                return student(x, *self.dfs)
            case "F":
                return fisher(x, *self.dfs)
            case "r":
                return correlation(x, *self.dfs)
            case "z":
                return normal(x)
            case _:
                return chi_square(x, *self.dfs)

    def bounds(self) -> tuple[float, float]:
        """The least and the greatest p of what the statistic may have been rounded from."""
        size = abs(self.value.value)
        ends = (max(Decimal(0), size - self.value.step / 2), size + self.value.step / 2)
        return self.compute(ends[1]), self.compute(ends[0])

    @property
    def can_be_one_tailed(self) -> bool:
        return self.kind in "tzr" or self.dfs[0] == 1


def agrees(low: float, high: float, sign: str, p: Written) -> bool:
    """Whether a p between these bounds may be reported so."""
    reported = float(p.value)
    if sign == "=":
        half = float(p.step) / 2 + 1e-12
        return low - half <= reported <= high + half
    if sign in "<≤":
        return low <= reported + 1e-12
    return high >= reported - 1e-12


def is_significant(sign: str, p: Written) -> bool | None:
    """What the report says of the level of 5 %; None where it does not."""
    if sign in "<≤=":
        return p.value <= ALPHA if sign == "=" or p.value <= ALPHA else None
    return False if p.value >= ALPHA else None


def find(source: Manuscript) -> Iterator[Finding]:
    one_tailed = re.search(source.pattern("one_tailed"), source.text, re.I) is not None
    corrected = re.search(source.pattern("corrected"), source.text, re.I) is not None
    exact = re.compile(source.pattern("exact"), re.I)
    for result in results(source):
        low, high = result.bounds()
        if agrees(low, high, result.sign, result.p) and not _is_zero(result):
            continue
        halved = result.can_be_one_tailed and agrees(low / 2, high / 2, result.sign, result.p)
        if halved and one_tailed and not _is_zero(result):
            continue
        if corrected and result.sign != "<" and float(result.p.value) > low:
            continue
        if result.kind == "r" and _is_sample_size(result):
            continue
        if result.kind == "z" and exact.search(source.text, *_reach(result)):
            continue
        yield _finding(source, result, low, high, halved and result.sign == "=")


def _reach(result: Result) -> tuple[int, int]:
    """Where it may be said that p was counted out and does not follow from z."""
    return max(0, result.span[0] - EXACT_WINDOW), result.span[1] + EXACT_WINDOW


def _is_zero(result: Result) -> bool:
    """``p = .000``: no p is 0. statcheck counts it as an error, too."""
    return result.sign == "=" and result.p.value == 0


def _is_sample_size(result: Result) -> bool:
    """Whether the number behind r is that of cases: many write r(30) for n = 30."""
    if result.dfs[0] <= 2:
        return False
    other = Result("r", result.value, (result.dfs[0] - 2,), result.sign, result.p, result.span)
    return agrees(*other.bounds(), result.sign, result.p)


def results(source: Manuscript) -> Iterator[Result]:
    """The tests that are reported with their degrees of freedom and a p."""
    for match in source.matches(_pattern(source.lang)):
        value = read(match["value"], source.lang)
        dfs = _degrees(match, source.lang)
        letter = match["statistic"][0].replace("Z", "z")
        kind = letter if letter in "tFzrQ" else "χ²"
        if value is None or dfs is None or (kind != "z" and (not dfs or min(dfs) <= 0)):
            continue
        if (kind == "F" and len(dfs) != 2) or (kind not in "Fz" and len(dfs) != 1):
            continue
        if (kind not in "tzr" and value.value < 0) or (kind == "r" and abs(value.value) > 1):
            continue
        if match["ns"]:
            sign, p = ">", Written(ALPHA, Decimal("0.01"))
        else:
            sign, read_p = match["sign"].replace(" ", "")[-1], _read_p(match, source.lang)
            if read_p is None or read_p.value > 1:
                continue
            p = read_p
        yield Result(kind, value, dfs, sign, p, match.span())


def _degrees(match: re.Match[str], lang: str) -> tuple[float, ...] | None:
    """Degrees of freedom, wherever they stand; those of r from the number of cases. None where they cannot be read."""
    groups = match.groupdict()
    pairs = (("plain1", "plain2"), ("df1", "df2"), ("low1", "low2"), ("late", "late2"))
    for one, other in pairs:
        if groups.get(one) and groups.get(other):
            return _float(groups[one]), _float(groups[other])
    for name in ("t_df", "t_low", "chi_df", "r_df", "q_df", "late"):
        if groups.get(name):
            return (_float(groups[name]),)
    if groups.get("n") and match["statistic"].startswith("r"):
        cases = read(groups["n"], lang)
        return (float(cases.value) - 2,) if cases and cases.value > 2 else None
    return ()


def _float(digits: str) -> float:
    return float(digits.replace(",", "."))


def _read_p(match: re.Match[str], lang: str) -> Written | None:
    p = read(match["p"], lang)
    power = match["power"] or match["e"]
    if p is None or not power:
        return p
    shift = int(re.sub(r"[^\d-]", "", power.translate(_RAISED)))
    return Written(p.value.scaleb(shift), p.step.scaleb(shift))


def _finding(source: Manuscript, result: Result, low: float, high: float, halved: bool) -> Finding:
    lang = source.lang
    computed = _show_p(result.compute(abs(result.value.value)), lang)
    ends = tuple(_show_p(bound, lang) for bound in (low, high))
    rounded = source.say("rounded", low=ends[0], high=ends[1]) if ends[0] != ends[1] else ""
    said = is_significant(result.sign, result.p)
    decided = said is not None and (low > float(ALPHA) if said else high < float(ALPHA))
    why = source.say(
        "p_zero" if _is_zero(result) else "p_value",
        statistic=_statistic(result, lang),
        computed=computed + rounded,
        p=f"p {result.sign} {show(result.p.value, decimals(result.p), lang)}",
    )
    if halved:
        why += source.say("p_one_tailed")
    elif decided:
        why += source.say("p_decision_not" if said else "p_decision")
    return Finding("p-decision" if decided and not halved else "p-value", *result.span, why)


def _statistic(result: Result, lang: str) -> str:
    dfs = ("; " if decimal_sign(lang) == "," else ", ").join(f"{df:g}" for df in result.dfs)
    shown = show(result.value.value, decimals(result.value), lang)
    return f"{result.kind}({dfs}) = {shown}" if dfs else f"{result.kind} = {shown}"


def _show_p(p: float, lang: str) -> str:
    return f"< {show(0.0001, 4, lang)}" if p < 0.0001 else show(p, 3 if p >= 0.001 else 4, lang)
