"""The process that checks and scores: JSON lines in and out, under limits on memory and time.

``python -m marginalia.bench.host.child FOLDER MEMORY_MB SECONDS``
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from marginalia.bench.host.judge import Judge
from marginalia.bench.host.settings import read_competition
from marginalia.core.errors import MarginaliaError

MAX_WRITTEN = 512 * 2**20
"""Bytes of a file that it may write: archives are unpacked on disk."""


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


if __name__ == "__main__":
    main(*sys.argv[1:4])
