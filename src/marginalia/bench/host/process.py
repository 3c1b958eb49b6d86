"""The judge as the server sees it: a process that is ended when it takes too long, and started again."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any

from marginalia.bench.host.errors import JudgeError, OutOfOrderError
from marginalia.bench.host.settings import Competition
from marginalia.core.errors import FormatError
from marginalia.core.long_work import module_command

START_SECONDS = 120.0
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Each thread of a numerical library reserves memory, which counts against the limit."""


class JudgeProcess:
    """One request at a time; threads wait for their turn. The process is kept, so that gold is read once."""

    def __init__(self, competition: Competition) -> None:
        self.competition = competition
        self._turn = threading.Lock()
        self._child: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._is_closed = False

    def check(self, phase: str, file: str, content: bytes) -> int:
        """How many predictions the submission has; ``FormatError`` says what is wrong with it."""
        return int(self._ask("check", phase, file, content)["predictions"])

    def score(self, phase: str, file: str, content: bytes) -> dict[str, Any]:
        return dict(self._ask("score", phase, file, content)["scores"])

    def load(self, phase: str) -> None:
        """Read the gold of a phase; ``FormatError`` says why it cannot be scored."""
        self._ask("load", phase, "nothing", b"")

    def close(self) -> None:
        """End the process, whatever it does; a request that waits is told."""
        self._is_closed = True
        child = self._child
        if child is not None:
            child.kill()
            child.wait()

    def _ask(self, action: str, phase: str, file: str, content: bytes) -> dict[str, Any]:
        with self._turn, tempfile.TemporaryDirectory(prefix="marginalia-judge-") as folder:
            path = Path(folder) / file
            path.write_bytes(content)
            answer = self._exchange({"action": action, "phase": phase, "path": str(path)})
        if "problem" in answer:
            raise FormatError(answer["problem"])
        if "broken" in answer:
            raise JudgeError(answer["broken"])
        return answer

    def _exchange(self, request: dict[str, str]) -> dict[str, Any]:
        child = self._running()
        seconds = self.competition.limits.seconds
        try:
            _pipe(child.stdin).write(json.dumps(request) + "\n")
            _pipe(child.stdin).flush()
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            self._end(child)
            raise JudgeError(f"it was not done after {seconds:g} seconds, the limit") from None
        except OSError:
            line = ""
        if not line:
            self._end(child)
            raise JudgeError("the scorer ended without an answer")
        return dict(json.loads(line))

    def _running(self) -> subprocess.Popen[str]:
        if self._is_closed:
            raise OutOfOrderError("the server is ending")
        if self._child is not None and self._child.poll() is None:
            return self._child
        limits = self.competition.limits
        words = [str(self.competition.folder), str(limits.memory_mb), str(limits.seconds)]
        child = subprocess.Popen(  # noqa: S603 - our own module
            module_command("marginalia.bench.host.child", *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **ONE_THREAD},
        )
        self._child, self._lines = child, queue.Queue()
        source = _pipe(child.stdout)
        threading.Thread(target=_pass_on, args=(source, self._lines), daemon=True).start()
        try:
            line = self._lines.get(timeout=START_SECONDS)
        except queue.Empty:
            line = ""
        if line.strip() != "ready":
            self._end(child)
            raise OutOfOrderError("the scorer does not start: the server's own output says why")
        return child

    def _end(self, child: subprocess.Popen[str]) -> None:
        child.kill()
        child.wait()
        self._child = None


def _pipe(end: IO[str] | None) -> IO[str]:
    if end is None:  # never: Popen was told to make both
        raise OutOfOrderError("the scorer has no pipe")
    return end


def _pass_on(source: IO[str], lines: queue.Queue[str]) -> None:
    """Lines as they come, and an empty one at the end: a pipe alone cannot be waited for with a limit everywhere."""
    for line in source:
        lines.put(line)
    lines.put("")
