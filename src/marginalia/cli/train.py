"""``marginalia train``: weights of one's own for a system of a task."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.cli.options import as_json, data_option
from marginalia.cli.output import print_json, print_table


@click.command("train")
@click.argument("task_name", metavar="TASK")
@click.option(
    "--base",
    metavar="NAME_OR_FOLDER",
    help="Folder of a pretrained encoder that transformers can load, or its name on the Hugging Face hub (see --download). "
    "Default: the encoder that ships, for systems that learn on top of it.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Folder for the weights."
)
@click.option("--system", metavar="NAME", help="System to train. Default: the first of the list.")
@click.option(
    "--split",
    "splits",
    multiple=True,
    default=("train",),
    show_default=True,
    help="Split to learn from. Repeatable.",
)
@click.option(
    "--seed", default=0, show_default=True, help="Seed: the same one gives the same bytes."
)
@click.option(
    "--device", default="cpu", show_default=True, help="Where to train: cpu, cuda, cuda:1, mps."
)
@click.option(
    "--epochs",
    type=click.IntRange(min=1),
    help="Rounds over the data. Default: as for the weights that ship.",
)
@click.option(
    "--download", is_flag=True, help="Allow the base to be fetched from the Hugging Face hub."
)
@click.option(
    "--list", "listed", is_flag=True, help="List the systems that can be trained, and stop."
)
@data_option
@as_json
def train_command(
    task_name: str,
    base: str | None,
    out: Path | None,
    system: str | None,
    splits: tuple[str, ...],
    seed: int,
    device: str,
    epochs: int | None,
    download: bool,
    listed: bool,
    data: str | None,
    as_json: bool,
) -> None:
    """Train a system again, on an encoder of your own.

    Writes weights (ONNX, with their SHA-256), a model card, a log and its curve to a folder. A training that was stopped
    goes on when the command is given again. Needs marginalia[train].

    \b
    marginalia train similarity --list
    marginalia train measurement --base ./my-encoder --out weights/measurement
    marginalia train similarity --system tuned --base BAAI/bge-base-en-v1.5 --download --device cuda --out weights/similarity
    MARGINALIA_WEIGHTS=weights/measurement marginalia read paper.pdf
    """
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
    if listed:
        cards = {card.name: card for card in task.systems}
        rows = [(name, cards[name].summary) for name in task.recipes]
        if as_json:
            print_json([{"system": name, "summary": summary} for name, summary in rows])
        else:
            print_table(f"{task.name}: what can be trained", ("system", "what it is"), rows)
        return
    if out is None:
        raise click.UsageError("Missing option '--out': where the weights go.")
    from marginalia.nlp.training.train import train

    done = train(
        task,
        base=base,
        out=out,
        system=system,
        splits=splits,
        data=data,
        seed=seed,
        device=device,
        epochs=epochs,
        download=download,
    )
    if as_json:
        print_json(done.to_dict())
        return
    rows = [(name, f"{value:.4f}") for name, value in done.scores.items()]
    print_table(
        f"{done.task}: {', '.join(done.systems)}",
        ("on dev", "value"),
        rows,
        note=f"Weights, card and curve: {done.folder}. Use them with --weights {done.folder} or MARGINALIA_WEIGHTS.",
    )
