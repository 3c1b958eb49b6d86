"""A program as a system: JSON lines in, JSON lines out, in any language, under limits."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Benchmark
from marginalia.core.errors import ContractError, MissingError
from marginalia.core.report import plain

PREFIX = "cmd:"
MAX_SECONDS = 3600.0
MAX_BYTES = 8 * 2**30
MAX_STDERR = 300
STARTER = str(Path(__file__).with_name("measured.py"))


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
        self.peak_memory_mb: float | None = None
        """The largest resident size of the program so far."""

    def predict(self, items: Mapping[str, Any]) -> dict[str, Any]:
        if not items:
            return {}
        text = "".join(
            json.dumps({"id": id, "item": plain(item_data(item))}, ensure_ascii=False) + "\n"
            for id, item in items.items()
        )
        answers = dict(self._answers(self._run(text)))
        unknown = answers.keys() - items.keys()
        if unknown:
            raise ContractError(f"{self.command}: a prediction for the unknown id {min(unknown)!r}")
        return answers

    def _run(self, text: str) -> str:
        reading, writing = os.pipe()
        with os.fdopen(reading, encoding="utf-8") as report:
            try:
                out, err = self._talk(text, writing)
            finally:
                os.close(writing)
            report_data = json.loads(report.read() or "{}")
        if "missing" in report_data:
            raise MissingError(f"{self.command}: there is no such program.")
        if "code" not in report_data:
            problem = report_data.get("error", "it was ended from outside")
            raise ContractError(f"{self.command}: cannot be run: {problem}")
        self.peak_memory_mb = max(self.peak_memory_mb or 0.0, report_data["peak_memory_mb"])
        if report_data["code"]:
            problem = " ".join(err.split())[-MAX_STDERR:]
            raise ContractError(f"{self.command}: exit code {report_data['code']}: {problem}")
        return out

    def _talk(self, text: str, report: int) -> tuple[str, str]:
        """What the program writes to its output and to its errors, ended with all that it started when time is up."""
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise ContractError(f"{self.command}: cannot be read as a command: {error}") from error
        # -I -S: a bare interpreter, since what it takes is counted in the program's peak.
        starter = [sys.executable, "-I", "-S", STARTER, str(report), str(self.max_bytes)]
        with subprocess.Popen(  # noqa: S603 - the user names the program
            [*starter, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            pass_fds=(report,),
            start_new_session=True,
        ) as process:
            try:
                return process.communicate(text, timeout=self.max_seconds)
            except BaseException as error:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                if isinstance(error, subprocess.TimeoutExpired):
                    problem = f"not done after {self.max_seconds:g} seconds"
                elif isinstance(error, UnicodeDecodeError):
                    problem = "its output is not UTF-8"
                else:
                    raise
                raise ContractError(f"{self.command}: {problem}") from error

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
