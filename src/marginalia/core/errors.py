"""What can go wrong, in four kinds.

Each message is one sentence that says what was wrong and where; the command line prints it as it is
and exits with code 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

MAX_MESSAGE = 500
"""Characters of a message: it may quote what stands in a file."""


def one_line(text: str) -> str:
    """A message as one line without control characters, cut: what it quotes comes from outside."""
    shown = "".join(
        sign if sign.isprintable() else repr(sign)[1:-1] for sign in " ".join(text.split())
    )
    return shown if len(shown) <= MAX_MESSAGE else shown[: MAX_MESSAGE - 1] + "…"


class MarginaliaError(Exception):
    """Whatever a user can mend: catch this to catch all four kinds. Its message is one line."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))


class FormatError(MarginaliaError):
    """A file or value from outside is not what it should be."""

    def __init__(
        self, message: str, *, path: str | Path | None = None, line: int | None = None
    ) -> None:
        self.message, self.path, self.line = message, path, line
        place = "" if path is None else f"{path}:{line}: " if line else f"{path}: "
        super().__init__(place + message)

    def at(self, path: str | Path, line: int | None = None) -> FormatError:
        """The same error with its place, for code that learns the place late."""
        if self.path is not None:
            return self
        return FormatError(self.message, path=path, line=line or self.line)


class MissingError(MarginaliaError):
    """Data, gold labels, weights or an optional package are not there; the message says how to get them."""


class UnknownNameError(MarginaliaError):
    """There is no task, split, system or tool of that name; the message lists what there is."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, all: bool = True) -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        close = get_close_matches(name, self.known, n=1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        listed = ", ".join(self.known) or "none"
        which = "Known" if all else "Known among others"
        super().__init__(f"There is no {kind} '{name}'.{hint} {which}: {listed}.")


class ContractError(MarginaliaError):
    """An annotator, a benchmark or a system does not keep the contract that check_annotator, check_benchmark and check_system test."""


def missing_package(what: str, package: str | None, extra: str) -> MissingError:
    """The one sentence on a package that only an extra of ours installs."""
    return MissingError(f"{what} needs the package {package}: pip install 'marginalia[{extra}]'.")


@contextmanager
def training() -> Iterator[None]:
    """Where a package that only training needs is missing, say what to install."""
    try:
        yield
    except ImportError as error:
        raise missing_package("Training", error.name, "train") from error
