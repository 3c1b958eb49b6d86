"""Files that the database of a library does not know: moved beside it, and brought back when somebody asks."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from marginalia.core.errors import FormatError, MarginaliaError
from marginalia.core.files import file_sha256
from marginalia.web.store.catalogues import INDEX

if TYPE_CHECKING:
    from marginalia.web.store.store import Store

FOLDER = "set-aside"


def set_aside(library: Path, strays: Iterable[Path]) -> str:
    """Move them, since the database may be new, or an older copy; returns a sentence about it, empty if there were none."""
    target = library / FOLDER / secrets.token_hex(4)  # a new folder: nothing there is replaced
    count = 0
    try:
        for one in strays:
            if one.is_dir() and not any(one.iterdir()):
                one.rmdir()
            else:
                place = target / one.relative_to(library)
                place.parent.mkdir(parents=True, exist_ok=True)
                one.rename(place)
                count += 1
            with suppress(OSError):  # it holds others
                one.parent.rmdir()
    except OSError as error:
        raise FormatError(
            f"files that library.sqlite does not know cannot be moved to {target}: {error.strerror}",
            path=library,
        ) from error
    if not count:
        return ""
    return (
        f"{'1 file' if count == 1 else f'{count} files'} that library.sqlite does not know moved to {target}: "
        "`marginalia library recover` brings back what can be read"
    )


def recover(store: Store, owner: str) -> tuple[int, int]:
    """Add what was set aside, as new documents and catalogues; returns how many came, and how many stay there.

    Those stay whose content is in the library already, and catalogues that cannot be read.
    """
    aside = store.folder / FOLDER
    came = stayed = 0
    known = {record.sha256 for record in store.documents.all()}
    found = [one for one in aside.glob("*/files/**/*") if one.is_file()]
    for path in sorted(found, key=lambda one: one.stat().st_mtime):  # in the order they came
        digest = file_sha256(path)
        if digest in known:
            stayed += 1
        else:
            store.documents.add(path.name, path, owner=owner)
            known.add(digest)
            came += 1
    taken = {one.source.parent.name for one in store.catalogues.all()}
    for folder in sorted(aside.glob("*/catalogues/*/*")):
        if folder.name not in taken and _recover_catalogue(store, folder, owner):
            taken.add(folder.name)
            came += 1
        else:
            stayed += 1
    for place, _, _ in os.walk(aside, topdown=False):
        with suppress(OSError):  # it holds what stays
            Path(place).rmdir()
    return came, stayed


def _recover_catalogue(store: Store, folder: Path, owner: str) -> bool:
    """Its file, which the folder is named after, and what was decided by it."""
    from marginalia import keep_decisions

    files = (one for one in folder.iterdir() if one.is_file()) if folder.is_dir() else ()
    source = next((one for one in files if file_sha256(one).startswith(folder.name)), None)
    if source is None:
        return False
    index = source.with_name(INDEX)
    incoming = store.incoming / secrets.token_hex(8)
    try:
        decisions = list(keep_decisions(index if index.exists() else source, ()))
        shutil.copyfile(source, incoming)
        kept = store.catalogues.add(source.name, incoming, owner=owner)
        keep_decisions(kept.path, decisions)
    except MarginaliaError:
        return False
    shutil.rmtree(folder)
    return True
