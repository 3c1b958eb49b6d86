"""All file formats: what each command, the web API and the library choose from.

A format is described in the module that writes it. The modules are imported when first asked for; the packages
they need, when they write.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.reader.formats.format import Action, Format

_PLACES = (
    "parsed.TEXT",
    "parsed.MARKDOWN",
    "json.JSON",
    "json.JSONL",
    "table.CSV",
    "table.PARQUET",
    "table.TSV",
    "table.XLSX",
    "turtle.TURTLE",
    "html.HTML",
    "webannotation.JSONLD",
    "pdf.PDF",
    "brat.BRAT",
    "xmi.XMI",
    "anki.ANKI",
    "lint.SARIF",
    "lint.GITHUB",
    "parsed.RST",
    "parsed.ASCIIDOC",
    "parsed.LATEX",
    "parsed.NOTEBOOK",
    "parsed.MAIL",
    "parsed.DOCX",
    "parsed.ODT",
    "parsed.EPUB",
    "parsed.JATS",
    "parsed.TEI",
)
"""Where the formats are; what almost any bytes could be stands first, and is the last that ``sniff`` tries."""


@cache
def all_formats() -> dict[str, Format]:
    """Name -> format."""
    formats = {}
    for place in _PLACES:
        module, _, name = place.partition(".")
        format: Format = getattr(import_module(f"{__package__}.{module}"), name)
        formats[format.name] = format
    return formats


def formats_that(*actions: Action) -> dict[str, Format]:
    """Those that can do at least one of these."""
    return {
        name: format
        for name, format in all_formats().items()
        if any(format.can(action) for action in actions)
    }


def get_format(name: str, action: Action, *, what: str = "output format") -> Format:
    """The format of that name for something it can do, with the packages that this needs."""
    format = _find(name, known := formats_that(action))
    if format is None:
        raise UnknownNameError(what, name, known)
    format.require(action)
    return format


def choose_format(
    path: Path | None, name: str | None, known: Iterable[str], *, hint: str = "name the format"
) -> Format:
    """The format that is named, or that the extension of the path says, of those that are known.

    A name may also be an extension without its dot. ``hint`` says how the caller can name a format, if at all.
    """
    formats = {one: all_formats()[one] for one in known}
    if name is not None:
        format = _find(name, formats)
        if format is None:
            raise UnknownNameError("output format", name, formats)
        return format
    suffix = path.suffix.lower() if path else ""
    if hint and (path is None or path.is_dir() or not suffix):
        raise FormatError(
            f"a folder does not say the format; {hint}: {', '.join(formats)}", path=path
        )
    for format in formats.values():
        if suffix in format.suffixes:
            return format
    suffixes = [suffix for format in formats.values() for suffix in format.suffixes]
    said = f"the extension does not say the format; known are {', '.join(suffixes)}"
    raise FormatError(f"{said}, or {hint}" if hint else said, path=path)


def _find(name: str, formats: dict[str, Format]) -> Format | None:
    by_suffix = (format for format in formats.values() if f".{name}" in format.suffixes)
    return formats.get(name) or next(by_suffix, None)
