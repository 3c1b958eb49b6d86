"""What a field makes easy: words that its people meet every day. ``build_fields`` says where they come from."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

from marginalia.core.errors import MissingError, UnknownNameError
from marginalia.core.files import decode, require_file
from marginalia.nlp.weights import MANIFEST, open_weights
from marginalia.tasks.complexity.systems.shipped import WEIGHTS

NAME = "fields.tsv.gz"
FIELDS = (
    "biology",
    "chemistry",
    "computing",
    "law",
    "mathematics",
    "medicine",
    "physics",
    "politics",
    "religion",
)


@cache
def field_words(name: str, folder: Path = WEIGHTS) -> frozenset[str]:
    """The words in small letters that are no obstacle to people of this field."""
    if name not in FIELDS:
        raise UnknownNameError("field", name, FIELDS)
    if NAME not in open_weights(folder)["files"]:
        raise MissingError(f"{folder / MANIFEST} does not name {NAME}: run build_fields again.")
    path = require_file(folder / NAME)
    for line in decode(gzip.decompress(path.read_bytes()), path).splitlines():
        field, _, words = line.partition("\t")
        if field == name:
            return frozenset(words.split())
    return frozenset()
