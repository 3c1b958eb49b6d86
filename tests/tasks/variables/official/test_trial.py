"""The trial data: marks, spellings, and the vocabulary of each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.tasks.variables.official.data import Label, load
from marginalia.tasks.variables.official.trial import mentioned
from tests.tasks.variables.invented import write

HEAD = "doc_id\tcontext_id\ttext\tis_variable\tvariable\tuuid\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    base = tmp_path / "sv-ident" / "trial"
    for lang, question in (("en", "Do you grow roses?"), ("de", "Haben Sie Rosen?")):
        write(
            base / "vocabulary" / f"{lang}.tsv",
            f"id\tlabel\ttopic\tquestion\tanswer\nv311\tROSES \t\t{question}\tyes;no\n",
        )
    write(base / "train" / "en.tsv", HEAD + "AA\t1\tRoses grow. \t1\t311-yes,286-No\tu1\n")
    write(base / "train" / "de.tsv", HEAD + "AA\t2\tNichts.\t0\tNoSkip\tu2\n")
    return tmp_path


def test_each_language_has_its_own_vocabulary(folder: Path) -> None:
    split = load("trial-train", folder)
    assert split.require_gold() == {"u1": Label(1, ("v311",)), "u2": Label(0)}
    assert split.group == {"u1": "en/AA", "u2": "de/AA"}
    english, german = (split.items[id].catalogue["v311"] for id in ("u1", "u2"))
    assert english.text == "ROSES Do you grow roses? yes;no"
    assert german.fields["question"] == "Haben Sie Rosen?"


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("No", ()),
        ("NoSkip", ()),
        ("311-yes,286-No", ("v311",)),
        ("1897-Yes, 1898-YES", ("v1897", "v1898")),
    ],
)
def test_marks(cell: str, found: tuple[str, ...]) -> None:
    assert mentioned(cell, Path("x.tsv"), 1) == found


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("AA\t1\tx\t1\t311\tu1\n", ":2: '311' is neither"),
        ("AA\t1\tx\tYes\t311-Yes\tu1\n", ":2: is_variable is 'Yes'"),
        ("AA\t1\tx\t0\tNo\tu1\nAA\t1\ty\t0\tNo\tu1\n", ":3: the uuid u1 is given twice"),
    ],
)
def test_bad_files_are_refused_with_their_place(folder: Path, row: str, message: str) -> None:
    write(folder / "sv-ident" / "trial" / "train" / "en.tsv", HEAD + row)
    with pytest.raises(FormatError, match=message):
        load("trial-train", folder)


def test_all_but_one_mentioned_variable_are_in_the_vocabulary(data: Path) -> None:
    for name, outside in (("trial-train", {"v222"}), ("trial-test", set())):
        split = load(name, data)
        gold = split.require_gold()
        assert outside == {
            variable
            for id, label in gold.items()
            for variable in label.variables
            if variable not in split.items[id].catalogue
        }
    sizes = {item.lang: len(item.catalogue) for item in split.items.values()}
    assert sizes == {"en": 182, "de": 224}
