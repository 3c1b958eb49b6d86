"""Options that several commands take."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from marginalia.core.errors import MissingError

Command = TypeVar("Command", bound=Callable[..., Any])


def _there(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Said before the work, not after it."""
    if value is not None and not Path(value).exists():
        raise MissingError(f"{value}: there is no such catalogue")
    return value


def catalogue_option(*, required: bool = False) -> Callable[[Command], Command]:
    """What is there to link to, for every command that links."""
    return click.option(
        "--catalogue",
        metavar="PATH",
        required=required,
        callback=_there,
        help="Survey variables to link sentences to: a built catalogue, or a DDI, JSON, CSV, SPSS or Stata file.",
    )


def _language(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    from marginalia.nlp.language import language_code

    if value is None:
        return None
    if not language_code(value):
        raise click.BadParameter(f"{value!r} is no code of a language, such as en or de")
    return language_code(value)


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
lang_option = click.option(
    "--lang",
    metavar="CODE",
    callback=_language,
    help="Language of the text, such as en or de. Default: what the file declares or its words tell.",
)


def _keep_cells(context: click.Context, option: click.Parameter, value: bool) -> None:
    from marginalia.core.table import raw_cells

    if value:
        context.with_resource(raw_cells())


raw_cells_option = click.option(
    "--raw-cells",
    is_flag=True,
    expose_value=False,
    callback=_keep_cells,
    help="Write cells of tables that begin with = + - @ as they are; spreadsheets may run them.",
)
field_option = click.option(
    "--field",
    metavar="NAME",
    help="Field whose words the reader knows: biology, chemistry, computing, law, mathematics, medicine, physics, politics or "
    "religion.",
)
ocr_option = click.option(
    "--ocr",
    is_flag=True,
    help="Recognise the text of scanned PDF pages first, with OCRmyPDF if it is installed.",
)
include_option = click.option(
    "--include",
    metavar="KIND,...",
    help="Make notes also on what is skipped: references, code, formula, figure, contents, authors, foreign "
    "(passages in another language), table.",
)
audience_option = click.option(
    "--for",
    "audience",
    metavar="PROFILE",
    help="Who reads: reader (default), learner, specialist, writer, curator, or a profile of .marginalia.toml.",
)
words_for_option = click.option(
    "--for",
    "audience",
    type=click.Choice(("reader", "learner", "specialist")),
    help="Reader for whom a word is hard. Default: reader.",
)
notes_option = click.option(
    "--notes",
    metavar="NAME,...",
    help="Annotators, separated by commas, in place of those of the profile.",
)
library_option = click.option(
    "--library",
    metavar="DIR",
    help="Folder of the web reader's library. Default: MARGINALIA_LIBRARY or the user's data folder.",
)


def _use_weights(ctx: click.Context, param: click.Parameter, folders: tuple[str, ...]) -> None:
    if folders:
        from marginalia.core.own_weights import use_weights

        use_weights(folders)


weights_option = click.option(
    "--weights",
    metavar="DIR",
    multiple=True,
    expose_value=False,
    callback=_use_weights,
    help="Weights of `marginalia train` to take in place of the shipped ones. Repeatable. Default: MARGINALIA_WEIGHTS.",
)
host_option = click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on."
)
browse_option = click.option(
    "--browse/--no-browse", default=False, help="Open the page in the browser."
)


def port_option(port: int) -> Callable[[Command], Command]:
    """Where a server listens, unless an option says otherwise."""
    return click.option(
        "--port",
        default=port,
        show_default=True,
        type=click.IntRange(0, 65535),
        help="Port; 0 picks a free one.",
    )


data_option = click.option(
    "--data",
    metavar="DIR",
    help="Data folder. Default: MARGINALIA_DATA.",
)
runs_option = click.option(
    "--runs",
    metavar="DIR",
    default=lambda: os.environ.get("MARGINALIA_RUNS", "runs"),
    show_default="MARGINALIA_RUNS or ./runs",
    help="Folder for saved runs.",
)
candidates_option = click.option(
    "--candidates",
    type=click.Choice(["surveys", "all"]),
    help="Variables only: rank the variables of the document's surveys, or of the whole vocabulary.",
)


def load_options(candidates: str | None) -> dict[str, str]:
    """The options of a task's ``load`` that were given."""
    return {"candidates": candidates} if candidates else {}
