"""``marginalia corpus query``, ``report`` and ``export``: what is in an annotated corpus."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click

from marginalia.cli.options import as_json, raw_cells_option
from marginalia.cli.output import print_json, print_table

ROWS = 100_000
"""Rows of a query that are in memory at once."""
SHOWN = 200
"""Rows of a table in the terminal."""


@click.command("query")
@click.argument("folder", metavar="CORPUS", type=click.Path(path_type=Path))
@click.argument("sql", metavar="SQL")
@click.option(
    "--format",
    "format",
    type=click.Choice(["table", "csv", "json", "parquet"]),
    help="Default: by the extension of -o, else table.",
)
@click.option(
    "-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Write to a file."
)
@click.option(
    "--allow-files", is_flag=True, help="Let the statement read and write files outside of CORPUS."
)
@raw_cells_option
@as_json
def query_command(
    folder: Path, sql: str, format: str | None, out: Path | None, allow_files: bool, as_json: bool
) -> None:
    """Ask a corpus in SQL (DuckDB).

    Views: documents, annotations, measurements, links, passages, errors, all_documents (also those that are gone), and after a
    report repeats and contradictions. `DESCRIBE annotations` lists columns.

    \b
    marginalia corpus query corpus/ "SELECT task, label, count(*) FROM annotations GROUP BY ALL ORDER BY 3 DESC"
    marginalia corpus query corpus/ "SELECT document, quantity, si_low, si FROM measurements WHERE property ILIKE '%temperature%'" --format csv
    marginalia corpus query corpus/ "FROM annotations WHERE task = 'complexity'" -o hard.parquet
    """
    from marginalia.core.errors import FormatError
    from marginalia.core.files import write_file, write_half
    from marginalia.corpus.database import connect
    from marginalia.corpus.store import Store
    from marginalia.reader.formats.registry import get_format

    format = format or ((out.suffix[1:] or "csv") if out else "json" if as_json else "table")
    if format not in ("table", "csv", "json", "parquet"):
        raise FormatError(f"the format {format!r} is none of table, csv, json, parquet", path=out)
    if format == "parquet" and out is None:
        raise FormatError("Parquet is not for a terminal: name a file with -o")
    with connect(Store.open(folder), allow_files=allow_files) as database:
        if format == "parquet" and out is not None:
            from pyarrow import parquet

            batches = database.batches(sql, ROWS)
            first = next(batches)
            with write_half(out) as file, parquet.ParquetWriter(file, first.schema) as writer:
                for batch in chain([first], batches):
                    writer.write_table(batch)
            click.echo(f"written: {out}", err=True)
            return
        result = database.query(sql)
        columns = [column[0] for column in result.description or ()]
        if format == "table" and out is None:
            rows = result.fetchmany(SHOWN + 1)
            note = f"The first {SHOWN} rows; -o FILE writes all." if len(rows) > SHOWN else ""
            print_table(
                "", columns, ([_shown(cell) for cell in row] for row in rows[:SHOWN]), note=note
            )
            return
        rows = [dict(zip(columns, row, strict=True)) for row in result.fetchall()]
    if format == "json" and out is None:
        print_json([{name: _plain(cell) for name, cell in row.items()} for row in rows])
        return
    plain = [{name: _plain(cell) for name, cell in row.items()} for row in rows]
    text = get_format("json" if format == "json" else "csv", "write_rows").write_rows(
        dict.fromkeys(columns), plain
    )
    if out is None:
        click.echo(text, nl=False)
    else:
        write_file(out, text, follow=True)
        click.echo(f"written: {out}", err=True)


def _plain(cell: object) -> object:
    """What JSON knows; dates, decimals and the like as text."""
    if cell is None or isinstance(cell, (str, int, float, bool)):
        return cell
    if isinstance(cell, (list, tuple)):
        return [_plain(one) for one in cell]
    if isinstance(cell, dict):
        return {str(name): _plain(one) for name, one in cell.items()}
    return str(cell)


def _shown(cell: object) -> object:
    text = " ".join(cell.split()) if isinstance(cell, str) else cell
    if isinstance(text, (str, list)) and len(str(text)) > 200:
        return str(text)[:199] + "…"
    return text if text is None or isinstance(text, (int, float, str)) else str(text)


@click.command("report")
@click.argument("folder", metavar="CORPUS", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="The page, one HTML file.",
)
def report_command(folder: Path, out: Path) -> None:
    """Report on a corpus as one HTML file with plots.

    Hard words by source and year, measured properties with outliers, survey variables and what is used together, passages that repeat
    across documents, numbers that contradict each other, errors. Passages are compared through an index in the corpus, which later reports
    extend.

    \b
    marginalia corpus report corpus/ -o report.html
    """
    from marginalia.core.files import write_file
    from marginalia.corpus.report.page import make_report
    from marginalia.corpus.store import Store

    write_file(out, make_report(Store.open(folder)), follow=True)
    click.echo(f"written: {out}", err=True)


@click.command("export")
@click.argument("folder", metavar="CORPUS", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format",
    required=True,
    type=click.Choice(["rdf", "brat", "datasets"]),
    help="rdf needs marginalia[rdf].",
)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    required=True,
    type=click.Path(path_type=Path),
    help="A new file (rdf) or folder.",
)
def export_command(folder: Path, format: str, out: Path) -> None:
    """Export a corpus for other tools.

    rdf: N-Triples in the Web Annotation vocabulary, for a triple store. brat: a text and its annotations for each document, in the folders of
    their sources. datasets: a folder that `datasets.load_dataset` reads, with a configuration for each table.

    \b
    marginalia corpus export corpus/ --format rdf -o corpus.nt
    marginalia corpus export corpus/ --format brat -o brat/
    marginalia corpus export corpus/ --format datasets -o dataset/
    """
    from marginalia.corpus.export import export
    from marginalia.corpus.store import Store

    count = export(Store.open(folder), out, format)
    click.echo(f"written: {out}, {count:,} documents", err=True)
