"""Zip packages, as Word, OpenDocument and EPUB files are: their parts, read under limits."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.parse.xml import parse_xml

MAX_FILES = 5_000
MAX_BYTES = 200 * 2**20
"""Of everything in the package once it is unpacked."""


class Package:
    """The parts of a package by their names. ``name`` is how messages call it, such as ``DOCX``."""

    def __init__(self, data: bytes, path: Path, name: str) -> None:
        self.path, self.name = path, name
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            infos = self._zip.infolist()
        except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, ValueError):
            raise self.damaged() from None
        self.parts = frozenset(info.filename for info in infos)
        total = sum(info.file_size for info in infos)
        if len(infos) > MAX_FILES or total > MAX_BYTES:
            raise FormatError(
                f"the {name} unpacks to {len(infos):,} files of {total:,} bytes, the limit is "
                f"{MAX_FILES:,} and {MAX_BYTES:,}",
                path=path,
            )
        if any(info.flag_bits & 1 for info in infos):
            raise FormatError(f"the {name} is encrypted; save it without a password", path=path)

    def read(self, part: str) -> bytes:
        """The bytes of a part; never more than the package says it has."""
        try:
            return self._zip.read(part)
        except KeyError:
            raise FormatError(f"the {self.name} has no part {part}", path=self.path) from None
        except (
            zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError, RuntimeError, ValueError,
        ):  # fmt: skip
            raise self.damaged() from None

    def xml(self, part: str, *, namespaces: bool = False) -> Any:
        """The root of a part that is XML."""
        try:
            return parse_xml(self.read(part), self.path, namespaces=namespaces)
        except FormatError as error:
            raise FormatError(
                f"the part {part} of the {self.name}: {error.message}", path=self.path
            ) from None

    def damaged(self) -> FormatError:
        article = "an" if self.name[0] in "AEO" else "a"
        return FormatError(
            f"not {article} {self.name} that can be read: it is damaged", path=self.path
        )
