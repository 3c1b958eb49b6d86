"""Zip packages, as Word, OpenDocument and EPUB files are: their parts, read under limits, and what the texts of the first two share."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.parse.content import Builder
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


def attribute(element: Any, name: str) -> str | None:
    """An attribute, whatever its namespace."""
    return next((v for key, v in element.attrib.items() if key.rpartition("}")[2] == name), None)


class OfficeText:
    """The text of a Word or OpenDocument file. Notes and text boxes come after the paragraph or table that holds them."""

    def __init__(self, path: Path) -> None:
        self.builder, self.path = Builder(), path
        self.waiting: list[Any] = []
        """Notes and text boxes of the paragraph or table at hand."""
        self.cells = 0
        """How many tables and notes are open, in which all text is on one line."""
        self.below = 0
        """1 once there was a title: headings are below it."""

    def blocks(self, element: Any) -> None:
        """The paragraphs and tables in an element."""
        raise NotImplementedError

    def lines(self, element: Any) -> None:
        """What is in a cell or note, in one line; a table in it is no table of its own."""
        raise NotImplementedError

    def inline(self, element: Any, script: str = "") -> None:
        """The text of a paragraph or of what is in it."""
        raise NotImplementedError

    def add_paragraph(self, element: Any, kind: str, **more: Any) -> None:
        """A paragraph, as a region if it has a kind, and what follows it."""
        self.builder.gap("\n\n")
        if kind:
            self.builder.open(kind, **more)
        self.inline(element)
        if kind:
            self.builder.close()
        self.builder.gap("\n\n")
        self.follow()

    def follow(self) -> None:
        """What waited for the end of its paragraph or table."""
        while self.waiting and not self.cells:
            waiting = self.waiting.pop(0)
            if waiting.tag.rpartition("}")[2] in ("txbxContent", "text-box"):
                self.builder.gap("\n\n")
                self.blocks(waiting)
                continue
            with self.builder.block("footnote"):
                self.cells += 1
                self.lines(waiting)
                self.cells -= 1
