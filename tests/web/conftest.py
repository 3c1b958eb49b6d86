"""A real server and a real browser for the tests of the page."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator

import pytest

from marginalia.reader.cache import NoteCache
from marginalia.web.app import create_app
from marginalia.web.library import Library

CHROMIUM = "no browser: install Debian's chromium, as `make test` does where it can"


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on a port of its own."""
    from marginalia.web.server import Server, bind

    library = Library(cache=NoteCache(tmp_path_factory.mktemp("served") / "notes.sqlite"))
    sock = bind("127.0.0.1", 0)
    server = Server(create_app(library), library)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    server.should_exit = True
    thread.join(timeout=20)


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
