"""``marginalia clarify``: what a text leaves open, how it could be read, and what revisions made clear."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.annotators.unclear.commands.mine import mine_command, ratings_command
from marginalia.annotators.unclear.commands.table import (
    format_of,
    show_places,
    written,
)
from marginalia.cli.inputs import Inputs
from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import as_json, lang_option, raw_cells_option
from marginalia.cli.output import console, print_json, print_table

if TYPE_CHECKING:
    from marginalia.annotators.unclear.gaps import Gap
    from marginalia.core.document import Document
    from marginalia.core.extraction import Table
    from marginalia.tasks.clarification.systems.language_model import Suggestions

PHENOMENA = ("implicit reference", "fused head", "noun compound", "metonymy")
MARK = "______"
_MARK = re.compile(r"_{2,}")
ENGLISH = "clarify reads English; pass --lang en if the language was detected wrongly"


@click.group("clarify")
def clarify_command() -> None:
    """Find unclear phrases in instructions, and possible readings.

    \b
    marginalia clarify find guide.md
    marginalia clarify rank guide.md --json
    marginalia clarify rank --sentence "Hold ______ for ten seconds." --context "Lift your leg."
    marginalia clarify mine old.md new.md -o clarifications.tsv
    marginalia clarify ratings ratings.csv
    """


clarify_command.add_command(mine_command)
clarify_command.add_command(ratings_command)

out_option = click.option(
    "-o",
    "--out",
    metavar="PATH",
    help="Write csv, json, jsonl or parquet; the format follows the extension.",
)
choice_option = click.option(
    "-n",
    "choices",
    type=click.IntRange(1, 20),
    default=5,
    show_default=True,
    help="Number of fillers.",
)
lm_option = click.option(
    "--lm",
    "with_lm",
    is_flag=True,
    help="Also propose what a language model would write; needs marginalia[lm].",
)
sentence_option = click.option(
    "--sentence", metavar="TEXT", help="A sentence with ______ for the gap, instead of files."
)
context_option = click.option(
    "--context", metavar="TEXT", default="", help="Text before the sentence."
)
filler_option = click.option(
    "--filler", "fillers", metavar="TEXT", multiple=True, help="A filler of your own. Repeatable."
)


def places_options(command: Callable[..., None]) -> Callable[..., None]:
    """The files, and which of their places are wanted."""
    for option in (
        as_json,
        out_option,
        raw_cells_option,
        lang_option,
        click.option(
            "--phenomenon",
            "phenomena",
            type=click.Choice(PHENOMENA),
            multiple=True,
            help="Only this kind. Repeatable.",
        ),
        click.option("--all", "every", is_flag=True, help="Every candidate, unfiltered."),
        click.option(
            "--per-100-words",
            type=click.FloatRange(min=0),
            default=3.0,
            show_default=True,
            help="Largest number of phrases per 100 words.",
        ),
        click.argument("files", metavar="FILE...", nargs=-1),
    ):
        command = option(command)
    return command


@clarify_command.command("find")
@places_options
def find_command(files: tuple[str, ...], **options: Any) -> None:
    """Find phrases that a writer may want to clarify.

    The most likely problems come first. There are four kinds: a verb without its object (implicit reference), a determiner,
    number or adjective without its noun (fused head), a noun where a compound may be meant (noun compound), and a noun that
    stands for one of its parts or aspects (metonymy). FILE is any document that `marginalia read` takes, or -.
    """
    from marginalia.annotators.unclear.gaps import GAP, find_gaps

    _give(files, find_gaps, GAP, ("score", "phenomenon", "question", "sentence"), **options)


@clarify_command.command("fill")
@places_options
@choice_option
@lm_option
def fill_command(files: tuple[str, ...], choices: int, with_lm: bool, **options: Any) -> None:
    """Find phrases and propose fillers for them.

    Fillers are clustered, so that the choices differ.
    """
    from marginalia.annotators.unclear.gaps import FILLED, fill_gaps

    columns = ("score", "phenomenon", "question", "fillers")
    suggest = _suggestions() if with_lm else None
    _give(files, partial(fill_gaps, n=choices, suggest=suggest), FILLED, columns, **options)


@clarify_command.command("rank")
@places_options
@choice_option
@lm_option
@sentence_option
@context_option
@filler_option
@llm_options()
def rank_command(
    files: tuple[str, ...],
    choices: int,
    with_lm: bool,
    sentence: str | None,
    context: str,
    fillers: tuple[str, ...],
    asking: Asking,
    **options: Any,
) -> None:
    """Find phrases and rate their possible readings.

    Phrases with two or more plausible readings are flagged. With --sentence you mark the gap yourself; its fillers are
    proposed, or given with --filler.
    """
    from marginalia.annotators.unclear.gaps import RANKED, fill_gap, rank_fillers
    from marginalia.core.resolution import system_for_documents
    from marginalia.tasks.clarification.benchmark import BENCHMARK

    suggest = _suggestions() if with_lm else None
    llm = asking.open(files[0] if files else None)
    system = None
    if llm is not None:
        from marginalia.tasks.clarification.systems.prompted import asking_too

        system = asking_too(system_for_documents(BENCHMARK).loaded(), llm)
    if sentence is None:
        if fillers or context:
            raise click.UsageError("--filler and --context go with --sentence")
        columns = ("question", "readings", "several")
        look = partial(rank_fillers, n=choices, suggest=suggest, system=system)
        _give(files, look, RANKED, columns, collects=asking.collects, **options)
        asking.finish()
        return
    if files:
        raise click.UsageError("name files or a --sentence, not both")
    if not _MARK.search(sentence):
        raise click.UsageError(f"the sentence has no gap: mark one with {MARK}")
    sentence = _MARK.sub(MARK, sentence)  # any number of underscores will do
    gap = fill_gap(
        sentence,
        context=context,
        fillers=fillers or None,
        n=choices,
        suggest=suggest,
        system=system,
    )
    asking.finish()
    if asking.collects:
        return
    if options["as_json"]:
        print_json(gap.to_dict())
        return
    print_table(
        f"{gap.phenomenon}: {gap.cloze}",
        ("filler", "rating", "class"),
        [(one.filler, one.rating.score, one.rating.label) for one in gap.readings],
        note="Two or more readings are plausible." if gap.several else "",
    )


def _suggestions() -> Suggestions:
    """What the language model would write, or one sentence on what is missing before any file is read."""
    from marginalia.tasks.clarification.systems.language_model import Suggestions

    found = Suggestions()
    found.model.load()
    return found


def _give(
    files: Sequence[str],
    look: Callable[..., Table[Gap]],
    names: Sequence[str],
    columns: Sequence[str],
    *,
    per_100_words: float,
    every: bool,
    phenomena: tuple[str, ...],
    lang: str | None,
    out: str | None,
    as_json: bool,
    collects: bool = False,
) -> None:
    """Read the documents, look at each, and show, print or write what was found."""
    from marginalia.reader.read import input_files
    from marginalia.reader.write import refuse_input

    if not files:
        raise click.UsageError("at least one FILE was expected")
    path = None if out is None or out == "-" else Path(out)
    chosen = format_of(path) if path else None
    inputs = input_files(files)
    refuse_input(path, inputs)
    options: dict[str, Any] = {"phenomena": phenomena or None}
    options["per_100_words"] = None if every else per_100_words
    if every:
        options["threshold"] = 0.0
    sources = Inputs(files, lang=lang)
    rows: list[dict[str, Any]] = []
    silent: list[str] = []
    with console(stderr=True).status("clarify"):
        for doc in sources.documents():
            if not _english(doc):
                silent.append(doc.id)
                continue
            rows += [gap.to_dict() for gap in look(doc, **options)]
    if silent:
        named = ", ".join(silent[:3]) + (" ..." if len(silent) > 3 else "")
        click.echo(f"marginalia: note: nothing on {named}: {ENGLISH}", err=True)
    if not collects and not written(rows, path, chosen, inputs, names):
        if as_json:
            print_json(rows)
        else:
            show_places(rows, columns, sources.many)
    sources.finish()


def _english(doc: Document) -> bool:
    return str(doc.meta.get("lang") or "en") == "en"
