"""The web reader under mixed requests for a while: errors, memory, and whether anything is lost.

    python benchmarks/soak.py [--minutes 30]

A server on loopback is asked for notes, pages and exports, is sent files, bad requests and clients that leave in the middle of an
answer or of an upload, and is stopped and started again. What is asked comes from one seed. A wrong answer is a 5xx, an answer
that breaks off, or another text than was uploaded. Memory is compared as the server has it soon after its last start and at
the end, because each start begins anew. Writes results/soak.json and the table of docs/explanation/robustness.md.
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
import time
from collections import Counter
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "soak.json"
RESTARTS = 2
"""All in the first third of the time, so that the last server has the rest to itself."""
WARM = 5 / 6
"""Of the time that the last server has: memory is compared from this share before the end."""
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
    """A server in a process of its own, with a cache that outlives it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
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
            env={**os.environ, "MARGINALIA_CACHE": str(self.folder)},
            stdout=self.log,
            stderr=self.log,
        )
        for _ in range(600):
            try:
                if self.ask("GET", "/api/tasks")[0] == 200:
                    # The models are loaded by what needs them first, and memory is compared with them.
                    self.ask("POST", "/api/annotate", json.dumps({"text": TEXT.format(1)}).encode())
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the server did not start")

    def stop(self, *, kill: bool = False) -> None:
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


def soak(minutes: float) -> dict[str, Any]:
    rng = random.Random(7)
    asked: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        reader = Reader(Path(place))
        began = time.monotonic()
        end = began + 60 * minutes
        restarts = [began + 20 * minutes * (n + 1) / RESTARTS for n in range(RESTARTS)]
        settled = end - WARM * (end - restarts[-1])
        texts: dict[str, str] = {}
        early = 0.0
        while (now := time.monotonic()) < end:
            if restarts and now > restarts[0]:
                restarts.pop(0)
                reader.stop(kill=bool(len(restarts) % 2))
                reader.start()
                asked["restarts"] += 1
                texts.clear()  # uploads live as long as the server
            if not early and now > settled:
                early = reader.megabytes()
            kind = rng.choice(
                ("annotate", "upload", "read", "export", "bad", "leave", "list", "drop")
            )
            try:
                said = one(reader, kind, rng, texts)
            except (OSError, http.client.HTTPException, ValueError) as error:
                said = f"{type(error).__name__}: {error}"
            asked[kind] += 1
            if said:
                wrong.append(f"{kind}: {said}"[:200])
        late = reader.megabytes()
        lost = sum(reader.ask("GET", f"/api/documents/{id}")[0] != 200 for id in texts)
        reader.stop()
        tracebacks = (Path(place) / "log.txt").read_text(errors="replace").count("Traceback")
    return {
        "minutes": minutes,
        "requests": sum(asked.values()),
        "asked": dict(sorted(asked.items())),
        "wrong": wrong[:20],
        "wrong_answers": len(wrong),
        "tracebacks": tracebacks,
        "lost": lost,
        "megabytes_early": round(early),
        "megabytes_late": round(late),
    }


def one(reader: Reader, kind: str, rng: random.Random, texts: dict[str, str]) -> str:
    """One request of a kind; what was wrong with its answer, or nothing."""
    text = TEXT.format(rng.randrange(300)) * rng.randint(1, 8)
    id = rng.choice(list(texts)) if texts else ""
    if kind == "annotate":
        status, body = reader.ask("POST", "/api/annotate", json.dumps({"text": text}).encode())
        return (
            ""
            if status == 200 and json.loads(body)["text"].strip() == text.strip()
            else f"{status}"
        )
    if kind == "upload" and len(texts) < MAX_DOCUMENTS:
        status, body = reader.ask("POST", "/api/documents?name=jar.txt", text.encode())
        if status == 201:
            texts[json.loads(body)["id"]] = text
        return "" if status == 201 else f"{status}"
    if kind == "bad":
        method, path, data = rng.choice(BAD)
        status, body = reader.ask(method, path, data)
        return "" if status < 500 else f"{status} {path}"
    if kind == "leave":
        whole = b"POST /api/documents?name=x.txt HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 900000\r\n\r\n"
        part = b"GET /api/documents HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
        reader.leave(
            rng.choice((whole + b"x" * 1000, part, part[:20])).replace(b"%d", b"%d" % reader.port)
        )
        return ""
    if kind == "drop" and len(texts) > MAX_DOCUMENTS // 2:
        texts.pop(id)
        status, _ = reader.ask("DELETE", f"/api/documents/{id}")
        return "" if status == 204 else f"{status}"
    if kind == "export" and id:
        status, _ = reader.ask(
            "GET", f"/api/documents/{id}/export?format={rng.choice(('json', 'csv', 'html'))}"
        )
        return "" if status < 500 else f"{status}"
    if kind == "read" and id:
        status, body = reader.ask("GET", f"/api/documents/{id}")
        found = json.loads(body).get("text") if status == 200 else None
        return (
            ""
            if status == 200 and found in (None, texts[id].strip(), texts[id])
            else f"{status} {found!r:.40}"
        )
    status, body = reader.ask("GET", "/api/documents")
    missing = texts.keys() - {each["id"] for each in json.loads(body)}
    return f"missing {len(missing)}" if missing else "" if status == 200 else f"{status}"


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    found = results["soak"]
    rows = [
        ["minutes", f"{found['minutes']:g}"],
        ["requests", f"{found['requests']:,}"],
        [
            "of them clients that left, bad requests, restarts",
            ", ".join(f"{found['asked'].get(name, 0):,}" for name in ("leave", "bad", "restarts")),
        ],
        ["wrong answers", f"{found['wrong_answers']:,}"],
        ["tracebacks in the server's log", f"{found['tracebacks']:,}"],
        ["uploads lost", f"{found['lost']:,}"],
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
