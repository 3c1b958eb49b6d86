"""``marginalia bench competition`` and ``serve``: the site of a competition, and what organisers do beside it."""

from __future__ import annotations

import click

from marginalia.cli.options import as_json, browse_option, host_option, port_option
from marginalia.cli.output import print_json, print_table
from marginalia.cli.serve import LOCAL


@click.group("competition")
def competition_command() -> None:
    """Set up, watch and move a competition that `bench serve` hosts.

    \b
    marginalia bench competition new mine --task complexity --split dev
    marginalia bench competition team mine "JUST BLUE"
    marginalia bench competition board mine
    marginalia bench competition audit mine
    """


@competition_command.command("new")
@click.argument("folder", metavar="FOLDER")
@click.option("--task", "task_name", required=True, help="The shared task.")
@click.option("--split", default="test", show_default=True, help="The split to predict.")
def new_command(folder: str, task_name: str, split: str) -> None:
    """Write a competition.toml to edit."""
    from marginalia.bench.host.settings import new_competition
    from marginalia.bench.host.site import utc_now

    path = new_competition(folder, task_name, split, utc_now())
    click.echo(f"{path}: edit it, then `marginalia bench serve {folder}`")


@competition_command.command("team")
@click.argument("folder", metavar="FOLDER")
@click.argument("name", metavar="NAME")
@click.option("--organiser", is_flag=True, help="May see every submission and the final figures.")
@click.option("--renew", is_flag=True, help="A new token for a team that lost its own.")
def team_command(folder: str, name: str, organiser: bool, renew: bool) -> None:
    """Register a team and print its token, once.

    Only a hash of the token is kept. Teams can also register on the page, unless the settings say otherwise.
    """
    from marginalia.bench.host.settings import read_competition
    from marginalia.bench.host.site import open_database, utc_now
    from marginalia.bench.host.teams import add_team, renew_token

    read_competition(folder)
    database = open_database(folder)
    if renew:
        token = renew_token(database, name, utc_now())
    else:
        token = add_team(database, name, utc_now(), is_organiser=organiser)
    click.echo(token)


@competition_command.command("board")
@click.argument("folder", metavar="FOLDER")
@click.option("--phase", "phase_name", help="Default: the phase that is open.")
@as_json
def board_command(folder: str, phase_name: str | None, as_json: bool) -> None:
    """Show the board with its final figures, as organisers see it."""
    from marginalia.bench.host.leaderboard import leaderboard
    from marginalia.bench.host.settings import read_competition
    from marginalia.bench.host.site import open_database, utc_now
    from marginalia.bench.host.submissions import of_phase

    competition = read_competition(folder)
    phase = competition.phase(phase_name) if phase_name else competition.current(utc_now())
    with open_database(folder).read() as rows:
        entered = of_phase(rows, phase.name)
    standings = leaderboard(competition, phase, entered, utc_now(), reveal=True)
    if as_json:
        print_json([row.to_dict() for row in standings])
        return
    print_table(
        f"{competition.title}, {phase.name}",
        ("rank", "team", "system", *competition.figures, "received", "mark"),
        (
            (row.rank, row.team, row.description, *row.figures.values(), row.received, row.mark)
            for row in standings
        ),
        note=f"{sum(each.finished is None for each in entered)} of {len(entered)} wait for their score",
    )


@competition_command.command("audit")
@click.argument("folder", metavar="FOLDER")
@click.option("--head", metavar="HASH", help="The hash of an entry that was written down earlier.")
@as_json
def audit_command(folder: str, head: str | None, as_json: bool) -> None:
    """Check that nothing was changed afterwards.

    The exit code is 1 if something was.
    """
    from marginalia.bench.host.ledger import audit
    from marginalia.bench.host.settings import read_competition
    from marginalia.bench.host.site import open_database

    read_competition(folder)
    result = audit(open_database(folder), kept=head)
    if as_json:
        print_json({"entries": result.entries, "head": result.head, "faults": list(result.faults)})
    else:
        for fault in result.faults:
            click.echo(fault)
        what = "nothing was changed" if not result.faults else f"{len(result.faults)} faults"
        click.echo(f"{result.entries:,} entries, {what}; the last hash is {result.head}")
    if result.faults:
        raise click.exceptions.Exit(1)


@competition_command.command("import")
@click.argument("bundle", metavar="BUNDLE")
@click.argument("folder", metavar="FOLDER")
@click.option("--task", "task_name", required=True, help="The task whose scorer scores it.")
@click.option("--metric", "metrics", multiple=True, help="Figure of the board, the first ranks.")
def import_command(bundle: str, folder: str, task_name: str, metrics: tuple[str, ...]) -> None:
    """Move a CodaLab or Codabench competition here.

    Phases, dates, limits and reference data are taken over. Its scoring program is not run: the task's official scorer is.
    """
    from marginalia.bench.host.bundles import import_bundle

    path = import_bundle(bundle, folder, task_name, metrics=metrics)
    click.echo(f"{path}: look at it, then `marginalia bench serve {folder}`")


@competition_command.command("export")
@click.argument("folder", metavar="FOLDER")
@click.option("--to", "layout", type=click.Choice(["codabench", "tira"]), required=True)
@click.option(
    "--image", default="marginalia:latest", show_default=True, help="Image that has Marginalia."
)
@click.option("-o", "--out", required=True, metavar="ZIP", help="Where it goes.")
def export_command(folder: str, layout: str, image: str, out: str) -> None:
    """Write the competition for Codabench or TIRA.

    The file holds the gold.
    """
    from pathlib import Path

    from marginalia.bench.host.bundles import export_competition
    from marginalia.bench.host.settings import read_competition
    from marginalia.core.files import write_file

    content = export_competition(read_competition(folder), layout, image=image)
    write_file(Path(out), content, follow=True)
    click.echo(f"{out}: {len(content):,} bytes")


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
