"""Two things compared, whatever they are: sentences, documents or catalogue records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, overload

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.nlp.prompting import as_model
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.tasks.similarity.search.candidates import Progress
from marginalia.tasks.similarity.search.comparison import Comparison, compare_documents
from marginalia.tasks.similarity.search.explain import (
    Explanation,
    RecordComparison,
    compare_records,
    explain,
)

Record = Mapping[str, Any]
"""A catalogue record with the fields of the TYPED task: dcTitle, dcSubject, dcDescription, dcCreator, dcDate,
dcSource, each a text or a list of texts."""


@overload
def compare(
    left: str,
    right: str,
    *,
    system: str | None = None,
    lang: str | None = None,
    llm: str | LanguageModel | None = None,
) -> Explanation: ...


@overload
def compare(
    left: Document,
    right: Document,
    *,
    system: str | None = None,
    cache: str | Path | None = None,
    progress: Progress | None = None,
) -> Comparison: ...


@overload
def compare(
    left: Record,
    right: Record,
    *,
    system: str | None = None,
    llm: str | LanguageModel | None = None,
) -> RecordComparison: ...


def compare(
    left: str | Document | Record,
    right: str | Document | Record,
    *,
    system: str | None = None,
    lang: str | None = None,
    cache: str | Path | None = None,
    progress: Progress | None = None,
    llm: str | LanguageModel | None = None,
) -> Explanation | Comparison | RecordComparison:
    """How alike two things of the same kind are, from 0 (different subjects) to 5 (the same), and why.

    Two sentences are aligned word by word, in English, German (``lang``, else guessed) or one of each. Of two
    documents each sentence is paired with its closest match in the other; ``cache`` is a file that keeps
    sentence vectors for the next time. Two catalogue records are compared in eight respects. Without a
    ``system`` the best for the kind is taken. A language model (``llm``) has a say about two sentences or records.

    >>> compare("A man plays a guitar.", "A guitar is being played.").meaning  # doctest: +SKIP
    """
    model = as_model(llm)
    if isinstance(left, str) and isinstance(right, str):
        return explain(left, right, system=system, lang=lang, llm=model)
    if isinstance(left, Document) and isinstance(right, Document):
        return compare_documents(left, right, system=system, cache=cache, progress=progress)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return compare_records(left, right, system=system, llm=model)
    kinds = (type(left).__name__, type(right).__name__)
    raise FormatError(
        f"two texts, two documents or two records are compared, not a {kinds[0]} and a {kinds[1]}; "
        "look_up finds a text in a document"
    )
