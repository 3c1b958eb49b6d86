"""Jupyter notebooks: Markdown cells as text, code cells as code. Outputs are left out and counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import decode, parse_json
from marginalia.reader.parse import markdown
from marginalia.reader.parse.content import Builder, Content
from marginalia.reader.parse.plain import check, require_length

MAX_CELLS = 20_000


def parse(data: bytes, path: Path) -> Content:
    notebook = parse_json(decode(data, path).removeprefix("\ufeff"), path)
    cells = _cells(notebook)
    if not isinstance(cells, list) or len(cells) > MAX_CELLS:
        raise FormatError(
            f"not a notebook that can be read: it needs a list of up to {MAX_CELLS:,} cells",
            path=path,
        )
    builder = Builder()
    for number, cell in enumerate(cells, 1):
        source = _source(cell)
        if source is None:
            raise FormatError(f"cell {number} of the notebook has no source", path=path)
        kind = cell.get("cell_type")
        if kind == "markdown":
            builder.include(markdown.parse(source.encode("utf-8", "replace"), path))
        elif kind == "heading":  # of the older format
            builder.gap("\n\n")
            level = cell.get("level")
            builder.open("heading", level=level if level in range(1, 7) else 1)
            builder.flow(check(source, path))
            builder.close()
        elif kind == "code" and source.strip():
            with builder.block("code"):
                builder.add(check(source, path).strip("\n"))
            builder.leave_out("output", _output(cell))
        elif kind == "raw":
            builder.leave_out("raw", source)
        require_length(builder.length, path)
    return builder.build(title=builder.heading(1) or builder.heading())


def _output(cell: Any) -> str:
    """What a code cell printed."""
    parts: list[Any] = []
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        data = output.get("data") if isinstance(output, dict) else None
        text = data.get("text/plain") if isinstance(data, dict) else None
        text = output.get("text") if text is None and isinstance(output, dict) else text
        parts += [text] if isinstance(text, str) else text if isinstance(text, list) else []
    return "".join(part for part in parts if isinstance(part, str))


def _cells(notebook: Any) -> Any:
    """The cells of a notebook; before version 4 they were in a worksheet."""
    if not isinstance(notebook, dict):
        return None
    sheets = notebook.get("worksheets")
    if isinstance(sheets, list) and sheets and isinstance(sheets[0], dict):
        return sheets[0].get("cells")
    return notebook.get("cells")


def _source(cell: Any) -> str | None:
    """The text of a cell, which may be a list of lines; older code cells call it input."""
    if not isinstance(cell, dict):
        return None
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return source if isinstance(source, str) else None
