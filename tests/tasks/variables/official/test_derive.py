"""The files computed from the complete official ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import MissingError
from marginalia.tasks.variables.official.data import load
from marginalia.tasks.variables.official.derive import derive
from tests.tasks.variables.invented import write

HEAD = "sentence\tis_variable\tvariable\tresearch_data\tdoc_id\tuuid\tlang\n"
TRAIN = [
    "Kept.\t1\tZA2_a;ZA1_b\tZA2;ZA1\t10001\tu1\tde\n",
    '"A ""quoted"" one."\t0\t\t\t10001\tu5\ten\n',
    "Withheld b.\t1\tZA5_x\tZA5\t61598\tu9\ten\n",
    "Withheld a.\t0\t\t\t35933\tu3\ten\n",
]
VAL = [
    "Kept too.\t1\tZA3_c\tZA3\t10001\tu2\tde\n",
    '"Withheld ""c""."\t1\tZA4_y;unk\tZA4\t61598\tu4\ten\n',
]


def upstream(folder: Path, train: str, val: str) -> Path:
    write(folder / "sv-ident" / "upstream" / "train.tsv", train)
    write(folder / "sv-ident" / "upstream" / "val.tsv", val)
    return folder


def test_documents_are_withheld_as_a_whole(tmp_path: Path) -> None:
    files = derive(upstream(tmp_path, HEAD + "".join(TRAIN), HEAD + "".join(VAL)))
    assert files == {
        "sv-ident/train.tsv": HEAD + "".join(TRAIN[:2]),
        "sv-ident/val.tsv": HEAD + VAL[0],
        "sv-ident/heldout_inputs.tsv": "sentence\tresearch_data\tdoc_id\tuuid\tlang\n"
        "Withheld a.\t\t35933\tu3\ten\n"
        '"Withheld ""c""."\tZA4;ZA5\t61598\tu4\ten\n'
        "Withheld b.\tZA4;ZA5\t61598\tu9\ten\n",
        "sv-ident/documents.tsv": "doc_id\tlang\tn_sentences\tresearch_data\theldout\n"
        "10001\tde\t3\tZA1;ZA2;ZA3\t0\n"
        "35933\ten\t1\t\t1\n"
        "61598\ten\t2\tZA4;ZA5\t1\n",
    }


def test_what_was_derived_can_be_loaded(tmp_path: Path) -> None:
    folder = upstream(tmp_path, HEAD + "".join(TRAIN), HEAD + "".join(VAL))
    for name, text in derive(folder).items():
        write(folder / name, text)
    assert list(load("train", folder).items) == ["u1", "u5"]
    gold = load("test", folder).require_gold()
    assert {id: label.variables for id, label in gold.items()} == {
        "u3": (),
        "u4": ("ZA4_y",),
        "u9": ("ZA5_x",),
    }


def test_both_complete_files_are_needed(tmp_path: Path) -> None:
    write(tmp_path / "sv-ident" / "upstream" / "train.tsv", HEAD)
    with pytest.raises(MissingError, match=r"upstream.val\.tsv is not there"):
        derive(tmp_path)


def test_the_given_files_come_out_byte_for_byte(data: Path, tmp_path: Path) -> None:
    """The remaining documents, put together with the withheld sentences without their labels."""
    given = {
        name: (data / "sv-ident" / name).read_text(encoding="utf-8")
        for name in ("train.tsv", "val.tsv", "heldout_inputs.tsv", "documents.tsv")
    }
    held_out = [line.split("\t") for line in given["heldout_inputs.tsv"].splitlines()[1:]]
    unlabelled = "".join(
        "\t".join((sentence, "0", "", *rest)) + "\n" for sentence, *rest in reversed(held_out)
    )
    files = derive(upstream(tmp_path, given["train.tsv"] + unlabelled, given["val.tsv"]))
    assert files == {f"sv-ident/{name}": text for name, text in given.items()}
