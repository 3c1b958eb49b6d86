"""``marginalia similar``: how alike two things are and why, and what says the same in many documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.inputs import Inputs
from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import as_json, lang_option, raw_cells_option, weights_option
from marginalia.cli.output import print_json

if TYPE_CHECKING:
    from marginalia.core.extraction import Tabular
    from marginalia.nlp.prompting.model import LanguageModel
    from marginalia.reader.formats.format import Format
    from marginalia.tasks.similarity.search.matches import Repeated


@click.command("similar")
@click.argument("things", metavar="[A B | FILE...]", nargs=-1)
@click.option("--within", is_flag=True, help="Find repeated passages within and between the files.")
@click.option(
    "--corpus", metavar="DIR", multiple=True, help="The same for all files in a folder. Repeatable."
)
@click.option("--across", is_flag=True, help="Only pairs from different documents.")
@click.option(
    "--by",
    metavar="NAME",
    help="meaning: compare all sentences. words: compare only those that share rare words. Default: by size.",
)
@click.option("--min", "least", type=float, help="Lowest score to show. Default: 4.")
@click.option("--limit", type=int, help="Largest number of paraphrased pairs. Default: 1000.")
@click.option("--words", type=int, help="Smallest number of words in a sentence. Default: 5.")
@click.option("--cache", metavar="FILE", help="File in which to cache sentence vectors.")
@click.option(
    "--system", metavar="NAME", help="Name of the system. Default: the one that `read` uses."
)
@click.option(
    "-o", "--out", metavar="PATH", help="Write to a file; the format follows the extension."
)
@click.option(
    "--format",
    "format",
    metavar="NAME",
    help="Output format: json, jsonl, csv, xlsx, parquet or html. Default: by extension.",
)
@raw_cells_option
@llm_options()
@weights_option
@lang_option
@as_json
def similar_command(
    things: tuple[str, ...],
    within: bool,
    corpus: tuple[str, ...],
    across: bool,
    by: str | None,
    least: float | None,
    limit: int | None,
    words: int | None,
    cache: str | None,
    system: str | None,
    out: str | None,
    format: str | None,
    lang: str | None,
    asking: Asking,
    as_json: bool,
) -> None:
    """Compare two texts, or find repeated passages.

    A and B are sentences, files or catalogue records (JSON with dcTitle, dcSubject, dcDescription, dcCreator, dcDate, dcSource;
    as a file or inline). The score goes from 0 (different subjects) to 5 (the same), with its reasons. In two files each
    sentence is paired with its closest match; a sentence and a file: it is searched there; records are compared in eight
    respects.

    With --llm, a language model has a say about two sentences or records.
    With --within or --corpus, repeated passages in one or many documents are found.

    \b
    marginalia similar "A man plays a guitar." "A guitar is being played."
    marginalia similar draft.md final.md -o changes.html
    marginalia similar "Films that dry slowly do not crack." report.md
    marginalia similar --within report.md
    marginalia similar --corpus papers/ --across -o reuse.csv
    """
    from marginalia.annotators.consistency.commands.inputs import is_file
    from marginalia.core.errors import FormatError
    from marginalia.reader.write import refuse_input

    path = None if out is None or out == "-" else Path(out)
    chosen = _format(path, format) if path or format else None
    documents = None
    found: Tabular
    llm = asking.open()
    if within or corpus:
        sources = (*things, *corpus)
        if not sources:
            raise FormatError("--within needs at least one file or folder")
        inputs = _inputs(sources)
        refuse_input(path, inputs)
        documents = Inputs(sources, lang=lang)
        options = {"by": by, "least": least, "limit": limit, "least_words": words, "cache": cache}
        given = {name: value for name, value in options.items() if value is not None}
        repeated = _passages(documents, across, system, given)
        kind, found, data = "passages", repeated, repeated.to_dict()
    else:
        if len(things) != 2:
            raise FormatError(
                "two sentences, files or records were expected, or --within FILE... or --corpus DIR, "
                f"but {len(things)} given"
            )
        _refuse_search(across=across, by=by, least=least, limit=limit, words=words)
        files = [thing for thing in things if is_file(thing)]
        inputs = _inputs(files)
        refuse_input(path, inputs)
        kind, found, data = _compared(things[0], things[1], lang, system, cache, llm)
    if llm is not None and kind not in ("sentences", "records"):
        raise FormatError("--llm compares two sentences or two records: leave it out here")
    asking.finish()
    if asking.collects:
        return
    _give(kind, found, data, path, chosen, inputs, as_json=as_json)
    if documents is not None:
        documents.finish()


def _inputs(sources: tuple[str, ...] | list[str]) -> frozenset[Path]:
    from marginalia.reader.read import input_files

    return input_files(sources)


def _refuse_search(**options: Any) -> None:
    from marginalia.core.errors import FormatError

    for name, value in options.items():
        if value:
            option = {"least": "min"}.get(name, name)
            raise FormatError(f"--{option} belongs to a search: add --within or --corpus")


def _compared(
    left: str,
    right: str,
    lang: str | None,
    system: str | None,
    cache: str | None,
    llm: LanguageModel | None = None,
) -> tuple[str, Tabular, dict[str, Any]]:
    """What A and B are, and their comparison, also as data with the names of files."""
    from marginalia.annotators.consistency.commands.inputs import kind_of, record_of
    from marginalia.cli.output import progress_bar
    from marginalia.core.errors import FormatError
    from marginalia.reader.read import read
    from marginalia.tasks.similarity.search.comparison import compare_documents, look_up
    from marginalia.tasks.similarity.search.explain import compare_records, explain

    kinds = [kind_of(thing) for thing in (left, right)]
    if kinds == ["record", "record"]:
        left_record, right_record = (
            record_of(thing, f"the {which} record")
            for thing, which in ((left, "first"), (right, "second"))
        )
        records = compare_records(left_record, right_record, system=system, llm=llm)
        return "records", records, records.to_dict()
    if "record" in kinds:
        raise FormatError(f"one is a record and the other a {min(kinds, key='record'.__eq__)}")
    if kinds == ["sentence", "sentence"]:
        one = explain(left, right, system=system, lang=lang, llm=llm)
        return "sentences", one, one.to_dict()
    if kinds == ["document", "document"]:
        mine, theirs = (read(thing, lang=lang) for thing in (left, right))
        with progress_bar() as progress:
            both = compare_documents(mine, theirs, system=system, cache=cache, progress=progress)
        names = {"left": left, "right": right}
        return "documents", both, {"names": names, **both.to_dict()}
    sentence, file = (left, right) if kinds[0] == "sentence" else (right, left)
    found = look_up(sentence, read(file, lang=lang), system=system, cache=cache)
    return "lookup", found, found.to_dict()


def _passages(
    documents: Inputs, across: bool, system: str | None, options: dict[str, Any]
) -> Repeated:
    from marginalia.cli.output import progress_bar
    from marginalia.tasks.similarity.search.search import find_repeated

    with progress_bar() as progress:
        return find_repeated(
            documents.documents(), across=across, system=system, progress=progress, **options
        )


def _format(path: Path | None, name: str | None) -> Format:
    from marginalia.core.errors import FormatError
    from marginalia.reader.formats.registry import choose_format, formats_that

    if path is not None and path.is_dir():
        raise FormatError("this is a folder, a file was expected", path=path)
    known = (*formats_that("write_rows"), "html")
    format = choose_format(path, name, known, hint="name it with --format")
    format.require("write")
    return format


def _give(
    kind: str,
    found: Tabular,
    data: dict[str, Any],
    path: Path | None,
    format: Format | None,
    inputs: frozenset[Path],
    *,
    as_json: bool,
) -> None:
    """The result on screen, as data, or in a file."""
    import json

    from marginalia.annotators.consistency.commands.page import page
    from marginalia.annotators.consistency.commands.view import show
    from marginalia.core.report import plain
    from marginalia.reader.write import place

    if format is None:
        if as_json:
            print_json(data)
        else:
            show(kind, data)
        return
    content: str | bytes
    if format.name == "html":
        content = page(kind, data)
    elif format.name == "json":  # as it is; a table has less
        content = json.dumps(plain(data), ensure_ascii=False, indent=1) + "\n"
    else:
        rows = [plain(row) for row in found.rows()]
        content = format.write_rows(dict.fromkeys(found.columns), rows)
    for written in place(path, content, inputs):
        if as_json:
            print_json({"files": [str(written)]})
        else:
            click.echo(f"written: {written}", err=True)
