"""``marginalia clarify``: what a text leaves open, how it could be read, and what revisions made clear."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.annotators.unclear.commands.mine import mine_command, ratings_command
from marginalia.annotators.unclear.commands.table import (
    format_of,
    show_places,
    written,
)
from marginalia.annotators.unclear.kinds import KINDS
from marginalia.cli.inputs import Inputs
from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import as_json, lang_option, raw_cells_option
from marginalia.cli.output import console, print_json, print_table

if TYPE_CHECKING:
    from marginalia.core.document import Document
    from marginalia.tasks.clarification.systems.language_model import Suggestions

MARK = "______"
_MARK = re.compile(r"_{2,}")
ENGLISH = "clarify reads English; pass --lang en if the language was detected wrongly"


@click.group("clarify")
def clarify_command() -> None:
    """Find what an editor would ask, and rate readings of a gap.

    \b
    marginalia clarify find guide.md
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
    "--sentence", metavar="TEXT", required=True, help="A sentence with ______ for the gap."
)
context_option = click.option(
    "--context", metavar="TEXT", default="", help="Text before the sentence."
)
filler_option = click.option(
    "--filler", "fillers", metavar="TEXT", multiple=True, help="A filler of your own. Repeatable."
)


@clarify_command.command("find")
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(tuple(KINDS.values())),
    multiple=True,
    help="Only this kind. Repeatable.",
)
@click.option("--all", "every", is_flag=True, help="Also places where an editor hardly asks.")
@lang_option
@raw_cells_option
@out_option
@as_json
def find_command(
    files: tuple[str, ...],
    kinds: tuple[str, ...],
    every: bool,
    lang: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Find places that an editor would ask about.

    These are the notes of `marginalia read --notes unclear`: a missing amount, object, noun or unit, a reference with two
    candidates, a comparison without a standard, an open list, a broken sentence, wording that cannot be checked. FILE is any
    document that `marginalia read` takes, or -.
    """
    from marginalia.annotators.unclear.places import COLUMNS, MIN_PROBABILITY, find_unclear
    from marginalia.reader.read import input_files
    from marginalia.reader.write import refuse_input

    if not files:
        raise click.UsageError("at least one FILE was expected")
    path = None if out is None or out == "-" else Path(out)
    chosen = format_of(path) if path else None
    inputs = input_files(files)
    refuse_input(path, inputs)
    sources = Inputs(files, lang=lang)
    rows: list[dict[str, Any]] = []
    silent: list[str] = []
    least = 0.0 if every else MIN_PROBABILITY
    with console(stderr=True).status("clarify"):
        for doc in sources.documents():
            if not _english(doc):
                silent.append(doc.id)
                continue
            found = find_unclear(doc, kinds=kinds or None, min_probability=least)
            rows += [place.to_dict() for place in found]
    if silent:
        named = ", ".join(silent[:3]) + (" ..." if len(silent) > 3 else "")
        click.echo(f"marginalia: note: nothing on {named}: {ENGLISH}", err=True)
    if not written(rows, path, chosen, inputs, COLUMNS):
        if as_json:
            print_json(rows)
        else:
            show_places(rows, ("probability", "kind", "question"), sources.many)
    sources.finish()


def _english(doc: Document) -> bool:
    return str(doc.meta.get("lang") or "en") == "en"


@clarify_command.command("fill")
@sentence_option
@context_option
@choice_option
@lm_option
@as_json
def fill_command(sentence: str, context: str, choices: int, with_lm: bool, as_json: bool) -> None:
    """Propose fillers for a gap that you marked.

    Fillers are clustered, so that the choices differ.
    """
    from marginalia.tasks.clarification.gaps.filler import fill
    from marginalia.tasks.clarification.gaps.marked import marked

    suggest = _suggestions() if with_lm else None
    place, guide = marked(_checked(sentence), context=context)
    found = fill(place, guide, n=choices, suggest=suggest)
    if as_json:
        print_json([{"filler": one.text, "source": one.source} for one in found])
        return
    print_table(
        f"{place.phenomenon}: {place.cloze(guide.sentences[place.number])}",
        ("filler", "source"),
        [(one.text, one.source) for one in found],
    )


@clarify_command.command("rank")
@sentence_option
@context_option
@filler_option
@choice_option
@lm_option
@llm_options()
@as_json
def rank_command(
    sentence: str,
    context: str,
    fillers: tuple[str, ...],
    choices: int,
    with_lm: bool,
    asking: Asking,
    as_json: bool,
) -> None:
    """Rate the possible readings of a gap that you marked.

    Its fillers are proposed, or given with --filler. A gap with two or more plausible readings is flagged.
    """
    from marginalia.annotators.unclear.gaps import fill_gap
    from marginalia.core.resolution import system_for_documents
    from marginalia.tasks.clarification.benchmark import BENCHMARK

    sentence = _checked(sentence)
    suggest = _suggestions() if with_lm else None
    llm = asking.open(None)
    system = None
    if llm is not None:
        from marginalia.tasks.clarification.systems.prompted import asking_too

        system = asking_too(system_for_documents(BENCHMARK).loaded(), llm)
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
    if as_json:
        print_json(gap.to_dict())
        return
    print_table(
        f"{gap.phenomenon}: {gap.cloze}",
        ("filler", "rating", "class"),
        [(one.filler, one.rating.score, one.rating.label) for one in gap.readings],
        note="Two or more readings are plausible." if gap.several else "",
    )


def _checked(sentence: str) -> str:
    """The sentence with its gap as six underscores; any number of them will do."""
    if not _MARK.search(sentence):
        raise click.UsageError(f"the sentence has no gap: mark one with {MARK}")
    return _MARK.sub(MARK, sentence)


def _suggestions() -> Suggestions:
    """What the language model would write, or one sentence on what is missing before any file is read."""
    from marginalia.tasks.clarification.systems.language_model import Suggestions

    found = Suggestions()
    found.model.load()
    return found
