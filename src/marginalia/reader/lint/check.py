"""What a writer should look at in a file: the notes that are findings, as its project wants them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from marginalia.core.annotator import Annotator
from marginalia.core.document import Annotation, Document
from marginalia.core.extraction import Table
from marginalia.core.files import decode
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.reader.annotate import Progress, annotate
from marginalia.reader.cache import NoteCache
from marginalia.reader.formats.signature import sniff
from marginalia.reader.lint.fixes import Edit, Placed, edits_of, place_edits, write_edits
from marginalia.reader.lint.wanted import Wanted, choose_wanted
from marginalia.reader.read import STDIN, read_bytes, read_data, read_stdin
from marginalia.reader.view.findings import (
    Finding,
    Replacement,
    Silenced,
    find_noted,
    order,
    require_lines,
)
from marginalia.reader.view.places import Places

COLUMNS = tuple(Finding.__dataclass_fields__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """A file that was looked at."""

    doc: Document
    source: str
    """Its text as it stands in the file, without a byte order mark."""
    findings: tuple[Finding, ...]
    fixed: str
    """The source with all fixes of the findings that touch nothing else."""

    @property
    def path(self) -> Path:
        return Path(str(self.doc.meta["path"]))


def lint(
    source: str | Path,
    *,
    notes: Iterable[str | Annotator] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    least: str | None = None,
    genre: str | None = None,
    vocabularies: Iterable[str] = (),
    config: str | Path | None = None,
    name: str | None = None,
    lang: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    llm: str | LanguageModel | None = None,
    **options: str,
) -> Table[Finding]:
    """What a writer should look at in a file of text, Markdown, HTML or XML, in its order.

    ``select`` and ``ignore`` are codes such as ``spelling.variants`` or ``words.hard-word``, a family or annotator, a label or a
    pattern; ``least`` is the lowest severity: note, warning or error. ``genre`` is ``manual``, ``paper`` or
    ``plain-language``; ``vocabularies`` are names of Vale vocabularies, or folders. ``notes`` names annotators, all that
    report something if none is named; ``options`` are those of the notes, such as
    ``audience="learner"``. What is not given is taken from the file ``config``, else from the nearest ``.marginalia.toml`` or
    ``pyproject.toml`` upwards. ``llm`` is a language model to ask as well. A source ``-`` is standard input, which ``name`` gives a file name.

    >>> for found in lint("guide.md"):  # doctest: +SKIP
    ...     print(found.line, found.code, found.message)
    """
    wanted = choose_wanted(
        settings_from(source, name),
        notes=notes,
        select=select,
        ignore=ignore,
        least=least,
        genre=genre,
        vocabularies=vocabularies,
        config=config,
        **options,
    )
    linted = look(source, wanted, name=name, lang=lang, cache=cache, progress=progress, llm=llm)
    return Table(linted.findings, COLUMNS)


def settings_from(source: str | Path, name: str | None) -> Path:
    """The file beside which settings are looked for; standard input has them by its name, else from where we are."""
    if str(source) == STDIN:
        return Path(name) if name else Path.cwd()
    return Path(source)


def look(
    source: str | Path,
    wanted: Wanted,
    *,
    name: str | None = None,
    lang: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    llm: str | LanguageModel | None = None,
) -> Linted:
    """What is wanted of a file, with the document and with what the fixes change."""
    given = Path(name or "stdin") if str(source) == STDIN else Path(source)
    doc, text = _read(source, given, bool(name), lang)
    if not doc.text.strip():
        return Linted(
            doc=doc, source=text, findings=(), fixed=text
        )  # an empty page has nothing to look at
    kept = NoteCache() if cache else None
    options = wanted.options_for(doc)
    doc = annotate(doc, wanted.annotators, options=options, progress=progress, cache=kept, llm=llm)
    matters = find_matters(doc, text, wanted)
    placed = place_edits(doc, text, (edit for one in matters for edit in one.edits))
    places = Places(text, doc.text)
    findings = (
        replace(one.finding, fix=tuple(_replacements(places, placed, one.edits))) for one in matters
    )
    return Linted(doc=doc, source=text, findings=tuple(findings), fixed=write_edits(text, placed))


@dataclass(frozen=True, slots=True)
class Matter:
    """A finding with the note that it comes from."""

    finding: Finding
    note: Annotation
    edits: tuple[Edit, ...] = ()
    """What would fix it; whether the source can be changed so, ``place_edits`` says."""


def find_matters(doc: Document, source: str, wanted: Wanted) -> list[Matter]:
    """What the notes on a document report, in its order."""
    places = Places(source, doc.text)
    silenced = Silenced(places)
    matters = []
    for finding, note in find_noted(doc, places, wanted.rules):
        if note.label.startswith("vocabulary.") or not wanted.vocabulary.accepts(finding.quote):
            lines = {edit: places.line(places.offset(edit.start))[0] for edit in edits_of(note)}
            edits = (
                edit
                for edit, line in lines.items()
                if not silenced.is_silenced(line, finding.code, note.task)
            )
            matters.append(Matter(finding, note, tuple(edits)))
    return sorted(matters, key=lambda one: order(one.finding))


def _replacements(places: Places, placed: Placed, edits: Iterable[Edit]) -> Iterator[Replacement]:
    for edit in edits:
        if edit in placed:
            start, end = placed[edit]
            line, column = places.line(start)
            end_line, end_column = places.line(end)
            yield Replacement(
                line=line, column=column, end_line=end_line, end_column=end_column, text=edit.text
            )


def _read(source: str | Path, path: Path, named: bool, lang: str | None) -> tuple[Document, str]:
    """The document and its source text."""
    if str(source) == STDIN:
        data = read_stdin()
        doc = read_data(data, path, lang=lang, format=None if named else sniff(data, path))
    else:
        data = read_bytes(path)
        doc = read_data(data, path, lang=lang)
    # A byte order mark is no character that an editor would count.
    return require_lines(doc), decode(data, path).removeprefix("\ufeff")
