"""``marginalia lsp``: the language server."""

from __future__ import annotations

import click


@click.command("lsp")
@click.option(
    "--stdio", is_flag=True, help="Speak on standard input and output; so it does anyway."
)
def lsp_command(stdio: bool) -> None:
    """Show findings in an editor.

    A language server that an editor starts by itself: what `lint` reports appears while you write, the pointer shows what
    a word means and how a phrase can be read, and quick fixes write the easier word, add a word to the word list or
    ignore a finding. The whole file is read when it is opened or saved, in between only what changed. Settings are those
    of `lint`, read from .marginalia.toml or pyproject.toml.

    The page how-to/editor.md says how to set up VS Code, Neovim and Emacs. Needs marginalia[lsp].
    """
    from importlib.util import find_spec

    from marginalia.core.errors import missing_package

    if find_spec("pygls") is None:
        raise missing_package("The language server", "pygls", "lsp")
    from marginalia.integrations.lsp.server import make_server

    make_server().start_io()
