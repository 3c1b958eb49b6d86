"""What `link` says of documents that use no survey of the catalogue: for ``claims.py silence``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia import MarginaliaError, read
from marginalia.core.data_folder import data_folder
from marginalia.tasks.variables.index.build import build
from marginalia.tasks.variables.notes.links import link
from marginalia.tasks.variables.notes.sentences import papers
from marginalia.tasks.variables.systems.claims import MIN_PERHAPS_PROBABILITY

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
            best = one.candidates[0].score if one.candidates else 0.0
            found["sentences"] += 1
            found["claimed"] += bool(one.variables)
            found["named"] += best >= MIN_PERHAPS_PROBABILITY
    return found
