"""The server as a process: it ends when it is told to, whoever listens and whatever it works at, and answers at once."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from marginalia import FormatError
from marginalia.web.app import create_app
from marginalia.web.library import Library
from marginalia.web.server import Server, bind

HOURS = "".join(
    f"The kinase number {number} perturbs homeostasis, and the flask weighed {number} kg.\n\n"
    for number in range(20_000)
)
"""A text whose notes take far longer than a test waits."""
MOST_SECONDS = 60
"""An end that takes longer has failed, on the slowest machine too."""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("told", "code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)], ids=["term", "int"]
)
def test_it_ends_while_it_works_and_is_listened_to(
    tmp_path: Path, told: signal.Signals, code: int
) -> None:
    (tmp_path / "long.txt").write_text(HOURS, encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    words = ["serve", str(tmp_path / "long.txt"), "--port", "0", "--no-cache"]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "marginalia", *words],
        env={
            **os.environ,
            "TMPDIR": str(tmp_path / "temporary"),
            "MARGINALIA_LIBRARY": str(tmp_path / "library"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        host = urlsplit(process.stdout.readline().split()[3]).netloc
        ask = http.client.HTTPConnection(host, timeout=MOST_SECONDS)
        ask.request("GET", "/api/documents")
        (doc,) = json.load(ask.getresponse())
        ask.request("GET", f"/api/documents/{doc['id']}/events")
        stream = ask.getresponse()
        assert b"id: 1" in stream.readline(), "it was read, and notes are being made"
        at_once = http.client.HTTPConnection(host, timeout=MOST_SECONDS)
        body = json.dumps({"text": HOURS[:100_000]})
        at_once.request("POST", "/api/annotate", body, {"content-type": "application/json"})
        process.send_signal(told)
        _, said = process.communicate(timeout=MOST_SECONDS)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == code, said
    rest = stream.read()
    assert b"event: done" not in rest and b"event: failed" not in rest, "it ended in the midst"
    assert "Traceback" not in said
    assert list((tmp_path / "temporary").iterdir()) == [], "nothing is left behind"


def test_event_streams_end_with_the_server() -> None:
    library = Library()
    client = TestClient(create_app(library), base_url="http://127.0.0.1")
    with library.turns.turn():  # no note is made meanwhile
        id = library.add("a.txt", b"It weighed 3 kg.").id
        library.stop()
        assert "event: done" not in client.get(f"/api/documents/{id}/events").text
    library.close()


def test_a_request_that_is_given_up_gets_a_sentence() -> None:
    sent: list[dict[str, Any]] = []
    library = Library()

    async def endless(*_: object) -> None:
        await asyncio.get_running_loop().create_future()

    async def send(message: Any) -> None:
        sent.append(message)

    async def give_up() -> None:
        app = Server(endless, library).config.app
        request = asyncio.create_task(app({"type": "http"}, None, send))
        await asyncio.sleep(0)  # it begins
        request.cancel()
        await request

    with ThreadPoolExecutor(1) as pool:  # the browser of other tests has a loop in this thread
        pool.submit(lambda: asyncio.run(give_up())).result()
    library.close()
    assert (
        sent[0]["status"] == 503 and "the server has ended" in json.loads(sent[1]["body"])["error"]
    )


def test_connections_do_not_hold_back_what_they_send() -> None:
    with (
        bind("127.0.0.1", 0) as sock,
        socket.create_connection(sock.getsockname()),
        sock.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_the_server_takes_connections_as_they_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same of a connection in use: of what asyncio hands to the protocol."""
    import uvicorn.protocols.http.h11_impl as h11

    found: list[int] = []
    made = h11.H11Protocol.connection_made

    def look(self: h11.H11Protocol, transport: object) -> None:
        sock = transport.get_extra_info("socket")  # type: ignore[attr-defined]
        found.append(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        made(self, transport)  # type: ignore[arg-type]

    monkeypatch.setattr(h11.H11Protocol, "connection_made", look)
    library = Library()
    server = Server(create_app(library), library)
    server.config.http = "h11"
    sock = bind("127.0.0.1", 0)
    address = sock.getsockname()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    ask = http.client.HTTPConnection(*address, timeout=MOST_SECONDS)
    ask.request("GET", "/api/documents")
    assert ask.getresponse().read() == b"[]"
    ask.close()
    server.should_exit = True
    thread.join(timeout=MOST_SECONDS)
    assert not thread.is_alive() and found == [1]


def test_a_port_that_is_taken_gets_a_sentence() -> None:
    with bind("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        with pytest.raises(FormatError, match=f"port {port} of 127.0.0.1 cannot be used"):
            bind("127.0.0.1", port)
