"""The catalogues of survey variables of a library: common to all who use it, each with what was decided by it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from marginalia.core.errors import FormatError, MarginaliaError, MissingError
from marginalia.web.store.database import Database, now
from marginalia.web.store.files import place_file

MAX_IN_MEMORY = 2_000
"""Variables up to which a catalogue is used as it is; a larger one is built into an index first."""
INDEX = "index.cat"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCatalogue:
    id: str
    name: str
    source: Path
    variables: int
    owner: str
    added: str

    @property
    def path(self) -> Path:
        """What is opened: its index if it has one."""
        index = self.source.with_name(INDEX)
        return index if index.exists() else self.source


class Catalogues:
    """Catalogues by id. What no row speaks of was never confirmed."""

    def __init__(self, db: Database, folder: Path) -> None:
        self.db, self.folder = db, folder
        folder.mkdir(exist_ok=True)

    def add(self, name: str, incoming: Path, *, owner: str, id: str | None = None) -> KeptCatalogue:
        """Take a file that holds a catalogue; one that cannot be read leaves nothing behind."""
        from marginalia import build_catalogue, open_catalogue

        id = id or secrets.token_urlsafe(9)
        file, _, _ = place_file(self.folder, id, name, incoming)
        path = self.folder / file
        try:
            variables = len(open_catalogue(path))
            if variables > MAX_IN_MEMORY:
                build_catalogue([path], path.with_name(INDEX), vectors="none")
        except BaseException as error:
            shutil.rmtree(self.folder / id, ignore_errors=True)
            if isinstance(error, MarginaliaError):  # where we keep it is nobody's business
                raise FormatError(str(error).replace(str(path), name)) from error
            raise
        with self.db.change() as db:
            db.execute(
                "INSERT INTO catalogues VALUES (?, ?, ?, ?, ?, ?)",
                (id, name[:200], file, variables, owner, now()),
            )
        return self.get(id)

    def get(self, id: str) -> KeptCatalogue:
        found = next((one for one in self.all() if one.id == id), None)
        if found is None:
            raise MissingError("there is no catalogue of that id here")
        return found

    def all(self) -> list[KeptCatalogue]:
        """In the order in which they came."""
        return [
            KeptCatalogue(
                id=row["id"],
                name=row["name"],
                source=self.folder / row["file"],
                variables=row["variables"],
                owner=row["owner"],
                added=row["added"],
            )
            for row in self.db.rows("SELECT * FROM catalogues ORDER BY added, rowid")
        ]

    def delete(self, id: str) -> None:
        """With what was decided by it; documents that used it have none from then on."""
        with self.db.change() as db:
            db.execute("DELETE FROM catalogues WHERE id = ?", (id,))
        shutil.rmtree(self.folder / id, ignore_errors=True)

    def strays(self) -> Iterator[Path]:
        """What no row speaks of, as with documents."""
        known = {one.id for one in self.all()}
        for folder in self.folder.iterdir():
            if folder.name not in known and folder.is_dir():
                yield from list(folder.iterdir())
