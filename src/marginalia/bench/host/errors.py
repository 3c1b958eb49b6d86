"""Why a request is refused; each kind has its answer on the web."""

from __future__ import annotations

from marginalia.core.errors import MarginaliaError


class RefusedError(MarginaliaError):
    """Not now, not by you, or too often. ``status`` is that of HTTP."""

    def __init__(self, message: str, status: int = 403) -> None:
        super().__init__(message)
        self.status = status


class JudgeError(MarginaliaError):
    """Scoring was ended: it took too long, needed too much memory, or broke down."""


class OutOfOrderError(JudgeError):
    """The scorer itself does not start: no fault of the submission, which waits."""
