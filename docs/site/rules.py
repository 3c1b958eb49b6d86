"""The page of lint's rules, made from the rules themselves.

    python docs/site/rules.py

writes docs/reference/lint-rules.md anew; a test says when that is due.
"""

from __future__ import annotations

from pathlib import Path

from marginalia.core.registry import all_tasks
from marginalia.reader.lint.codes import finding_codes
from marginalia.annotators.style.manual import explain
from marginalia.reader.lint.genres import PROFILES
from marginalia.annotators.style.rule import all_rules
from marginalia.reader.view.findings import OFF

PAGE = Path(__file__).parent.parent / "reference" / "lint-rules.md"

HEAD = """# Rules of lint

What [`marginalia lint`](../how-to/lint.md) reports, by code. `marginalia lint --rules` lists them, `--explain CODE` prints one.
Severity can be changed by the setting `severity`, and each rule can be selected or ignored by its code, its family (`terms`) or its name
(`spelling`). The page is made from the rules (`python docs/site/rules.py`), and a test checks that each example is or is not reported.

Never linted: code, front matter, roles and directives of MyST and Sphinx, tags of HTML, commands of LaTeX, formulas, tables, quotations,
addresses, file names, identifiers, lists of references, licences, passages in another language.
"""
NOTES = """## Findings of the notes

These come from the [notes](../how-to/read.md) that `marginalia read` shows in the margin. They need a model, which is
loaded only if one of them is asked for. Hard words are off by default, since a writer knows the words of the readers better: the profile
`plain-language`, `--select complexity` or a severity in the settings turns them on.
"""
NOTE_EXAMPLES = {
    "complexity.hard-word": (
        "After three weeks the dried flowers can be kept in a herbarium for many years.",
        "After three weeks the dried flowers can be kept in a folder for many years.",
    ),
    "similarity.contradiction": (
        "Change the paper daily. The press must stay at 18 °C, because warmth browns the petals.\n\n"
        "Leave the flowers for three weeks.\n\n"
        "Lift them with a knife. The press must stay at 23 °C, because warmth browns the petals.",
        "The press must stay at 18 °C, because warmth browns the petals. Change the paper daily.",
    ),
    "similarity.repetition": (
        "Change the wet blotting paper after twenty-four hours, because petals that lie in damp paper soon turn brown. Then wait.\n\n"
        "Lift them with a knife.\n\n"
        "Be patient. Change the wet blotting paper after twenty-four hours, because petals that lie in damp paper soon turn brown.",
        "Change the wet blotting paper after twenty-four hours. Wait for three weeks.\n\nChange the wet blotting paper after twenty-four hours.",
    ),
}
"""Code of a finding -> a text that it reports, and one that it does not."""


def page() -> str:
    parts = [HEAD, "## Profiles\n", _profiles(), "## Rules\n"]
    parts += [explain(rule) for rule in all_rules().values()]
    rows = [
        (f"`{code}`", "note; off by default" if severity == OFF else severity, task.question)
        for task in all_tasks()
        for code, severity in zip(finding_codes(task), task.findings.values(), strict=True)
    ]
    parts += [NOTES, _table(("code", "severity", "the question"), rows)]
    for code, (bad, good) in NOTE_EXAMPLES.items():
        shown = " … ".join(bad.split("\n\n"))
        kept = " … ".join(good.split("\n\n"))
        parts.append(f"`{code}`\n\n- reported: {shown}\n- not reported: {kept}\n")
    return "\n".join(parts)


def _profiles() -> str:
    rows = [
        (f"`{one.name}`", one.summary, ", ".join(f"`{code}`" for code in one.also))
        for one in PROFILES.values()
    ]
    return _table(("profile", "for", "also on"), rows)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
