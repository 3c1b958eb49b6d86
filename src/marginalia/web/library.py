"""The documents of the web reader: kept by a store, read and annotated by a thread."""

from __future__ import annotations

import getpass
import logging
import queue
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from marginalia.core.annotator import Annotator
from marginalia.core.document import Document
from marginalia.core.errors import FormatError, MarginaliaError
from marginalia.core.files import file_sha256
from marginalia.core.report import plain
from marginalia.reader.annotate import annotate, stream
from marginalia.reader.cache import NoteCache
from marginalia.reader.others_notes import notes_in_pdf
from marginalia.reader.profiles import count_elsewhere, get_profile
from marginalia.reader.read import read, read_pages
from marginalia.reader.skipped_regions import find_skipped
from marginalia.web.entry import Entry
from marginalia.web.known import project_words
from marginalia.web.store.documents import Record
from marginalia.web.store.people import Person
from marginalia.web.store.store import Store
from marginalia.web.turns import Turns

if TYPE_CHECKING:
    from marginalia.reader.llm import LanguageModel

log = logging.getLogger(__name__)

MAX_IN_MEMORY = 24
"""Documents that are done and stay in memory; the others come from the store when they are looked at."""
PREVIEW_BYTES = 200_000
"""Bytes of a PDF from which on its first page is shown before the rest is read."""
WARM_UP_TEXT = "Pour 5 ml of the electrolyte into the flask. How satisfied are you with democracy?"
FROM_FILE = "PDF"
"""Who has brought the notes that came in a file: nobody, so nobody's undo takes them away."""
GRACE_SECONDS = 3
"""What is under way may take as long when the server is told to end."""


def this_person() -> Person:
    """Whoever sits at this machine."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container may have no names
        name = "me"
    return Person(name, "write", all=True)


class Library:
    """Entries by id. One thread reads and annotates them in turn; the cache makes it quick the second time.

    Without a store what is opened is kept for as long as this object is used.
    """

    def __init__(
        self,
        *,
        store: Store | None = None,
        cache: NoteCache | None = None,
        options: Mapping[str, str] | None = None,
        include: Iterable[str] = (),
        llm: LanguageModel | None = None,
    ) -> None:
        self.cache, self.options = cache, dict(options or {})
        self.llm = llm
        """The language model that may be asked about a document, where its reader chose so; never without."""
        self.include = tuple(include)
        self.turns = Turns()
        """One part of a document at a time, so that a short request waits for a part, not for a book."""
        self._is_temporary = store is None
        self.store = store or Store(Path(tempfile.mkdtemp(prefix="marginalia-")))
        self.here = this_person()
        self._entries: dict[str, Entry] = {}
        self._mutex = threading.RLock()
        self._end: float | None = None
        """When all should be over, once that was asked for."""
        self._queue: queue.Queue[Entry | None] = queue.Queue()
        self._worker = threading.Thread(target=self._work, name="notes", daemon=True)
        self._worker.start()
        self.take_up()

    def take_up(self) -> None:
        """Read what is waiting in the store: a server that was stopped goes on where it was."""
        for record in self.store.documents.all():
            if record.state == "waiting" and not record.removed and record.id not in self._entries:
                self._enter(record)

    def warm(self) -> threading.Thread:
        """Load the models while nobody waits for them yet: the first document then has its notes sooner."""

        def load() -> None:
            with self.turns.turn():
                annotate(Document(id="", text=WARM_UP_TEXT), get_profile(None).annotators())

        thread = threading.Thread(target=load, name="warming", daemon=True)
        thread.start()
        return thread

    @property
    def catalogues(self) -> dict[str, str]:
        """The catalogues that may be asked for, by name -> where each is."""
        path = self.options.get("catalogue")
        return {Path(path).name: path} if path else {}

    def catalogue_of(self, id: str | None) -> str | None:
        """Where the catalogue is that was chosen for a document, or else the server's own."""
        return str(self.store.catalogues.get(id).path) if id else self.options.get("catalogue")

    @property
    def is_stopping(self) -> bool:
        return self._end is not None

    def stop(self) -> None:
        """Take up nothing more; what is being noted stops after its part. Handlers of signals may call this: no locks."""
        if self._end is None:
            self._end = time.monotonic() + GRACE_SECONDS

    def close(self) -> None:
        self.stop()
        self._queue.put(None)
        self._worker.join(timeout=max(0.0, (self._end or 0.0) - time.monotonic()))
        if self._is_temporary:
            self.store.remove_folder()
        else:
            self.store.close()

    def incoming(self) -> Path:
        """A place for a file that is being sent."""
        return self.store.incoming / secrets.token_hex(8)

    def add(
        self,
        name: str,
        content: bytes | Path,
        *,
        lang: str | None = None,
        audience: str | None = None,
        owner: str | None = None,
        shared: bool = False,
        source: str | None = None,
        llm: bool = False,
    ) -> Entry:
        """Take a file that was sent. When this returns, nothing short of a broken disk can lose it."""
        if isinstance(content, bytes):
            path = self.incoming()
            path.write_bytes(content)
        else:
            path = content
        owner = self.here.name if owner is None else owner
        return self._enter(
            self.store.documents.add(
                name, path, owner=owner, lang=lang, audience=audience, shared=shared, source=source
            ),
            llm=llm,
        )

    def open(
        self,
        path: Path,
        *,
        lang: str | None = None,
        audience: str | None = None,
        llm: bool = False,
    ) -> Entry:
        """A file of this machine, named on the command line; one that was opened before keeps its decisions."""
        known = self.store.documents.find_source(str(path.resolve()))
        if known is not None and known.sha256 == file_sha256(path) and lang in (None, known.lang):
            if known.state == "failed":
                audience = audience or known.audience
                return self.read_again(known.id, known.lang, audience, known.catalogue, llm=llm)
            if audience in (None, known.audience) and not llm:
                return self.get(known.id)
            return self.read_for(known.id, audience, llm=llm)
        copy = self.incoming()
        try:
            shutil.copyfile(path, copy)
        except OSError as error:
            raise FormatError(f"it cannot be opened: {error.strerror}", path=path) from error
        if known is None:
            return self.add(
                path.name, copy, lang=lang, audience=audience, source=str(path.resolve()), llm=llm
            )
        return self.replace_file(known.id, path.name, copy, llm=llm)

    def get(self, id: str) -> Entry:
        """A document with what was made of it; that of one that was removed, too."""
        with self._mutex:
            if id in self._entries:
                return self._entries[id]
            record = self.store.documents.get(id)
            if record.state == "waiting":
                return self._enter(record)
            entry = _entry(record)
            if entry.state == "done":
                doc = self.store.annotated.get(id)
                if doc is None:  # damaged, or of an older release
                    return self._enter(record)
                entry.restore(doc)
            elif entry.state == "failed":
                entry.fail(entry.error)
            self._entries[id] = entry
            self._forget()
            return entry

    def in_memory(self, id: str) -> Entry | None:
        """A document that is on its way or was looked at lately."""
        return self._entries.get(id)

    def read_again(
        self,
        id: str,
        lang: str | None,
        audience: str | None,
        catalogue: str | None = None,
        *,
        llm: bool = False,
        ocr: bool = False,
    ) -> Entry:
        """Once more from its file: one that failed, in another language, for another reader, with another catalogue, or recognised."""
        self.store.documents.set(
            id,
            state="waiting",
            error="",
            asked_lang=lang,
            audience=audience,
            catalogue=catalogue,
        )
        return self._enter(self.store.documents.get(id), llm=llm, ocr=ocr)

    def read_for(self, id: str, audience: str | None, *, llm: bool = False) -> Entry:
        """For another reader: its text and those of its notes that this one gets too stay as they are."""
        old = self.get(id)
        self.store.documents.set(id, state="waiting", error="", audience=audience)
        done = old if old.state == "done" else None
        return self._enter(self.store.documents.get(id), done, llm=llm)

    def replace_file(self, id: str, name: str, incoming: Path, *, llm: bool = False) -> Entry:
        """A new version of a document; what was decided about the old one finds its place in it."""
        return self._enter(self.store.documents.replace_file(id, name, incoming), llm=llm)

    def drop(self, id: str, *, for_good: bool = False) -> None:
        """Put a document away; ``restore`` brings it back, unless it was for good."""
        self.store.documents.get(id)
        if for_good:
            self._leave(id)
            self.store.documents.delete(id)
        else:
            self.store.documents.remove(id)
            entry = self.in_memory(id)
            if entry is not None and entry.is_busy:  # nobody waits for it any more
                self._leave(id)

    def restore(self, id: str) -> Entry:
        self.store.documents.restore(id)
        return self.get(id)

    def wait(self) -> None:
        """Until all that was taken in is done."""
        self._queue.join()

    def _enter(
        self, record: Record, old: Entry | None = None, *, llm: bool = False, ocr: bool = False
    ) -> Entry:
        entry = _entry(record)
        entry.state, entry.recognises = "waiting", ocr
        entry.asks = llm and self.llm is not None
        if old is not None:
            entry.doc, entry.made = old.doc, dict(old.made)
            entry.notes, entry.summary = list(old.notes), dict(old.summary)
        with self._mutex:
            self._leave(record.id)
            self._entries[record.id] = entry
            self._forget()
        self._queue.put(entry)
        return entry

    def _leave(self, id: str) -> None:
        with self._mutex:
            old = self._entries.pop(id, None)
        if old is not None:
            old.is_gone = True

    def _forget(self) -> None:
        done = [one for one in self._entries.values() if not one.is_busy]
        for entry in done[: max(0, len(done) - MAX_IN_MEMORY)]:
            del self._entries[entry.id]

    def _work(self) -> None:
        while (entry := self._queue.get()) is not None:
            try:
                if not self.is_stopping and not entry.is_gone:
                    self._annotate(entry)
            except MarginaliaError as error:
                self._fail(entry, str(error).replace(str(entry.path), entry.name))
            except Exception as error:  # whatever a document does, the server goes on serving
                message = f"{entry.name}: {type(error).__name__}: {error}"
                log.exception(message)
                self._fail(entry, message)
            finally:
                self._queue.task_done()

    def _fail(self, entry: Entry, message: str) -> None:
        if entry.is_gone:
            return
        if not self.is_stopping:
            self.store.documents.set(entry.id, state="failed", error=message)
        entry.fail(message)

    def _annotate(self, entry: Entry) -> None:
        entry.state = "reading"
        is_pdf = entry.path.suffix.lower() == ".pdf" and not entry.recognises
        if is_pdf and not entry.made and entry.path.stat().st_size > PREVIEW_BYTES:
            self._preview(entry)
        annotators = entry.profile.annotators()
        given = self._options(entry, annotators)
        model = self.llm if entry.asks else None
        options = {
            one.name: one.own_options(given) | ({"llm": model.name} if model and one.asks else {})
            for one in annotators
        }
        kept = {name for name, said in entry.made.items() if said == options.get(name)}
        known = entry.doc if entry.made else None
        doc = known or read(entry.path, lang=entry.lang, ocr=entry.recognises)
        skipped = find_skipped(doc, annotators, include=self.include)
        meta = {
            **doc.meta,
            "path": entry.name,  # where we keep it is nobody's business
            "skipped": skipped.to_dict(),
            "elsewhere": [
                {"notes": one.name, "count": count, "audience": one.audiences[0]}
                for one, count in count_elsewhere(doc, annotators)
                if one.audiences
            ],
        }
        entry.doc = replace(doc, meta=meta)
        entry.notes = [note for note in entry.notes if note.task in kept]
        entry.summary = {name: said for name, said in entry.summary.items() if name in kept}
        entry.made = options
        entry.state = "noting"
        self._take_notes(entry, entry.doc)
        entry.tell("read")
        missing = [one for one in annotators if one.name not in kept]
        self._note(entry, entry.doc, missing, cache=self.cache)
        if self.is_stopping or entry.is_gone:
            return
        made = entry.annotated()
        self.store.annotated.put(entry.id, entry.shown(made))
        entry.state = "done"
        entry.tell("done", summary=entry.summary, **entry.ranking(made))

    def _take_notes(self, entry: Entry, doc: Document) -> None:
        """What people wrote in the file is theirs to keep, change or remove here; nothing comes back that was removed."""
        log = self.store.decisions
        if found := notes_in_pdf(doc):
            known = {one.target for one in log.entries(entry.id)}
            log.add(entry.id, [one for one in found if one.id not in known], who=FROM_FILE)

    def _preview(self, entry: Entry) -> None:
        """The first page of a book with its notes, to look at while the rest is being read."""
        entry.doc = next(read_pages(entry.path, lang=entry.lang), None)
        if entry.doc is not None:
            entry.tell("read")
            self._note(
                entry, entry.doc, [one for one in entry.profile.annotators() if not one.whole]
            )

    def _options(self, entry: Entry, annotators: list[Annotator]) -> dict[str, str]:
        """What these annotators are told: by the server, the profile and the document."""
        known = {name for annotator in annotators for name in annotator.options}
        # Words that somebody knows are left out when notes are shown: documents are read once for all.
        wanted = {"known": project_words(), **entry.profile.options, **self.options}
        if catalogue := self.catalogue_of(entry.catalogue):
            wanted["catalogue"] = catalogue
        return {name: value for name, value in wanted.items() if name in known}

    def _note(
        self,
        entry: Entry,
        doc: Document,
        annotators: list[Annotator],
        *,
        cache: NoteCache | None = None,
    ) -> None:
        options = self._options(entry, annotators)
        batches = stream(
            doc,
            annotators,
            options=options,
            include=self.include,
            cache=cache,
            llm=self.llm if entry.asks else None,
            early=True,
        )
        entry.early = []
        while not (entry.is_gone or self.is_stopping):
            with self.turns.turn():
                batch = next(batches, None)
            if batch is None:
                break
            replaces = not batch.early and any(one.task == batch.task for one in entry.early)
            entry.early = [one for one in entry.early if one.task != batch.task]
            if batch.early:
                entry.early += batch.notes
            else:
                entry.notes += batch.notes
            if batch.summary is not None:
                entry.summary[batch.task] = plain(batch.summary)
            entry.tell(
                "notes",
                annotator=batch.task,
                notes=[plain(note.to_dict()) for note in batch.notes],
                done=batch.done,
                total=len(doc.text),
                replaces=replaces,
            )
        entry.early = []


def _entry(record: Record) -> Entry:
    return Entry(
        id=record.id,
        name=record.name,
        path=record.path,
        lang=record.lang,
        audience=record.audience,
        catalogue=record.catalogue,
        state=record.state,
        error=record.error,
    )
