"""The trial data of SV-Ident 2022, annotated in 2018 by other rules.

One vocabulary per language; the files name a variable ``311-Yes`` (mentioned) or ``311-No`` (related, not
mentioned), in either case of letters and without the ``v`` of the vocabulary's ``v311``.
"""

from __future__ import annotations

from pathlib import Path

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import require_data
from marginalia.core.errors import FormatError
from marginalia.core.table import read_table
from marginalia.tasks.variables.official.data import (
    FOLDER,
    TRIAL,
    Label,
    Paper,
    Statement,
    group_name,
)
from marginalia.tasks.variables.official.vocabulary import read_trial_vocabulary

COLUMNS = ("doc_id", "text", "is_variable", "variable", "uuid")
NOTHING = ("", "No", "NoSkip")


def load_trial(name: str, folder: Path) -> Split:
    """The split ``trial-train`` or ``trial-test``, English first."""
    items: dict[str, Statement] = {}
    gold: dict[str, Label] = {}
    files = []
    for lang in ("en", "de"):
        base = folder / FOLDER / "trial"
        path = require_data(base / TRIAL[name] / f"{lang}.tsv", "variables")
        vocabulary = require_data(base / "vocabulary" / f"{lang}.tsv", "variables")
        catalogue = read_trial_vocabulary(vocabulary)
        files += [path, vocabulary]
        rows = list(read_table(path, COLUMNS, quoted=True))
        papers = {
            doc: Paper((row["text"].strip() for _, row in rows if row["doc_id"] == doc), lang)
            for doc in dict.fromkeys(row["doc_id"] for _, row in rows)
        }
        for line, row in rows:
            id, doc = row["uuid"], row["doc_id"]
            if id in items:
                raise FormatError(f"the uuid {id} is given twice", path=path, line=line)
            items[id] = Statement(row["text"].strip(), lang, doc, (), catalogue, papers[doc])
            gold[id] = Label(
                _binary(row["is_variable"], path, line), mentioned(row["variable"], path, line)
            )
    return Split(
        name=name,
        items=items,
        gold=gold,
        group={id: group_name(item.lang, item.doc_id) for id, item in items.items()},
        files=tuple(files),
        together={id: item.doc_id for id, item in items.items()},
    )


def mentioned(cell: str, path: Path, line: int) -> tuple[str, ...]:
    """The ids marked ``-Yes``, spelled as in the vocabulary."""
    found = []
    for mark in (part.strip() for part in cell.split(",")):
        if mark in NOTHING:
            continue
        number, hyphen, answer = mark.rpartition("-")
        if not hyphen or answer.lower() not in ("yes", "no"):
            raise FormatError(f"{mark!r} is neither 123-Yes nor 123-No", path=path, line=line)
        if answer.lower() == "yes":
            found.append(f"v{number}")
    return tuple(dict.fromkeys(found))


def _binary(cell: str, path: Path, line: int) -> int:
    if cell not in ("0", "1"):
        raise FormatError(f"is_variable is {cell!r}, not 0 or 1", path=path, line=line)
    return int(cell)
