"""``marginalia lint``: findings for a terminal, an editor or CI."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.inputs import Inputs
from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import (
    as_json,
    catalogue_option,
    field_option,
    lang_option,
    weights_option,
    words_for_option,
)
from marginalia.cli.output import progress_bar

if TYPE_CHECKING:
    from marginalia.reader.formats.format import Format
    from marginalia.reader.lint.check import Linted
    from marginalia.reader.view.findings import Finding


@click.command("lint")
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option(
    "--format",
    "format",
    metavar="NAME",
    help="Output format: text, json, sarif or github. Default: by extension, else text.",
)
@click.option("-o", "--out", metavar="PATH", help="Write the findings to a file.")
@click.option("--select", metavar="CODE,...", help="Report only these codes.")
@click.option("--ignore", metavar="CODE,...", help="Do not report these codes.")
@click.option(
    "--genre",
    metavar="NAME",
    help="Rules for a kind of text: manual, paper or plain-language.",
)
@click.option("--fix", "fix", is_flag=True, help="Fix what can be fixed safely, in the files.")
@click.option(
    "--diff", "diff", is_flag=True, help="Show what --fix would change, and change nothing."
)
@click.option("--statistics", is_flag=True, help="Count findings by code, and show readability.")
@click.option("--baseline", metavar="PATH", help="Report only what this file does not know.")
@click.option(
    "--write-baseline", metavar="PATH", help="Record the findings in this file, and report none."
)
@click.option(
    "--vocabulary",
    metavar="NAME,...",
    help="Vocabularies as Vale has them: names below styles/config/vocabularies, or folders.",
)
@click.option("--notes", metavar="NAME,...", help="Annotators that report. Default: all.")
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
@words_for_option
@field_option
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
@click.option(
    "--explain",
    metavar="CODE",
    help="Say what a rule, or each of a family, reports and why, and end.",
)
@click.option("--rules", "list_rules", is_flag=True, help="List all rules, and end.")
@llm_options()
@weights_option
@lang_option
@as_json
def lint_command(
    files: tuple[str, ...],
    format: str | None,
    out: str | None,
    select: str | None,
    ignore: str | None,
    genre: str | None,
    fix: bool,
    diff: bool,
    statistics: bool,
    baseline: str | None,
    write_baseline: str | None,
    vocabulary: str | None,
    notes: str | None,
    least: str | None,
    most: int | None,
    audience: str | None,
    field: str | None,
    catalogue: str | None,
    config: str | None,
    stdin_filename: str | None,
    no_cache: bool,
    explain: str | None,
    list_rules: bool,
    lang: str | None,
    asking: Asking,
    as_json: bool,
) -> None:
    """Report findings for writers, one per line.

    Each line is path:line:column: severity: message [code]; a star after the code says that --fix can fix it. FILE is plain text,
    Markdown, reStructuredText, HTML, JATS or TEI, a folder of those, or - for standard input. The exit code is 0 without findings
    (or with at most --max), 1 with findings, 2 after an error, also if a file had to be left out.

    A code is family.name, such as spelling.variants, or annotator.label, such as words.hard-word; the family alone, the name
    alone or a pattern (spelling.*) also work. --rules lists them with their default, --explain CODE describes one. In the text,
    <!-- marginalia: ignore spelling --> silences its line or, on a line of its own, the next paragraph; <!-- marginalia: off -->
    and <!-- marginalia: on --> enclose a longer part.

    Settings are read from .marginalia.toml, or from [tool.marginalia] in pyproject.toml:

    \b
    genre = "manual"
    vocabularies = ["Base"]
    baseline = "lint-baseline.json"
    ignore = ["repetition"]
    max = 20
    [tool.marginalia.severity]
    "spelling.variants" = "error"

    \b
    marginalia lint docs/
    marginalia lint docs/ --select spelling --diff
    marginalia lint docs/ --write-baseline lint-baseline.json
    marginalia lint README.md --format sarif -o lint.sarif
    cat draft.md | marginalia lint - --stdin-filename draft.md
    """
    from marginalia.core.errors import FormatError
    from marginalia.reader.lint.check import look, settings_from
    from marginalia.reader.lint.wanted import choose_wanted
    from marginalia.reader.read import STDIN
    from marginalia.reader.write import place, refuse_input

    if as_json and out in (None, STDIN):
        format = format or "json"
    if explain or list_rules:
        from marginalia.cli.lint_rules import print_rules, print_rules_of

        if explain:
            print_rules_of(explain)
        else:
            print_rules(as_json=format == "json")
        return
    if not files:
        raise click.UsageError("Missing argument 'FILE...'.")
    if stdin_filename and STDIN not in files:
        raise FormatError("--stdin-filename names standard input: give - for FILE")
    if fix and STDIN in files:
        raise FormatError("standard input cannot be fixed in place: take --diff")
    paths = _paths(files)
    path = None if out is None or out == STDIN else Path(out)
    refuse_input(path, paths)
    chosen = _format(path, format)
    texts = [*paths, *([None] if STDIN in files else [])]
    given = {"audience": audience, "field": field, "catalogue": catalogue}
    settings = _settings(config, stdin_filename, texts)
    known = baseline or settings.get("baseline")
    llm = asking.open(paths[0] if paths else None, cached=not no_cache)
    linted: list[Linted] = []
    inputs = Inputs(files, many=len(texts) > 1)
    for file in texts:
        with inputs.attempt(), progress_bar() as progress:
            asking.show(progress)
            source, name = (STDIN, stdin_filename) if file is None else (_shown(file), None)
            wanted = choose_wanted(
                settings_from(source, name),
                notes=_words(notes),
                select=_words(select),
                ignore=_words(ignore),
                least=least,
                genre=genre,
                vocabularies=_words(vocabulary),
                config=config,
                **{name: value for name, value in given.items() if value},
            )
            one = look(
                source,
                wanted,
                name=name,
                lang=lang,
                cache=not no_cache,
                progress=progress,
                llm=llm,
            )
            linted.append(_fixed(one, file) if fix and file else one)
    asking.finish()
    if asking.collects:
        return
    findings = [one for each in linted for one in each.findings]
    if write_baseline:
        from marginalia.reader.lint.baseline import dump

        refuse_input(Path(write_baseline), paths)
        place(Path(write_baseline), dump(findings, Path(write_baseline)), paths)
        click.echo(f"{_count(findings, len(linted))}, recorded in {write_baseline}", err=True)
        inputs.finish(code=2)
        return
    if known:
        from marginalia.reader.lint.baseline import load, new

        findings = new(findings, load(Path(known)), Path(known))
    if diff:
        text = "".join(_diff(one) for one in linted)
    elif statistics:
        from marginalia.cli.lint_rules import show_statistics
        from marginalia.reader.lint.statistics import summarise

        text = show_statistics(summarise(linted, findings), as_json=chosen.name == "json")
    else:
        text = chosen.write_findings(findings)
    if path is None:
        click.echo(text, nl=False)
    else:
        place(path, text, paths)
    if chosen.name == "text" or path is not None:
        click.echo(_count(findings, len(linted)), err=True)
    inputs.finish(code=2)  # 1 says that there are findings
    allowed = settings.get("max", 0) if most is None else most
    if len(findings) > allowed:
        sys.exit(1)


def _settings(config: str | None, name: str | None, texts: list[Path | None]) -> dict[str, Any]:
    """The settings that hold for all files: those of the last one that has some."""
    from marginalia.core.errors import MarginaliaError
    from marginalia.reader.view.settings import find_settings, read_settings

    if config:
        return read_settings(Path(config))
    settings: dict[str, Any] = {}
    for file in texts:
        try:
            settings |= find_settings(file or Path(name or Path.cwd()))
        except MarginaliaError:
            continue  # reported when the file itself is looked at
    return settings


def _fixed(linted: Linted, file: Path) -> Linted:
    """The file as --fix leaves it, with the findings that are left."""
    from dataclasses import replace

    from marginalia.core.files import encode, write_files

    if linted.fixed == linted.source:
        return linted
    data = file.read_bytes()
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    write_files(file.parent, {file.name: mark + encode(linted.fixed, file)}, named=file.name)
    left = tuple(one for one in linted.findings if not one.fix)
    click.echo(f"{linted.path}: {len(linted.findings) - len(left)} fixed", err=True)
    return replace(linted, findings=left, source=linted.fixed)


def _diff(linted: Linted) -> str:
    from marginalia.reader.lint.fixes import diff

    return diff(linted.path, linted.source, linted.fixed)


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
