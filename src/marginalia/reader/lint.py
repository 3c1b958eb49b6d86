"""What a writer should look at in a file: its notes as findings, by the rules of its project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.files import decode
from marginalia.core.frame import Table
from marginalia.core.task import Task
from marginalia.reader.annotate import Progress, annotate, choose_tasks
from marginalia.reader.cache import NoteCache
from marginalia.reader.formats.signature import sniff
from marginalia.reader.read import STDIN, read_bytes, read_data, read_stdin
from marginalia.reader.view.findings import Finding, Rules, find, require_lines
from marginalia.reader.view.settings import find_settings, read_settings

NOTHING: Table[Finding] = Table((), tuple(Finding.__dataclass_fields__))


def lint(
    source: str | Path,
    *,
    notes: Iterable[str | Task] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    least: str | None = None,
    config: str | Path | None = None,
    name: str | None = None,
    lang: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    **options: str,
) -> Table[Finding]:
    """What a writer should look at in a file of text, Markdown, HTML or XML, in its order.

    ``notes`` names the kinds of notes, all that report something if none is named. ``select`` and ``ignore`` are
    codes such as ``complexity.hard-word``, a task, a label or a pattern; ``least`` is the lowest severity: note,
    warning or error. ``options`` are those of the notes, such as ``level="expert"``. What is not given is taken
    from the file ``config``, else from the nearest ``.marginalia.toml`` or ``pyproject.toml`` upwards. A source
    ``-`` is standard input, which ``name`` gives a file name.

    >>> for found in lint("guide.md"):  # doctest: +SKIP
    ...     print(found.line, found.code, found.message)
    """
    given = Path(name or "stdin") if str(source) == STDIN else Path(source)
    beside = Path.cwd() if str(source) == STDIN and not name else given
    settings = read_settings(Path(config)) if config else find_settings(beside)
    doc, text = _read(source, given, bool(name), lang)
    if not doc.text.strip():
        return NOTHING  # an empty page has nothing to look at
    rules = Rules(
        select=tuple(select) or tuple(settings.get("select", ())),
        ignore=(*ignore, *settings.get("ignore", ())),
        severity=settings.get("severity", {}),
        least=least or settings.get("least", "note"),
    )
    names = tuple(notes) or tuple(settings.get("notes", ()))
    # A kind of note that reports nothing need not be made.
    tasks = [task for task in choose_tasks(names or None) if rules.select or task.findings]
    kept = NoteCache() if cache else None
    wanted = _options(options, settings, tasks)
    doc = annotate(doc, tasks, options=wanted, progress=progress, cache=kept)
    return Table(tuple(find(doc, text, rules)), NOTHING.columns)


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


def _options(
    given: Mapping[str, str], settings: Mapping[str, Any], tasks: Iterable[Task]
) -> dict[str, str]:
    """The options of these tasks' notes, as given or as the project says."""
    known = {name for task in tasks for name in task.note_options}
    project = {name: settings[name] for name in ("level", "catalogue", "units") if name in settings}
    return {name: value for name, value in {**project, **given}.items() if name in known}
