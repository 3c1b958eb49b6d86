"""``marginalia link``: which survey variables a paper uses, and where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.inputs import Inputs
from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import (
    as_json,
    catalogue_option,
    lang_option,
    raw_cells_option,
    weights_option,
)
from marginalia.cli.output import console, print_json, print_table

MAX_SURVEYS = 5
"""Surveys that are named in one line."""

if TYPE_CHECKING:
    from marginalia.annotators.variables.concepts import Concept
    from marginalia.annotators.variables.links import Linked
    from marginalia.reader.formats.format import Format


@click.command("link")
@click.argument("files", metavar="PAPER...", nargs=-1, required=True)
@catalogue_option(required=True)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    help="Write the links to a .html, .csv, .xlsx, .json, .jsonl, .parquet or .ttl file.",
)
@click.option(
    "--review",
    metavar="FILE",
    help="Write all candidates to a .csv or .xlsx file with a column for decisions; if the file is there, its decisions are kept first.",
)
@click.option(
    "--threshold",
    metavar="P",
    type=click.FloatRange(0, 1),
    default=None,
    help="Claim a variable from this probability on: the share of such claims that were right on papers left out. Default: 0.5.",
)
@click.option(
    "--top",
    metavar="K",
    type=click.IntRange(1),
    default=None,
    help="Also list up to K candidates for each sentence, to accept or reject.",
)
@click.option(
    "--survey",
    "surveys",
    metavar="ID",
    multiple=True,
    help="Only variables of this survey. Repeatable.",
)
@click.option(
    "--all-surveys",
    is_flag=True,
    help="Search the whole catalogue even if the paper names surveys of it. Default: only the surveys it names.",
)
@raw_cells_option
@click.option(
    "--by", type=click.Choice(["sentence", "variable", "concept"]), default="sentence", show_default=True,
    help="List sentences with their variables, variables with their sentences, or concepts with the papers that use them.",
)  # fmt: skip
@llm_options()
@weights_option
@lang_option
@as_json
def link_command(
    files: tuple[str, ...],
    catalogue: str,
    out: str | None,
    by: str,
    lang: str | None,
    as_json: bool,
    review: str | None,
    threshold: float | None,
    top: int | None,
    surveys: tuple[str, ...],
    all_surveys: bool,
    asking: Asking,
) -> None:
    """Link sentences of papers to survey variables.

    PAPER is any document that `read` takes, in English or German. Each sentence that mentions a variable is listed with
    the variable of the catalogue that it uses, and whether it names it (explicit) or only implies it. The score is the
    share of such claims that were right. If none is sure enough, the likeliest is shown with a question mark where one in
    four such guesses is right and the sentence has its words; --top shows what else may be meant. The same question in several waves is one result. If the paper names surveys of the catalogue, by number,
    DOI, title, or acronym and year, only their variables are considered.
    With --by variable, each variable is listed with its sentences, the most central ones marked with *; with --by concept,
    what several papers measure, whichever wave or survey the variable is from.

    Decide in a review file: write yes or no into the column "decision", then run the same command again, or
    `marginalia catalogue decide`. Decisions are kept with the catalogue and come first next time.

    \b
    marginalia link paper.pdf --catalogue survey.xml
    marginalia link paper.pdf --catalogue archive.cat --by variable
    marginalia link papers/ --catalogue archive.cat -o links.csv
    marginalia link papers/ --catalogue archive.cat --review review.xlsx --top 5
    """
    from rich.text import Text

    from marginalia.annotators.variables.annotator import ANNOTATOR
    from marginalia.annotators.variables.commands.link_files import (
        read_review,
        require_suffix,
        write_review,
    )
    from marginalia.annotators.variables.concepts import concepts
    from marginalia.annotators.variables.links import link
    from marginalia.annotators.variables.memory import memory_of
    from marginalia.annotators.variables.review import candidates_of, decisions
    from marginalia.annotators.variables.variable_notes import CANDIDATES_PER_NOTE
    from marginalia.core.errors import FormatError
    from marginalia.core.files import write_file
    from marginalia.reader.formats.registry import choose_format, formats_that, get_format
    from marginalia.reader.read import input_files
    from marginalia.reader.write import place, refuse_input
    from marginalia.tasks.variables.systems.claims import MIN_CLAIM_PROBABILITY

    path = None if out is None or out == "-" else Path(out)
    format = None
    if path is not None:
        known = (*formats_that("write_rows"), "html", "ttl")
        format = choose_format(path, None, known, hint="")
        format.require("write")
    inputs = input_files(files) | {Path(catalogue).resolve()}
    refuse_input(path, inputs)
    memory = memory_of(catalogue)
    if review is not None:
        require_suffix(Path(review))
        get_format(Path(review).suffix[1:].lower(), "write_rows")
        if Path(review).exists():
            kept = memory.add(decisions(read_review(Path(review))))
            word = "decision" if kept == 1 else "decisions"
            click.echo(f"{kept:,} new {word} kept with {catalogue}", err=True)
    papers = Inputs(files, lang=lang)
    llm = asking.open(files[0])
    linked = []
    with console(stderr=True).status(Text("opening the catalogue")) as status:
        for doc in papers.documents():
            status.update(Text(f"linking {doc.id}"))
            with papers.attempt(FormatError):
                ANNOTATOR.require_language(doc)
                linked.append(
                    link(
                        doc,
                        catalogue,
                        threshold=MIN_CLAIM_PROBABILITY if threshold is None else threshold,
                        top=top or CANDIDATES_PER_NOTE,
                        surveys=surveys,
                        narrow=not all_surveys,
                        memory=memory,
                        llm=llm,
                    )
                )
    asking.finish()
    if asking.collects:
        papers.finish()
        return
    if review is not None:
        each = [one for paper in linked for one in candidates_of(paper, memory)]
        write_file(Path(review), write_review(each, Path(review)))
        click.echo(f"written: {review}: {len(each):,} candidates to decide on", err=True)
    if path is not None and format is not None:
        for written in place(path, _content(linked, format), inputs):
            click.echo(f"written: {written}", err=True)
    elif as_json and by == "concept":
        print_json([one.to_dict() for one in concepts(linked)])
    elif as_json:
        print_json([one.to_dict() for one in linked])
    elif by == "concept":
        for one in linked:
            _print_surveys(one)
        if not (joined := concepts(linked)):
            click.echo(_unclaimed(linked))
        _print_concepts(joined)
    else:
        for one in linked:
            _print_surveys(one)
            # What was written to decide on is not printed too, unless it is asked for.
            if review is None or by != "sentence":
                _print(one, by, top or 0)
    papers.finish()


def _content(found: list[Linked], format: Format) -> str | bytes:
    from marginalia.annotators.variables.commands.link_files import page
    from marginalia.annotators.variables.links import COLUMNS
    from marginalia.core.report import plain

    if format.name == "html":
        return page(found)
    if format.name == "ttl":
        return format.write([one.doc for one in found])
    # A table has a row for each link; JSON keeps them together by document and sentence.
    nested = format.name == "json"
    rows = [plain(row) for one in found for row in ([one.to_dict()] if nested else one.rows())]
    return format.write_rows(dict.fromkeys(COLUMNS), rows)


def _print_surveys(one: Linked) -> None:
    """To which surveys the catalogue was narrowed, and by which words of the paper."""
    if one.named:
        said = ", ".join(f"{s.survey} ({s.quote})" for s in one.named[:MAX_SURVEYS])
        more = f" and {len(one.named) - MAX_SURVEYS} more" if len(one.named) > MAX_SURVEYS else ""
        click.echo(
            f"{one.doc.id}: only surveys that it names: {said}{more}; --all-surveys searches all",
            err=True,
        )


def _print(one: Linked, by: str, top: int) -> None:
    if by == "variable":
        _print_index(one)
        return
    found = one.sentences
    if not found:
        click.echo(f"{one.doc.id}: no sentence mentions a survey variable")
        return
    from marginalia.annotators.variables.variable_notes import named_as_guess

    rows: list[tuple[Any, ...]] = []
    silent = 0
    for sentence in found:
        shown = sentence.candidates[:top] if top else sentence.variables
        first = (sentence.page, " ".join(sentence.quote.split()))
        best = sentence.candidates[0] if sentence.candidates else None
        if not shown and best and named_as_guess(best.score, best.kind):
            said = (best.id, f"perhaps {best.label}", f"{best.score:.2f} ?", best.kind)
            rows.append((*first, *said))
        elif not shown:
            silent += 1
        for number, variable in enumerate(shown):
            head = first if not number else (None, "")
            kind = "decided" if variable.decided else variable.kind
            rows.append((*head, variable.id, variable.label, f"{variable.score:.2f}", kind))
    seem = "1 sentence seems" if silent == 1 else f"{silent:,} sentences seem"
    left = f"{seem} to use a variable, but none of the catalogue is likely enough to name; --top 5 lists candidates"
    if not rows:
        click.echo(f"{one.doc.id}: {left}, --review FILE writes them to decide on.")
        return
    named = len(found) - silent
    print_table(
        f"{one.doc.id}: {named:,} sentence{'s' * (named != 1)} with survey variables",
        ("page", "sentence", "variable", "label", "score", "mention"),
        rows,
        note=f"{left if silent else '--top 5 lists what may be meant'}; --by variable turns it round; -o links.html writes a page.",
    )


def _print_index(one: Linked) -> None:
    index = one.index()
    if not index:
        click.echo(f"{one.doc.id}: {_unclaimed([one])}")
        return
    for row in index:
        same = f" (and {len(row['same'])} alike)" if row["same"] else ""
        click.echo(f"{row['id']}  {row['label']}{same}")
        for use in row["sentences"]:
            page = f"p. {use['page']}, " if use["page"] else ""
            mark = "*" if use["central"] else " "
            quote = " ".join(use["quote"].split())
            click.echo(f"  {mark} {page}{use['kind']}, {_sure(use['score'])}: {quote}")


def _sure(score: float) -> str:
    """Only what a person decided is certain."""
    return "decided" if score >= 1 else f"{score:.2f}"


def _unclaimed(found: list[Linked]) -> str:
    """Why there is nothing to list, and what would be: guesses are claimed only where they are asked for."""
    from marginalia.tasks.variables.systems.claims import MIN_PERHAPS_PROBABILITY as LEAST

    best = [s.candidates[0].score for one in found for s in one.sentences if s.candidates]
    if any(score >= LEAST for score in best):
        return f"no variable is sure enough to claim; --threshold {LEAST} takes guesses in, of which one in four is right"
    if best:
        return f"{len(best):,} sentence{'s' * (len(best) != 1)} may use a variable, but none of the catalogue is likely enough to name"
    return "no sentence mentions a survey variable"


def _print_concepts(found: list[Concept]) -> None:
    for concept in found:
        surveys = f" ({', '.join(concept.surveys)})" if any(concept.surveys) else ""
        perhaps = f"; perhaps also {', '.join(concept.perhaps)}" if concept.perhaps else ""
        click.echo(f"{concept.label}{surveys}: {', '.join(concept.variables)}{perhaps}")
        for document in concept.documents:
            uses = [use for use in concept.uses if use.document == document]
            best = max(uses, key=lambda use: use.score)
            page = f"p. {best.page}, " if best.page else ""
            more = f" (and {len(uses) - 1} more)" if len(uses) > 1 else ""
            click.echo(f"    {document}, {page}{_sure(best.score)}: {best.quote}{more}")
