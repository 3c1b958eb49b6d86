"""A library on disk: its database, its files, and the lock that keeps a second server away."""

from __future__ import annotations

import os
import shutil
from itertools import chain
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.core.locks import take_lock
from marginalia.web.store.annotated_documents import AnnotatedDocuments
from marginalia.web.store.catalogues import Catalogues
from marginalia.web.store.database import Database
from marginalia.web.store.decision_log import DecisionLog
from marginalia.web.store.documents import Documents
from marginalia.web.store.people import People
from marginalia.web.store.positions import Positions
from marginalia.web.store.set_aside import set_aside

FOLDER_VARIABLE = "MARGINALIA_LIBRARY"


def default_folder() -> Path:
    """MARGINALIA_LIBRARY, or ``library`` in the user's data folder."""
    from platformdirs import user_data_path

    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else user_data_path("marginalia", appauthor=False) / "library"


class Store:
    """Everything of one library. One process at a time serves it; others that are not ``alone`` may look and add tokens."""

    def __init__(self, folder: Path, *, alone: bool = True) -> None:
        self.folder = folder
        self.incoming = folder / "incoming"
        """Where what is being sent lies until it is whole."""
        try:
            # What people read is their own business.
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.incoming.mkdir(exist_ok=True)
        except OSError as error:
            raise FormatError(
                f"the library cannot be kept there: {error.strerror}", path=folder
            ) from error
        self._lock = _lock(folder) if alone else None
        try:
            self.db = Database(folder / "library.sqlite")
        except BaseException:
            if self._lock is not None:
                os.close(self._lock)
            raise
        self.documents = Documents(self.db, folder / "files")
        self.catalogues = Catalogues(self.db, folder / "catalogues")
        self.annotated = AnnotatedDocuments(self.db)
        self.decisions = DecisionLog(self.db)
        self.people = People(self.db)
        self.positions = Positions(self.db)
        self.notice = self._tidy() if alone else ""
        """A sentence for whoever has started this, or nothing."""

    def close(self) -> None:
        self.db.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _tidy(self) -> str:
        """Remove what was half-sent when a process was killed; whole files that the database does not know are kept."""
        for leftover in self.incoming.iterdir():
            leftover.unlink(missing_ok=True)
        return set_aside(self.folder, chain(self.documents.strays(), self.catalogues.strays()))

    def remove_folder(self) -> None:
        """All of it, for a library that was only for the moment."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _lock(folder: Path) -> int:
    try:
        return take_lock(folder / ".lock")
    except OSError as error:
        raise FormatError(
            "the library is in use by another server: stop that one, or name another folder with `library=`",
            path=folder,
        ) from error
