"""``marginalia corpus annotate``."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.llm import max_tokens_option, name_option
from marginalia.cli.options import (
    as_json,
    catalogue_option,
    include_option,
    lang_option,
    weights_option,
    words_for_option,
)
from marginalia.cli.output import console, print_json, print_table

if TYPE_CHECKING:
    from marginalia.corpus.run import Outcome, Progress, Standing
    from marginalia.corpus.settings import Settings

QUIET_SECONDS = 30.0
"""Between two lines about the progress where there is no terminal."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)


def _bytes(context: click.Context, option: click.Parameter, value: str) -> int:
    found = _SIZE.fullmatch(value.strip())
    if not found:
        raise click.BadParameter(f"{value!r} is no size, such as 4GB or 500MB")
    return int(float(found[1]) * 1024 ** " kmgt".index(found[2].lower() or " "))


def _shard(
    context: click.Context, option: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d+)/(\d+)", value)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise click.BadParameter(f"{value!r} is no shard, such as 3/10")
    return int(found[1]), int(found[2])


def _systems(
    context: click.Context, option: click.Parameter, value: tuple[str, ...]
) -> dict[str, str]:
    pairs = [one.partition("=") for one in value]
    if any(not (annotator and system) for annotator, _, system in pairs):
        raise click.BadParameter("expected NAME=SYSTEM, such as measurements=rules")
    return {annotator: system for annotator, _, system in pairs}


@click.command("annotate")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder of the corpus.",
)
@click.option("--notes", metavar="NAME,...", help="Annotators, separated by commas. Default: all.")
@click.option(
    "--system",
    "systems",
    metavar="NAME=SYSTEM",
    multiple=True,
    callback=_systems,
    help="Another system for a kind of note, such as measurements=rules, which is fast.",
)
@words_for_option
@catalogue_option()
@include_option
@weights_option
@lang_option
@click.option(
    "--vectors/--no-vectors",
    default=True,
    help="Vectors of passages, for what repeats across documents. Default: on.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes that annotate.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Where they run; ray needs marginalia[ray].",
)
@click.option(
    "--address",
    metavar="URL",
    help="Ray cluster to use. Default: one that is started here and ended afterwards.",
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Only N documents, the same ones each time.",
)
@click.option(
    "--shard",
    metavar="K/N",
    callback=_shard,
    help="Only the K-th of N parts, so that N machines can share the work.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=900.0,
    show_default=True,
    metavar="S",
    help="Seconds for one document.",
)
@click.option(
    "--memory",
    default="4GB",
    show_default=True,
    callback=_bytes,
    metavar="SIZE",
    help="Memory for one worker.",
)
@name_option
@max_tokens_option
@click.option("--retry", is_flag=True, help="Try documents again that failed before.")
@click.option(
    "--again",
    is_flag=True,
    help="Drop what was made with other settings and annotate everything again.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Annotate a few documents, write nothing, and estimate the rest.",
)
@as_json
def annotate_command(
    sources: tuple[str, ...],
    out: Path,
    notes: str | None,
    systems: dict[str, str],
    audience: str | None,
    catalogue: str | None,
    include: str | None,
    lang: str | None,
    vectors: bool,
    workers: int,
    engine: str,
    address: str | None,
    sample: int | None,
    shard: tuple[int, int] | None,
    timeout: float,
    memory: int,
    llm_name: str | None,
    llm_max_tokens: int | None,
    retry: bool,
    again: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Annotate many documents into a folder of Parquet files.

    SOURCE is a folder, a glob in quotes, JSON lines or Parquet with a text in each row, a zip or tar of documents, or an address that
    fsspec knows (s3://, gs://, https://; install its package too).

    Run it again after an interruption and it goes on where it stopped; run it again later and it reads what is new, changed or gone. A
    document that fails, takes too long or needs too much memory is a row of the table errors; the exit code is then 1.

    \b
    marginalia corpus annotate papers/ -o corpus/ --workers 4
    marginalia corpus annotate papers/ -o corpus/ --dry-run
    marginalia corpus annotate dump.jsonl -o corpus/ --notes measurements --system measurements=rules --no-vectors
    marginalia corpus annotate 's3://bucket/papers/' -o corpus/ --engine ray --address auto
    """
    from marginalia.corpus.run import annotate_corpus, get_engine
    from marginalia.corpus.settings import Settings

    given = {"audience": audience, "catalogue": catalogue}
    settings = Settings(
        notes=tuple(_names(notes)),
        systems=systems,
        options={name: value for name, value in given.items() if value},
        include=tuple(_names(include)),
        lang=lang,
        vectors=vectors,
        seconds=timeout,
        memory=memory,
        llm=llm_name or "",
        llm_max_tokens=None if llm_max_tokens is None else llm_max_tokens // workers,
    )
    if llm_name:
        from marginalia.nlp.prompting.live import say_where

        click.echo(f"marginalia: {say_where(llm_name)}", err=True)
    if dry_run:
        _estimate(sources, settings, workers, as_json)
        return
    with _bar() as progress:
        outcome = annotate_corpus(
            sources,
            out,
            settings,
            engine=get_engine(engine, address),
            workers=workers,
            sample=sample,
            shard=shard,
            retry=retry,
            again=again,
            progress=progress,
        )
    if as_json:
        print_json(outcome.to_dict())
    else:
        _print(outcome, out)
    if outcome.errors:
        sys.exit(1)


def _names(listed: str | None) -> list[str]:
    return [name.strip() for name in (listed or "").split(",") if name.strip()]


@contextmanager
def _bar() -> Iterator[Progress]:
    """Documents, their rate, the time left and errors: a bar on a terminal, else a line every half minute."""
    from rich import progress as rich

    screen = console(stderr=True)
    columns = (
        rich.TextColumn("documents"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn("{task.fields[said]}"),
    )
    begun = last_line = time.monotonic()
    quiet = not screen.is_terminal
    with rich.Progress(*columns, console=screen, transient=True, disable=quiet) as bars:
        bar = bars.add_task("documents", total=None, said="")

        def progress(now: Standing) -> None:
            nonlocal last_line
            done = now.looked_at + now.left_out
            line = describe(now, time.monotonic() - begun)
            bars.update(bar, completed=done, total=now.total, said=line)
            if quiet and time.monotonic() - last_line > QUIET_SECONDS:
                last_line = time.monotonic()
                count = f"{done:,} of {now.total:,}" if now.total else f"{done:,}"
                click.echo(f"marginalia: {count} documents, {line}", err=True)

        yield progress


def describe(now: Standing, seconds: float) -> str:
    """Rate, time left and errors. What was there already took no time, so it says nothing about the rest."""
    if not now.looked_at:
        return "starting"
    rate = now.looked_at / max(seconds, 0.001)
    parts = [f"{rate:.2f} a second" if rate >= 0.1 else f"{60 * rate:.1f} a minute"]
    if now.total:
        parts.append(f"{duration((now.total - now.looked_at - now.left_out) / rate)} left")
    parts += [f"{now.failed:,} failed"] if now.failed else []
    return ", ".join(parts)


def duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 100 else f"{minutes / 60:,.1f} h"


def _print(outcome: Outcome, out: Path) -> None:
    rows = [(kind, count) for kind, count in outcome.notes.items()]
    if rows:
        print_table("notes of this corpus", ["kind", "notes"], rows)
    summary = f"{outcome.documents:,} documents in {out}: {outcome.new:,} annotated now"
    summary += f", {outcome.same:,} as they were" if outcome.same else ""
    summary += f", {outcome.gone:,} gone from their source" if outcome.gone else ""
    click.echo(summary)
    if outcome.per_core:
        click.echo(
            f"{duration(outcome.seconds)}; {outcome.per_core:,.2f} documents for each second of a core"
        )
    if outcome.errors:
        why = ", ".join(f"{kind} {count:,}" for kind, count in outcome.reasons.items())
        query = f'marginalia corpus query {out} "SELECT document, kind, reason FROM errors"'
        click.echo(f"{outcome.errors:,} failed ({why}); why: {query}", err=True)
    if "time" in outcome.reasons:
        click.echo("--retry with a larger --timeout gives those more time", err=True)
    if outcome.new:
        click.echo(f"next: marginalia corpus report {out} -o report.html", err=True)


def _estimate(sources: tuple[str, ...], settings: Settings, workers: int, as_json: bool) -> None:
    from marginalia.corpus.run import estimate

    expected: dict[str, Any] = estimate(sources, settings, workers)
    if as_json:
        print_json(expected)
        return
    count = (
        f"{expected['documents']:,} documents"
        if expected["documents"]
        else "documents that cannot be counted quickly"
    )
    click.echo(
        f"{count}; a sample of {expected['sample']} took {expected['seconds_each']:.2f} s of a core each, {expected['failed']} failed"
    )
    if expected["documents"]:
        click.echo(
            f"about {duration(3600 * expected['hours'])} with {workers} {'worker' if workers == 1 else 'workers'} "
            f"and {expected['megabytes']:,.0f} MB; nothing was written"
        )
