"""``marginalia lint``: notes for a terminal, an editor or CI."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.inputs import Inputs
from marginalia.cli.options import catalogue_option, lang_option
from marginalia.cli.progress import progress_bar

if TYPE_CHECKING:
    from marginalia.reader.formats.format import Format
    from marginalia.reader.view.findings import Finding


@click.command("lint")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--format",
    "format",
    metavar="NAME",
    help="Output format: text, json, sarif or github. Default: by extension, else text.",
)
@click.option("-o", "--out", metavar="PATH", help="Write the findings to a file.")
@click.option(
    "--notes", metavar="TASK,...", help="Kinds of notes, separated by commas. Default: all."
)
@click.option("--select", metavar="CODE,...", help="Report only these codes.")
@click.option("--ignore", metavar="CODE,...", help="Do not report these codes.")
@click.option(
    "--severity",
    "least",
    type=click.Choice(["note", "warning", "error"]),
    help="Lowest severity to report.",
)
@click.option(
    "--max",
    "most",
    type=click.IntRange(0),
    help="Number of findings that are allowed before the exit code is 1.",
)
@click.option(
    "--level", metavar="NAME", help="Reader for whom a word is hard: learner, general or expert."
)
@catalogue_option()
@click.option(
    "--config",
    metavar="PATH",
    help="Settings file. Default: the nearest one, upwards from each file.",
)
@click.option(
    "--stdin-filename",
    metavar="PATH",
    help="Path of the text on standard input; gives its format and the place to look for settings.",
)
@click.option("--no-cache", is_flag=True, help="Ignore the cache and annotate again.")
@lang_option
def lint_command(
    files: tuple[str, ...],
    format: str | None,
    out: str | None,
    notes: str | None,
    select: str | None,
    ignore: str | None,
    least: str | None,
    most: int | None,
    level: str | None,
    catalogue: str | None,
    config: str | None,
    stdin_filename: str | None,
    no_cache: bool,
    lang: str | None,
) -> None:
    """Report findings for writers, one per line.

    Each line is path:line:column: severity: message [code]. FILE is plain text, Markdown, reStructuredText, HTML, JATS or TEI,
    a folder of those, or - for standard input. The exit code is 0 without findings (or with at most --max), 1 with findings, 2 after an
    error.

    A code is task.label, such as complexity.hard-word; the task alone, the label alone or a pattern (complexity.*) also
    work. In the text, <!-- marginalia: ignore hard-word --> silences its line or, on a line of its own, the next
    paragraph; <!-- marginalia: off --> and <!-- marginalia: on --> enclose a longer part.

    Settings are read from .marginalia.toml, or from [tool.marginalia] in pyproject.toml:

    \b
    notes = ["complexity", "clarification"]
    level = "expert"
    ignore = ["hard-expression"]
    max = 20
    [tool.marginalia.severity]
    "complexity.hard-word" = "warning"

    \b
    marginalia lint docs/
    marginalia lint README.md --format sarif -o lint.sarif
    cat draft.md | marginalia lint - --stdin-filename draft.md
    """
    from marginalia.core.errors import FormatError
    from marginalia.reader.lint import lint
    from marginalia.reader.read import STDIN
    from marginalia.reader.view.settings import find_settings, read_settings
    from marginalia.reader.write import place, refuse_input

    if stdin_filename and STDIN not in files:
        raise FormatError("--stdin-filename names standard input: give - for FILE")
    paths = _paths(files)
    path = None if out is None or out == STDIN else Path(out)
    refuse_input(path, paths)
    chosen = _format(path, format)
    texts = [*paths, *([None] if STDIN in files else [])]
    found: list[Finding] = []
    given = {"level": level, "catalogue": catalogue}
    options = {name: value for name, value in given.items() if value}
    allowed: int | None = most
    inputs = Inputs(files, many=len(texts) > 1)
    for file in texts:
        with inputs.attempt():
            beside = file or Path(stdin_filename or Path.cwd())
            settings = read_settings(Path(config)) if config else find_settings(beside)
            if most is None and "max" in settings:
                allowed = settings["max"]
            with progress_bar() as progress:
                found += lint(
                    STDIN if file is None else _shown(file),
                    notes=_words(notes),
                    select=_words(select),
                    ignore=_words(ignore),
                    least=least,
                    config=config,
                    name=stdin_filename,
                    lang=lang,
                    cache=not no_cache,
                    progress=progress,
                    **options,
                )
    text = chosen.write_findings(found)
    if path is None:
        click.echo(text, nl=False)
    else:
        place(path, text, paths)
    if chosen.name == "text" or path is not None:
        click.echo(_count(found, len(texts)), err=True)
    inputs.finish(code=2)  # 1 says that there are findings
    if len(found) > (allowed or 0):
        sys.exit(1)


def _format(path: Path | None, name: str | None) -> Format:
    from marginalia.reader.formats.registry import formats_that, get_format

    suffix = path.suffix.lower() if path else ""
    known = formats_that("write_findings").values()
    by_extension = next((one.name for one in known if suffix in one.suffixes), "text")
    return get_format(name or by_extension, "write_findings")


def _paths(files: tuple[str, ...]) -> list[Path]:
    """The files to look at. Of a folder, those that have lines: it may hold PDFs beside them."""
    from marginalia.core.errors import FormatError
    from marginalia.reader.read import STDIN, input_files
    from marginalia.reader.view.findings import has_lines

    named = {Path(file).resolve() for file in files if file != STDIN}
    paths = [path for path in sorted(input_files(files)) if path in named or has_lines(path)]
    if not paths and STDIN not in files:
        raise FormatError("no text, Markdown, HTML or XML file was found", path=", ".join(files))
    return paths


def _shown(file: Path) -> Path:
    """As seen from where we are, which is what editors and CI expect."""
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def _count(found: list[Finding], files: int) -> str:
    many = "1 finding" if len(found) == 1 else f"{len(found)} findings"
    return f"{many} in {files} file{'' if files == 1 else 's'}"
