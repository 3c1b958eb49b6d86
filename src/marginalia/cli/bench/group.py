"""``marginalia bench``: run systems, write submissions, score files, see the boards."""

from __future__ import annotations

import click

from marginalia.cli.bench.analysis import analyse_command, combine_command, curve_command
from marginalia.cli.bench.batch import answers_command, prompts_command
from marginalia.cli.bench.board import board_command, runs_command
from marginalia.cli.bench.build import annotate_command, build_command
from marginalia.cli.bench.compare import compare_command
from marginalia.cli.bench.competition import competition_command, serve_command
from marginalia.cli.bench.run import run_command
from marginalia.cli.bench.score import (
    agreement_command,
    decisions_command,
    rescore_command,
    score_command,
)
from marginalia.cli.bench.submission import check_command, import_command, predict_command
from marginalia.cli.bench.systems import new_command, systems_command


@click.group("bench")
def bench_command() -> None:
    """Run, score and compare systems on the shared tasks.

    \b
    marginalia bench run complexity --system frequency --split dev
    marginalia bench compare complexity features frequency
    marginalia bench board complexity --top 10
    marginalia bench predict clarification --split test --out submission.zip
    marginalia bench score measurement --gold gold/ --pred submission.zip --json
    """


for command in (
    run_command,
    compare_command,
    analyse_command,
    combine_command,
    curve_command,
    board_command,
    runs_command,
    prompts_command,
    answers_command,
    predict_command,
    check_command,
    import_command,
    score_command,
    rescore_command,
    agreement_command,
    serve_command,
    competition_command,
    build_command,
    annotate_command,
    decisions_command,
    systems_command,
    new_command,
):
    bench_command.add_command(command)
