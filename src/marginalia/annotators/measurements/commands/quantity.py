"""``marginalia quantity``: one quantity as a value with its unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from marginalia.cli.options import as_json
from marginalia.cli.output import print_json, print_table
from marginalia.lang import known_languages

SHOWN = (
    "value", "low", "high", "uncertainty", "uncertainty_kind", "statistic", "interval_low", "interval_high", "interval_kind", "p", "n",
    "unit", "ucum", "qudt", "currency", "si_low", "si_high", "si_uncertainty", "si", "doubt",
)  # fmt: skip


# "-5 °C" begins with a number, not with an option.
@click.command("quantity", context_settings={"ignore_unknown_options": True})
@click.argument("text", metavar="TEXT...", nargs=-1, required=True)
@click.option(
    "--lang",
    type=click.Choice(known_languages()),
    default="en",
    show_default=True,
    help="How numbers are written.",
)
@as_json
def quantity_command(text: tuple[str, ...], lang: str, as_json: bool) -> None:
    """Read one quantity: value, uncertainty and unit.

    The unit is written in UCUM, QUDT and SI; where its symbol has several readings, it says so. Units of your own stand
    in the table [units] of .marginalia.toml, here or upwards.

    \b
    marginalia quantity "5.2 ± 0.3 mg/kg"
    marginalia quantity --lang de 2,5 Mio. Euro
    marginalia quantity -40 °C --json
    """
    from marginalia.annotators.measurements.parsing import parse_quantity
    from marginalia.reader.view.settings import find_settings

    units = find_settings(Path.cwd()).get("units")
    found = parse_quantity(" ".join(text), lang=lang, units=units).to_dict()
    if as_json:
        print_json(found)
        return
    rows = [[name, _text(found[name])] for name in SHOWN if found[name] is not None]
    print_table(found["quantity"], ["", "read as"], rows)


def _text(value: Any) -> str:
    """Small numbers too: a table would show 5.2e-06 as 0."""
    return f"{value:.9g}" if isinstance(value, float) else str(value)
