"""The files of a page: HTML, scripts and styles that lie in a package, served from memory."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING

from fastapi.responses import Response

from marginalia.web import answers

if TYPE_CHECKING:
    from fastapi import FastAPI

TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
FONTS = ("inter.woff2", "source-serif.woff2", "source-serif-ext.woff2")
SHARED = ("dom.js", "icon.svg", "site.js", "style.css", *FONTS)
"""What the pages of other sites take from the reader."""


def add_files(app: FastAPI, package: str, shared: Iterable[str] = ()) -> None:
    """Serve the folder ``static`` of the package at ``/``, and the named files of the reader; nothing else has an address."""
    reader = files(__package__).joinpath("static")
    contents = {name: reader.joinpath(name).read_bytes() for name in shared}
    for entry in files(package).joinpath("static").iterdir():
        if entry.name.rpartition(".")[2] in TYPES:
            contents[entry.name] = entry.read_bytes()

    @app.get("/{name:path}", include_in_schema=False)
    def page(name: str) -> Response:
        name = name or "index.html"
        if name not in contents:
            return answers.say(404, f"there is no {name[:80]!r} here")
        return Response(contents[name], media_type=TYPES[name.rpartition(".")[2]])
