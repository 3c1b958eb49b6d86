"""Killed in the midst of uploading and deciding: the library is intact, and nothing that was confirmed is lost."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from marginalia.web.library import Library
from marginalia.web.store.store import Store

CHILD = Path(__file__).parent / "kill_child.py"
MOST_SECONDS = 60


@dataclass
class Confirmed:
    """What the server has said to have."""

    files: dict[str, str] = field(default_factory=dict)
    """Document -> SHA-256 of what was sent."""
    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)
    """Document -> what its notes say -> the last verdict on each."""
    removed: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    """Documents that the request under way was about."""


class Round:
    """A server of its own, some requests that it answers, and one that it does not live to answer."""

    def __init__(self, folder: Path, chance: random.Random, confirmed: Confirmed) -> None:
        self.chance, self.confirmed = chance, confirmed
        self.process = subprocess.Popen(
            [sys.executable, str(CHILD), str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        port = self.process.stdout.readline()
        assert port, self.process.stderr.read() if self.process.stderr else ""
        self.address = ("127.0.0.1", int(port))

    def run(self) -> None:
        try:
            for _ in range(self.chance.randint(1, 6)):
                self.answered(*self.request())
            self.killed(*self.request())
        finally:
            self.process.kill()
            self.process.communicate()

    def request(self) -> tuple[str, str, bytes, Any]:
        """Something to ask for, and what to note down when it is confirmed."""
        known = sorted(self.confirmed.files.keys() - self.confirmed.removed)
        kind = (
            self.chance.choice(["upload", "add", "reject", "remove", "undo"]) if known else "upload"
        )
        if kind == "upload":
            text = " ".join(
                self.chance.choices(
                    ["alpha", "beta", "gamma"], k=self.chance.choice([10, 1_000, 60_000])
                )
            )
            return (
                "POST",
                "/api/documents?name=a.txt",
                text.encode(),
                ("upload", hashlib.sha256(text.encode()).hexdigest()),
            )
        id = self.chance.choice(known)
        path = f"/api/documents/{id}"
        if kind == "remove" and len(known) > 3:
            return "DELETE", path, b"", ("remove", id)
        own = self.confirmed.verdicts.get(id, {})
        if kind == "reject" and own:
            why = self.chance.choice(sorted(own))
            note = next(n["id"] for n in self.notes(id) if n["attrs"]["why"] == why)
            return (
                "POST",
                f"{path}/decisions",
                json.dumps({"notes": [note], "verdict": "rejected"}).encode(),
                ("verdict", id, why, "rejected"),
            )
        why = f"note {self.chance.random()}"
        self.notes(id)  # until it is read
        return (
            "POST",
            f"{path}/decisions/add",
            json.dumps({"start": 0, "end": 4, "why": why}).encode(),
            ("verdict", id, why, "added"),
        )

    def notes(self, id: str) -> list[dict[str, Any]]:
        self.ask("GET", f"/api/documents/{id}/events").read()  # ends when it is done
        return list(json.load(self.ask("GET", f"/api/documents/{id}"))["annotations"])

    def ask(self, method: str, path: str, body: bytes = b"") -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(*self.address, timeout=MOST_SECONDS)
        connection.request(method, path, body, {"content-type": "application/json"})
        answer = connection.getresponse()
        assert answer.status < 300, answer.read()
        return answer

    def answered(self, method: str, path: str, body: bytes, what: Any) -> None:
        answer = self.ask(method, path, body).read()
        if what[0] == "upload":
            self.confirmed.files[json.loads(answer)["id"]] = what[1]
        elif what[0] == "remove":
            self.confirmed.removed.add(what[1])
        else:
            self.confirmed.verdicts.setdefault(what[1], {})[what[2]] = what[3]

    def killed(self, method: str, path: str, body: bytes, what: Any) -> None:
        """Sent as far as chance has it, then the server is gone."""
        if what[0] != "upload":
            self.confirmed.unsure.add(what[1])
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        data = head.encode() + body
        cut = self.chance.choice([len(data), len(data), self.chance.randrange(len(data))])
        with socket.create_connection(self.address, timeout=MOST_SECONDS) as one:
            one.sendall(data[:cut])
            if cut == len(data) and self.chance.random() < 0.5:
                with suppress(OSError):
                    one.recv(self.chance.choice([1, 200]))  # at the moment of the answer
            os.kill(self.process.pid, 9)


def check(folder: Path, confirmed: Confirmed) -> None:
    store = Store(folder)
    assert store.db.faults() == []
    records = {record.id: record for record in store.documents.all()}
    assert list(store.incoming.iterdir()) == [], "nothing half-sent is left"
    for id, sha256 in confirmed.files.items():
        assert (
            records[id].sha256
            == sha256
            == hashlib.sha256(records[id].path.read_bytes()).hexdigest()
        )
        if id not in confirmed.unsure:
            assert bool(records[id].removed) == (id in confirmed.removed)
    for record in records.values():
        assert hashlib.sha256(record.path.read_bytes()).hexdigest() == record.sha256, (
            "wholly there or not at all"
        )
        current = {
            str(one.note.attrs["why"]): one.verdict for one in store.decisions.current(record.id)
        }
        wanted = confirmed.verdicts.get(record.id, {})
        if record.id not in confirmed.unsure:
            assert current == wanted
        assert wanted.keys() <= current.keys(), "what was confirmed is there"
        # The one request that was not answered may have been done; from now on it counts as what it is.
        confirmed.verdicts[record.id] = current
        confirmed.files[record.id] = record.sha256
        if record.removed:
            confirmed.removed.add(record.id)
    confirmed.unsure.clear()
    store.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
@pytest.mark.parametrize("rounds", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_nothing_that_was_confirmed_is_lost(tmp_path: Path, rounds: int) -> None:
    chance, confirmed = random.Random(rounds), Confirmed()
    for _ in range(rounds):
        Round(tmp_path, chance, confirmed).run()
        check(tmp_path, confirmed)
    assert confirmed.files
    # What was waiting when the server was killed is read by the next.
    library = Library(store=Store(tmp_path))
    library.wait()
    states = {record.state for record in library.store.documents.all() if not record.removed}
    assert states <= {"done"}
    library.close()
