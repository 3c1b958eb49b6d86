"""Model cards: a text written by hand, with the figures of a training filled in."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from marginalia import __version__
from marginalia.core.files import write_file
from marginalia.nlp.weights import open_weights

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""The names of the columns, and the rows."""


def write_card(folder: Path, template: Path, tables: Mapping[str, Table]) -> None:
    """Put ``README.md`` beside the weights.

    In the template a mark in capitals stands for the table of that name; FILES stands for the files
    with their SHA-256, VERSION for the version and commit of this code.
    """
    files = sorted(open_weights(folder)["files"].items())
    hashes = [[f"`{name}`", f"`{digest}`"] for name, digest in files]
    text = template.read_text(encoding="utf-8")
    for mark, (columns, rows) in {**tables, "FILES": (("file", "SHA-256"), hashes)}.items():
        text = text.replace(mark, markdown(columns, rows))
    text = text.replace("VERSION", f"marginalia {__version__}, commit {commit(template.parent)}")
    write_file(folder / "README.md", text)


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def commit(folder: Path) -> str:
    """The commit that the code in this folder is of, where there is one."""
    git = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
