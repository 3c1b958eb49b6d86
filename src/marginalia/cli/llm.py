"""``--llm`` and what goes with it: one set of options for every command that can ask a language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from marginalia.core.errors import FormatError

if TYPE_CHECKING:
    from marginalia.bench.run import Progress
    from marginalia.nlp.prompting.batch import BatchAnswers
    from marginalia.nlp.prompting.model import LanguageModel

Command = TypeVar("Command", bound=Callable[..., Any])
PROJECT = "project"
"""The name that stands for the model of the settings file. A file beside a document is no user: it chooses nothing alone."""


@dataclass(slots=True)
class Asking:
    """What the user said about language models, and the model once it is open."""

    name: str | None
    max_tokens: int | None = None
    dry_run: bool = False
    prompts: str | None = None
    answers: str | None = None
    model: LanguageModel | None = None
    batch: BatchAnswers | None = field(default=None, repr=False)

    @property
    def collects(self) -> bool:
        """Whether requests are only counted or written: then nothing else is shown."""
        return self.dry_run or bool(self.prompts)

    def open(
        self, beside: str | Path | None = None, *, cached: bool = True
    ) -> LanguageModel | None:
        """The model to ask; None where the user named none. What is sent where is said once, before anything is sent."""
        ways = [self.dry_run, bool(self.prompts), bool(self.answers)]
        if sum(ways) > 1:
            raise FormatError("--dry-run, --llm-prompts and --llm-answers exclude each other")
        if self.prompts or self.answers:
            self.model = self._from_files()
        elif self.name:
            self.model = self._live(beside, cached)
        elif self.dry_run or self.max_tokens is not None:
            raise FormatError(
                "--dry-run and --llm-max-tokens say how to ask: name a model with --llm"
            )
        return self.model

    def _from_files(self) -> LanguageModel:
        from marginalia.nlp.prompting.batch import MODEL, BatchAnswers, answering
        from marginalia.nlp.prompting.model import LanguageModel

        if self.prompts:
            return LanguageModel(self.name or MODEL, None)
        assert self.answers is not None  # noqa: S101 - for the type checker
        self.batch = BatchAnswers(Path(self.answers))
        return answering(self.batch, self.name or Path(self.answers).stem)

    def _live(self, beside: str | Path | None, cached: bool) -> LanguageModel:
        from marginalia.nlp.prompting.live import language_model, say_where
        from marginalia.nlp.prompting.settings import read_llm_settings
        from marginalia.reader.view.settings import find_settings

        found = find_settings(Path(beside) if beside and str(beside) != "-" else Path.cwd())
        said = read_llm_settings(found.get("llm", {}))
        assert self.name is not None  # noqa: S101 - for the type checker
        name = said.model if self.name == PROJECT else self.name
        if not name:
            raise FormatError("no settings file names a model: write [llm] model = ... or name one")
        model = language_model(
            name,
            options=said.options if self.name == PROJECT else {},
            max_tokens=self.max_tokens if self.max_tokens is not None else said.max_tokens,
            at_once=said.at_once,
            seconds=said.seconds,
            cached=cached,
        )
        if self.dry_run:
            model.complete = None
        else:
            click.echo(f"marginalia: {say_where(name)}", err=True)
        return model

    def show(self, progress: Progress | None) -> None:
        """Let a bar say how many requests are answered."""
        if self.model is not None and progress is not None:
            self.model.progress = partial(progress, self.model.name)

    def finish(self) -> None:
        """What is to be said when the work is done; the file of requests, where one was wanted."""
        if self.model is None:
            return
        if self.collects:
            asked = self.model.collected
            if self.prompts:
                from marginalia.core.files import write_file
                from marginalia.nlp.prompting.batch import write_batch

                write_file(Path(self.prompts), write_batch(asked, self.model.name), follow=True)
                click.echo(f"written: {self.prompts}", err=True)
            tokens = sum(one.tokens for one in asked)
            word = "request" if len(asked) == 1 else "requests"
            click.echo(f"{len(asked):,} {word}, about {tokens:,} tokens to send")
            return
        for line in [*self.model.sentences(), *(self.batch.sentences() if self.batch else ())]:
            click.echo(f"marginalia: {line}", err=True)
        tally = self.model.tally
        if tally.requests and not self.batch:
            click.echo(
                f"marginalia: {self.model.name}: {tally.requests} requests, {tally.tokens_in:,} tokens sent, "
                f"{tally.tokens_out:,} received, {tally.cached} answers from the cache",
                err=True,
            )


name_option = click.option(
    "--llm",
    "llm_name",
    metavar="MODEL",
    help="Language model to ask as well: a name that `llm models` lists, or 'project' for that of the settings file. "
    "Needs marginalia[llm]. Passages of the text go to it.",
)
max_tokens_option = click.option(
    "--llm-max-tokens",
    type=click.IntRange(min=0),
    metavar="N",
    help="Tokens to send to the model and get from it at most; what is left unasked stays as without it.",
)


def llm_options(*, files: bool = True) -> Callable[[Command], Command]:
    """The options, which the command gets as one argument ``asking``; with ``files`` those for batch files too."""
    options = [
        name_option,
        max_tokens_option,
        click.option(
            "--dry-run",
            "llm_dry_run",
            is_flag=True,
            help="With --llm: say how many requests and tokens there would be, and send nothing.",
        ),
    ]
    if files:
        options += [
            click.option(
                "--llm-prompts",
                metavar="FILE",
                help="Write the requests as a batch file, and ask nothing.",
            ),
            click.option(
                "--llm-answers",
                metavar="FILE",
                help="Take the answers from the results of a batch.",
            ),
        ]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_asking(
            *words: Any,
            llm_name: str | None,
            llm_max_tokens: int | None,
            llm_dry_run: bool,
            llm_prompts: str | None = None,
            llm_answers: str | None = None,
            **more: Any,
        ) -> Any:
            asking = Asking(llm_name, llm_max_tokens, llm_dry_run, llm_prompts, llm_answers)
            return command(*words, asking=asking, **more)

        wrapped: Any = with_asking
        for option in reversed(options):
            wrapped = option(wrapped)
        return wrapped  # type: ignore[no-any-return]

    return decorate
