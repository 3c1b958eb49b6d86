"""The margin of a document as text: one line per note and per finding, in the order of the text."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

from marginalia import Document, annotate, choose_notes, lint
from marginalia.core.registry import all_annotators
from marginalia.reader.read import read
from marginalia.reader.view.caption import shorten

FOLDER = Path(__file__).parent
DOCUMENTS = sorted((FOLDER / "documents").iterdir())


def golden(path: Path) -> Path:
    """Where the margin of a document is kept."""
    return FOLDER / "notes" / f"{path.name}.txt"


def margin(path: Path) -> str:
    """All notes (those with room in the margin have a star), then all findings. Scores are left out: they differ in their last digits.

    Notes of style are findings, and stand there.
    """
    doc = annotate(read(path), [one for one in all_annotators() if one.name != "style"])
    shown = {note.id for note in choose_notes(doc).annotations}
    lines = ["notes", *(_note(doc, note, note.id in shown) for note in doc.annotations)]
    lines += ["", "lint"]
    for one in lint(path, config=FOLDER / "settings.toml", cache=False):
        fixed = f" -> {'; '.join(each.text for each in one.fix)}" if one.fix else ""
        lines.append(f"{one.line}:{one.column} {one.severity} {one.code}: {one.message}{fixed}")
    return "\n".join(lines) + "\n"


def _note(doc: Document, note, shown: bool) -> str:
    line = doc.text.count("\n", 0, note.start) + 1
    why = note.attrs.get("why")
    said = f" | {shorten(why, 160)}" if isinstance(why, str) and why else ""
    quote = shorten(note.quote, 60)
    return f"{'*' if shown else ' '} {line} {note.task} {note.label}: {quote}{said}"


def difference(path: Path) -> str:
    """What has changed in the margin of a document, as a unified diff; empty if nothing has."""
    old = golden(path).read_text(encoding="utf-8") if golden(path).exists() else ""
    names = f"{golden(path).name} as committed", f"{golden(path).name} now"
    lines = unified_diff(old.splitlines(), margin(path).splitlines(), *names, lineterm="")
    return "\n".join(lines)
