"""An invented task, and a server on this machine that holds its files."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from marginalia import Benchmark, MissingError, Report, Split

OURS = ("clarification", "complexity", "measurement", "similarity", "variables")
"""The tasks whose data the data folder of the tests holds."""

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "owner/garden"

FILES = {
    "garden/train.tsv": ("data/train/the train.tsv", b"id\tname\n1\toak\n2\telm\n"),
    "garden/test.tsv": ("data/test/test.tsv", b"id\tname\n3\tash\n"),
    "garden/labels/test.tsv": ("labels/test.tsv", "3\tübergroß\n".encode() * 20_000),
    "garden/empty.txt": ("empty.txt", b""),
}
"""Path in the data folder -> path upstream and content."""
DERIVED = {"garden/names.tsv": "id\tname\n1\tOAK\n2\tELM\n"}
LABELS = "garden/labels/test.tsv"


def sources(files: Mapping[str, tuple[str, bytes]] = FILES) -> list[dict[str, Any]]:
    """Sources as a task gives them."""
    return [
        {
            "repository": REPOSITORY,
            "commit": COMMIT,
            "licence": "CC BY 4.0",
            "files": [
                {
                    "path": path,
                    "upstream": upstream,
                    "bytes": len(content),
                    "sha256": hashlib.sha256(content).hexdigest(),
                }
                for path, (upstream, content) in files.items()
            ],
            "derived": [{"path": "garden/names.tsv", "columns": ["id", "name"]}],
        },
        {
            "repository": "owner/catalogue",
            "commit": COMMIT,
            "licence": "none stated",
            "files": [],
            "imported": [{"path": "garden/words.tsv", "columns": ["word", "count"]}],
        },
    ]


def load(name: str, folder: Path) -> Split:
    if not (folder / "garden/test.tsv").exists():
        raise MissingError("no test split")
    gold = {"3": "ash"} if (folder / LABELS).exists() else None
    return Split(name=name, items={"3": "ash"}, gold=gold, group={"3": "3"})


def derive(folder: Path) -> dict[str, str]:
    path = folder / "garden/train.tsv"
    if not path.exists():
        raise MissingError(f"{path} is not there")
    head, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return {"garden/names.tsv": head + "".join(rows).upper()}


def invented(**fields: Any) -> Benchmark:
    """A task of which only the data are real."""
    values: dict[str, Any] = {
        "name": "garden",
        "question": "Which tree is it?",
        "shared_task": "invented",
        "data_licence": "CC BY 4.0",
        "weights_licence": "none",
        "splits": {"train": "", "dev": "", "test": ""},
        "metrics": (),
        "systems": (),
        "preferred": {"bench": ("none",)},
        "load": load,
        "score": lambda split, pred: Report(scores={}),
        "statistics": lambda split, pred: {},
        "score_files": lambda gold, pred, text=None: Report(scores={}),
        "write_submission": lambda split, pred: {},
        "encode": str,
        "decode": str,
        "sources": sources,
        "published": lambda: {"boards": []},
        "derive": derive,
    }
    return Benchmark(**{**values, **fields})


class Server(ThreadingHTTPServer):
    """Serves ``{repository}/{commit}/{path}``, and misbehaves as told."""

    daemon_threads = True

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = dict(files)
        self.troubles: dict[str, list[Any]] = {}
        """Path -> what goes wrong at its next requests: a code, a header, or a number of bytes."""
        self.asked: list[str] = []
        """The paths that were asked for."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        path = unquote(self.path).removeprefix(f"/{REPOSITORY}/{COMMIT}/")
        self.server.asked.append(path)
        trouble = next(iter(self.server.troubles.get(path, [])), None)
        if trouble is not None:
            self.server.troubles[path].pop(0)
        if isinstance(trouble, tuple):
            code, headers = trouble
            self.send_response(code)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            return
        if path not in self.server.files:
            self.send_error(404)
            return
        content = self.server.files[path]
        self.send_response(200)
        if trouble != "no length":
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:trouble] if isinstance(trouble, int) else content)

    def log_message(self, *args: Any) -> None:
        """Quiet."""


@contextmanager
def serve(files: Mapping[str, tuple[str, bytes]] = FILES) -> Iterator[Server]:
    """The server, running until the end of the block."""
    server = Server(dict(files.values()))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def fill(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files into a folder."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """What a folder holds, with hidden files."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
