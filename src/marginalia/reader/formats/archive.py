"""Several files as one: a zip archive, for whoever can take one file only."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip archive knows: the same files always make the same archive."""
MEDIA = "application/zip"


def pack(files: Mapping[str, str]) -> bytes:
    """The files in an archive, by their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()
