"""``marginalia bench prompts`` and ``answers``: batch files for language models that are asked elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.cli.bench.run import print_runs
from marginalia.cli.options import (
    as_json,
    candidates_option,
    data_option,
    load_options,
    runs_option,
)
from marginalia.cli.output import print_json

system_option = click.option(
    "--system",
    type=click.Choice(["prompted", "combined"]),
    default="prompted",
    show_default=True,
    help="The model alone, or blended with the shipped system.",
)


@click.command("prompts")
@click.argument("task_name", metavar="TASK")
@click.option("--split", default="dev", show_default=True, help="Split to ask about.")
@candidates_option
@click.option("--llm", "model", metavar="MODEL", help="Model to name in the requests.")
@click.option("-o", "--out", required=True, metavar="FILE", help="Batch file to write.")
@click.option(
    "--without", metavar="FILE", help="Leave out the requests that these results answer already."
)
@data_option
def prompts_command(
    task_name: str,
    split: str,
    candidates: str | None,
    model: str | None,
    out: str,
    without: str | None,
    data: str | None,
) -> None:
    """Write what a language model would be asked.

    The requests about a split are a batch file, in the form of OpenAI's batch service, which others take too: one JSON object a line. `bench answers`
    reads the results.

    \b
    marginalia bench prompts clarification --split dev --llm MODEL -o prompts.jsonl
    marginalia bench answers clarification results.jsonl --split dev
    """
    from marginalia.bench.batch import make_requests
    from marginalia.core.files import write_file
    from marginalia.nlp.prompting.batch import MODEL, BatchAnswers, write_batch

    found = make_requests(task_name, split, data=data, options=load_options(candidates))
    if without:
        known = BatchAnswers(Path(without))
        found = [request for request in found if not known.is_complete(request)]
    write_file(Path(out), write_batch(found, model or MODEL), follow=True)
    tokens = sum(request.tokens for request in found)
    click.echo(f"{len(found):,} requests, about {tokens:,} tokens to send, in {out}")


@click.command("answers")
@click.argument("task_name", metavar="TASK")
@click.argument("path", metavar="FILE")
@click.option("--split", default="dev", show_default=True, help="Split that was asked about.")
@candidates_option
@system_option
@click.option("--llm", "model", metavar="MODEL", help="Name of the model that answered.")
@click.option("--no-save", is_flag=True, help="Do not save the run.")
@data_option
@runs_option
@as_json
def answers_command(
    task_name: str,
    path: str,
    split: str,
    candidates: str | None,
    system: str,
    model: str | None,
    no_save: bool,
    data: str | None,
    runs: str,
    as_json: bool,
) -> None:
    """Score what a language model answered.

    FILE has the results of a batch of the requests of `bench prompts`, in any order. Lines that are broken or missing are reported; the shipped system answers their items.
    """
    from marginalia.bench.batch import run_answers
    from marginalia.core.registry import get_benchmark
    from marginalia.nlp.prompting.batch import BatchAnswers, answering

    answers = BatchAnswers(Path(path))
    llm = answering(answers, model or Path(path).stem)
    done = run_answers(
        task_name, split, llm, system=system, data=data, options=load_options(candidates)
    )
    if not no_save:
        click.echo(f"run saved as {done.run.save(Path(runs))}", err=True)
    for line in (*llm.sentences(), *answers.sentences()):
        click.echo(f"note: {line}", err=True)
    if as_json:
        print_json(done.to_dict())
    else:
        print_runs(get_benchmark(task_name), split, [done.to_dict()])
