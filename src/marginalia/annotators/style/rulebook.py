"""All rules of style, family by family."""

from __future__ import annotations

from marginalia.annotators.style import (
    abbreviations,
    articles,
    doubled,
    marks,
    misspellings,
    names,
    numbers,
    phrases,
    placeholders,
    project_vocabulary,
    sentences,
    terms,
    variety,
)
from marginalia.annotators.style.rule import Rule

RULES = {
    rule.code: rule
    for rule in (
        Rule("spelling.variants", terms.check, fixes=True),
        Rule("spelling.variety", variety.check, fixes=True),
        Rule("spelling.case", names.check_case, fixes=True),
        Rule("spelling.name", names.check_names, fixes=True),
        Rule("abbreviations.undefined", abbreviations.check_undefined),
        Rule("abbreviations.late", abbreviations.check_late),
        Rule("abbreviations.ambiguous", abbreviations.check_ambiguous),
        Rule("abbreviations.unused", abbreviations.check_unused),
        Rule("numbers.spacing", numbers.check_spacing, fixes=True),
        Rule("numbers.percent", numbers.check_percent),
        Rule("numbers.grouping", numbers.check_grouping, fixes=True),
        Rule("numbers.decimal", numbers.check_decimal, fixes=True),
        Rule("wording.doubled", doubled.check, fixes=True),
        Rule("wording.article", articles.check, fixes=True),
        Rule("wording.misspelled", misspellings.check, fixes=True),
        Rule("wording.vague", phrases.check_vague),
        Rule("wording.wordy", phrases.check_wordy),
        Rule("sentences.long", sentences.check),
        Rule("marks.brackets", marks.check_brackets),
        Rule("marks.repeated", marks.check_repeated, fixes=True),
        Rule("marks.quotes", marks.check_quotes),
        Rule("text.placeholder", placeholders.check),
        Rule("vocabulary.spelling", project_vocabulary.check_accepted, fixes=True),
        Rule("vocabulary.rejected", project_vocabulary.check_rejected),
    )
}
"""By their codes."""
