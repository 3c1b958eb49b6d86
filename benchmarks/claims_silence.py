"""What `link` says of documents that use no survey of the catalogue: for ``claims.py silence``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia import MarginaliaError, read
from marginalia.annotators.variables.links import link
from marginalia.annotators.variables.sentences import papers
from marginalia.annotators.variables.variable_notes import named_as_guess
from marginalia.core.data_folder import data_folder
from marginalia.tasks.variables.index.build import build

FOLDERS = ("docx", "html", "jats", "md", "other", "pdf")


def documents(real: Path) -> list[Path]:
    own = [path for name in FOLDERS for path in sorted((real / name).iterdir())]
    return own + sorted((real / "readability").glob("*/source.html"))


def measure_silence(real: Path, work: Path) -> dict[str, Any]:
    """Documents, words, those that speak of a survey of people, and sentences with a variable that is claimed or named."""
    vocabulary = data_folder() / "sv-ident" / "vocabulary_partial.tsv"
    build([vocabulary], work / "vocabulary.cat")
    found = dict.fromkeys(("documents", "words", "surveys", "sentences", "claimed", "named"), 0)
    for path in documents(real):
        try:
            doc = read(path, notes=[])
        except MarginaliaError:  # without text, or with a password
            continue
        found["documents"] += 1
        found["words"] += len(doc.text.split())
        if next(papers(doc), None) is None:
            continue
        found["surveys"] += 1
        for one in link(doc, work / "vocabulary.cat").sentences:
            found["sentences"] += 1
            found["claimed"] += bool(one.variables)
            found["named"] += any(named_as_guess(c.score, c.kind) for c in one.candidates[:1])
    return found
