"""A real server and a real browser for the tests of the page; notes without models for those of what is behind it."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from marginalia import Annotation, Document
from marginalia.reader.annotate import Batch
from marginalia.reader.cache import NoteCache
from marginalia.reader.profiles import PROFILES, Profile
from marginalia.web.app import create_app
from marginalia.web.library import Library
from marginalia.web.server import Server, bind
from marginalia.web.store.store import Store
from tests.web.seen import EVERYTHING, Seen

CHROMIUM = "no browser: install Debian's chromium, as `make test` does where it can"
HERE = "http://127.0.0.1"


class Served:
    """A server on a port of its own, in a thread."""

    def __init__(self, library: Library, **options: Any) -> None:
        self.library = library
        sock = bind("127.0.0.1", 0)
        self.address = sock.getsockname()
        self.url = f"http://127.0.0.1:{self.address[1]}"
        patience = options.pop("patience", 60.0)
        self.server = Server(create_app(library, **options), library, patience=patience)
        self.thread = threading.Thread(
            target=self.server.run, kwargs={"sockets": [sock]}, daemon=True
        )
        self.thread.start()

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=30)
        assert not self.thread.is_alive()


@pytest.fixture(scope="package", autouse=True)
def own_words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Words that a test knows do not go to the list of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MARGINALIA_CONFIG", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="package")
def note_cache(tmp_path_factory: pytest.TempPathFactory) -> NoteCache:
    """What one test of the page had read need not be read by the next."""
    return NoteCache(tmp_path_factory.mktemp("served") / "notes.sqlite")


@pytest.fixture(scope="package")
def served(note_cache: NoteCache) -> Iterator[str]:
    """The address of a server that also knows a reader of hard words and measurements."""
    both = Profile(
        name=EVERYTHING,
        summary="like a learner and a curator",
        per_1000_words=80,
        notes=("words", "terms", "measurements", "variables", "consistency"),
        options={"audience": "learner"},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROFILES, EVERYTHING, both)
        served = Served(Library(cache=note_cache))
        yield served.url
        served.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[object]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip(CHROMIUM)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        # Root, as in a container, has no sandbox.
        found = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def seen(browser: Any, served: str) -> Iterator[Seen]:
    page = browser.new_page(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    seen = Seen(page, served)
    yield seen
    page.close()
    assert seen.wrong == [], "errors on the console"


def long_words(doc: Document, tasks: object = None, **_: object) -> Iterator[Batch]:
    """Notes as ``stream`` makes them, without a model: on every word of eight letters and more."""
    found = re.finditer(r"\b[^\W\d_]{8,}\b", doc.text)
    notes = tuple(
        Annotation(
            id=f"words-{number}",
            task="words",
            label="hard word",
            start=match.start(),
            end=match.end(),
            quote=match.group(),
            score=min(0.99, 0.3 + len(match.group()) / 50),
            attrs={"why": f"{len(match.group())} letters"},
        )
        for number, match in enumerate(found, 1)
    )
    yield Batch("words", notes, len(doc.text), None)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries of this test make their notes without a model."""
    monkeypatch.setattr("marginalia.web.library.stream", long_words)


@pytest.fixture
def make_client(quick: None, tmp_path: Path) -> Iterator[Callable[..., TestClient]]:
    """``make_client()`` opens the same library each time: the server is started anew."""
    libraries: list[Library] = []

    def make(**options: Any) -> TestClient:
        for old in libraries:
            old.close()
        libraries[:] = [Library(store=Store(tmp_path / "library"))]
        client = TestClient(create_app(libraries[0], **options), base_url=HERE)
        client.library = libraries[0]  # type: ignore[attr-defined]
        return client

    yield make
    for library in libraries:
        library.close()


def opened(client: TestClient, text: str, name: str = "a.txt") -> dict[str, Any]:
    """A document that is read and noted."""
    id = client.post(f"/api/documents?name={name}", content=text.encode()).json()["id"]
    client.library.wait()  # type: ignore[attr-defined]
    return dict(client.get(f"/api/documents/{id}").json())
