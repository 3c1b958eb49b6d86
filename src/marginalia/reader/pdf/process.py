"""Runs ``pdf_child`` under limits on time, memory, pages and bytes, and starts it again after a bad page."""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any, cast

from marginalia.core.errors import FormatError
from marginalia.core.long_work import module_command

MAX_PAGES = 2_000
MAX_BYTES = 2**30
"""Memory that the child may ask for."""
PAGE_SECONDS = 5
"""Processor time for one page, which a busy machine does not shorten."""
WAIT_SECONDS = 20.0
"""How long one page is waited for."""
SECONDS = 25.0
"""For the whole document, and a little more for each of its pages."""
SECONDS_PER_PAGE = 0.3
MAX_LOST = 3
"""After as many pages that crashed or took too long, the rest is given up."""

_OVERTIME = getattr(signal, "SIGPROF", 0)
_CHILD = "marginalia.reader.pdf.child"


def pages(data: bytes, path: Path) -> Iterator[dict[str, Any]]:
    """What the child says: first of the document, then of each page; a page that failed has an ``error``."""
    _check(data, path)
    opened = time.monotonic()
    first, total, lost = 0, 1, 0
    until = opened + SECONDS
    while first < total:
        with _Child(data, first) as child:
            head = child.line(until - time.monotonic())
            if head is None or "error" in head:
                if first == 0:
                    raise FormatError(_reason(data, head, child.is_late), path=path)
                break
            total = _total(head, path)
            until = opened + SECONDS + SECONDS_PER_PAGE * total
            if first == 0:
                yield head
            while first < total:
                line = child.line(min(WAIT_SECONDS, until - time.monotonic()))
                if line is None:
                    break
                yield line
                first += 1
        if first < total:
            what = "took too long" if child.is_late else "could not be parsed"
            yield {"page": first + 1, "error": what}
            first += 1
            lost += 1
            if lost == MAX_LOST or time.monotonic() >= until:
                break
    for index in range(first, total):
        yield {"page": index + 1, "error": "was not read, because others took too long or failed"}


class _Child:
    """One run of the child; leaving the context ends it, whatever it is doing."""

    def __init__(self, data: bytes, first: int) -> None:
        self.is_late = False
        words = [str(number) for number in (first, MAX_PAGES, MAX_BYTES, PAGE_SECONDS)]
        self.process = subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
            module_command(_CHILD, *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # A pipe cannot be waited for with a time limit on all systems; a queue can.
        self.lines: queue.Queue[bytes] = queue.Queue(maxsize=64)
        self.closed = threading.Event()
        self.threads = [
            threading.Thread(target=self._write, args=(data,), daemon=True),
            threading.Thread(target=self._read, daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def line(self, seconds: float) -> dict[str, Any] | None:
        """The next line; None if the child has ended or its time is up."""
        try:
            line = self.lines.get(timeout=max(0.01, seconds))
        except queue.Empty:
            self.is_late = True
            return None
        try:
            data: dict[str, Any] = json.loads(line)
        except ValueError:  # it ended within a line, or at the end of all
            self.is_late = self.process.wait() == -_OVERTIME
            return None
        return data

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError), cast(IO[bytes], self.process.stdin) as stdin:
            stdin.write(data)  # unless the child ends first

    def _read(self) -> None:
        for line in chain(cast(IO[bytes], self.process.stdout), [b""]):
            while not self.closed.is_set():
                with contextlib.suppress(queue.Full):
                    self.lines.put(line, timeout=0.5)
                    break

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        self.process.kill()
        self.process.wait()
        for thread in self.threads:
            thread.join()
        cast(IO[bytes], self.process.stdout).close()


def _check(data: bytes, path: Path) -> None:
    # PDFium mends a file without an end as well as it can, and pages are lost without a word.
    if data.startswith(b"%PDF-") and b"%%EOF" not in data[-2048:]:
        raise FormatError("the PDF has no end: it seems to be truncated", path=path)


def _total(head: dict[str, Any], path: Path) -> int:
    total = int(head["pages"])
    if total > MAX_PAGES:
        raise FormatError(f"the PDF has {total:,} pages, the limit is {MAX_PAGES:,}", path=path)
    return total


def _reason(data: bytes, head: dict[str, Any] | None, is_late: bool) -> str:
    if head is None:
        why = "took too long to open" if is_late else "cannot be opened in the memory it may have"
        return f"the PDF {why}"
    if b"/Encrypt" in data and "password" in head["error"]:
        return "the PDF is encrypted; save it without a password first"
    return "not a PDF that can be read: it is damaged or has no pages"
