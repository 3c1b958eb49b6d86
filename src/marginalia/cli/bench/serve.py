"""``marginalia bench serve``: the site of a competition."""

from __future__ import annotations

import click

from marginalia.cli.options import browse_option, host_option, port_option
from marginalia.cli.serve import LOCAL


@click.command("serve")
@click.argument("folder", metavar="FOLDER")
@host_option
@port_option(8038)
@browse_option
def serve_command(folder: str, host: str, port: int, browse: bool) -> None:
    """Host a competition with the official scorer.

    FOLDER has a competition.toml; `bench competition new` writes one. Submissions are kept in an SQLite file there, or in
    the PostgreSQL database that DATABASE_URL names. Put a server that speaks HTTPS in front before others connect.

    \b
    pip install "marginalia[web]"
    marginalia bench competition new mine --task complexity --split dev
    marginalia bench serve mine
    """
    from marginalia.core.errors import FormatError, MarginaliaError, missing_package

    try:
        from marginalia.web.competition.app import create_app
        from marginalia.web.server import Server, bind
    except ImportError as error:
        raise missing_package("bench serve", error.name, "web") from error
    from marginalia.bench.host.site import Site
    from marginalia.web.guard import LOOPBACK

    site = Site(folder)
    for phase in site.competition.phases:
        try:
            site.checker.load(phase.name)
        except MarginaliaError as error:
            if phase.state(site.clock()) == "open":
                site.checker.close()
                raise FormatError(f"the phase {phase.name} cannot be scored: {error}") from error
            click.echo(f"Warning: the phase {phase.name} cannot be scored yet: {error}", err=True)
    sock = bind(host, port)
    # Any name may lead to an address that is open to others; each request that matters needs a team's token.
    app = create_app(site, hosts=LOOPBACK if host in LOCAL else ("*",))
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{sock.getsockname()[1]}/"
    click.echo(f"{site.competition.title}: {url} (stop with Ctrl-C)")
    if browse:
        click.launch(url)
    try:
        Server(app, site).run(sockets=[sock])
    finally:
        site.stop()
