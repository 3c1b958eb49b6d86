"""SV-Ident files: the official ones by their counts and rows, and small invented ones."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from marginalia import FormatError, MissingError, UnknownNameError
from marginalia.tasks.variables.official.data import Label, Statement, load
from tests.tasks.variables.invented import write

HEAD = "sentence\tis_variable\tvariable\tresearch_data\tdoc_id\tuuid\tlang\n"
TRAIN = (
    HEAD + '"He said ""roses"" grow."\t1\tZA1_roses;unk;ZA1_roses\tZA1\td1\tu1\ten\n'
    "Nothing here.\t0\t\t\td1\tu2\ten\n"
    "Some unknown variable.\t1\tunk\t\td2\tu3\tde\n"
)
HELD_OUT = "sentence\tresearch_data\tdoc_id\tuuid\tlang\nA new one.\tZA9\td3\tu4\ten\n"
DOCUMENTS = (
    "doc_id\tlang\tn_sentences\tresearch_data\theldout\n"
    "d1\ten\t2\tZA1;ZA7\t0\nd2\tde\t1\tZA8\t0\nd3\ten\t1\tZA9\t1\n"
)
VOCABULARY = (
    "variable_id\tresearch_data\ttext\n"
    "ZA1_roses\tZA1\tGarden Survey<br/>Do you grow roses?\n"
    "ZA1_age\tZA1\tGarden Survey AGE\nZA9_new\tZA9\tNew Survey\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    base = tmp_path / "sv-ident"
    write(base / "train.tsv", TRAIN)
    write(base / "heldout_inputs.tsv", HELD_OUT)
    write(base / "documents.tsv", DOCUMENTS)
    write(base / "vocabulary_partial.tsv", VOCABULARY)
    return tmp_path


def test_unknown_variables_count_for_detection_only(folder: Path) -> None:
    gold = load("train", folder).require_gold()
    assert gold == {"u1": Label(1, ("ZA1_roses",)), "u2": Label(0), "u3": Label(1)}


def test_quoting_is_real_and_surveys_are_those_of_the_document(folder: Path) -> None:
    split = load("train", folder)
    assert split.items["u1"] == Statement('He said "roses" grow.', "en", "d1", ("ZA1", "ZA7"))
    assert split.items["u2"].surveys == ("ZA1", "ZA7"), "also on a negative sentence"
    assert split.group == {"u1": "en/d1", "u2": "en/d1", "u3": "de/d2"}


def test_the_leaking_column_reaches_no_system(folder: Path) -> None:
    """Changing research_data in train.tsv changes nothing that a system sees."""
    before = load("train", folder).items
    path = folder / "sv-ident" / "train.tsv"
    path.write_text(TRAIN.replace("\tZA1\td1", "\tLEAK\td1"), encoding="utf-8")
    assert load("train", folder).items == before
    assert "LEAK" not in repr(load("train", folder).items)
    assert {f.name for f in fields(Statement)} == {
        "sentence",
        "lang",
        "doc_id",
        "surveys",
        "catalogue",
        "paper",
    }


def test_candidates_are_those_of_the_surveys_or_all(folder: Path) -> None:
    items = load("train", folder).items
    assert items["u1"].catalogue.ids == ("ZA1_roses", "ZA1_age")
    assert items["u1"].catalogue is items["u2"].catalogue, "one object for one index"
    assert len(items["u3"].catalogue) == 3, "no variable of ZA8 is known: all are candidates"
    everything = load("train", folder, candidates="all").items
    assert len(everything["u1"].catalogue) == 3
    with pytest.raises(UnknownNameError, match="surveys"):
        load("train", folder, candidates="some")


def test_without_a_vocabulary_there_are_no_candidates(folder: Path) -> None:
    (folder / "sv-ident" / "vocabulary_partial.tsv").unlink()
    assert len(load("train", folder).items["u1"].catalogue) == 0


def test_the_test_split_gets_gold_only_from_the_complete_files(folder: Path) -> None:
    assert list(load("test", folder).items) == ["u4"]
    with pytest.raises(MissingError, match="predicted"):
        load("test", folder).require_gold()
    upstream = folder / "sv-ident" / "upstream"
    write(upstream / "train.tsv", TRAIN)
    assert load("test", folder).gold is None, "one of two files is not enough"
    write(upstream / "val.tsv", HEAD + "A new one.\t1\tZA9_new;unk\tZA9\td3\tu4\ten\n")
    split = load("test", folder)
    assert split.require_gold() == {"u4": Label(1, ("ZA9_new",))}
    assert {path.name for path in split.files} >= {"heldout_inputs.tsv", "val.tsv"}


def test_a_missing_file_names_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="fetch_data\\('variables'\\)"):
        load("train", tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "lacks the column 'sentence'"),
        (HEAD + "short\t1\n", ":2: 2 columns where 7"),
        (HEAD + "x\tyes\t\t\td1\tu1\ten\n", ":2: is_variable is 'yes', not 0 or 1"),
        (HEAD + "x\t0\tZA1_a\t\td1\tu1\ten\n", ":2: is_variable is 0, but there are variables"),
        (TRAIN + "again\t0\t\t\td1\tu1\ten\n", ":5: the uuid u1 is given twice"),
        (HEAD + "x\t0\t\t\td77\tu1\ten\n", ":2: the document d77 is not in"),
        (HEAD + '"x\t0\t\t\td1\tu1\ten\n', "broken quoting"),
    ],
)
def test_bad_files_are_refused_with_their_place(folder: Path, text: str, message: str) -> None:
    write(folder / "sv-ident" / "train.tsv", text)
    with pytest.raises(FormatError, match=message):
        load("train", folder)


@pytest.mark.parametrize(
    ("name", "rows", "positive", "linked", "groups"),
    [
        ("train", 2967, 1316, 1249, 26),
        ("dev", 328, 154, 146, 24),
        ("trial-train", 1019, 228, 228, 64),
        ("trial-test", 198, 48, 48, 59),
    ],
)
def test_official_counts(
    data: Path, name: str, rows: int, positive: int, linked: int, groups: int
) -> None:
    split = load(name, data)
    gold = split.require_gold()
    assert len(split) == rows
    assert sum(label.is_variable for label in gold.values()) == positive
    assert sum(bool(label.variables) for label in gold.values()) == linked
    assert len(set(split.group.values())) == groups


def test_held_out_counts(data: Path) -> None:
    split = load("test", data)
    assert len(split) == 953
    docs = {item.doc_id for item in split.items.values()}
    assert docs == {"35933", "61598", "61751", "20515", "37769", "51971"}
    assert {len(item.catalogue) for item in split.items.values()} == {17, 24, 25, 33, 56, 58}
    train = {item.doc_id for item in load("train", data).items.values()}
    assert not docs & train
    assert {item.doc_id for item in load("dev", data).items.values()} <= train


def test_first_middle_and_last_rows(data: Path) -> None:
    def rows(name: str, places: tuple[int, ...]) -> list[tuple[str, str, str]]:
        items = list(load(name, data).items.items())
        chosen = [items[place] for place in places]
        return [(id[:8], item.doc_id, item.sentence[:20]) for id, item in chosen]

    assert rows("train", (0, 1483, -1)) == [
        ("35a434c6", "34546", "Dennoch sind die Ein"),
        ("8411850c", "34546", "Befunde, dass Person"),
        ("3042a8eb", "12715", "Durch Stichproben au"),
    ]
    assert rows("dev", (0, 164, -1)) == [
        ("f72329a5", "39802", "Because of that, pol"),
        ("65d1d6ed", "61806", "Across 27 countries,"),
        ("813c38a1", "21312", "Die allgemeine Leben"),
    ]
    assert rows("test", (0, 476, -1)) == [
        ("008e1e83", "20515", "Deren Vorurteile wer"),
        ("66bdedc2", "51971", "In der Schweiz finde"),
        ("ffac6a40", "61751", "However, in many cas"),
    ]
    gold = load("train", data).require_gold()
    second = list(gold.values())[1]
    assert second == Label(
        1,
        (
            "exploredata-ZA5254_Varanswer",
            "exploredata-ZA5254_Varregion_9",
            "exploredata-ZA5254_Varcode_9",
        ),
    )
