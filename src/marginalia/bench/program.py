"""A program as a system: JSON lines in, JSON lines out, in any language, under limits."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Benchmark, Split
from marginalia.core.errors import ContractError, MissingError
from marginalia.core.report import plain

PREFIX = "cmd:"
AND = " && "
"""What stands between a program that learns and one that predicts."""
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
        text = "".join(_line(id=id, item=item_data(item)) for id, item in items.items())
        answers = dict(self._answers(self._run(self.command, text)))
        unknown = answers.keys() - items.keys()
        if unknown:
            raise ContractError(f"{self.command}: a prediction for the unknown id {min(unknown)!r}")
        return answers

    def _run(self, command: str, text: str) -> str:
        reading, writing = os.pipe()
        with os.fdopen(reading, encoding="utf-8") as report:
            try:
                out, err = self._talk(command, text, writing)
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

    def _talk(self, command: str, text: str, report: int) -> tuple[str, str]:
        """What the program writes to its output and to its errors, ended with all that it started when time is up."""
        try:
            words = shlex.split(command)
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


class LearningProgram(Program):
    """Two programs, ``LEARN && PREDICT``: the first is run once to learn, the second for each batch.

    ``{train}`` in the command is a file of ``{"id": …, "item": {…}, "gold": …}`` lines, ``{model}`` a folder that the
    first fills and the second reads. What the first prints is not read.
    """

    def __init__(self, task: Benchmark, command: str, **limits: Any) -> None:
        super().__init__(task, command, **limits)
        self._learn, _, self._predict = (part.strip() for part in command.partition(AND))
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def fit(self, split: Split) -> LearningProgram:
        gold = split.require_gold()
        self._folder = tempfile.TemporaryDirectory(prefix="marginalia-learn-")
        (self._place / "model").mkdir()
        with (self._place / "train.jsonl").open("w", encoding="utf-8") as file:
            for id, item in split.items.items():
                file.write(_line(id=id, item=item_data(item), gold=gold_data(gold[id])))
        self._run(self._named(self._learn), "")
        return self

    @property
    def _place(self) -> Path:
        if self._folder is None:
            raise ContractError(f"{self.command}: it has not learned yet")
        return Path(self._folder.name)

    def _named(self, command: str) -> str:
        named = {"{train}": self._place / "train.jsonl", "{model}": self._place / "model"}
        for sign, path in named.items():
            command = command.replace(sign, shlex.quote(str(path)))
        return command

    def predict(self, items: Mapping[str, Any]) -> dict[str, Any]:
        later = Program(
            self.task,
            self._named(self._predict),
            max_seconds=self.max_seconds,
            max_bytes=self.max_bytes,
        )
        later.peak_memory_mb = self.peak_memory_mb
        pred = later.predict(items)
        self.peak_memory_mb = later.peak_memory_mb
        return pred


def make_program(task: Benchmark, command: str) -> Program:
    """A program that learns where the command has two parts, else one that only predicts."""
    return LearningProgram(task, command) if AND in command else Program(task, command)


def _line(**row: Any) -> str:
    return json.dumps(plain(row), ensure_ascii=False) + "\n"


def gold_data(gold: Any) -> Any:
    """Gold as JSON can hold it."""
    return [item_data(each) for each in gold] if isinstance(gold, tuple) else item_data(gold)


def item_data(item: Any) -> Any:
    """An item as JSON can hold it, without what is shared by many (fields that are not compared)."""
    if not is_dataclass(item):
        return item
    return {each.name: getattr(item, each.name) for each in fields(item) if each.compare}
