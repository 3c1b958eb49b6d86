"""How far a long training is: what our loggers say, on standard error, with the seconds since the start."""

from __future__ import annotations

import logging

LOGGERS = ("marginalia", "__main__")
"""Ours, and that of a module which is run itself."""


class Elapsed(logging.Formatter):
    """A line with the seconds since the start of the program."""

    def format(self, record: logging.LogRecord) -> str:
        return f"[{record.relativeCreated / 1000:6.0f} s] {super().format(record)}"


def show_progress() -> None:
    """For the main function of a training: print what is logged. A program that uses us sets up its own logging."""
    handler = logging.StreamHandler()
    handler.setFormatter(Elapsed())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
        logger.propagate = False
