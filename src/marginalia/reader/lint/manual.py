"""What the documentation and ``lint --explain`` say about a rule: from the rule itself, so that neither can be out of date."""

from __future__ import annotations

from marginalia.reader.lint.profiles import PROFILES
from marginalia.reader.lint.rule import Rule

LANGUAGES = {"en": "English", "de": "German"}


def explain(rule: Rule) -> str:
    """One rule as Markdown."""
    lines = [f"### {rule.code}", "", f"{rule.summary}. {rule.reason}", ""]
    lines.append(f"*{rule.severity}; {'; '.join([*_when(rule), *_where(rule), *_fixed(rule)])}*")
    for example in rule.examples:
        lines += ["", f"{LANGUAGES[example.lang]}:", ""]
        lines += [f"- reported: {example.bad}", f"- not reported: {example.good}"]
    return "\n".join(lines) + "\n"


def _when(rule: Rule) -> list[str]:
    also = [f"`{one.name}`" for one in PROFILES.values() if rule.code in one.also]
    if rule.default:
        return ["on by default"]
    return [
        f"on in the profile{'s' if len(also) > 1 else ''} {', '.join(also)}"
        if also
        else "off by default"
    ]


def _where(rule: Rule) -> list[str]:
    return [", ".join(LANGUAGES[lang] for lang in rule.languages)] if rule.languages else []


def _fixed(rule: Rule) -> list[str]:
    return ["`--fix` mends it"] if rule.fixes else []
