"""What a writer should look at in a file: the rules of lint and the notes of the tasks, as its project wants them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from marginalia.core.annotator import Annotator
from marginalia.core.document import Annotation, Document
from marginalia.core.files import decode
from marginalia.core.frame import Table
from marginalia.nlp.prose import NO_SPANS
from marginalia.reader.annotate import Progress, annotate
from marginalia.reader.cache import NoteCache
from marginalia.reader.formats.signature import sniff
from marginalia.reader.lint.draft import Draft
from marginalia.reader.lint.fixes import Placed, place_edits, write_edits
from marginalia.reader.lint.masks import target_spans
from marginalia.reader.lint.profiles import Profile
from marginalia.reader.lint.registry import all_rules
from marginalia.reader.lint.rule import PAGE, Edit, Issue, Rule
from marginalia.reader.lint.vocabulary import Vocabulary
from marginalia.reader.lint.wanted import Wanted, choose_wanted
from marginalia.reader.read import STDIN, read_bytes, read_data, read_stdin
from marginalia.reader.view.findings import (
    Finding,
    Replacement,
    Rules,
    Silenced,
    find_noted,
    order,
    place,
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
    wanted = choose_wanted(
        settings_from(source, name),
        notes=notes,
        select=select,
        ignore=ignore,
        least=least,
        profile=profile,
        vocabularies=vocabularies,
        config=config,
        **options,
    )
    linted = look(source, wanted, name=name, lang=lang, cache=cache, progress=progress)
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
) -> Linted:
    """What is wanted of a file, with the document and with what the fixes change."""
    given = Path(name or "stdin") if str(source) == STDIN else Path(source)
    doc, text = _read(source, given, bool(name), lang)
    if not doc.text.strip():
        return Linted(
            doc=doc, source=text, findings=(), fixed=text
        )  # an empty page has nothing to look at
    if wanted.annotators:
        kept = NoteCache() if cache else None
        doc = annotate(
            doc, wanted.annotators, options=wanted.options, progress=progress, cache=kept
        )
    matters = find_matters(doc, text, wanted)
    placed = place_edits(doc, text, (edit for one in matters for edit in one.edits))
    places = Places(text, doc.text)
    findings = (
        replace(one.finding, fix=tuple(_replacements(places, placed, one.edits))) for one in matters
    )
    return Linted(doc=doc, source=text, findings=tuple(findings), fixed=write_edits(text, placed))


@dataclass(frozen=True, slots=True)
class Matter:
    """A finding with what it comes from: a note, or a rule that may know how to mend it."""

    finding: Finding
    note: Annotation | None = None
    edits: tuple[Edit, ...] = ()
    """What would mend it; whether the source can be changed so, ``place_edits`` says."""


def find_matters(doc: Document, source: str, wanted: Wanted) -> list[Matter]:
    """What the notes on a document and the rules report, in its order."""
    help = f"{PAGE}#findings-of-the-notes"
    places = Places(source, doc.text)
    by_notes = [Matter(*pair) for pair in find_noted(doc, places, wanted.rules, help=help)]
    draft = Draft(doc, wanted.limits(doc), wanted.vocabulary)
    by_rules = _apply(draft, places, rules_on(wanted.rules, wanted.profile))
    # Where a rule says what is wrong with a word, a note need not say that it is rare.
    taken = {_spot(one.finding) for one in by_rules}
    by_notes = [one for one in by_notes if _spot(one.finding) not in taken]
    found = [one for one in (*by_notes, *by_rules) if _is_unknown(one.finding, wanted.vocabulary)]
    return sorted(found, key=lambda one: order(one.finding))


def _spot(one: Finding) -> tuple[int, int, str]:
    return one.line, one.column, one.quote


def _is_unknown(one: Finding, vocabulary: Vocabulary) -> bool:
    return one.code.startswith("vocabulary.") or not vocabulary.accepts(one.quote)


def _apply(draft: Draft, places: Places, rules: Iterable[tuple[Rule, str]]) -> list[Matter]:
    """What these rules report."""
    silenced = Silenced(places)
    targets = target_spans(places.source) if draft.doc.meta.get("format") == "rst" else NO_SPANS
    made: list[Matter] = []
    for rule, severity in rules:
        if rule.languages and draft.lang not in rule.languages:
            continue
        for issue in rule.check(draft):
            one = _finding(draft, places, rule, issue, severity)
            if targets.hold(places.offset(issue.start)):
                continue
            if silenced.is_silenced(one.line, rule.code):
                continue
            edits = (
                edit
                for edit in issue.edits
                if not silenced.is_silenced(places.line(places.offset(edit.start))[0], one.code)
                and not targets.hold(places.offset(edit.start))
            )
            made.append(Matter(one, edits=tuple(edits)))
    return made


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
