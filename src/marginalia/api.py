"""The public ``marginalia.read``: a file with its notes, in one call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from marginalia.core.annotator import Annotator
from marginalia.core.document import Document
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.reader.annotate import Progress, annotate, choose_annotators
from marginalia.reader.cache import NoteCache
from marginalia.reader.profiles import get_profile
from marginalia.reader.read import read as read_file


def read(
    source: str | Path,
    *,
    audience: str | None = None,
    notes: Iterable[str | Annotator] | None = None,
    density: float | None = None,
    lang: str | None = None,
    id: str | None = None,
    include: Iterable[str] = (),
    ocr: bool = False,
    cache: bool = True,
    progress: Progress | None = None,
    llm: str | LanguageModel | None = None,
    **options: str,
) -> Document:
    """The document in a file (``-`` is standard input) with its notes.

    ``audience`` says who reads: ``reader`` (default), ``learner``, ``specialist``, ``writer``, ``curator`` or a profile of the
    project's settings. It decides which annotators write and how many of their notes have room; ``density`` sets another number of
    notes per 1,000 words. ``notes`` names the annotators instead, all of whose notes are then given; none if it is empty.
    ``options`` are those of the annotators, such as ``catalogue="survey.xml"``. ``include`` opens kinds of regions that are
    skipped, such as ``references`` or ``code``; ``meta["skipped"]`` says how much of the text they are. With ``ocr`` scanned pages
    of a PDF are recognised first. Notes are kept in the user's cache unless it is off. ``llm`` names a language model to ask as well, or is
    one of ``language_model``: passages of the text go to it.

    >>> doc = read("paper.pdf")  # doctest: +SKIP
    >>> for note in doc.notes("words"):  # doctest: +SKIP
    ...     print(note.quote, note.attrs.get("why"))
    """
    doc = read_file(source, lang=lang, id=id, ocr=ocr)
    profile = get_profile(audience, None if source == "-" else source)
    chosen = profile.annotators() if notes is None else choose_annotators(notes)
    if not chosen:
        return doc
    own = profile.own_options(chosen, options)
    kept = NoteCache() if cache else None
    doc = annotate(
        doc, chosen, options=own, include=include, cache=kept, progress=progress, llm=llm
    )
    return doc if notes is not None else profile.choose(doc, per_1000_words=density)
