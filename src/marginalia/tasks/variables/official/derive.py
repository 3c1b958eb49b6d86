"""The files of the data folder that are computed from the complete official ones.

Six whole documents are withheld from ``train.tsv`` and ``val.tsv``, as the blind test of the shared task is
split by document; their sentences are in ``heldout_inputs.tsv``, without labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from marginalia.core.data_folder import require_data
from marginalia.core.table import format_table
from marginalia.tasks.variables.official.data import FOLDER, read_rows

WITHHELD = frozenset({"35933", "61598", "61751", "20515", "37769", "51971"})
COLUMNS = ("sentence", "is_variable", "variable", "research_data", "doc_id", "uuid", "lang")
HELD_OUT_COLUMNS = ("sentence", "research_data", "doc_id", "uuid", "lang")
DOCUMENT_COLUMNS = ("doc_id", "lang", "n_sentences", "research_data", "heldout")

Row = Mapping[str, str]


def derive(folder: Path) -> dict[str, str]:
    """Path in the data folder -> content, from ``sv-ident/upstream/train.tsv`` and ``val.tsv``."""
    parts = {}
    for name in ("train.tsv", "val.tsv"):
        path = require_data(folder / FOLDER / "upstream" / name, "variables")
        parts[name] = [row for _, row in read_rows(path, *COLUMNS)]
    rows = [row for part in parts.values() for row in part]
    surveys = _surveys(rows)
    held_out = sorted(
        (row for row in rows if row["doc_id"] in WITHHELD),
        key=lambda row: (row["doc_id"], row["uuid"]),
    )
    files = {
        name: _format(COLUMNS, (row for row in part if row["doc_id"] not in WITHHELD))
        for name, part in parts.items()
    }
    files["heldout_inputs.tsv"] = _format(
        HELD_OUT_COLUMNS, ({**row, "research_data": surveys[row["doc_id"]]} for row in held_out)
    )
    files["documents.tsv"] = _format(DOCUMENT_COLUMNS, _documents(rows, surveys))
    return {f"{FOLDER}/{name}": text for name, text in files.items()}


def _surveys(rows: Sequence[Row]) -> dict[str, str]:
    """The surveys named on any sentence of a document."""
    found: dict[str, set[str]] = {}
    for row in rows:
        named = found.setdefault(row["doc_id"], set())
        named.update(filter(None, row["research_data"].split(";")))
    return {doc: ";".join(sorted(named)) for doc, named in found.items()}


def _documents(rows: Sequence[Row], surveys: Mapping[str, str]) -> Iterable[Row]:
    """One row per document with the language of most of its sentences."""
    langs: dict[str, Counter[str]] = {}
    for row in rows:
        langs.setdefault(row["doc_id"], Counter())[row["lang"]] += 1
    for doc in sorted(langs):
        yield {
            "doc_id": doc,
            "lang": max(sorted(langs[doc]), key=langs[doc].__getitem__),
            "n_sentences": str(langs[doc].total()),
            "research_data": surveys[doc],
            "heldout": str(int(doc in WITHHELD)),
        }


def _format(columns: Sequence[str], rows: Iterable[Row]) -> str:
    table = [columns, *([row[name] for name in columns] for row in rows)]
    return format_table(table, quoted=True)
