"""The pages of the site: Markdown from all over the repository, with links that hold on the site.

A page is written to be read in the repository. Here it gets its place on the site, and its links are changed
accordingly. Pictures and other files that it links to are copied along.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from commands import help_page
from names import names_page

ROOT = Path(__file__).parent.parent.parent
FENCE = re.compile(r"(^```.*?^```[^\n]*$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#\s]+)(#[^)\s]+)?(\))")

FILES = "files"
"""The folder of the site for pictures and other files that pages link to."""

GENERATED = {"reference/help": help_page, "reference/names": names_page}
"""Pages that no file holds."""


def sections() -> dict[str, dict[str, Path | None]]:
    """Heading in the sidebar -> place on the site -> the file it comes from (None: it is generated)."""
    docs = ROOT / "docs"
    package = ROOT / "src" / "marginalia"
    return {
        "Tutorial": _folder(docs / "tutorial", first="read"),
        "How-to": _folder(docs / "how-to", first="read"),
        "Reference": {
            **_folder(docs / "reference", first="commands"),
            **dict.fromkeys(GENERATED),
        },
        "Explanation": _folder(docs / "explanation", first="quality"),
        "The five tasks": {
            f"tasks/{page.parent.name}": page for page in sorted(package.glob("tasks/*/README.md"))
        },
        "Research notes": _folder(docs / "research", first="complexity"),
        "Model cards": {f"models/{_model(page)}": page for page in _cards()},
        "Contributing": {
            "contributing/contributing": ROOT / "CONTRIBUTING.md",
            "contributing/security": ROOT / "SECURITY.md",
            **_folder(docs / "contributing", first=""),
            "contributing/benchmarks": ROOT / "benchmarks" / "README.md",
            "contributing/dictionary": ROOT / "lexicon" / "README.md",
            "contributing/annotation": ROOT / "annotation" / "README.md",
            "contributing/unclear": ROOT / "annotation" / "unclear" / "README.md",
            "changelog": ROOT / "CHANGELOG.md",
        },
    }


def _folder(folder: Path, first: str) -> dict[str, Path | None]:
    pages = sorted(folder.glob("*.md"), key=lambda page: (page.stem != first, page.stem))
    return {f"{folder.name}/{page.stem}": page for page in pages}


def _cards() -> list[Path]:
    """Every folder with weights has a manifest and a card, in this package and in the non-commercial one."""
    return sorted(
        card
        for top in (ROOT / "src", ROOT / "noncommercial")
        for manifest in top.rglob("manifest.json")
        if (card := manifest.with_name("README.md")).exists()
    )


def _model(card: Path) -> str:
    folder = card.parent
    return folder.parent.name if folder.name == "weights" else folder.name


def gather(out: Path) -> None:
    """Write all pages and pictures of the site below ``out``."""
    found = sections()
    places = {
        source.resolve(): place
        for pages in found.values()
        for place, source in pages.items()
        if source is not None
    }
    places[ROOT / "docs" / "README.md"] = "index"
    files: set[Path] = set()
    for source, place in places.items():
        text = translate(source, place, places, files)
        if place == "index":
            text += _contents(found)
        _write(out / f"{place}.md", text)
    for place, page in GENERATED.items():
        _write(out / f"{place}.md", page())
    for file in files:
        copy = out / FILES / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)


def translate(source: Path, place: str, places: Mapping[Path, str], files: set[Path]) -> str:
    """The text of a page with the links that it needs at its place; ``files`` takes up those it links to."""

    def moved(match: re.Match[str]) -> str:
        before, target, anchor, after = match.groups(default="")
        if "://" in target:
            return match[0]
        file = (source.parent / target).resolve()
        if file in places:
            there = f"{places[file]}.md"
        elif file.is_file():
            files.add(file)
            there = f"{FILES}/{file.relative_to(ROOT).as_posix()}"
        else:
            raise SystemExit(f"{source}: {target} is neither a page of the site nor a file")
        return before + os.path.relpath(there, Path(place).parent) + anchor + after

    pieces = FENCE.split(source.read_text(encoding="utf-8"))
    return "".join(piece if piece.startswith("```") else LINK.sub(moved, piece) for piece in pieces)


def _contents(found: Mapping[str, Mapping[str, Path | None]]) -> str:
    """The sidebar."""
    parts = [
        f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n" + "\n".join(pages) + "\n```\n"
        for heading, pages in found.items()
    ]
    return "".join(parts)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
