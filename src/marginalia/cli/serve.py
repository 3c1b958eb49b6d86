"""``marginalia serve``: the web reader on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.llm import Asking, max_tokens_option, name_option
from marginalia.cli.options import (
    audience_option,
    browse_option,
    catalogue_option,
    field_option,
    host_option,
    lang_option,
    library_option,
    port_option,
    weights_option,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C has ended."""
LOCAL = {"127.0.0.1", "localhost", "::1"}


@click.command("serve")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@host_option
@port_option(8037)
@audience_option
@field_option
@catalogue_option()
@click.option(
    "--token",
    metavar="TEXT",
    help="Token that visitors need. Default: none on this machine; with another --host a random one, unless the library "
    "has named tokens.",
)
@click.option(
    "--tokens",
    is_flag=True,
    help="Ask for the named tokens of `marginalia library token` on this machine too.",
)
@library_option
@click.option(
    "--temporary", is_flag=True, help="Keep nothing: forget documents when the server ends."
)
@click.option("--no-cache", is_flag=True, help="Ignore the cache and annotate again.")
@name_option
@max_tokens_option
@browse_option
@weights_option
@lang_option
def serve_command(
    files: tuple[str, ...],
    host: str,
    port: int,
    audience: str | None,
    field: str | None,
    catalogue: str | None,
    token: str | None,
    tokens: bool,
    library: str | None,
    temporary: bool,
    no_cache: bool,
    llm_name: str | None,
    llm_max_tokens: int | None,
    browse: bool,
    lang: str | None,
) -> None:
    """Open the web reader, with a library of documents.

    Give files or folders here, or upload and paste them in the page. Documents, notes and decisions are kept in
    MARGINALIA_LIBRARY or the user's data folder and are there the next time. A file that has changed since is read again
    and keeps its decisions. By default only this machine can connect. With --host the page asks for a token: the one that
    is part of the printed address, or a named one of `marginalia library token`. Nothing is loaded from the network. With
    --llm the page offers to ask that language model about a document; files that are named here are asked about at once.
    The REST API is described at /api/openapi.json.

    \b
    pip install "marginalia[web]"
    marginalia serve
    marginalia serve paper.pdf --catalogue survey.xml --browse
    marginalia library token add anna --may write    (for a small team, with --host)
    """
    serve(
        files,
        host=host,
        port=port,
        audience=audience,
        field=field,
        catalogue=catalogue,
        token=token,
        tokens=tokens,
        folder=Path(library) if library else None,
        temporary=temporary,
        cached=not no_cache,
        browse=browse,
        lang=lang,
        asking=Asking(llm_name, llm_max_tokens),
    )


def serve(
    files: Sequence[str],
    *,
    host: str = "127.0.0.1",
    port: int = 8037,
    audience: str | None = None,
    field: str | None = None,
    catalogue: str | None = None,
    token: str | None = None,
    tokens: bool = False,
    folder: Path | None = None,
    temporary: bool = False,
    cached: bool = True,
    browse: bool = False,
    lang: str | None = None,
    include: Sequence[str] = (),
    asking: Asking | None = None,
) -> None:
    """Serve until interrupted. Port 0 takes any that is free."""
    import secrets

    from marginalia.core.errors import FormatError, missing_package
    from marginalia.core.files import require_file

    try:
        from marginalia.web.app import create_app
        from marginalia.web.server import Server, bind
    except ImportError as error:
        raise missing_package("The web reader", error.name, "web") from error
    from marginalia.reader.annotate import check_options, choose_annotators
    from marginalia.reader.cache import NoteCache
    from marginalia.reader.profiles import get_profile
    from marginalia.reader.read import STDIN, input_files
    from marginalia.web.guard import LOOPBACK
    from marginalia.web.library import Library
    from marginalia.web.store.people import check_token
    from marginalia.web.store.store import Store, default_folder

    if audience is not None:
        get_profile(audience)
    if token is not None:
        check_token(token)
    if temporary and folder is not None:
        raise FormatError("--temporary keeps nothing: leave out --library")
    paths = sorted(input_files(files)) if files else []
    for path in paths:
        require_file(path)
    if STDIN in files:
        raise FormatError("standard input cannot be served: name files, or paste the text there")
    local = host in LOCAL
    store = None if temporary else Store(folder or default_folder())
    if store is not None and store.notice:
        click.echo(store.notice, err=True)
    named = store is not None and any(not one.revoked for one in store.people.tokens())
    if tokens and not named:
        raise FormatError(
            "there are no named tokens: make one with `marginalia library token add NAME`"
        )
    if not local and token is None and not named:
        token = secrets.token_urlsafe(16)
    sock = bind(host, port)
    given = {"catalogue": catalogue, "field": field}
    options = {name: value for name, value in given.items() if value}
    check_options(options, choose_annotators(None))
    cache = NoteCache() if cached else None
    llm = asking.open(paths[0] if paths else None, cached=cached) if asking else None
    library = Library(store=store, cache=cache, options=options, include=include, llm=llm)
    opened = [
        library.open(path, lang=lang, audience=audience, llm=llm is not None) for path in paths
    ]
    if not paths:
        library.warm()
    # Any name may lead to an address that is open to others; the token guards it.
    asks = tokens or (named and not local)
    app = create_app(library, hosts=LOOPBACK if local else ("*",), token=token, tokens=asks)
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{sock.getsockname()[1]}/" + (f"?token={token}" if token else "")
    if len(opened) == 1:
        url += f"#/d/{opened[0].id}"
    click.echo(f"Marginalia reads at {url} (stop with Ctrl-C)")
    if asks and token is None:
        click.echo(
            "Visitors add ?token=… of theirs; `marginalia library token list` shows who has one"
        )
    if browse:
        click.launch(url)
    try:
        Server(app, library).run(sockets=[sock])
    except KeyboardInterrupt:
        library.close()  # after a second Ctrl-C the server has left that out
        # A thread inside of a model cannot be stopped, and Python's end trips over it.
        os._exit(INTERRUPTED)
