"""``marginalia bench annotate``: a page on which people rate."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.cli.options import as_json, browse_option, host_option, port_option
from marginalia.cli.output import print_json, print_table
from marginalia.cli.serve import LOCAL


@click.command("annotate")
@click.argument("folder", metavar="FOLDER")
@click.option("--export", "out", metavar="OUT", help="Write the answers into this folder, and end.")
@click.option("--with-gold", is_flag=True, help="Export gold questions and stopped raters too.")
@host_option
@port_option(8039)
@browse_option
@as_json
def annotate_command(
    folder: str, out: str | None, with_gold: bool, host: str, port: int, browse: bool, as_json: bool
) -> None:
    """Serve a page to rate items on, or export the answers.

    FOLDER has an annotation.toml with title, task and items, and perhaps gold (a table of id and rating, or JSON
    lines with id and answer for spans and choices), ratings, per_rater, gold_every, qualify, min_accuracy, tolerance, min_overlap. Raters get a sheet each, with hidden gold questions; a session
    goes on where it stopped. Complexity, similarity and clarification are rated on a scale; in measurement people mark
    spans, in variables they choose from candidates.

    \b
    pip install "marginalia[web]"
    marginalia bench annotate mine
    marginalia bench annotate mine --export answers
    """
    from marginalia.bench.rating import Desk

    desk = Desk(folder)
    if out is not None:
        from marginalia.bench.rating import export
        from marginalia.core.files import write_files

        built = export(desk, with_gold=with_gold)
        paths = write_files(Path(out), dict(built.files))
        if as_json:
            print_json({"files": [str(path) for path in paths], "figures": built.figures})
            return
        for path in paths:
            click.echo(str(path))
        print_table("figures", ("figure", "value"), built.figures.items())
        return
    from marginalia.core.errors import missing_package

    try:
        from marginalia.web.rating.app import create_app
        from marginalia.web.server import Server, bind
    except ImportError as error:
        raise missing_package("bench annotate", error.name, "web") from error
    from marginalia.web.guard import LOOPBACK

    sock = bind(host, port)
    app = create_app(desk, hosts=LOOPBACK if host in LOCAL else ("*",))
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{sock.getsockname()[1]}/"
    click.echo(f"{desk.campaign.title}: {url} (stop with Ctrl-C)")
    if browse:
        click.launch(url)
    Server(app, desk).run(sockets=[sock])
