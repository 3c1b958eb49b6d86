"""Clients that are slow, that leave, or that want much: the others are served, and nothing is left of them."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from marginalia import Document
from marginalia.reader.annotate import Batch
from marginalia.web.app import create_app
from marginalia.web.guard import Limits
from marginalia.web.library import Library
from marginalia.web.server import Server, bind
from tests.web.conftest import HERE, Served, long_words

MOST_SECONDS = 60
"""Whoever waits longer has failed, on the slowest machine too."""


@pytest.fixture
def impatient(quick: None) -> Iterator[Served]:
    served = Served(Library(), patience=0.05, limits=Limits(pause_seconds=0.05))
    yield served
    served.stop()


def is_cut_off(one: socket.socket) -> bool:
    """Waits until the server closes the connection."""
    try:
        return one.recv(1) == b""
    except ConnectionResetError:
        return True


def connect(served: Served) -> socket.socket:
    return socket.create_connection(served.address, timeout=MOST_SECONDS)


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HT", b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "]
)
def test_who_never_finishes_asking_is_cut_off(impatient: Served, sent: bytes) -> None:
    slow = [connect(impatient) for _ in range(5)]
    for one in slow:
        one.sendall(sent)
    for one in slow:
        assert is_cut_off(one)
        one.close()


def test_who_stalls_a_second_request_is_cut_off_too(impatient: Served) -> None:
    with connect(impatient) as one:
        one.sendall(b"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = http.client.HTTPResponse(one)
        answer.begin()
        assert answer.status == 200 and answer.read()
        one.sendall(b"GET /icon")
        assert is_cut_off(one)


def test_a_body_that_stalls_is_told_so_and_leaves_nothing(impatient: Served) -> None:
    with connect(impatient) as one:
        one.sendall(
            b"POST /api/documents?name=a.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf"
        )
        answer = http.client.HTTPResponse(one)
        answer.begin()
        assert answer.status == 408 and "too slowly" in json.load(answer)["error"]
    assert list(impatient.library.store.incoming.iterdir()) == []


def test_who_does_not_take_the_answer_is_cut_off() -> None:
    let_go = threading.Event()

    async def endless(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            for _ in range(1_000):  # 64 MB; once the client is cut off they go nowhere
                await send({"type": "http.response.body", "body": b"x" * 2**16, "more_body": True})
            let_go.set()

    library = Library()
    sock = bind("127.0.0.1", 0)
    server = Server(endless, library, patience=0.05)
    server.config.lifespan = "off"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    with socket.create_connection(sock.getsockname(), timeout=MOST_SECONDS) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert one.recv(4) == b"HTTP"
        assert let_go.wait(MOST_SECONDS), "whoever takes nothing more holds nobody"
    server.should_exit = True
    thread.join(MOST_SECONDS)
    library.close()


def test_who_leaves_causes_no_traceback(quick: None, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    served = Served(Library())
    requests = [
        b"POST /api/documents?name=a.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nhalf",
        b"POST /api/annotate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
        b"GET /api/documents HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ]
    for _ in range(5):
        for sent in requests:
            one = connect(served)
            one.sendall(sent)
            one.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"
            )  # a reset, not a goodbye
            one.close()
    ask = http.client.HTTPConnection(*served.address, timeout=MOST_SECONDS)
    ask.request("GET", "/api/documents")
    assert ask.getresponse().read() == b"[]"
    ask.close()
    served.stop()
    assert "Traceback" not in caplog.text and not [
        r for r in caplog.records if r.levelno >= logging.ERROR
    ]


def test_a_large_upload_goes_to_the_disk_as_it_comes(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("marginalia.web.library.Library._annotate", lambda self, entry: None)
    served = Served(Library())
    size, chunk = 40 * 2**20, b"x" * 2**16
    tracemalloc.start()
    ask = http.client.HTTPConnection(*served.address, timeout=MOST_SECONDS)
    ask.putrequest("POST", "/api/documents?name=a.txt")
    ask.putheader("content-length", str(size))
    ask.endheaders()
    for _ in range(size // len(chunk)):
        ask.send(chunk)
    answer = ask.getresponse()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert answer.status == 201
    record = served.library.store.documents.get(json.load(answer)["id"])
    assert record.bytes == record.path.stat().st_size == size
    assert peak < 16 * 2**20, "a few chunks, not the file"
    ask.close()
    served.stop()


def slow_stream(began: threading.Event, go_on: threading.Event) -> Callable[..., Iterator[Batch]]:
    """Two parts, the first of which takes as long as somebody wants."""

    def stream(doc: object, tasks: object = None, **_: object) -> Iterator[Batch]:
        began.set()
        go_on.wait(MOST_SECONDS)
        yield Batch("words", (), 1)
        yield Batch("words", (), 2)

    return stream


def test_a_short_request_waits_for_a_part_of_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for the rest of a book nor for those that came before it."""
    began, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr("marginalia.web.library.stream", slow_stream(began, go_on))
    order: list[str] = []

    def noted(doc: Document, tasks: object = None, **_: object) -> Iterator[Batch]:
        order.append(doc.text)
        yield from long_words(doc)

    monkeypatch.setattr("marginalia.web.api.texts.stream", noted)
    served = Served(Library())
    served.library.add("book.txt", b"A book.")
    began.wait(MOST_SECONDS)

    def ask(text: str) -> None:
        connection = http.client.HTTPConnection(*served.address, timeout=MOST_SECONDS)
        body = json.dumps({"text": text, "notes": ["words"]})
        connection.request("POST", "/api/annotate", body, {"content-type": "application/json"})
        assert connection.getresponse().status == 200
        connection.close()

    threads = [threading.Thread(target=ask, args=(text,)) for text in ("long " * 2_000, "short")]
    for count, thread in enumerate(threads, 1):
        thread.start()
        while served.library.turns.waiting < count:
            threading.Event().wait(0.001)
    # While all of them wait, whatever needs no model is answered.
    other = http.client.HTTPConnection(*served.address, timeout=MOST_SECONDS)
    other.request("GET", "/api/documents")
    assert other.getresponse().status == 200
    other.close()
    go_on.set()
    for thread in threads:
        thread.join(MOST_SECONDS)
    assert order[0] == "short" and order[1].startswith("long"), "whatever came first"
    served.stop()


def test_a_request_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    began, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr("marginalia.web.api.texts.stream", slow_stream(began, go_on))
    library = Library()
    client = TestClient(create_app(library, request_seconds=0.05), base_url=HERE)
    answer = client.post("/api/annotate", json={"text": "A text.", "notes": ["words"]})
    assert answer.status_code == 503 and "took longer than 0.05 s" in answer.json()["error"]
    go_on.set()
    with library.turns.turn():
        pass  # the turn was passed on when the work had ended
    library.close()


def test_the_odd_token_is_refused_before_anything_starts(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from marginalia.cli.serve import serve_command
    from marginalia.core.errors import FormatError

    for token in ("a b", "ü" * 9, "x;y=z1234", "short"):
        result = CliRunner().invoke(
            serve_command, ["--token", token, "--library", str(tmp_path / "library")]
        )
        assert isinstance(result.exception, FormatError) and not (tmp_path / "library").exists()
