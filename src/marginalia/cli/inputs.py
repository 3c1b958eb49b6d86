"""The files that a command was given. One that cannot be read costs that file, not the work on the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.core.errors import FormatError, MarginaliaError

if TYPE_CHECKING:
    from marginalia.core.document import Document


class Inputs:
    """Files and folders, and what went wrong with some of them.

    A single bad file is an error. Of several, a bad one is left out and named at the end, with exit code 1; if none
    is left, that is an error too.
    """

    def __init__(
        self,
        sources: Sequence[str],
        *,
        lang: str | None = None,
        many: bool | None = None,
        ocr: bool = False,
    ) -> None:
        self.sources, self.lang, self.ocr = sources, lang, ocr
        self.many = len(sources) > 1 or Path(sources[0]).is_dir() if many is None else many
        self.left_out: list[MarginaliaError] = []

    def documents(self) -> Iterator[Document]:
        """Each document in turn, under an id of its own."""
        from marginalia.reader.read import read_all

        count = 0
        keep = self.left_out.append if self.many else None
        for doc in read_all(self.sources, lang=self.lang, on_error=keep, ocr=self.ocr):
            before = len(self.left_out)
            yield doc
            count += len(self.left_out) == before
        if not count:
            self._name()
            raise FormatError("none of the documents could be read")

    @contextmanager
    def attempt(self, kind: type[MarginaliaError] = MarginaliaError) -> Iterator[None]:
        """Work on one file: its errors of this kind leave it out, if it is one of several."""
        try:
            yield
        except kind as error:
            if not self.many:
                raise
            self.left_out.append(error)

    def finish(self, code: int = 1) -> None:
        """Name what was left out and end with this exit code, if there is any."""
        self._name()
        if self.left_out:
            sys.exit(code)

    def _name(self) -> None:
        for error in self.left_out:
            click.echo(f"marginalia: left out: {error}", err=True)
