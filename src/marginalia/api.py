"""The public ``marginalia.read``: a file with its notes, in one call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from marginalia.core.annotator import Annotator
from marginalia.core.document import Document
from marginalia.reader.annotate import Progress, annotate
from marginalia.reader.cache import NoteCache
from marginalia.reader.read import read as read_file


def read(
    source: str | Path,
    *,
    notes: Iterable[str | Annotator] | None = None,
    lang: str | None = None,
    id: str | None = None,
    include: Iterable[str] = (),
    ocr: bool = False,
    cache: bool = True,
    progress: Progress | None = None,
    **options: str,
) -> Document:
    """The document in a file (``-`` is standard input) with its notes.

    ``notes`` names the kinds to make: all if None, none if empty. ``options`` are those of the notes, such as
    ``level="expert"`` or ``catalogue="survey.xml"``. ``include`` opens kinds of regions that are passed over, such
    as ``references`` or ``code``; ``meta["passed_over"]`` says how much of the text they are. With ``ocr`` scanned pages
    of a PDF are recognised first. Notes are kept in the user's cache unless it is off.

    >>> doc = read("paper.pdf")  # doctest: +SKIP
    >>> for note in doc.notes("measurement"):  # doctest: +SKIP
    ...     print(note.quote, note.attrs["why"])
    """
    doc = read_file(source, lang=lang, id=id, ocr=ocr)
    chosen = None if notes is None else list(notes)
    if chosen == []:
        return doc
    kept = NoteCache() if cache else None
    return annotate(doc, chosen, options=options, include=include, cache=kept, progress=progress)
