"""``marginalia corpus``: annotate many documents, query them, report on them, export them."""

from __future__ import annotations

import click

from marginalia.cli.corpus.annotate import annotate_command
from marginalia.cli.corpus.query import export_command, query_command, report_command


@click.group("corpus")
def corpus_command() -> None:
    """Annotate many documents, query them, report on them. Needs marginalia[corpus].

    \b
    marginalia corpus annotate papers/ -o corpus/ --workers 4
    marginalia corpus query corpus/ "SELECT task, count(*) FROM annotations GROUP BY task"
    marginalia corpus report corpus/ -o report.html
    marginalia corpus export corpus/ --format rdf -o corpus.nt
    """


corpus_command.add_command(annotate_command)
corpus_command.add_command(query_command)
corpus_command.add_command(report_command)
corpus_command.add_command(export_command)
