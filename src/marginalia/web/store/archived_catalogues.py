"""The catalogues of a library in its archive: each with its file and what was decided by it."""

from __future__ import annotations

import json
import secrets
import shutil
import zipfile
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.web.store.store import Store

MAX_FILE_BYTES = 200 * 2**20
MAX_JSON_BYTES = 64 * 2**20


def write_catalogues(store: Store, archive: zipfile.ZipFile) -> None:
    from marginalia import keep_decisions

    for one in store.catalogues.all():
        data = {"id": one.id, "name": one.name, "owner": one.owner}
        decisions = [each.to_dict() for each in keep_decisions(one.path, [])]
        archive.writestr(f"catalogues/{one.id}.json", json.dumps({**data, "decisions": decisions}))
        archive.write(one.source, f"catalogue-files/{one.id}")


def take_catalogues(store: Store, archive: zipfile.ZipFile, owner: str | None) -> None:
    """Those that are here already stay as they are. Files are read as if they had been sent."""
    from marginalia import keep_decisions

    known = {one.id for one in store.catalogues.all()}
    names = [one for one in archive.namelist() if one.startswith("catalogues/")]
    for data in [_checked(archive, name) for name in names]:
        if data["id"] in known:
            continue
        incoming = store.incoming / secrets.token_hex(8)
        try:
            with (
                archive.open(f"catalogue-files/{data['id']}") as source,
                incoming.open("xb") as target,
            ):
                shutil.copyfileobj(source, target)
            kept = store.catalogues.add(
                data["name"],
                incoming,
                owner=data["owner"] if owner is None else owner,
                id=data["id"],
            )
        finally:
            incoming.unlink(missing_ok=True)
        keep_decisions(kept.path, data["decisions"])


def _checked(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    info = archive.getinfo(name)
    if info.file_size > MAX_JSON_BYTES:
        raise FormatError(f"{name} in it has more than {MAX_JSON_BYTES // 2**20} MB, the limit")
    try:
        data = json.loads(archive.read(info))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{name} in it is not JSON: {str(error)[:80]}") from error
    texts = ("id", "name", "owner")
    fits = isinstance(data, dict) and all(isinstance(data.get(one), str) for one in texts)
    fits = (
        fits and isinstance(data.get("decisions"), list) and name == f"catalogues/{data['id']}.json"
    )
    if not fits or not data["id"].replace("-", "").replace("_", "").isalnum():
        raise FormatError(f"{name} in it is no catalogue")
    if archive.getinfo(f"catalogue-files/{data['id']}").file_size > MAX_FILE_BYTES:
        raise FormatError(f"the file of the catalogue {data['name'][:80]!r} is too large")
    return dict(data)
