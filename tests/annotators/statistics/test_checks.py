"""What does not add up is found with its arithmetic, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Document, lint
from marginalia.annotators.statistics.annotate import find
from marginalia.annotators.statistics.annotator import ANNOTATOR
from marginalia.annotators.statistics.manual import describe, examples
from marginalia.annotators.statistics.means import is_deviation, is_mean
from marginalia.annotators.statistics.written import Written, read
from marginalia.reader.read import read_data

EXAMPLES = [
    (label, lang, *texts) for label in ANNOTATOR.kinds for lang, texts in examples(label).items()
]


def labels(text: str, lang: str = "en") -> list[str]:
    return [one.label for one in find(Document(id="d", text=text, meta={"lang": lang}))]


@pytest.mark.parametrize(("label", "lang", "bad", "good"), EXAMPLES)
def test_the_bad_example_is_reported_and_the_good_one_is_not(
    label: str, lang: str, bad: str, good: str
) -> None:
    for text, wanted in ((bad, {label}), (good, set())):
        doc = read_data(f"{text}\n".encode(), Path("draft.md"), lang=lang)
        assert {one.label for one in find(doc)} == wanted


def test_each_kind_is_described_in_each_language() -> None:
    for label in ANNOTATOR.kinds:
        about = describe(label)
        assert about.summary and about.reason and f"### statistics.{label}" in about.page
        assert [*examples(label)] == [*ANNOTATOR.languages]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        # of what the tests of statcheck's manual and paper look like
        ("The effect was very significant (t(100)=1, p < 0.001).", "p-decision"),
        ("t(28) = 2.20, p = .03", "p-value"), ("F(2, 56) = 1.203, p < .001", "p-decision"),
        ("chi2(1, N = 90) = 3.99, p = .02", "p-value"), ("χ²(2) = 9.1, p > .05", "p-decision"),
        ("r(30) = .12, p = .04", "p-decision"), ("z = 2.10, p = .004", "p-value"),
        ("Q(3) = 2.1, p = .02", "p-decision"), ("QB(1) = 5.02, p = .25", "p-decision"),
        ("t(20) = 2.9, ns", "p-decision"), ("t(58) = 5.1, p = .000", "p-value"),
        ("t = 1.2, df = 28, p = .01", "p-decision"), ("F3,37=27.07, P=0.4", "p-decision"),
        ("r = .40, n = 50, p = .4", "p-decision"), ("t(28) = −2.20, p = 3.6 × 10−4", "p-value"),
    ],
)  # fmt: skip
def test_a_p_that_does_not_fit(text: str, label: str) -> None:
    assert labels(text) == [label]


@pytest.mark.parametrize(
    "text",
    [
        "t(28) = 2.20, p = .036", "t(28) = 2.20, p < .05", "t(28) = 2.2, p = .04", "t(28) = −2.20, p ≤ .05",
        "F(1, 79) = 5.86, p = .018, ηp² = .07", "F6,55=2.14, LSD 0.46, P=0.063", "χ²(1, N = 90) = 3.99, p = .046",
        "z = 1.96, p = .05", "r(28) = .45, p = .013", "r(30) = .45, p = .013",  # 30 is the number of cases
        "One-tailed tests were used. t(28) = 2.20, p = .018",
        "p was Bonferroni corrected: t(28) = 2.20, p = .108",
        "t(20) = 1.4, n.s.", "t(28) = 2.20 and 2.40, p = .5 and .6", "Q(t,ξ)=3, p=2", "F(1, 20) = 1,4, p = .3",
        "t(12) = 0.00, p = 1.00", "the area A(3) = 2.5, p = 3",
    ],
)  # fmt: skip
def test_a_p_that_fits_or_cannot_be_checked(text: str) -> None:
    assert labels(text) == []


def test_german_numbers() -> None:
    assert labels("t(28) = 2,20; p = ,36", "de") == ["p-decision"]
    assert labels("F(1; 79) = 5,86, p = 0,018. 1.234 von 2.468 (50,0 %)", "de") == []
    assert labels("1.234 von 2.468 (51,0 %)", "de") == ["percentage"]
    assert labels("F(1, 79) = 2.345; p = 0,9", "de") == []  # a thousand, or three decimals


@pytest.mark.parametrize(
    ("mean", "n", "possible"),
    [("5.19", 28, False), ("5.18", 28, True), ("3.45", 20, True), ("3.44", 18, True), ("3.46", 18, False), ("5.2", 28, True)],
)  # fmt: skip
def test_grim(mean: str, n: int, possible: bool) -> None:
    found = read(mean, "en")
    assert found is not None and is_mean(found, n) is possible


def test_grimmer_agrees_with_trying_all() -> None:
    from itertools import combinations_with_replacement
    from statistics import mean, stdev

    def written(value: float) -> Written:
        found = read(f"{value:.2f}", "en")
        assert found is not None
        return found

    real = set()
    for numbers in combinations_with_replacement(range(1, 6), 5):
        real.add((f"{mean(numbers):.2f}", f"{stdev(numbers):.2f}"))
        assert is_deviation(written(mean(numbers)), written(stdev(numbers)), 5)
    five = written(3.0)
    impossible = [f"{sd / 100:.2f}" for sd in range(200) if ("3.00", f"{sd / 100:.2f}") not in real]
    refused = [sd for sd in impossible if not is_deviation(five, written(float(sd)), 5)]
    assert len(refused) > 0.9 * len(impossible)


@pytest.mark.parametrize(
    "text",
    [
        "They were seen in 42 of 46 samples (91%).", "42/46 (91.3 %)", "34% (14/41)", "about 93% (42 of 46)",
        "42 of 46 samples (about 93%)", "Of 46 chips, 30 (65%) were flawless and 12 (26%) were not.",
        "CDK4/6 (93%)", "in 1999–2009 (1.7%)", "42 of 46 (93% of the weight)", "12 of 46 (74%)",
    ],
)  # fmt: skip
def test_a_percentage_that_fits_or_is_of_something_else(text: str) -> None:
    assert labels(text) == []


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("42 of 46 (93%)", "percentage"), ("(17 out of 64, 26.7%)", "percentage"), ("35% (14/41)", "percentage"),
        ("Of 46 chips, 30 (65%) were flawless and 12 (36%) were not.", "percentage"),
        ("31% (95% CI 35–46%)", "interval"), ("OR = .11, 95% CI = .21, .96", "interval"),
        ("HR 1.08 (95% confidence interval (CI) 1.13–1.02)", "interval"), ("a median of 5.5 days (IQR 6.1–9.0)", "interval"),
        ("ranges from ¹⁄4 inch to ¹⁄6 inch", "range"), ("adults aged 65 to 18 years", "range"),
        ("on 30 February 2012", "date"), ("on Monday, 5 May 2020", "date"), ("from 1998 to 1989", "date"),
        ("She was born in 1900 and died in 1960, aged 45.", "date"),
        ("40 pupils (22 girls, 17 boys)", "total"),
        ("There was no significant difference (p = .01).", "significance"),
    ],
)  # fmt: skip
def test_what_is_found(text: str, label: str) -> None:
    assert labels(text) == [label]


@pytest.mark.parametrize(
    "text",
    [
        "The odds fell by 31% (95% CI 0.58 to 0.81).", "lower by 1.55 (95% CI −2.41 to −0.70)", "in 2003 (95% CI 1.2–3.4)",
        "OR 2.3 (95% CI 1.2–4.5)", "71% (95%CI: 68–74%)", "−0.2 (95% CI 0.70–0.2)",  # a minus was lost
        "1.04±0.17 seconds (95% CI: 0.71–1.37)", "Exact Wilcoxon tests were used: Z = 2.666, P = 0.003",
        "between 18 and 12.5 Ma", "from 100 to 10 ms", "on 29 February 2012", "between 300 and 200 BC",
        "Tuesday, 5 May 2020", "She was born in 1900 and died in 1960, aged 59.",
        "40 pupils (22 girls, mean age 11)", "40 pupils (22 girls, 17 boys and 1 other)",
        "It was significantly higher than before (p = .01).", "There was a trend, though not significant (p = .01).",
        "With a Bonferroni correction it was not significant (p = .01).", "not significantly different (p = .3)",
    ],
)  # fmt: skip
def test_what_is_left_alone(text: str) -> None:
    assert labels(text) == []


TABLE = """| site | men | women | all |
|---|---|---|---|
| north | 10 | 12 | 22 |
| south | 20 | 21 | 41 |
| east | 5 | 7 | 12 |
| total | 35 | {women} | 75 |
"""


def test_totals_of_a_table() -> None:
    for women, found in (("40", []), ("41", ["41"])):
        doc = read_data(TABLE.format(women=women).encode(), Path("t.md"), lang="en")
        assert [doc.text[one.start : one.end] for one in find(doc)] == found
    [one] = find(doc)
    assert one.why == "the cells add up to 40, not 41; the 2 other totals here are right"


def test_references_in_a_whole_document_only() -> None:
    whole = "As Figure 1 and Figure 2 show, and {ref}.\n\nFigure 1. A mill.\n\nFigure 2. A press.\n"
    found = whole.format(ref="as Figure 3 does")
    assert labels(found) == ["missing-reference"]
    for ref in (
        "as Figure 2 does",
        "as Figure 3 of Smith et al. does",
        "Figure S3",
        "see Figure 9",
    ):
        assert labels(whole.format(ref=ref)) == []
    assert labels(found.replace("Figure 1. A mill.", "")) == []  # a part of a document
    assert labels(found + "\nFigure 3 again.") == []  # a caption that could not be read


def test_lint_reports_it_with_its_severity(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("The groups differed, t(28) = 1.20, p = .04.\n", encoding="utf-8")
    [found] = lint(path, select=["statistics"], lang="en", cache=False)
    assert (found.code, found.severity) == ("statistics.p-decision", "error")
    assert "gives p = 0.240" in found.message
