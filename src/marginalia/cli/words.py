"""``marginalia words``: words that need no note, because you or your project know them."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.cli.options import as_json


@click.group("words")
def words_command() -> None:
    """Words that you know: they get no note any more.

    Your own list counts for all documents, that of a project (--project) for those in its folder and below. A list is a text
    file with a word a line, in your configuration folder or as .marginalia-words in the project. `read`, `lint` and
    `serve` respect both; all forms of a word count (add "kinase" and "kinases" is known too).

    \b
    marginalia words add kinase phenotype
    marginalia words add --project repository
    marginalia words list
    """


_project = click.option(
    "--project",
    is_flag=True,
    help="The project's list: the nearest .marginalia-words upwards, or here.",
)
_words = click.argument("words", metavar="WORD...", nargs=-1, required=True)


@words_command.command("add")
@_words
@_project
def add_command(words: tuple[str, ...], project: bool) -> None:
    """Put words on the list."""
    from marginalia.reader.known_words import add_words

    path = _list(project)
    new = add_words(path, words)
    click.echo(f"{path}: {', '.join(new)} added" if new else f"{path}: all of them were there")


@words_command.command("remove")
@_words
@_project
def remove_command(words: tuple[str, ...], project: bool) -> None:
    """Take words off the list."""
    from marginalia.reader.known_words import remove_words

    path = _list(project)
    gone = remove_words(path, words)
    click.echo(f"{path}: {', '.join(gone)} removed" if gone else f"{path}: none of them was there")


@words_command.command("list")
@as_json
def list_command(as_json: bool) -> None:
    """Show both lists as they count here."""
    from marginalia.cli.output import print_json
    from marginalia.reader.known_words import personal_list, project_list, read_list

    project = project_list(Path.cwd())
    lists = {str(path): read_list(path) for path in (personal_list(), project) if path}
    if as_json:
        print_json(lists)
        return
    for path, known in lists.items():
        click.echo(f"{path}: {', '.join(known) if known else 'empty'}")


def _list(project: bool) -> Path:
    from marginalia.reader.known_words import PROJECT_FILE, personal_list, project_list

    if not project:
        return personal_list()
    return project_list(Path.cwd()) or Path.cwd() / PROJECT_FILE
