"""``kill -9`` at random moments: after resuming the rows are those of a run that nobody disturbed.

A short run of it is always made; ``MARGINALIA_KILLS=20`` makes the long ones too, on both engines.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.corpus.conftest import command, environment, marginalia
from tests.corpus.rows import all_rows

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds its processes in /proc")

DOCUMENTS = 48
KILLS = int(os.environ.get("MARGINALIA_KILLS", "0"))
"""How often in the long tests, which take minutes each: ``MARGINALIA_KILLS=20 pytest tests/corpus/test_kill.py``."""
PATIENCE = 600
"""Seconds after which something hangs."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    folder = tmp_path_factory.mktemp("killed") / "papers"
    folder.mkdir()
    for number in range(DOCUMENTS):
        words = " ".join(f"Word{number}x{place} follows." for place in range(200))
        (folder / f"{number:03}.txt").write_text(words)
    ran = marginalia(*annotate(folder, folder.parent / "whole"))
    assert ran.returncode == 0, ran.stderr
    return folder, all_rows(folder.parent / "whole")


def annotate(folder: Path, out: Path, *where: object) -> list[object]:
    words = ["corpus", "annotate", folder, "-o", out, "--notes", "fragile", "--no-vectors"]
    return [*words, "--workers", 2, "--retry", *where]


def start(folder: Path, out: Path, *where: object) -> subprocess.Popen[bytes]:
    words = command(*annotate(folder, out, *where))
    with said(out).open("ab") as file:
        return subprocess.Popen(words, env=environment(), stdout=file, stderr=file)


def said(out: Path) -> Path:
    """Where a run tells what went wrong."""
    return out.with_name(f"{out.name}.txt")


def commits(out: Path) -> int:
    return len(list(out.glob("commits/*.json")))


def wait_for_commits(process: subprocess.Popen[bytes], out: Path, count: int) -> None:
    """Until so many parts are committed, or the run has ended."""
    for _ in range(PATIENCE * 20):
        if commits(out) >= count:
            return
        try:
            process.wait(timeout=0.05)
            return
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("no progress")


def below(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    try:
        found = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += [int(one) for one in (thread / "children").read_text().split()]
    except OSError:
        return []
    return sorted({*found, *(deeper for one in found for deeper in below(one))})


def workers(pid: int) -> list[int]:
    found = []
    for one in below(pid):
        try:
            said = Path(f"/proc/{one}/cmdline").read_bytes()
        except OSError:
            continue
        if b"marginalia.corpus.worker" in said or b"RayWorker" in said:
            found.append(one)
    return found


def kill_workers(folder: Path, out: Path, engine: str, times: int, chance: random.Random) -> int:
    """Kill one worker after another, each after something new was committed."""
    killed = 0
    while killed < times:
        process = start(folder, out, "--engine", engine)
        while process.poll() is None and killed < times:
            wait_for_commits(process, out, commits(out) + 1)
            found = workers(process.pid)
            if found and process.poll() is None:
                os.kill(chance.choice(found), signal.SIGKILL)
                killed += 1
        process.wait(timeout=PATIENCE)
        if commits(out) * 16 >= DOCUMENTS and process.returncode == 0:
            return killed
    return killed


def kill_drivers(
    folder: Path, outs: Iterator[Path], where: Sequence[object], times: int, chance: random.Random
) -> list[Path]:
    """Kill the run itself, some after a commit and a bit, some before it got anywhere. A run that came to its end begins anew."""
    out = next(outs)
    used, killed = [out], 0
    while killed < times:
        process = start(folder, out, *where)
        wait_for_commits(process, out, commits(out) + chance.choice((0, 1, 1)))
        try:
            assert process.wait(timeout=chance.uniform(0, 1.5)) == 0, said(out).read_text()
            out = next(outs)
            used.append(out)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
    return used


SHORT = [("local", "worker", 2), ("local", "driver", 2)]
LONG = [(engine, who, KILLS) for engine in ("local", "ray") for who in ("worker", "driver")]


@pytest.mark.parametrize(
    ("engine", "who", "times"),
    [*SHORT, *(pytest.param(*case, marks=pytest.mark.slow) for case in LONG if KILLS)],
)
def test_the_rows_are_the_same_after_kills(
    undisturbed: tuple[Path, dict[str, object]], tmp_path: Path, engine: str, who: str, times: int
) -> None:
    folder, whole = undisturbed
    chance = random.Random(f"{engine} {who}")
    outs = (tmp_path / str(number) for number in count(1))
    used: list[Path] = []
    if who == "worker":
        done = 0
        while done < times:  # a run is over before all are killed: the next one starts anew
            used.append(next(outs))
            done += kill_workers(folder, used[-1], engine, times - done, chance)
    else:
        used = kill_drivers(folder, outs, ("--engine", engine), times, chance)
    for out in used:
        resumed = marginalia(*annotate(folder, out))
        assert resumed.returncode == 0, resumed.stderr
        assert all_rows(out) == whole
