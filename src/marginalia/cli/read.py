"""``marginalia read``: documents with notes in their margins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.inputs import Inputs
from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import (
    as_json,
    audience_option,
    catalogue_option,
    field_option,
    include_option,
    lang_option,
    notes_option,
    ocr_option,
    raw_cells_option,
    weights_option,
)
from marginalia.cli.output import console, print_json, print_table, progress_bar

if TYPE_CHECKING:
    from marginalia.core.document import Document


@click.command("read")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    help="Write to a file; the format follows the extension. With a folder and --format, one file per document. - is "
    "standard output.",
)
@click.option(
    "--format",
    "format",
    metavar="NAME",
    help="Output format: json, jsonl, jsonld, csv, xlsx, parquet, ttl, brat, xmi, sarif, anki, pdf or html. Default: by extension.",
)
@audience_option
@notes_option
@click.option(
    "--density",
    type=click.FloatRange(0),
    metavar="N",
    help="Notes per 1,000 words, the most useful first. Default: what the profile has room for.",
)
@field_option
@click.option(
    "--glossary", is_flag=True, help="Print the document's own terms and what they mean, no notes."
)
@catalogue_option()
@include_option
@ocr_option
@raw_cells_option
@click.option("--all", "all_notes", is_flag=True, help="Show every note, not only the most useful.")
@click.option(
    "--decisions",
    metavar="FILE",
    help="Decisions about notes, as the web reader saves them (.decisions.jsonl): rejected notes are left out.",
)
@click.option(
    "--keep",
    type=click.Choice(["open", "accepted", "decisions", "all"]),
    help="With --decisions: all notes but the rejected (open, default), accepted ones only, all with their decisions, or "
    "all as they were made.",
)
@click.option("--no-cache", is_flag=True, help="Ignore the cache and annotate again.")
@click.option("--web", is_flag=True, help="Open the documents in the web reader.")
@llm_options()
@weights_option
@lang_option
@as_json
def read_command(
    files: tuple[str, ...],
    out: str | None,
    format: str | None,
    audience: str | None,
    notes: str | None,
    density: float | None,
    field: str | None,
    glossary: bool,
    catalogue: str | None,
    include: str | None,
    ocr: bool,
    all_notes: bool,
    decisions: str | None,
    keep: str | None,
    no_cache: bool,
    web: bool,
    lang: str | None,
    asking: Asking,
    as_json: bool,
) -> None:
    """Show documents with notes in their margins.

    FILE is plain text, Markdown, HTML, PDF, Word, OpenDocument, EPUB, LaTeX, reStructuredText, AsciiDoc, a notebook, an
    e-mail, JATS, TEI or JSON lines, a folder of those, or - for standard input. If one of several files cannot be read, it is
    skipped and named at the end, and the exit code is 1.

    --for says who reads: it decides which annotators write into the margin and how many of their notes have room, the most
    useful first; --density sets another number, --all shows every note. Notes are cached in MARGINALIA_CACHE or the user's
    cache folder.

    \b
    marginalia read guide.md
    marginalia read paper.pdf --web            (needs marginalia[web])
    marginalia read paper.pdf --for learner -o paper.html
    marginalia read draft.md --for writer
    marginalia read paper.pdf --field medicine --glossary
    marginalia read papers/ --format html -o pages/
    marginalia read paper.pdf --llm MODEL        (needs marginalia[llm]; sends passages to it)
    marginalia read paper.pdf --decisions paper.decisions.jsonl --keep accepted -o paper.html
    cat abstract.txt | marginalia read - --format json
    """
    from marginalia.core.errors import FormatError
    from marginalia.reader.annotate import annotate, choose_annotators
    from marginalia.reader.cache import NoteCache
    from marginalia.reader.decisions import Decided
    from marginalia.reader.profiles import get_profile
    from marginalia.reader.read import input_files
    from marginalia.reader.skipped_regions import check_kinds, skipped_regions
    from marginalia.reader.view.settings import find_units

    if glossary and (notes or out or format or web):
        raise FormatError("--glossary prints terms: leave out --notes, -o, --format and --web")
    if as_json and not glossary and out in (None, "-"):
        format = format or "json"
    profile = get_profile(audience, None if "-" in files else files[0])
    if glossary:
        annotators = choose_annotators(["terms"])
    else:
        annotators = choose_annotators(_names(notes)) if notes else profile.annotators()
    opened = _names(include or "")
    check_kinds(opened)
    given = {"field": field, "catalogue": None if glossary else catalogue}
    options = profile.own_options(annotators, {k: v for k, v in given.items() if v})
    if web:
        if out or format:
            raise FormatError(
                "--web shows the documents and writes none: leave out -o and --format"
            )
        if notes or field or all_notes or ocr or decisions:
            raise FormatError(
                "notes are chosen in the web reader: leave out --notes, --field, --all, --ocr and --decisions"
            )
        from marginalia.cli.serve import serve

        serve(
            files,
            audience=audience,
            catalogue=catalogue,
            lang=lang,
            include=opened,
            cached=not no_cache,
            browse=True,
            asking=asking,
        )
        return
    llm = asking.open(files[0], cached=not no_cache)
    decided = Decided(Path(decisions), keep or "open") if decisions else None
    if keep and decided is None:
        raise FormatError("--keep needs --decisions FILE")
    cache = None if no_cache else NoteCache()
    fewer: Counter[str] = Counter()
    messages: list[str] = []
    closed: set[str] = set()

    def noted(doc: Document) -> Document:
        for problem in doc.meta.get("problems", ()):
            click.echo(f"marginalia: {doc.meta['path']}: {problem}", err=True)
        own = (
            find_units(doc) if any("units" in annotator.options for annotator in annotators) else {}
        )
        with progress_bar() as progress:
            asking.show(progress)
            doc = annotate(
                doc,
                annotators,
                options=options | own,
                include=opened,
                progress=progress,
                cache=cache,
                llm=llm,
            )
        left = skipped_regions(doc)
        messages.extend(f"{doc.id}: {sentence}" for sentence in left.sentences())
        closed.update(left.shown_regions())
        if decided is not None:
            doc = decided.apply(doc)
            messages.extend(decided.lost(doc))
        if all_notes or (decided is not None and decided.keep != "open"):
            return doc
        doc = profile.choose(doc, per_1000_words=density)
        fewer.update(doc.meta.get("left_out", {}))
        return doc

    inputs = Inputs(files, lang=lang, ocr=ocr)
    docs = (noted(doc) for doc in inputs.documents())
    path = None if out == "-" else out
    if asking.collects:
        for _ in docs:
            pass
    elif glossary:
        _print_glossaries(docs, as_json=as_json)
    elif path or format:
        from marginalia.reader.formats.registry import choose_format, formats_that
        from marginalia.reader.write import write

        if path:
            hint = "name it with --format"
            format = choose_format(Path(path), format, formats_that("write"), hint=hint).name
        written = write(docs, path, format, inputs=input_files(files))
        for place in written:
            click.echo(f"written: {place}", err=True)
        for line in [*messages, *([_opens(closed)] if closed else [])]:
            click.echo(line, err=True)
        if +fewer:
            click.echo(_left_out(fewer, "writes"), err=True)
    else:
        from marginalia.reader.profiles import find_elsewhere
        from marginalia.reader.view.show import show

        for doc in docs:
            show(doc, console())
            if left := +Counter(doc.meta.get("left_out", {})):
                console().print(_left_out(left, "shows"), style="dim", markup=False)
            for line in find_elsewhere(doc, annotators):
                console().print(line, style="dim", markup=False)
        if closed:
            console().print(_opens(closed), style="dim", markup=False)
        tip = "as a page: add -o page.html; in the browser: add --web"
        console().print(tip, style="dim")
    asking.finish()
    inputs.finish()


def _print_glossaries(docs: Iterable[Document], *, as_json: bool) -> None:
    """The terms of each document; a document without any says so."""
    rows = []
    for doc in docs:
        said = doc.meta.get("summary", {}).values()
        terms = [
            {"document": doc.id, **term, "page": doc.page(term["start"])}
            for annotator in said
            for term in annotator.get("glossary", ())
        ]
        rows += terms
        if not terms:
            click.echo(f"{doc.id}: no terms of its own were found", err=True)
        elif not as_json:
            shown = ("term", "meaning", "source", "page")
            cells = [[term[name] or None for name in shown] for term in terms]
            print_table(f"Terms of {doc.id}", shown, cells)
    if as_json:
        print_json(rows)


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _opens(kinds: set[str]) -> str:
    return f"notes on what was skipped: add --include {','.join(sorted(kinds))}"


def _left_out(counts: Counter[str], how: str) -> str:
    said = ", ".join(f"{count} {annotator}" for annotator, count in sorted(counts.items()) if count)
    return f"notes left out: {said}; --all {how} them"
