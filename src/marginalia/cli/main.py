"""``marginalia``: finds the command, and turns our errors into one line and exit code 2.

The library names functions and arguments, in backticks: `` `data=` ``, `` `again=True` ``,
`` `fetch_data('variables')` ``. On the command line they become options and commands.
"""

from __future__ import annotations

import ast
import io
import logging
import os
import re
import shlex
import sys
import warnings
from functools import cache

import click

from marginalia import __version__
from marginalia.core.entry_points import Entry, entries
from marginalia.core.errors import ContractError, MarginaliaError, UnknownNameError

GROUP = "marginalia.commands"
"""The entry points that name a command: ours and those of plug-ins."""

ORDER = "read lint lsp diff serve library extract link catalogue similar clarify tasks bench train data".split()
"""Our own commands, in the order of a reader's way; those of plug-ins follow by name."""
COMMANDS = {
    "build_catalogue": "catalogue build",
    "fetch_data": "data fetch",
    "import_data": "data import",
    "run": "bench run",
}
"""Function -> the command that calls it."""
OPTIONS = {"columns": "column", "base": "from"}
"""Argument -> its option, where that is called otherwise."""
_ARGUMENT = re.compile(r"`(\w+)=(?:True)?`")
_CALL = re.compile(r"`(\w+)\(([^`]*)\)`")


@cache
def commands() -> dict[str, Entry]:
    """Command -> its entry point. A plug-in adds commands and replaces none of ours."""
    others: dict[str, Entry] = {}
    for entry in entries(GROUP):
        if entry.name not in others or entry.value.startswith("marginalia."):
            others[entry.name] = entry
    ours = {name: others[name] for name in ORDER if name in others}
    return ours | dict(sorted((name, others[name]) for name in others.keys() - ours.keys()))


class Commands(click.Group):
    """Loads the module of a command when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(commands())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in commands():
            return None
        try:
            command = commands()[name].load()
        except Exception as error:  # foreign code may fail in any way
            raise ContractError(
                f"the command '{name}' cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(command, click.Command):
            raise ContractError(f"the entry point '{name}' in {GROUP} is not a click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A command that cannot be loaded is reported in one line and left out of the list."""
        rows = []
        for name in self.list_commands(ctx):
            try:
                command = self.get_command(ctx, name)
            except ContractError as error:
                show_warning(str(error))
                continue
            if command is not None and not command.hidden:
                rows.append((name, command.get_short_help_str(limit=formatter.width - 16)))
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in commands() and not args[0].startswith("-"):
            raise UnknownNameError("command", args[0], commands())
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="marginalia")
def cli() -> None:
    """Marginalia reads a document and writes in its margins.

    \b
    marginalia read guide.md                      in the terminal
    marginalia read paper.pdf -o paper.html       as a web page
    marginalia serve paper.pdf --browse           in the web reader; needs marginalia[web]
    marginalia lint guide.md                      for editors and CI
    marginalia extract measurement paper.pdf -o measurements.csv
    marginalia bench run complexity               scores on a shared task

    `marginalia COMMAND --help` explains a command, with examples.
    """


def show_warning(message: Warning | str, *_: object) -> None:
    """A warning as one line, without the source line that raised it."""
    click.echo(f"marginalia: note: {as_options(str(message))}", err=True)


class LogLines(logging.Handler):
    """What the library logs, a line each; without tracebacks, which are for programs."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            show_warning(record.getMessage())
        else:
            click.echo(f"marginalia: {record.getMessage()}", err=True)


def show_log() -> None:
    """Long work, such as the training of a system, says how far it is."""
    logger = logging.getLogger("marginalia")
    logger.setLevel(logging.INFO)
    logger.addHandler(LogLines())
    logger.propagate = False


def speak_unicode() -> None:
    """Windows gives pipes an old code page, in which much of what we print cannot be written."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if "PYTHONIOENCODING" in os.environ:  # the user's choice: what it lacks is escaped
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8")


def _usage_message(error: click.ClickException) -> str:
    """What is wrong with the words of a command, in one line, and where to read what it takes."""
    message = error.format_message()
    if (
        type(error).__name__ == "NoArgsIsHelpError"
    ):  # the help itself; older releases have no such class
        return message
    where = getattr(error, "ctx", None)
    message = " ".join(message.split()).removesuffix(".")
    return f"marginalia: {message}" + (f"; see `{where.command_path} --help`" if where else "")


def main() -> None:
    """The console script."""
    speak_unicode()
    warnings.showwarning = show_warning  # type: ignore[assignment]
    show_log()
    try:
        sys.exit(cli.main(prog_name="marginalia", standalone_mode=False))
    except MarginaliaError as error:
        click.echo(f"marginalia: {as_options(str(error))}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        click.echo(_usage_message(error), err=True)
        sys.exit(error.exit_code)
    except click.Abort:  # Ctrl-C, which needs no comment
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output (head, less) has left: say nothing, also not at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:  # a full disk, a folder that may not be written
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"marginalia: {place}{error.strerror or error}", err=True)
        sys.exit(2)


def as_options(message: str) -> str:
    """The message with options for arguments and commands for functions; what has neither stays as it is."""
    return _CALL.sub(_command, _ARGUMENT.sub(lambda match: _option(match[1]), message))


def _option(name: str) -> str:
    return f"--{OPTIONS.get(name, name).replace('_', '-')}"


def _command(match: re.Match[str]) -> str:
    if match[1] not in COMMANDS:
        return match[0]
    call = ast.parse(f"f({match[2]})", mode="eval").body
    assert isinstance(call, ast.Call)  # noqa: S101 - for the type checker
    words = [_word(value) for value in call.args]
    for keyword in call.keywords:
        words += [_option(str(keyword.arg)), _word(keyword.value)]
    return f"`marginalia {' '.join([COMMANDS[match[1]], *words])}`"


def _word(value: ast.expr) -> str:
    """A value as it is typed; a name stands for something of the reader's own."""
    if isinstance(value, ast.Name):
        return value.id.upper()
    return shlex.quote(str(ast.literal_eval(value)))
