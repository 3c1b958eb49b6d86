"""The documents that are open in the web reader, and the thread that makes their notes."""

from __future__ import annotations

import logging
import queue
import re
import secrets
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError, MarginaliaError, UnknownNameError
from marginalia.core.task import Task, plain
from marginalia.reader.annotate import annotate, choose_tasks, stream
from marginalia.reader.cache import NoteCache
from marginalia.reader.choose import ranked, room
from marginalia.reader.passed_over import find_passed_over
from marginalia.reader.read import read, read_pages
from marginalia.reader.view.caption import is_part

log = logging.getLogger(__name__)

MAX_DOCUMENTS = 200
"""Documents that are kept; the oldest leave."""
PREVIEW_BYTES = 200_000
"""Bytes of a PDF from which on its first page is shown before the rest is read."""
WARM_UP_TEXT = "Pour 5 ml of the electrolyte into the flask. How satisfied are you with democracy?"
GRACE_SECONDS = 3
"""What is under way may take as long when the server is told to end."""
OPTIONS = {"level": "general"}
"""What may be hard for general readers: the page's slider shows less of it."""

_NAME = re.compile(r"[^\w.\- ]+")


@dataclass
class Entry:
    """A document on its way: waiting, reading, noting, then done or failed."""

    id: str
    name: str
    path: Path
    lang: str | None = None
    state: str = "waiting"
    error: str = ""
    doc: Document | None = None
    events: list[dict[str, Any]] = field(default_factory=list)
    """What happened so far; listeners read it from where they left off."""
    notes: list[Annotation] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)
    pictures: dict[int, bytes] = field(default_factory=dict)
    """Pages that were drawn last."""

    def tell(self, kind: str, **more: Any) -> None:
        self.events.append({"kind": kind, **more})

    def annotated(self) -> Document:
        """The document with the notes made so far."""
        if self.doc is None:
            raise FormatError(f"{self.name} is not read yet")
        meta = {**self.doc.meta, "summary": dict(self.summary)}
        return replace(self.doc, meta=meta).annotate(list(self.notes))

    def ranking(self) -> dict[str, Any]:
        """The ids of the notes, most useful first, and how many the margin has room for."""
        doc = self.annotated()
        heads = [note for note in doc.annotations if not is_part(note)]
        return {"ranked": [note.id for note in ranked(heads)], "room": room(doc)}


class Library:
    """Entries by id. One thread reads and annotates them in turn; the cache makes it quick the second time."""

    def __init__(
        self,
        *,
        cache: NoteCache | None = None,
        options: Mapping[str, str] | None = None,
        include: Iterable[str] = (),
    ) -> None:
        self.cache, self.options = cache, {**OPTIONS, **(options or {})}
        self.include = tuple(include)
        self.entries: dict[str, Entry] = {}
        self.busy = threading.Lock()
        """Held while notes are made, part by part, so that a short request waits for a part, not a book."""
        self._end: float | None = None
        """When all should be over, once that was asked for."""
        self._folder = tempfile.TemporaryDirectory(prefix="marginalia-")
        self._queue: queue.Queue[Entry | None] = queue.Queue()
        self._worker = threading.Thread(target=self._work, name="notes", daemon=True)
        self._worker.start()

    def warm(self) -> threading.Thread:
        """Load the models while nobody waits for them yet: the first document then has its notes sooner."""

        def load() -> None:
            with self.busy:
                annotate(Document(id="", text=WARM_UP_TEXT))

        thread = threading.Thread(target=load, name="warming", daemon=True)
        thread.start()
        return thread

    @property
    def catalogues(self) -> dict[str, str]:
        """The catalogues that may be asked for, by name -> where each is."""
        path = self.options.get("catalogue")
        return {Path(path).name: path} if path else {}

    @property
    def is_stopping(self) -> bool:
        return self._end is not None

    def stop(self) -> None:
        """Take up nothing more; what is being noted stops after its part. Handlers of signals may call this: no locks."""
        if self._end is None:
            self._end = time.monotonic() + GRACE_SECONDS

    def close(self) -> None:
        self.stop()
        self.entries.clear()
        self._queue.put(None)
        self._worker.join(timeout=max(0.0, (self._end or 0.0) - time.monotonic()))
        self._folder.cleanup()

    def __iter__(self) -> Iterator[Entry]:
        return iter(list(self.entries.values()))

    def get(self, id: str) -> Entry:
        if id not in self.entries:
            raise UnknownNameError("document", id, self.entries)
        return self.entries[id]

    def add(self, name: str, data: bytes, *, lang: str | None = None) -> Entry:
        """Take a file that was sent, under its own name in a folder of its own."""
        id = secrets.token_urlsafe(8)
        folder = Path(self._folder.name) / id
        folder.mkdir()
        path = folder / (_NAME.sub("_", Path(name).name).strip(". ")[-120:] or "text.txt")
        path.write_bytes(data)
        return self._enter(Entry(id=id, name=name[:200] or path.name, path=path, lang=lang))

    def open(self, path: Path, *, lang: str | None = None) -> Entry:
        """A file of this machine, named on the command line."""
        return self._enter(Entry(id=secrets.token_urlsafe(8), name=path.name, path=path, lang=lang))

    def drop(self, id: str) -> None:
        entry = self.get(id)
        del self.entries[id]
        if entry.path.is_relative_to(self._folder.name):
            with suppress(OSError):
                entry.path.unlink()
                entry.path.parent.rmdir()

    def wait(self) -> None:
        """Until all that was taken in is done."""
        self._queue.join()

    def _enter(self, entry: Entry) -> Entry:
        self.entries[entry.id] = entry
        while len(self.entries) > MAX_DOCUMENTS:
            self.drop(next(iter(self.entries)))
        self._queue.put(entry)
        return entry

    def _work(self) -> None:
        while (entry := self._queue.get()) is not None:
            try:
                if not self.is_stopping:
                    self._annotate(entry)
            except MarginaliaError as error:
                message = str(error).replace(str(entry.path), entry.name)
                self._fail(entry, message)
            except Exception as error:  # whatever a document does, the server goes on serving
                message = f"{entry.name}: {type(error).__name__}: {error}"
                log.exception(message)
                self._fail(entry, message)
            finally:
                self._queue.task_done()

    def _fail(self, entry: Entry, message: str) -> None:
        entry.state, entry.error = "failed", message
        entry.tell("failed", error=message)

    def _annotate(self, entry: Entry) -> None:
        entry.state = "reading"
        if entry.path.suffix.lower() == ".pdf" and entry.path.stat().st_size > PREVIEW_BYTES:
            self._preview(entry)
        doc = read(entry.path, lang=entry.lang)
        passed_over = find_passed_over(doc, choose_tasks(None), include=self.include)
        entry.doc = replace(doc, meta={**doc.meta, "passed_over": passed_over.to_dict()})
        entry.notes, entry.summary = [], {}
        entry.state = "noting"
        entry.tell("read")
        self._note(entry, entry.doc, cache=self.cache)
        if self.is_stopping:
            return
        entry.state = "done"
        entry.tell("done", summary=entry.summary, **entry.ranking())

    def _preview(self, entry: Entry) -> None:
        """The first page of a book with its notes, to look at while the rest is being read."""
        entry.doc = next(read_pages(entry.path, lang=entry.lang), None)
        if entry.doc is not None:
            entry.tell("read")
            quick = [task for task in choose_tasks(None) if not task.whole]
            self._note(entry, entry.doc, tasks=quick)

    def _note(
        self,
        entry: Entry,
        doc: Document,
        *,
        tasks: list[Task] | None = None,
        cache: NoteCache | None = None,
    ) -> None:
        known = {name for task in choose_tasks(tasks) for name in task.note_options}
        options = {name: value for name, value in self.options.items() if name in known}
        batches = stream(doc, tasks, options=options, include=self.include, cache=cache)
        while entry.id in self.entries and not self.is_stopping:
            with self.busy:
                batch = next(batches, None)
            if batch is None:
                break
            entry.notes += batch.notes
            if batch.summary is not None:
                entry.summary[batch.task] = plain(batch.summary)
            entry.tell(
                "notes",
                task=batch.task,
                notes=[plain(note.to_dict()) for note in batch.notes],
                done=batch.done,
                total=len(doc.text),
            )
