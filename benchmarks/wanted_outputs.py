"""Differences between what was written before and is written now that were made on purpose, each with its reason."""

from __future__ import annotations

import re
from fnmatch import fnmatch

WANTED: tuple[tuple[str, str, str], ...] = (
    (
        "read-*",
        r"needs a |catalogue: --catalogue|add a catalogue|the variable\b",
        "a note on a survey variable without a catalogue says in plain words what to do",
    ),
    (
        "similar-*",
        r"are said in|are also in|are in .* too|rests on|evidence|likest|paraphrased|word for word|identical",
        "the usual words in tables and pages",
    ),
    (
        "clarify-*",
        r"too little|unclear phrase|offsets; -o FILE",
        "the usual words in tables",
    ),
    (
        "*article.pdf*",
        r".",
        "the authors of a PDF are a region without notes, and no evidence of what its sentences are about",
    ),
    (
        "read-as-pdf*",
        r"bytes, sha256|notes left out",
        "the authors of a PDF are a region without notes",
    ),
    ("read-pdf-again", r".", "the authors of a PDF are a region without notes"),
    ("read-as-*", r"notes left out", "the authors of a PDF are a region without notes"),
    (
        "read-*article*",
        r".",
        "one stemmer: the detector of variables was trained anew and marks two more sentences of the article, for which "
        "a measurement gives way; its table keeps its cells",
    ),
    (
        "*guide*",
        r"^\+|<pre|\t|</pre>",
        "tables keep their cells with their places, and are tables in the page",
    ),
    ("read-learner", r"^\+", "tables keep their cells with their places"),
    (
        "*html*",
        r"table|\.text|</t[dhr]>|<pre|\t|Ostrander|Institute",
        "tables are tables in the page; the authors of a PDF are a region",
    ),
    (
        "*report*",
        r"4\.391|similarity",
        "one stemmer: the regression on surface features was trained anew, so a score differs in the fourth digit",
    ),
    (
        "extract-as-*",
        r"T[23]-\d",
        "one shape of a quantity: the ids of a set count without a gap in German too; they mean nothing outside of it",
    ),
    ("link-*", r".", "one stemmer: detector and re-ranker of variables were trained anew"),
    ("catalogue-*", r".", "one stemmer: the words of a catalogue are indexed by other stems"),
    (
        "similar-by-encoder",
        r'"score"',
        "the scale of `encoder` comes from sentences that nobody rated, so that it needs no non-commercial weights",
    ),
    (
        "similar-in-file",
        r"\"system\"|^[+-] \],?$",
        "what is looked up says by which system, as the other results do",
    ),
    (
        "similar-*",
        r"\d\.\d",
        "one stemmer: the regression on surface features was trained anew, so scores differ in the second digit",
    ),
)
"""Commands (a pattern of names), a regular expression for the changed line with its + or -, and the reason."""


def reason(name: str, line: str) -> str:
    """Why this line of this command may differ; nothing if it may not."""
    for commands, pattern, why in WANTED:
        if fnmatch(name, commands) and re.search(pattern, line):
            return why
    return ""
