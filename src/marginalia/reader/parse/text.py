"""A text at hand becomes a document."""

from __future__ import annotations

from pathlib import Path

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.nlp.language import guess
from marginalia.reader.parse.foreign import with_foreign
from marginalia.reader.parse.plain import parse


def read_text(text: str, *, lang: str | None = None, id: str = "text") -> Document:
    """The document of a plain text, as if it had been read from a file."""
    content = parse(text.encode("utf-8", "surrogatepass"), Path(id))
    if not content.text.strip():
        raise FormatError("there is no text in it")
    lang = lang or guess(content.text)
    meta = {
        "format": "text",
        "lang": lang,
        "title": content.title or id,
        "regions": with_foreign(content.text, content.regions, lang),
    }
    return Document(id=id, text=content.text, meta=meta)
