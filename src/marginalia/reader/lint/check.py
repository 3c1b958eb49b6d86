"""What a writer should look at in a file: the rules of lint and the notes of the tasks, as its project wants them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.files import decode
from marginalia.core.frame import Table
from marginalia.core.task import Task
from marginalia.nlp.prose import NO_SPANS
from marginalia.reader.annotate import Progress, annotate, check_options, choose_tasks
from marginalia.reader.cache import NoteCache
from marginalia.reader.formats.signature import sniff
from marginalia.reader.lint.codes import check_codes, is_wanted
from marginalia.reader.lint.draft import Draft
from marginalia.reader.lint.fixes import Placed, place_edits, write_edits
from marginalia.reader.lint.masks import target_spans
from marginalia.reader.lint.profiles import Profile, get_profile
from marginalia.reader.lint.registry import all_rules
from marginalia.reader.lint.rule import PAGE, Edit, Issue, Rule
from marginalia.reader.lint.vocabulary import EMPTY, Vocabulary, read_vocabularies
from marginalia.reader.read import STDIN, read_bytes, read_data, read_stdin
from marginalia.reader.view.findings import (
    Finding,
    Replacement,
    Rules,
    Silenced,
    find,
    in_order,
    place,
    require_lines,
)
from marginalia.reader.view.places import Places
from marginalia.reader.view.settings import find_settings, read_settings

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
    notes: Iterable[str | Task] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    least: str | None = None,
    profile: str | None = None,
    vocabularies: Iterable[str] = (),
    config: str | Path | None = None,
    name: str | None = None,
    lang: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    **options: str,
) -> Table[Finding]:
    """What a writer should look at in a file of text, Markdown, HTML or XML, in its order.

    ``select`` and ``ignore`` are codes such as ``terms.spelling`` or ``complexity.hard-word``, a family or task, a label or a
    pattern; ``least`` is the lowest severity: note, warning or error. ``profile`` is ``manual``, ``paper`` or
    ``plain-language``; ``vocabularies`` are names of Vale vocabularies, or folders. ``notes`` names the tasks whose notes are
    reported beside the rules, all that report something if none is named; ``options`` are those of the notes, such as
    ``level="expert"``. What is not given is taken from the file ``config``, else from the nearest ``.marginalia.toml`` or
    ``pyproject.toml`` upwards. A source ``-`` is standard input, which ``name`` gives a file name.

    >>> for found in lint("guide.md"):  # doctest: +SKIP
    ...     print(found.line, found.code, found.message)
    """
    linted = look(
        source,
        notes=notes,
        select=select,
        ignore=ignore,
        least=least,
        profile=profile,
        vocabularies=vocabularies,
        config=config,
        name=name,
        lang=lang,
        cache=cache,
        progress=progress,
        **options,
    )
    return Table(linted.findings, COLUMNS)


def look(
    source: str | Path,
    *,
    notes: Iterable[str | Task] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    least: str | None = None,
    profile: str | None = None,
    vocabularies: Iterable[str] = (),
    config: str | Path | None = None,
    name: str | None = None,
    lang: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    **options: str,
) -> Linted:
    """The same with the document, and with what the fixes change."""
    given = Path(name or "stdin") if str(source) == STDIN else Path(source)
    beside = Path.cwd() if str(source) == STDIN and not name else given
    settings = read_settings(Path(config)) if config else find_settings(beside)
    chosen = get_profile(profile or settings.get("profile"))
    rules = Rules(
        select=tuple(select) or tuple(settings.get("select", ())),
        ignore=(*ignore, *settings.get("ignore", ())),
        severity=settings.get("severity", {}),
        least=least or settings.get("least", "note"),
        also=chosen.also,
    )
    check_codes(rules.select)
    names = tuple(vocabularies) or tuple(settings.get("vocabularies", ()))
    styles = Path(settings.get("styles", beside.parent / "styles"))
    vocabulary = read_vocabularies(names, styles) if names else EMPTY
    doc, text = _read(source, given, bool(name), lang)
    if not doc.text.strip():
        return Linted(
            doc=doc, source=text, findings=(), fixed=text
        )  # an empty page has nothing to look at
    check_options(options, choose_tasks(None))  # also those of notes that report nothing here
    named = tuple(notes) or tuple(settings.get("notes", ()))
    # A kind of note that reports nothing need not be made, and no model loaded for it.
    tasks = [task for task in choose_tasks(named or None) if is_wanted(task, rules)]
    found: list[Finding] = []
    if tasks:
        kept = NoteCache() if cache else None
        wanted = _options(options, {**settings, **chosen.options}, tasks)
        noted = annotate(doc, tasks, options=wanted, progress=progress, cache=kept)
        found += find(noted, text, rules, help=f"{PAGE}#findings-of-the-notes")
    limits = {code: bounds.get(str(doc.meta["lang"]), 0) for code, bounds in chosen.limits.items()}
    if "sentence-words" in settings:
        limits["sentences.long"] = settings["sentence-words"]
    draft = Draft(doc, limits, vocabulary)
    by_rules, fixed = _apply(draft, text, rules_on(rules, chosen))
    # Where a rule says what is wrong with a word, a note need not say that it is rare.
    taken = {(one.line, one.column, one.quote) for one in by_rules}
    found = [one for one in found if (one.line, one.column, one.quote) not in taken]
    found = [one for one in (*found, *by_rules) if _is_unknown(one, vocabulary)]
    return Linted(doc=doc, source=text, findings=tuple(in_order(found)), fixed=fixed)


def _is_unknown(one: Finding, vocabulary: Vocabulary) -> bool:
    return one.code.startswith("vocabulary.") or not vocabulary.accepts(one.quote)


def _apply(
    draft: Draft, source: str, rules: Iterable[tuple[Rule, str]]
) -> tuple[list[Finding], str]:
    """The findings of these rules with what mends them, and the source with all of it."""
    places = Places(source, draft.doc.text)
    silenced = Silenced(source, places)
    targets = target_spans(source) if draft.doc.meta.get("format") == "rst" else NO_SPANS
    made: list[tuple[Finding, Issue]] = []
    for rule, severity in rules:
        if rule.languages and draft.lang not in rule.languages:
            continue
        for issue in rule.check(draft):
            one = _finding(draft, places, rule, issue, severity)
            if targets.hold(places.offset(issue.start)):
                continue
            if not silenced.is_silenced(one.line, rule.code) and _is_unknown(one, draft.vocabulary):
                made.append((one, issue))
    edits = [
        edit
        for one, issue in made
        for edit in issue.edits
        if not silenced.is_silenced(places.line(places.offset(edit.start))[0], one.code)
        and not targets.hold(places.offset(edit.start))
    ]
    placed = place_edits(draft.doc, source, edits)
    found = [
        replace(one, fix=tuple(_replacements(places, placed, issue.edits))) for one, issue in made
    ]
    return found, write_edits(source, placed)


def rules_on(rules: Rules, profile: Profile) -> Iterator[tuple[Rule, str]]:
    """The rules that are on, with their severity."""
    for code, rule in all_rules().items():
        usual = rule.default or code in profile.also
        severity = rules.judge(code, rule.severity if usual or rules.select else None)
        if severity is not None:
            yield rule, severity


def _finding(draft: Draft, places: Places, rule: Rule, issue: Issue, severity: str) -> Finding:
    quote = " ".join(draft.doc.text[issue.start : issue.end].split())
    shown = quote if len(quote) <= 60 else f"{quote[:59].rstrip()}…"
    return place(
        draft.doc,
        places,
        issue.start,
        issue.end,
        code=rule.code,
        severity=severity,
        message=f"{shown}: {issue.message}",
        help=rule.help,
    )


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


def _options(
    given: Mapping[str, str], settings: Mapping[str, Any], tasks: Iterable[Task]
) -> dict[str, str]:
    """The options of these tasks' notes, as given or as the project says."""
    known = {name for task in tasks for name in task.note_options}
    project = {
        name: settings[name]
        for name in ("level", "field", "catalogue", "units")
        if name in settings
    }
    return {name: value for name, value in {**project, **given}.items() if name in known}
