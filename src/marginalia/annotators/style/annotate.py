"""What the rules report becomes notes; how long sentences are and how hard to read is the summary."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

from marginalia.annotators.style.annotator import ANNOTATOR
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.masks import BLOT
from marginalia.annotators.style.rulebook import RULES
from marginalia.core.document import Annotation, Document
from marginalia.nlp.readability import FORMULAS, readability
from marginalia.nlp.readability import count as count_sentences
from marginalia.nlp.tokens import words
from marginalia.nlp.vocabulary import read_vocabularies


def annotate(
    doc: Document, *, rules: str = "", limits: str = "", vocabulary: str = ""
) -> Iterator[Annotation]:
    """What these rules report (codes with commas between them), or all that are not off.

    ``limits`` are bounds such as ``sentences.long=20``, with commas; ``vocabulary`` names folders of Vale's vocabularies.
    """
    chosen = rules.split(",") if rules else [c for c, s in ANNOTATOR.kinds.items() if s != "off"]
    bounds = dict(one.split("=") for one in limits.split(",")) if limits else {}
    folders = vocabulary.split(os.pathsep) if vocabulary else []
    words_of_project = read_vocabularies(map(Path, folders))
    draft = Draft(doc, {code: int(bound) for code, bound in bounds.items()}, words_of_project)
    numbers = count(1)
    for code in chosen:
        rule = RULES[code]
        if rule.languages and draft.lang not in rule.languages:
            continue
        for issue in rule.check(draft):
            quote = doc.text[issue.start : issue.end]
            if not code.startswith("vocabulary.") and words_of_project.accepts(quote):
                continue
            attrs: dict[str, Any] = {"why": issue.message}
            if issue.edits:
                attrs["edits"] = [asdict(edit) for edit in issue.edits]
            yield Annotation(
                id=f"style-{next(numbers)}",
                task=ANNOTATOR.name,
                label=code,
                start=issue.start,
                end=issue.end,
                quote=quote,
                attrs=attrs,
                system="rules",
            )


def summary(doc: Document, **_: str) -> dict[str, Any]:
    """Length of the prose and of its sentences, with the formulas of readability for its language."""
    draft = Draft(doc)
    spoken = [
        [match.group() for match in words(draft.text[start:end].replace(BLOT, " "))]
        for start, end in draft.sentences
    ]
    counts = count_sentences(spoken, draft.lang if draft.lang in FORMULAS else "en")
    mean = round(counts.words / counts.sentences, 1) if counts.sentences else 0.0
    return {
        "said": f"{counts.words:,} words in {counts.sentences:,} sentences of {mean} words",
        "lang": draft.lang,
        "words": counts.words,
        "sentences": counts.sentences,
        "words_per_sentence": mean,
        "readability": readability(counts, draft.lang),
    }
