"""A whole library as one file: a zip archive of JSON lines and of the documents' files, that any program can read."""

from __future__ import annotations

import json
import secrets
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, MarginaliaError
from marginalia.web.store.archived_catalogues import take_catalogues, write_catalogues
from marginalia.web.store.store import Store

VERSION = 1
MAX_DOCUMENTS = 100_000
MAX_FILE_BYTES = 200 * 2**20
MAX_LINE_BYTES = 64 * 2**20
FORMAT = "marginalia library"
FORMER_LEVELS = {"general": "reader", "expert": "specialist"}
FORMER_NOTES = {
    "complexity": "words",
    "measurement": "measurements",
    "clarification": "unclear",
    "similarity": "consistency",
}
"""Names in archives of earlier releases -> those of profiles and annotators, as in the migration 0003."""
_FIELDS = (
    "id",
    "name",
    "source",
    "lang",
    "audience",
    "catalogue",
    "owner",
    "shared",
    "state",
    "error",
    "added",
    "changed",
    "removed",
    "title",
    "collection",
)


def export_library(store: Store, target: BinaryIO) -> int:
    """Write everything but tokens, which stay where they are; returns how many documents."""
    records = store.documents.all()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        archive.writestr("library.json", json.dumps({"format": FORMAT, "version": VERSION}))
        for record in records:
            doc = store.annotated.get(record.id)
            data = {
                **{name: getattr(record, name) for name in _FIELDS},
                "tags": list(record.tags),
                "positions": store.positions.rows(record.id),
                "reading": doc.to_dict() if doc else None,
                "decisions": [_entry(one) for one in store.decisions.entries(record.id)],
            }
            archive.writestr(f"documents/{record.id}.json", json.dumps(data))
            if record.path.is_file():
                archive.write(record.path, f"files/{record.id}/{record.path.name}")
        write_catalogues(store, archive)
        for table in ("settings", "words"):
            rows = store.db.rows(f"SELECT * FROM {table}")  # noqa: S608 - one of two names
            archive.writestr(f"{table}.json", json.dumps([dict(row) for row in rows]))
    return len(records)


def import_library(
    store: Store, source: Path | BinaryIO, *, owner: str | None = None
) -> tuple[int, int]:
    """Add what is in an exported file; documents that are here already stay. Returns how many came, and stayed away.

    ``owner`` is who they belong to from now on; without it, whoever they belonged to.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            names = [one for one in archive.namelist() if one.startswith("documents/")]
            head = _json(archive, "library.json")
            if (
                not isinstance(head, dict)
                or head.get("format") != FORMAT
                or head.get("version") != VERSION
            ):
                raise FormatError("this is no library that this release can read")
            if len(names) > MAX_DOCUMENTS:
                raise FormatError(
                    f"there are more than {MAX_DOCUMENTS:,} documents in it, the limit"
                )
            known = {record.id for record in store.documents.all()}
            found = [_checked(_json(archive, name), name) for name in names]
            for data in found:
                _file_of(archive, data)
            take_catalogues(store, archive, owner)
            came = sum(_take(store, archive, data, known, owner) for data in found)
            if owner is None:
                _take_own(store, archive)
            return came, len(names) - came
    except (
        zipfile.BadZipFile,
        KeyError,
        zipfile.LargeZipFile,
        NotImplementedError,
        EOFError,
        RuntimeError,
    ) as error:
        raise FormatError(f"this is no exported library: {str(error)[:100]}") from error


def _entry(one: Any) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("batch", "target", "action", "data", "who", "at")}


def _checked(data: Any, name: str) -> dict[str, Any]:
    """A document of the file, looked at before anything is taken in; one of an earlier release in the names of this one."""
    if isinstance(data, dict) and "level" in data:
        text = json.dumps({**data, "reading": None, "state": "waiting"})
        for old, new in FORMER_NOTES.items():
            text = text.replace(f'"task": "{old}"', f'"task": "{new}"')
        data = json.loads(text)
        data["audience"] = FORMER_LEVELS.get(str(data["level"]), data["level"])
    texts = ("id", "name", "owner", "state", "added", "changed")
    if not isinstance(data, dict) or not all(isinstance(data.get(one), str) for one in texts):
        raise FormatError(f"{name} in it is no document")
    fits = (
        name == f"documents/{data['id']}.json"
        and data["id"].replace("-", "").replace("_", "").isalnum()
    )
    fits &= isinstance(data.get("tags"), list) and isinstance(data.get("decisions"), list)
    fits &= all(_is_entry(one) for one in data.get("decisions") or ())
    if not fits:
        raise FormatError(f"{name} in it is no document")
    try:
        reading = data.get("reading")
        data["reading"] = Document.from_dict(reading) if reading is not None else None
    except MarginaliaError as error:
        raise FormatError(f"{name} in it: {error}") from error
    return data


def _is_entry(one: Any) -> bool:
    texts = ("batch", "target", "action", "who", "at")
    return (
        isinstance(one, dict)
        and isinstance(one.get("data"), dict)
        and all(isinstance(one.get(name), str) for name in texts)
    )


def _file_of(archive: zipfile.ZipFile, data: dict[str, Any]) -> zipfile.ZipInfo:
    files = [one for one in archive.infolist() if one.filename.startswith(f"files/{data['id']}/")]
    if len(files) != 1 or files[0].file_size > MAX_FILE_BYTES:
        raise FormatError(f"the file of {data['name'][:80]!r} is not in it, or is too large")
    return files[0]


def _take(
    store: Store, archive: zipfile.ZipFile, data: dict[str, Any], known: set[str], owner: str | None
) -> bool:
    if data["id"] in known:
        return False
    incoming = store.incoming / secrets.token_hex(8)
    with archive.open(_file_of(archive, data)) as source, incoming.open("xb") as target:
        shutil.copyfileobj(source, target)
    record = store.documents.add(
        data["name"],
        incoming,
        id=data["id"],
        owner=data["owner"] if owner is None else owner,
        lang=data["lang"] if isinstance(data.get("lang"), str) else None,
        audience=data["audience"] if isinstance(data.get("audience"), str) else None,
        shared=bool(data.get("shared")),
        source=data["source"] if isinstance(data.get("source"), str) and owner is None else None,
    )
    if any(one.id == data.get("catalogue") for one in store.catalogues.all()):
        store.documents.set(record.id, catalogue=data["catalogue"])
    store.documents.set_tags(record.id, [str(tag) for tag in data["tags"]])
    texts = {
        name: data[name] for name in ("title", "collection") if isinstance(data.get(name), str)
    }
    if texts:
        store.documents.set(record.id, **texts)
    store.positions.take(record.id, data.get("positions"))
    if data["reading"] is not None and data["state"] == "done":
        store.annotated.put(record.id, data["reading"])
    with store.db.change() as db:
        db.execute(
            "UPDATE documents SET added = ?, changed = ?, removed = ? WHERE id = ?",
            (data["added"], data["changed"], data.get("removed"), record.id),
        )
        db.executemany(
            "INSERT INTO decisions (document, batch, target, action, data, who, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    record.id,
                    one["batch"],
                    one["target"],
                    one["action"],
                    json.dumps(one["data"]),
                    one["who"],
                    one["at"],
                )
                for one in data["decisions"]
            ],
        )
    return True


def _take_own(store: Store, archive: zipfile.ZipFile) -> None:
    """Settings and words of those who used the library; what is here already wins."""
    for table, columns in {
        "settings": ("who", "name", "value"),
        "words": ("who", "word", "added"),
    }.items():
        for row in _rows(_json(archive, f"{table}.json"), columns):
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            with store.db.change() as db:
                db.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", row)  # noqa: S608


def _rows(data: Any, columns: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for row in data if isinstance(data, list) else []:
        if isinstance(row, dict) and all(isinstance(row.get(name), str) for name in columns):
            yield tuple(row[name] for name in columns)


def _json(archive: zipfile.ZipFile, name: str) -> Any:
    info = archive.getinfo(name)
    if info.file_size > MAX_LINE_BYTES:
        raise FormatError(f"{name} in it has more than {MAX_LINE_BYTES // 2**20} MB, the limit")
    try:
        return json.loads(archive.read(info))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{name} in it is not JSON: {str(error)[:80]}") from error
