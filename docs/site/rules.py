"""The page of lint's rules, made from the rules themselves.

    python docs/site/rules.py

writes docs/reference/lint-rules.md again; a test says when that is due.
"""

from __future__ import annotations

from pathlib import Path

from marginalia.annotators.statistics.annotator import ANNOTATOR as STATISTICS
from marginalia.annotators.statistics.manual import describe
from marginalia.annotators.style.annotator import ANNOTATOR
from marginalia.annotators.style.manual import explain
from marginalia.annotators.style.rulebook import RULES
from marginalia.core.registry import all_annotators
from marginalia.reader.lint.wanted import GENRES, codes_of
from marginalia.reader.view.findings import OFF

PAGE = Path(__file__).parent.parent / "reference" / "lint-rules.md"

HEAD = """# Rules of lint

What [`marginalia lint`](../how-to/lint.md) reports, by code. `marginalia lint --rules` lists them, `--explain CODE` prints one.
Severity can be changed by the setting `severity`, and each rule can be selected or ignored by its code, its family (`spelling`) or its name
(`variants`). The page is made from the rules (`python docs/site/rules.py`), and a test checks that each example is or is not reported.

Never linted: code, front matter, roles and directives of MyST and Sphinx, tags of HTML, commands of LaTeX, formulas, tables, quotations,
addresses, file names, identifiers, lists of references, licences, passages in another language.
"""
NOTES = """## Findings of the notes

These come from the [notes](../how-to/read.md) that `marginalia read` shows in the margin. They need a model, which is
loaded only if one of them is asked for. Hard words are off by default, since a writer knows the words of the readers better: the genre
`plain-language`, `--select words` or a severity in the settings turns them on.
"""
NUMBERS = """## Numbers that do not add up

Deterministic, without a model, and each with its arithmetic ([how well](../how-to/lint.md#numbers-that-do-not-add-up)).
"""
NOTE_EXAMPLES = {
    "words.term": (
        "After three weeks the dried flowers can be kept in a herbarium for many years.",
        "After three weeks the dried flowers can be kept in a folder for many years.",
    ),
    "consistency.contradiction": (
        "The press must be opened before the petals are dry. Change the paper daily.\n\n"
        "Leave the flowers for three weeks.\n\n"
        "Lift them with a knife. The press must not be opened before the petals are dry.",
        "The press must stay at 18 °C in the first week.\n\nChange the paper daily. Wait.\n\nThe press must stay at 23 °C in the first week.",
    ),
    "consistency.repetition": (
        "Change the wet blotting paper after twenty-four hours, because petals that lie in damp paper soon turn brown. Then wait.\n\n"
        "Lift them with a knife.\n\n"
        "Be patient. Change the wet blotting paper after twenty-four hours, because petals that lie in damp paper soon turn brown.",
        "Change the wet blotting paper after twenty-four hours. Wait for three weeks.\n\nChange the wet blotting paper after twenty-four hours.",
    ),
}
"""Code of a finding -> a text that it reports, and one that it does not."""


def page() -> str:
    parts = [HEAD, "## Genres\n", _genres(), "## Rules\n"]
    parts += [explain(rule) for rule in RULES.values()]
    parts += [NUMBERS, *(describe(label).page for label in STATISTICS.kinds)]
    rows = [
        (
            f"`{code}`",
            "note; off by default" if one.kinds[label] == OFF else one.kinds[label],
            one.question,
        )
        for one in all_annotators()
        if one.name not in (ANNOTATOR.name, STATISTICS.name)
        for code, label in codes_of(one).items()
    ]
    parts += [NOTES, _table(("code", "severity", "the question"), rows)]
    for code, (bad, good) in NOTE_EXAMPLES.items():
        shown = " … ".join(bad.split("\n\n"))
        kept = " … ".join(good.split("\n\n"))
        parts.append(f"`{code}`\n\n- reported: {shown}\n- not reported: {kept}\n")
    return "\n".join(parts)


def _genres() -> str:
    rows = [
        (f"`{one.name}`", one.summary, ", ".join(f"`{code}`" for code in one.also))
        for one in GENRES.values()
    ]
    return _table(("genre", "for", "also on"), rows)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
