"""``marginalia``: finds the command, and turns our errors into one line and exit code 2."""

from __future__ import annotations

import io
import os
import sys
import warnings
from importlib import import_module

import click

from marginalia import __version__
from marginalia.core.errors import MarginaliaError, UnknownNameError

COMMANDS = {
    "read": "read",
    "lint": "lint",
    "serve": "serve",
    "extract": "extract",
    "link": "link",
    "catalogue": "catalogue",
    "similar": "similar",
    "clarify": "clarify",
    "tasks": "tasks",
    "bench": "bench",
    "data": "data",
}
"""Command -> the module in this package that holds it under the same name with ``_command``."""


class Commands(click.Group):
    """Loads the module of a command when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = getattr(import_module(f"marginalia.cli.{COMMANDS[name]}"), f"{name}_command")
        assert isinstance(command, click.Command)  # noqa: S101 - for the type checker
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise UnknownNameError("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="marginalia")
def cli() -> None:
    """Marginalia reads a document and writes in its margins.

    \b
    marginalia read guide.md          the document with notes beside its sentences
    marginalia lint guide.md          what a writer should look at, a line each
    marginalia serve paper.pdf        the same in the browser
    marginalia extract measurement paper.pdf   what was measured, as a table
    marginalia link paper.pdf --catalogue survey.xml   which survey variables it uses
    marginalia catalogue search CAT "trust in courts"   survey variables by words and meaning
    marginalia similar A B            how alike two sentences, files or records are, and why
    marginalia clarify find guide.md  what a how-to text leaves open, and how it could be read
    marginalia tasks                  the five questions and the shared tasks behind them
    marginalia bench run complexity   a system on a split, with scores and intervals
    marginalia data status            which data are on this machine
    """


def show_warning(message: Warning | str, *_: object) -> None:
    """A warning as one line, without the source line that raised it."""
    click.echo(f"marginalia: note: {message}", err=True)


def speak_unicode() -> None:
    """Windows gives pipes an old code page, in which much of what we print cannot be written."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if "PYTHONIOENCODING" in os.environ:  # somebody's choice: what it lacks is escaped
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8")


def _said(error: click.ClickException) -> str:
    """What is wrong with the words of a command, in one line, and where to read what it takes."""
    said = error.format_message()
    if (
        type(error).__name__ == "NoArgsIsHelpError"
    ):  # the help itself; older releases have no such class
        return said
    where = getattr(error, "ctx", None)
    said = " ".join(said.split()).removesuffix(".")
    return f"marginalia: {said}" + (f"; see `{where.command_path} --help`" if where else "")


def main() -> None:
    """The console script."""
    speak_unicode()
    warnings.showwarning = show_warning  # type: ignore[assignment]
    try:
        sys.exit(cli.main(prog_name="marginalia", standalone_mode=False))
    except MarginaliaError as error:
        click.echo(f"marginalia: {error}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        click.echo(_said(error), err=True)
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
