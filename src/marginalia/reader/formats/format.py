"""What a file format is: its names, what can be done with it, and what that needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from marginalia.core.errors import FormatError, missing_package

if TYPE_CHECKING:
    from marginalia.core.document import Document
    from marginalia.reader.parse.content import Content
    from marginalia.reader.view.findings import Finding

Action = Literal[
    "parse", "parse_all", "read", "write", "write_from", "write_rows", "write_findings"
]
"""What can be done with a format; each is a field of ``Format`` that holds the function."""
Columns = Mapping[str, type | None]
"""The columns of a table in their order, with the type of their cells where it is known."""


def unable(*_: Any) -> NoReturn:
    """The function of a format for what it cannot do."""
    raise FormatError("this format cannot be used for that")


def _unrecognised(data: bytes) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """The optional dependencies a format needs, and for which actions it needs them."""

    name: str
    """As in ``pip install 'marginalia[name]'``."""
    package: str
    module: str
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One file format. The functions for what it cannot do are ``unable``."""

    name: str
    suffixes: tuple[str, ...]
    """File extensions, the usual one first."""
    media: str
    """The media type of one file."""
    also_parsed: tuple[str, ...] = ()
    """Extensions of files that are parsed as this format but never written, such as .xhtml."""
    roots: tuple[str, ...] = ()
    """Outermost elements, by which XML formats are distinguished."""
    is_signature: Callable[[bytes], bool] = _unrecognised
    """Whether bytes without a name start like this format."""
    several: tuple[str, ...] = ()
    """The extensions of one document's files, where it takes several: such a format has ``write_files``."""
    extra: Extra | None = None
    parse: Callable[[bytes, Path], Content] = unable
    """The text of a document that is not ours."""
    parse_all: Callable[[bytes, Path], list[Document]] = unable
    """The documents of a file that may hold several."""
    write: Callable[[Sequence[Document]], str | bytes] = unable
    """Documents with their annotations, in one file."""
    write_from: Callable[[Document, Path], str | bytes] = unable
    """One document whose file lies elsewhere than ``meta["path"]`` says, for formats that need that file."""
    write_files: Callable[[Sequence[Document]], Mapping[str, str]] = unable
    """The same in several files, by their names."""
    read: Callable[[Path], list[Document]] = unable
    """The documents in what was written."""
    write_rows: Callable[[Columns, Sequence[Mapping[str, Any]]], str | bytes] = unable
    """A table. Rows hold plain data; a missing cell is None."""
    write_findings: Callable[[Sequence[Finding]], str] = unable
    """What ``lint`` reports."""

    def can(self, action: Action) -> bool:
        if action == "write" and self.several:
            return True
        return getattr(self, action) is not unable

    def require(self, action: Action) -> None:
        """An error that says what to install, where a package is missing; asked before the work."""
        extra = self.extra
        if extra and action in extra.actions and find_spec(extra.module) is None:
            raise missing_package(f"The format {self.name}", extra.package, extra.name)
