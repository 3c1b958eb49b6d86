"""Many teams at once, and a server that is killed in the middle: every submission is scored exactly once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from marginalia.bench.host.database import Database
from marginalia.bench.host.ledger import audit
from marginalia.bench.host.site import SQLITE_FILE, open_database, utc_now
from marginalia.bench.host.teams import add_team
from tests.bench.host.small import make_competition, predictions

CLIENTS, EACH = 20, 10
PATIENCE = 240.0
"""Seconds until a slow machine is given up; every wait ends as soon as its condition holds."""


class Served:
    """``bench serve`` as a process of its own, which can be killed and started again on its port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        words = ["bench", "serve", str(self.folder), "--port", str(self.port)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "marginalia", *words], stdout=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        assert "http://" in line, "the server did not start"
        self.port = int(line.split("127.0.0.1:")[1].split("/")[0])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)


def hand_in(http: httpx.Client, served: Served, token: str, number: int, taken: list[int]) -> None:
    """Send a submission again and again, as a client would whose connection breaks, until the server has it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            answer = http.post(
                f"http://127.0.0.1:{served.port}/api/submissions",
                params={"phase": "main", "file": "pred.csv", "description": f"run {number}"},
                headers={"authorization": f"Bearer {token}", "idempotency-key": str(number)},
                content=predictions(number),
            )
        except httpx.TransportError:
            continue
        if answer.status_code != 503:  # its judge may be ending
            assert answer.status_code == 202, answer.text
            taken.append(answer.json()["id"])
            return
    raise AssertionError("not taken in time")


def wait_for(database: Database, sql: str, count: int) -> None:
    deadline, pause = time.monotonic() + PATIENCE, threading.Event()
    while time.monotonic() < deadline:
        with database.read() as rows:
            if int(rows.value(sql)) >= count:
                return
        pause.wait(0.05)
    raise AssertionError(f"{sql} never reached {count}")


@pytest.mark.slow
def test_two_hundred_submissions_are_scored_exactly_once(tmp_path: Path, database_url: str) -> None:
    folder = make_competition(tmp_path)
    database = open_database(folder)
    assert database.is_postgres == bool(database_url)
    assert (folder / SQLITE_FILE).exists() != bool(database_url)
    tokens = [add_team(database, f"team {number}", utc_now()) for number in range(CLIENTS)]
    served = Served(folder)
    served.start()
    taken: list[int] = []

    def client(team: int) -> None:
        with httpx.Client(timeout=PATIENCE, trust_env=False, verify=False) as http:  # noqa: S501
            for number in range(EACH):
                hand_in(http, served, tokens[team], number, taken)

    with ThreadPoolExecutor(CLIENTS) as pool:
        running = [pool.submit(client, team) for team in range(CLIENTS)]
        # Twice in the middle: while submissions come in, and while they are being scored.
        for results in (20, 90):
            wait_for(database, "SELECT count(*) FROM results", results)
            served.kill()
            served.start()
        for each in running:
            each.result()
    wait_for(database, "SELECT count(*) FROM results", CLIENTS * EACH)
    served.stop()
    assert sorted(taken) == list(range(1, CLIENTS * EACH + 1))
    with database.read() as rows:
        assert rows.value("SELECT count(*) FROM submissions") == CLIENTS * EACH
        assert rows.value("SELECT count(*) FROM results WHERE problem IS NOT NULL") == 0
        scored = rows.all("SELECT detail FROM ledger WHERE what = 'submission scored'")
    numbers = [json.loads(detail)["submission"] for (detail,) in scored]
    assert sorted(numbers) == sorted(taken), "scored once each"
    found = audit(database)
    assert found.faults == ()
    assert os.environ.get("DATABASE_URL", "") == database_url
