"""What ``lint --explain``, SARIF and editors say of a kind of finding, from ``statistics.toml`` of the languages."""

from __future__ import annotations

from marginalia.annotators.statistics.annotator import ANNOTATOR
from marginalia.annotators.statistics.manuscript import SUBJECT
from marginalia.core.annotator import About
from marginalia.lang import DEFAULT, language
from marginalia.nlp.language import language_name

PAGE = "https://github.com/marginalia-reader/marginalia/blob/main/docs/reference/lint-rules.md"
"""Where the kinds of findings are described."""


def examples(label: str) -> dict[str, tuple[str, str]]:
    """By language a text that is reported, and one that is not."""
    rules = {
        code: language(code).table(SUBJECT, "rules").get(label, {}) for code in ANNOTATOR.languages
    }
    return {code: (rule["bad"], rule["good"]) for code, rule in rules.items() if rule}


def describe(label: str) -> About:
    rule = language(DEFAULT).table(SUBJECT, "rules")[label]
    lines = [f"### {ANNOTATOR.name}.{label}", "", f"{rule['summary']}. {rule['reason']}", ""]
    lines.append(f"*{ANNOTATOR.kinds[label]}; on by default; English, German*")
    for code, (bad, good) in examples(label).items():
        lines += [
            "",
            f"{language_name(code)}:",
            "",
            f"- reported: {bad}",
            f"- not reported: {good}",
        ]
    return About(
        summary=rule["summary"],
        reason=rule["reason"],
        help=f"{PAGE}#{ANNOTATOR.name}{label}",
        languages=ANNOTATOR.languages,
        page="\n".join(lines) + "\n",
    )
