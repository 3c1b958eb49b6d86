"""Checks and scores submissions with the official scorer of the task, on a split or on gold files.

``python -m marginalia.bench.host.judge FOLDER MEMORY_MB SECONDS`` does so in a process with limits on memory and time,
JSON lines in and out; ``JudgeProcess`` is its end in the server.
"""

from __future__ import annotations

import json
import math
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import IO, Any

from marginalia.bench.host.errors import JudgeError, OutOfOrderError
from marginalia.bench.host.settings import Competition, Phase, read_competition
from marginalia.bench.run import intervals, load_split
from marginalia.bench.submission import read_submission
from marginalia.core.archive import unpacked, within
from marginalia.core.benchmark import Predictions, Split, uniform
from marginalia.core.data_folder import data_hash
from marginalia.core.errors import FormatError, MarginaliaError, MissingError
from marginalia.core.long_work import module_command
from marginalia.core.report import Report, plain

RESAMPLES = 400
"""Samples for an interval on the board: its bounds move by less than a tenth of its width."""
MAX_WRITTEN = 512 * 2**20
"""Bytes of a file that it may write: archives are unpacked on disk."""
START_SECONDS = 120.0
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Each thread of a numerical library reserves memory, which counts against the limit."""


class Judge:
    """The gold of a competition. It lives in a process of its own and never leaves it."""

    def __init__(self, competition: Competition) -> None:
        self.competition = competition
        self.task = competition.card
        self._split = cache(self._load)

    def load(self, phase: Phase) -> None:
        """Read the gold of a phase before a score is asked for."""
        if phase.gold is None:
            self._split(phase.name)
        elif not phase.gold.exists():
            raise MissingError(f"{phase.gold}: there is no such file or folder")

    def check(self, phase: Phase, path: Path) -> int:
        """How many predictions a submission has; ``FormatError`` names the line that does not fit."""
        if phase.gold is not None:
            self._score_files(phase.gold, path)
            return 0
        return len(read_submission(self.task, self._split(phase.name)[0], path))

    def score(self, phase: Phase, path: Path) -> dict[str, Any]:
        """The figures: ``public``, shown at once, and ``final``, shown when the phase is over."""
        if phase.gold is not None:
            whole = self._figures(self._score_files(phase.gold, path))
            return {"public": whole, "final": whole}
        split, public, private = self._split(phase.name)
        pred = read_submission(self.task, split, path)
        if public is private:
            whole = self._part(split, pred)
            return {"public": whole, "final": whole}
        return {
            "public": self._part(public, pred) if public else None,
            "final": self._part(private, pred) if private else None,
        }

    def _load(self, name: str) -> tuple[Split, Split | None, Split | None]:
        """The split of a phase, and its public and private parts."""
        phase = self.competition.phase(name)
        split = load_split(
            self.task, phase.split, self.competition.data_folder, self.competition.options
        )
        split.require_gold()
        if phase.public == 1:
            return split, split, split
        # Drawn by the hash of the gold, which no participant can compute: which groups are public stays unknown.
        salt = data_hash(split.files)
        open_groups = {
            group
            for group in set(split.group.values())
            if uniform(f"{salt}:{group}") < phase.public
        }
        shown = [id for id, group in split.group.items() if group in open_groups]
        hidden = [id for id, group in split.group.items() if group not in open_groups]
        return split, _take(split, shown), _take(split, hidden)

    def _part(self, split: Split, pred: Predictions) -> dict[str, Any]:
        given = {id: pred[id] for id in split.items}
        return {
            **self._figures(self.task.score(split, given)),
            "intervals": self._between(split, given),
        }

    def _figures(self, report: Report) -> dict[str, Any]:
        return {"scores": plain(report.scores), "warnings": list(report.warnings)}

    def _between(self, split: Split, pred: Predictions) -> dict[str, list[float]]:
        """Lower and upper bound of the figures that have an interval; gold files have no groups to draw from."""
        found = intervals(self.task, split, pred, n=RESAMPLES)
        bounds = {path: [each["low"], each["high"]] for path, each in found.items()}
        return {path: each for path, each in bounds.items() if all(map(math.isfinite, each))}

    def _score_files(self, gold: Path, path: Path) -> Report:
        with unpacked(path) as inner:
            try:
                return self.task.score_files(gold, inner)
            except FormatError as error:
                raise within(error, inner, path) from None


def _take(split: Split, ids: list[str]) -> Split | None:
    return split.take(ids) if ids else None


def main(folder: str, memory_mb: str, seconds: str) -> None:
    out = sys.stdout
    sys.stdout = sys.stderr  # what a scorer prints must not look like an answer
    competition = read_competition(folder)
    judge = Judge(competition)
    _limit(int(memory_mb) * 2**20)
    print("ready", file=out, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        # The parent ends us when time is up. Where it was killed itself, this does.
        _alarm(int(float(seconds)) + 5)
        answer = json.dumps(_answer(judge, request))
        _alarm(0)
        print(answer, file=out, flush=True)


def _answer(judge: Judge, request: dict[str, Any]) -> dict[str, Any]:
    path = Path(request["path"])
    try:
        phase = judge.competition.phase(request["phase"])
        if request["action"] == "load":
            judge.load(phase)
            return {}
        if request["action"] == "check":
            return {"predictions": judge.check(phase, path)}
        return {"scores": judge.score(phase, path)}
    except MarginaliaError as error:
        return {"problem": str(error).replace(f"{path.parent}/", "")}
    except MemoryError:
        return {"broken": "it needs more memory than a scoring may use"}
    except Exception as error:  # whatever a file can do to a scorer, the queue goes on
        return {"broken": f"the scorer cannot handle it ({type(error).__name__})"}


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_WRITTEN, MAX_WRITTEN))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _alarm(seconds: int) -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


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
        """End the process, whatever it does; a request that waits fails."""
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
            module_command("marginalia.bench.host.judge", *words),
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
    if end is None:  # never: Popen was asked to make both
        raise OutOfOrderError("the scorer has no pipe")
    return end


def _pass_on(source: IO[str], lines: queue.Queue[str]) -> None:
    """Lines as they come, and an empty one at the end: a pipe alone cannot be waited for with a limit everywhere."""
    for line in source:
        lines.put(line)
    lines.put("")


if __name__ == "__main__":
    main(*sys.argv[1:4])
