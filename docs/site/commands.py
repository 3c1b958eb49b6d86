"""The reference of the command line: what `--help` prints, for every command."""

from __future__ import annotations

from collections.abc import Iterator

import click

from marginalia.cli.main import cli

WIDTH = 88
"""Columns of the help texts on the page."""


def walk(
    command: click.Command, above: click.Context | None = None
) -> Iterator[tuple[click.Context, click.Command]]:
    """A command and all below it, each with the context that `--help` would have."""
    name = command.name if above else "marginalia"
    context = click.Context(
        command, info_name=name, parent=above, max_content_width=WIDTH, terminal_width=WIDTH
    )
    yield context, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from walk(below, context)


def help_page() -> str:
    """Markdown with a heading and the help of each command."""
    parts = [
        "# Help of every command",
        "What `marginalia COMMAND --help` prints. The [overview](commands.md) says what all commands have in common.",
    ]
    for context, command in walk(cli):
        depth = context.command_path.count(" ") + 1
        if depth > 1:
            parts.append(f"{'#' * depth} {context.command_path}")
        parts.append(f"```text\n{command.get_help(context)}\n```")
    return "\n\n".join(parts) + "\n"
