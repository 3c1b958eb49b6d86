"""What the documentation and ``lint --explain`` say about a rule: from the rule itself, so that neither can be out of date."""

from __future__ import annotations

from marginalia.annotators.style.annotator import ANNOTATOR
from marginalia.annotators.style.rule import Rule
from marginalia.annotators.style.rulebook import RULES
from marginalia.core.annotator import About
from marginalia.nlp.language import language_name


def describe(code: str) -> About:
    """One rule, for people and for editors."""
    rule = RULES[code]
    return About(
        summary=rule.summary,
        reason=rule.reason,
        help=rule.help,
        languages=rule.languages,
        fixes=rule.fixes,
        page=explain(rule),
    )


def explain(rule: Rule) -> str:
    """One rule as Markdown."""
    severity = ANNOTATOR.kinds[rule.code]
    facts = ["off by default"] if severity == "off" else [severity, "on by default"]
    if rule.languages:
        facts.append(", ".join(language_name(lang) for lang in rule.languages))
    if rule.fixes:
        facts.append("`--fix` fixes it")
    lines = [f"### {rule.code}", "", f"{rule.summary}. {rule.reason}", "", f"*{'; '.join(facts)}*"]
    for example in rule.examples:
        lines += ["", f"{language_name(example.lang)}:", ""]
        lines += [f"- reported: {example.bad}", f"- not reported: {example.good}"]
    return "\n".join(lines) + "\n"
