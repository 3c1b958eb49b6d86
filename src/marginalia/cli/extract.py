"""``marginalia extract``: what documents say, as a table, RDF, or a task's own files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.inputs import Inputs
from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import (
    as_json,
    lang_option,
    ocr_option,
    raw_cells_option,
    weights_option,
)
from marginalia.cli.output import console, print_json, print_table

if TYPE_CHECKING:
    from marginalia.core.annotator import Annotator
    from marginalia.core.extraction import Extraction
    from marginalia.reader.formats.format import Format

DOCUMENTS = ("ttl", "html")
"""Formats of the documents with their notes; those of tables hold the rows."""
OWN = ("brat", "tsv")
"""Formats that a task may write in a way of its own, with files for each document."""


@click.command("extract")
@click.argument("record", metavar="RECORD")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    help="Write to a file; the format follows the extension. With a folder and --format, one file per document.",
)
@click.option(
    "--format",
    "format",
    metavar="NAME",
    help="Output format: csv, xlsx, json, jsonl, parquet, ttl, html, brat or tsv. Default: by extension.",
)
@click.option(
    "--system", metavar="NAME", help="Name of the system. Default: the one that `read` uses."
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Least confidence of an entity, property or qualifier, from 0 to 1; below it the cell stays empty.",
)
@click.option(
    "--query",
    metavar="QUERY",
    help="Only rows that match, such as 'property ~ temperature and value > 300 K'.",
)
@ocr_option
@raw_cells_option
@llm_options()
@weights_option
@lang_option
@as_json
def extract_command(
    record: str,
    files: tuple[str, ...],
    out: str | None,
    format: str | None,
    system: str | None,
    min_confidence: float | None,
    query: str | None,
    ocr: bool,
    lang: str | None,
    asking: Asking,
    as_json: bool,
) -> None:
    """Extract measurements from documents as a table.

    RECORD is measurement; plug-ins may add others. FILE is whatever marginalia read takes, a folder of such files, or - for
    standard input. Each row has its document, its page if there are pages, and the offsets of each part (characters from
    0, the end excluded). Without -o the rows are printed as a table, or as JSON with --json.

    \b
    csv, xlsx, parquet  one table; lists are cells of JSON
    json, jsonl      the same rows as data
    ttl              RDF; for measurement SOSA, QUDT and schema.org; needs marginalia[rdf]
    html             the documents with their notes
    tsv, brat        the task's official table, brat; one document each, or a folder

    If one of several files cannot be read, it is skipped and named at the end, and the exit code is 1.

    \b
    marginalia extract measurement paper.pdf
    marginalia extract measurement papers/ -o measurements.parquet   (needs marginalia[parquet])
    marginalia extract measurement papers/ -o submission/ --format tsv
    marginalia extract measurement papers/ -o sure.csv --min-confidence 0.9
    marginalia extract measurement papers/ --query 'property ~ temperature and value > 300 K'
    cat abstract.txt | marginalia extract measurement - --json
    """
    from marginalia.core.errors import UnknownNameError
    from marginalia.core.registry import all_annotators
    from marginalia.reader.read import input_files
    from marginalia.reader.write import refuse_input

    able = {annotator.record: annotator for annotator in all_annotators() if annotator.extract}
    if record not in able:
        raise UnknownNameError("kind of record to extract", record, able)
    path = None if out is None or out == "-" else Path(out)
    # Before the work: hours of it should not end in a misspelled extension.
    chosen = _format(path, format) if path or format else None
    inputs = input_files(files)
    refuse_input(path, inputs)
    sources = Inputs(files, lang=lang, ocr=ocr)
    given = {"min_confidence": min_confidence, "query": query, "llm": asking.open(files[0])}
    options = {name: value for name, value in given.items() if value is not None}
    extractions = list(_extractions(able[record], sources, system, options))
    asking.finish()
    if asking.collects:
        sources.finish()
        return
    count = sum(len(one.rows) for one in extractions)
    if chosen:
        paths = _write(extractions, path, chosen, inputs)
        if as_json and path:
            names = [str(path) for path in paths]
            print_json({"documents": len(extractions), "rows": count, "files": names})
        for written in [] if as_json else paths[:3]:
            click.echo(f"written: {written}", err=True)
        if len(paths) > 3 and not as_json:
            click.echo(f"and {len(paths) - 3} more", err=True)
    elif as_json:
        print_json([row for one in extractions for row in one.rows])
    else:
        _print(able[record], extractions, count)
    sources.finish()


def _extractions(
    annotator: Annotator, sources: Inputs, system: str | None, options: Mapping[str, Any]
) -> Iterator[Extraction[Any]]:
    """What was found in each document in turn."""
    from rich.text import Text

    from marginalia.core.errors import FormatError
    from marginalia.core.registry import BENCHMARKS
    from marginalia.core.resolution import system_for_documents
    from marginalia.reader.view.settings import find_units

    assert annotator.extract is not None  # noqa: S101 - for the type checker
    for name in options:
        if name not in annotator.extract_options:
            option = "--" + name.replace("_", "-")
            raise FormatError(f"the records of {annotator.name} know no {option}: leave it out")
    if annotator.check_extract is not None:
        annotator.check_extract(**{k: v for k, v in options.items() if k != "llm"})
    for task in annotator.uses:  # a wrong name is an error of its own, not of every document
        if task in BENCHMARKS.names():
            system_for_documents(BENCHMARKS.get(task), system)
    with console(stderr=True).status(Text(f"{annotator.name}: reading")) as status:
        for number, doc in enumerate(sources.documents(), 1):
            status.update(Text(f"{annotator.name}: document {number}, {doc.id}"))
            with sources.attempt(FormatError):
                own = find_units(doc) if "units" in annotator.extract_options else {}
                yield annotator.extract(doc, system=system, **options, **own)


def _format(path: Path | None, name: str | None) -> Format:
    from marginalia.core.errors import FormatError
    from marginalia.reader.formats.registry import choose_format, formats_that

    known = (*formats_that("write_rows"), *DOCUMENTS, *OWN)
    format = choose_format(path, name, known, hint="name it with --format")
    if format.can("write_rows") and path is not None and path.is_dir():
        raise FormatError("this is a folder, a file was expected", path=path)
    format.require("write")
    return format


def _write(
    extractions: list[Extraction[Any]],
    path: Path | None,
    format: Format,
    inputs: Collection[Path],
) -> list[Path]:
    from marginalia.core.report import plain
    from marginalia.reader.write import place, write

    if format.name in DOCUMENTS:
        return write([one.doc for one in extractions], path, format.name, inputs=inputs)
    if format.name in OWN:
        return _write_own(extractions, path, format, inputs)
    rows = [plain(row) for one in extractions for row in one.rows]
    return place(path, format.write_rows(extractions[0].columns, rows), inputs)


def _write_own(
    found: list[Extraction[Any]], path: Path | None, format: Format, inputs: Collection[Path]
) -> list[Path]:
    """Formats with files of their own for each document: one document fits a file, several need a folder."""
    from marginalia.core.errors import FormatError
    from marginalia.reader.formats.brat import file_names
    from marginalia.reader.write import place_files

    suffix = format.suffixes[0]
    own: dict[str, dict[str, str]] = {}
    for name, one in zip(file_names(one.doc for one in found), found, strict=True):
        if format.name in one.files:
            own[name] = dict(one.files[format.name])
        elif format.several:
            files = format.write_files([one.doc])
            own[name] = {
                Path(file).suffix: text
                for file, text in files.items()
                if Path(file).suffix in format.several
            }
        else:
            raise FormatError(f"this task has no format '{format.name}' of its own")
    if path is not None and (path.is_dir() or path.suffix != suffix):
        files = {name + end: text for name, ends in own.items() for end, text in ends.items()}
        return place_files(path, files, inputs)
    if len(own) > 1:
        raise FormatError(
            f"{len(own)} documents do not fit one {suffix} file: name a folder with -o", path=path
        )
    ends = next(iter(own.values()))
    if path is not None:
        files = {path.stem + end: text for end, text in ends.items()}
        return place_files(path.parent, files, inputs, named=path.name)
    click.echo(ends[suffix], nl=False)
    return []


def _print(annotator: Annotator, extractions: list[Extraction[Any]], count: int) -> None:
    columns = [name for name in extractions[0].shown if name != "document" or len(extractions) > 1]
    rows = [row for one in extractions for row in one.rows]
    # What no row has would only take space.
    columns = [name for name in columns if any(row[name] not in (None, "", []) for row in rows)]
    documents = "1 document" if len(extractions) == 1 else f"{len(extractions)} documents"
    if not rows:
        click.echo(f"{annotator.name}: nothing found in {documents}")
        return
    print_table(
        f"{annotator.name}: {'1 row' if count == 1 else f'{count} rows'} from {documents}",
        columns,
        ([_cell(row[name]) for name in columns] for row in rows),
        note="--json shows every column; -o FILE writes them all.",
    )


def _cell(value: Any) -> Any:
    """A cell for the eye: on one line, and of a list what its members quote."""
    if isinstance(value, list):
        value = "; ".join(str(one["quote"] if isinstance(one, dict) else one) for one in value)
    return " ".join(value.split()) if isinstance(value, str) else value
