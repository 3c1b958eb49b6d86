"""The web reader under mixed requests for a while: errors, memory, and whether anything is lost.

    python benchmarks/soak.py [--minutes 30]

Three clients at once ask a server on loopback for notes, pages and exports, send files, notes of their own and bad requests, and leave
in the middle of an answer or of an upload; meanwhile the server is stopped once and killed once, and started again. What is asked comes
from seeds. A wrong answer is a 5xx, an answer that breaks off while the server runs, another text than was uploaded, or a document or note
that was confirmed and is not there. Memory is compared as the last server has it after a sixth of its time and at the end. Writes
results/soak.json and the table of docs/explanation/robustness.md.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "soak.json"
RESTARTS = 2
"""All in the first third of the time, so that the last server has the rest to itself."""
WARM = 5 / 6
"""Of the time that the last server has: memory is compared from this share before the end."""
CLIENTS = 3
MAX_DOCUMENTS = 30
TEXT = (
    "The jar number {} held 5.2 kg of honey at 20 °C. Mix it with flour and hold for ten seconds. "
)
BAD = (
    ("GET", "/api/documents/nobody", None),
    ("POST", "/api/annotate", b"{"),
    ("POST", "/api/annotate", b'{"text": 3}'),
    ("POST", "/api/documents?name=x.pdf", b"no PDF"),
    ("GET", "/api/../../etc/passwd", None),
    ("POST", "/api/documents?name=x.docx", b"PK\x03\x04 damaged"),
)


class Reader:
    """A server in a process of its own, with a library and a cache that outlive it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.starts = 0
        self.running = False
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        words = [
            "serve",
            "--port",
            str(self.port),
            "--no-browse",
            str(ROOT / "examples" / "guide.md"),
        ]
        self.log = (self.folder / "log.txt").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "marginalia", *words],
            env={
                **os.environ,
                "MARGINALIA_CACHE": str(self.folder / "cache"),
                "MARGINALIA_LIBRARY": str(self.folder / "library"),
                "MARGINALIA_CONFIG": str(self.folder / "config"),
            },
            stdout=self.log,
            stderr=self.log,
        )
        for _ in range(600):
            try:
                if self.ask("GET", "/api/tasks")[0] == 200:
                    # The models are loaded by what needs them first, and memory is compared with them.
                    self.ask("POST", "/api/annotate", json.dumps({"text": TEXT.format(1)}).encode())
                    self.starts += 1
                    self.running = True
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the server did not start")

    def stop(self, *, kill: bool = False) -> None:
        self.running = False
        self.process.kill() if kill else self.process.terminate()
        self.process.wait(60)
        self.log.close()

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            headers = {"content-type": "application/json"} if body else {}
            wire.request(method, path, body, headers)
            answer = wire.getresponse()
            return answer.status, answer.read()
        finally:
            wire.close()

    def leave(self, request: bytes) -> None:
        """Say something and go without waiting for the answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as wire:
            wire.sendall(request)

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


@dataclass
class Confirmed:
    """What the server said it has, from all clients; each document belongs to the client that sent it."""

    texts: dict[str, str] = field(default_factory=dict)
    notes: dict[str, set[str]] = field(default_factory=dict)
    """Id of a document -> what the notes say that were added to it."""


@dataclass
class Client(threading.Thread):
    reader: Reader
    rng: random.Random
    until: float
    asked: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    own: Confirmed = field(default_factory=Confirmed)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        kinds = ("annotate", "upload", "read", "export", "bad", "leave", "list", "drop", "note")
        while time.monotonic() < self.until:
            starts, running, kind = self.reader.starts, self.reader.running, self.rng.choice(kinds)
            if not running:
                time.sleep(0.05)
                continue
            try:
                said = one(self.reader, kind, self.rng, self.own)
            except (OSError, http.client.HTTPException) as error:
                said = f"{type(error).__name__}: {error}"
            if said and (not self.reader.running or self.reader.starts != starts):
                self.asked["cut off by a restart"] += 1
                continue
            self.asked[kind] += 1
            if said:
                self.wrong.append(f"{kind}: {said}"[:200])


def soak(minutes: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        reader = Reader(Path(place))
        began = time.monotonic()
        end = began + 60 * minutes
        restarts = [began + 20 * minutes * (n + 1) / RESTARTS for n in range(RESTARTS)]
        settled = end - WARM * (end - restarts[-1])
        clients = [Client(reader, random.Random(seed), end) for seed in range(CLIENTS)]
        for client in clients:
            client.start()
        for number, moment in enumerate(restarts):
            time.sleep(max(0.0, moment - time.monotonic()))
            reader.stop(kill=bool(number % 2))
            reader.start()
        time.sleep(max(0.0, settled - time.monotonic()))
        early = reader.megabytes()
        for client in clients:
            client.join()
        late = reader.megabytes()
        lost = sum(missing(reader, client.own) for client in clients)
        reader.stop()
        log = (Path(place) / "log.txt").read_text(errors="replace")
    asked = sum((client.asked for client in clients), Counter())
    wrong = [said for client in clients for said in client.wrong]
    return {
        "minutes": minutes,
        "clients": CLIENTS,
        "restarts": RESTARTS,
        "requests": asked.total(),
        "asked": dict(sorted(asked.items())),
        "wrong": wrong[:20],
        "wrong_answers": len(wrong),
        "tracebacks": log.count("Traceback"),
        "traceback": log[log.find("Traceback") :][:3000] if "Traceback" in log else "",
        "lost": lost,
        "kept": sum(len(client.own.texts) for client in clients),
        "megabytes_early": round(early),
        "megabytes_late": round(late),
    }


def followed(reader: Reader, id: str) -> str:
    """Follow what happens to a document until it is read; what was wrong with that."""
    status, body = reader.ask("GET", f"/api/documents/{id}/events")
    return "" if status == 200 and b"event: done" in body else f"{status} {body[-80:]!r}"


def missing(reader: Reader, own: Confirmed) -> int:
    """Documents and notes that were confirmed and are not there at the end, or are others."""
    found = 0
    for id, text in own.texts.items():
        followed(reader, id)
        status, body = reader.ask("GET", f"/api/documents/{id}")
        given = json.loads(body) if status == 200 else {}
        whole = str(given.get("text", "")).strip() == text.strip()
        there = {str(note["attrs"].get("why")) for note in given.get("annotations", ())}
        found += not (whole and own.notes.get(id, set()) <= there)
    return found


def one(reader: Reader, kind: str, rng: random.Random, own: Confirmed) -> str:
    """One request of a kind; what was wrong with its answer, or nothing."""
    texts = own.texts
    text = TEXT.format(rng.randrange(300)) * rng.randint(1, 8)
    id = rng.choice(list(texts)) if texts else ""
    path = f"/api/documents/{id}"
    if kind == "annotate":
        status, body = reader.ask("POST", "/api/annotate", json.dumps({"text": text}).encode())
        same = status == 200 and json.loads(body)["text"].strip() == text.strip()
        return "" if same else f"{status}"
    if kind == "upload" and len(texts) < MAX_DOCUMENTS:
        status, body = reader.ask("POST", "/api/documents?name=jar.txt", text.encode())
        if status != 201:
            return f"{status}"
        id = json.loads(body)["id"]
        texts[id] = text
        if rng.random() < 0.5:
            return followed(reader, id)
        return ""
    if kind == "note" and id:
        why = f"note {rng.random()}"
        note = {"start": 0, "end": 3, "why": why}
        status, body = reader.ask("POST", f"{path}/decisions/add", json.dumps(note).encode())
        if status < 300:
            own.notes.setdefault(id, set()).add(why)
        return "" if status < 300 or b"not read yet" in body else f"{status} {body[:80]!r}"
    if kind == "bad":
        method, path, data = rng.choice(BAD)
        status, body = reader.ask(method, path, data)
        return "" if status < 500 else f"{status} {path}"
    if kind == "leave":
        whole = b"POST /api/documents?name=x.txt HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 900000\r\n\r\n"
        part = b"GET /api/documents HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
        request = rng.choice((whole + b"x" * 1000, part, part[:20]))
        reader.leave(request.replace(b"%d", b"%d" % reader.port))
        return ""
    if kind == "drop" and len(texts) > MAX_DOCUMENTS // 2:
        texts.pop(id)
        own.notes.pop(id, None)
        status, _ = reader.ask("DELETE", path)
        return "" if status == 204 else f"{status}"
    if kind == "export" and id:
        name = rng.choice(("json", "csv", "html"))
        status, _ = reader.ask("GET", f"{path}/export?format={name}")
        return "" if status < 500 else f"{status}"
    if kind == "read" and id:
        status, body = reader.ask("GET", path)
        found = json.loads(body).get("text") if status == 200 else None
        same = status == 200 and found in (None, texts[id].strip(), texts[id])
        return "" if same else f"{status} {found!r:.40}"
    status, body = reader.ask("GET", "/api/documents")
    gone = texts.keys() - {each["id"] for each in json.loads(body)} if status == 200 else ()
    return f"missing {len(gone)}" if gone else "" if status == 200 else f"{status}"


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    found = results["soak"]
    rows = [
        ["minutes", f"{found['minutes']:g}"],
        ["requests", f"{found['requests']:,}"],
        [
            "of them clients that left, bad requests, cut off by a restart",
            ", ".join(
                f"{found['asked'].get(name, 0):,}"
                for name in ("leave", "bad", "cut off by a restart")
            ),
        ],
        ["wrong answers", f"{found['wrong_answers']:,}"],
        ["tracebacks in the server's log", f"{found['tracebacks']:,}"],
        ["documents at the end; lost or changed", f"{found['kept']:,}; {found['lost']:,}"],
        [
            "memory once settled, at the end",
            f"{found['megabytes_early']} MB, {found['megabytes_late']} MB",
        ],
    ]
    return {
        (ROOT / "docs" / "explanation" / "robustness.md", "soak:table"): markdown(
            ("what", "measured"), rows
        )
    }


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--minutes", type=float, default=30.0)
    return made


def main() -> None:
    minutes = parser().parse_args().minutes
    results = load(RESULT)
    results["soak"] = soak(minutes)
    print(json.dumps(results["soak"], indent=1))
    keep(RESULT, results, options=f"--minutes {minutes:g}")
    fill(tables(results))


if __name__ == "__main__":
    main()
