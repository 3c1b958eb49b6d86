"""``marginalia bench decisions``: how right notes were for a reader."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.cli.options import as_json
from marginalia.cli.output import print_json, print_table


@click.command("decisions")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--share",
    type=click.FloatRange(0.0, 1.0),
    default=0.8,
    show_default=True,
    help="What should have been kept of what is shown, for the threshold.",
)
@click.option("--who", metavar="NAME", help="Only decisions of this reader.")
@as_json
def decisions_command(files: tuple[str, ...], share: float, who: str | None, as_json: bool) -> None:
    """Score notes by what readers decided about them.

    FILE is what the web reader saves as decisions. For each kind of note: how many were accepted, edited and rejected, the
    share that was kept with its 95 % interval, and the lowest score from which on --share of the notes were kept.

    \b
    marginalia bench decisions paper.decisions.jsonl
    marginalia bench decisions *.decisions.jsonl --who anna --share 0.9
    """
    from marginalia.bench.decisions import score_decisions
    from marginalia.core.decisions import read_decisions

    found = [one for file in files for one in read_decisions(Path(file))]
    rows = score_decisions([one for one in found if who in (None, one.who)], share=share)
    if as_json:
        print_json([row.to_dict() for row in rows])
        return
    print_table(
        "Decisions",
        ("kind", "accepted", "edited", "rejected", "kept", "95 % interval", "from score", "shows"),
        (
            (
                row.kind,
                row.accepted,
                row.edited,
                row.rejected,
                f"{row.precision:.2f}",
                f"{row.low:.2f} – {row.high:.2f}",
                "–" if row.threshold is None else f"{row.threshold:.3f}",
                "–" if row.shown is None else f"{row.shown:.0%}",
            )
            for row in rows
        ),
        note=f"From this score on {share:.0%} of the decided notes were kept; it takes 10 decisions.",
    )
