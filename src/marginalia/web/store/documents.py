"""The documents of a library: rows of the database, and a file for each."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError
from marginalia.web.store.database import Database, now
from marginalia.web.store.files import place_file

UNFINISHED = ("waiting", "reading", "noting")
MAX_TAGS = 20
MAX_TAG_CHARACTERS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What is known of a document besides its text."""

    id: str
    name: str
    path: Path
    sha256: str
    bytes: int
    source: str | None
    lang: str | None
    audience: str | None
    """The profile of who reads it; none: the project's, or a reader."""
    catalogue: str | None
    """The id of the catalogue that was chosen for it."""
    owner: str
    shared: bool
    state: str
    error: str
    added: str
    changed: str
    removed: str | None
    tags: tuple[str, ...]
    title: str | None
    """What somebody called it; none: as the document does."""
    collection: str


class Documents:
    """Documents by id. A file is moved to its place before its row is written, so that a row always has its file."""

    def __init__(self, db: Database, folder: Path) -> None:
        self.db, self.folder = db, folder
        folder.mkdir(exist_ok=True)

    def add(
        self,
        name: str,
        incoming: Path,
        *,
        owner: str,
        lang: str | None = None,
        audience: str | None = None,
        shared: bool = False,
        source: str | None = None,
        id: str | None = None,
    ) -> Record:
        """Take a file that lies in the folder of incoming ones. When this returns, it is on the disk."""
        id = id or secrets.token_urlsafe(9)
        file, digest, size = place_file(self.folder, id, name, incoming)
        values = {
            "id": id, "name": name[:200], "file": file, "sha256": digest, "bytes": size, "source": source,
            "asked_lang": lang, "audience": audience, "owner": owner, "shared": shared, "added": now(),
        }  # fmt: skip
        with self.db.change() as db:
            db.execute(
                f"INSERT INTO documents ({', '.join(values)}, changed) VALUES (:{', :'.join(values)}, :added)",  # noqa: S608
                values,
            )
        return self.get(id)

    def replace_file(self, id: str, name: str, incoming: Path) -> Record:
        """A new version of a document: what was decided stays, what was read is read anew."""
        old = self.get(id)
        file, digest, size = place_file(self.folder, id, name, incoming)
        with self.db.change() as db:
            db.execute(
                "UPDATE documents SET name = ?, file = ?, sha256 = ?, bytes = ?, changed = ?, state = 'waiting', error = ''"
                " WHERE id = ?",
                (name[:200], file, digest, size, now(), id),
            )
        if old.path != self.folder / file:
            shutil.rmtree(old.path.parent, ignore_errors=True)
        return self.get(id)

    def get(self, id: str) -> Record:
        row = self.db.row("SELECT * FROM documents WHERE id = ?", (id,))
        if row is None:
            raise MissingError("there is no document of that id here")
        tags = self.db.rows("SELECT tag FROM tags WHERE document = ? ORDER BY tag", (id,))
        return self._record(row, [tag["tag"] for tag in tags])

    def find_source(self, source: str) -> Record | None:
        """The document that was opened from this path."""
        row = self.db.row(
            "SELECT id FROM documents WHERE source = ? AND removed IS NULL", (source,)
        )
        return self.get(row["id"]) if row else None

    def all(self) -> list[Record]:
        """Also those that were removed; in the order in which they came."""
        tags: dict[str, list[str]] = {}
        for row in self.db.rows("SELECT document, tag FROM tags ORDER BY tag"):
            tags.setdefault(row["document"], []).append(row["tag"])
        rows = self.db.rows("SELECT * FROM documents ORDER BY added, rowid")
        return [self._record(row, tags.get(row["id"], [])) for row in rows]

    def set(self, id: str, **values: Any) -> None:
        """State, error, shared, asked_lang, audience, catalogue, title or collection of a document."""
        known = {"state", "error", "shared", "asked_lang", "audience", "catalogue"}
        known |= {"title", "collection"}
        if not values.keys() <= known:
            raise ValueError(f"only {sorted(known)} can be set")
        names = ", ".join(f"{name} = ?" for name in values)
        with self.db.change() as db:
            db.execute(f"UPDATE documents SET {names} WHERE id = ?", (*values.values(), id))  # noqa: S608

    def set_tags(self, id: str, tags: Iterable[str]) -> None:
        wanted = list(dict.fromkeys(" ".join(tag.split()) for tag in tags if tag.strip()))
        if len(wanted) > MAX_TAGS or any(len(tag) > MAX_TAG_CHARACTERS for tag in wanted):
            raise FormatError(
                f"a document has at most {MAX_TAGS} tags of {MAX_TAG_CHARACTERS} characters"
            )
        with self.db.change() as db:
            db.execute("DELETE FROM tags WHERE document = ?", (id,))
            db.executemany("INSERT INTO tags VALUES (?, ?)", [(id, tag) for tag in wanted])

    def remove(self, id: str) -> None:
        """Put it away; ``restore`` brings it back."""
        with self.db.change() as db:
            db.execute("UPDATE documents SET removed = ? WHERE id = ?", (now(), id))

    def restore(self, id: str) -> None:
        with self.db.change() as db:
            db.execute("UPDATE documents SET removed = NULL WHERE id = ?", (id,))

    def delete(self, id: str) -> None:
        """For good, with all that was decided about it."""
        with self.db.change() as db:
            db.execute(
                "DELETE FROM texts WHERE document = ?", (id,)
            )  # its trigger keeps the index right
            db.execute("DELETE FROM documents WHERE id = ?", (id,))
        shutil.rmtree(self.folder / id, ignore_errors=True)

    def strays(self) -> Iterator[Path]:
        """What no row speaks of: an upload that was never confirmed, or all of them if the database was lost."""
        known = {self.folder / row["file"] for row in self.db.rows("SELECT file FROM documents")}
        for document in self.folder.iterdir():
            for version in list(document.iterdir()) if document.is_dir() else ():
                if not version.is_dir() or known.isdisjoint(version.iterdir()):
                    yield version

    def _record(self, row: Any, tags: Iterable[str]) -> Record:
        return Record(
            id=row["id"],
            name=row["name"],
            path=self.folder / row["file"],
            sha256=row["sha256"],
            bytes=row["bytes"],
            source=row["source"],
            lang=row["asked_lang"],
            audience=row["audience"],
            catalogue=row["catalogue"],
            owner=row["owner"],
            shared=bool(row["shared"]),
            state=row["state"],
            error=row["error"],
            added=row["added"],
            changed=row["changed"],
            removed=row["removed"],
            tags=tuple(tags),
            title=row["title"],
            collection=row["collection"],
        )
