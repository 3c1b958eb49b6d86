"""A server to be killed: documents are read and have no notes but those of readers, so that it is quick."""

from __future__ import annotations

import sys
from pathlib import Path

from marginalia.web import library as module
from marginalia.web.app import create_app
from marginalia.web.library import Library
from marginalia.web.server import Server, bind
from marginalia.web.store.store import Store


def main() -> None:
    module.stream = lambda *_, **__: iter(())  # type: ignore[assignment]
    library = Library(store=Store(Path(sys.argv[1])))
    sock = bind("127.0.0.1", 0)
    sys.stdout.write(f"{sock.getsockname()[1]}\n")
    sys.stdout.flush()
    Server(create_app(library), library).run(sockets=[sock])


if __name__ == "__main__":
    main()
