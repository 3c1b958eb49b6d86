"""A program as a system: JSON lines in, JSON lines out, in any language, under limits."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from marginalia.core.benchmark import Benchmark
from marginalia.core.errors import ContractError, MissingError
from marginalia.core.report import plain

PREFIX = "cmd:"
MAX_SECONDS = 3600.0
MAX_BYTES = 8 * 2**30
MAX_STDERR = 300


class Program:
    """A program that reads ``{"id": …, "item": {…}}`` lines and writes ``{"id": …, "prediction": …}`` lines.

    It is started once for each batch. Fields that all items share, such as the catalogue of variables, are not sent.
    A prediction is what the task writes into a run: a number for complexity, an object with label and score for
    clarification, and so on.
    """

    def __init__(
        self,
        task: Benchmark,
        command: str,
        *,
        max_seconds: float = MAX_SECONDS,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.task = task
        self.command = command
        self.max_seconds = max_seconds
        self.max_bytes = max_bytes

    def predict(self, items: Mapping[str, Any]) -> dict[str, Any]:
        if not items:
            return {}
        text = "".join(
            json.dumps({"id": id, "item": plain(item_data(item))}, ensure_ascii=False) + "\n"
            for id, item in items.items()
        )
        found = dict(self._answers(self._run(text)))
        unknown = found.keys() - items.keys()
        if unknown:
            raise ContractError(f"{self.command}: a prediction for the unknown id {min(unknown)!r}")
        return found

    def _run(self, text: str) -> str:
        try:
            done = subprocess.run(  # noqa: S603 - the user names the program
                shlex.split(self.command),
                input=text,
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=self.max_seconds,
                preexec_fn=self._limit,
                check=False,
            )
        except FileNotFoundError as error:
            raise MissingError(f"{self.command}: there is no such program.") from error
        except (OSError, ValueError) as error:
            raise ContractError(f"{self.command}: cannot be started: {error}") from error
        except subprocess.TimeoutExpired as error:
            raise ContractError(
                f"{self.command}: not done after {self.max_seconds:g} seconds"
            ) from error
        if done.returncode:
            said = " ".join(done.stderr.split())[-MAX_STDERR:]
            raise ContractError(f"{self.command}: exit code {done.returncode}: {said}")
        return done.stdout

    def _limit(self) -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (self.max_bytes, self.max_bytes))

    def _answers(self, output: str) -> Iterator[tuple[str, Any]]:
        for number, line in enumerate(output.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                yield str(row["id"]), self.task.decode(row["prediction"])
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise ContractError(
                    f"{self.command}: line {number} of its output is no prediction: {error!r:.120}"
                ) from error


def item_data(item: Any) -> Any:
    """An item as JSON can hold it, without what is shared by many (fields that are not compared)."""
    if not is_dataclass(item):
        return item
    return {each.name: getattr(item, each.name) for each in fields(item) if each.compare}
