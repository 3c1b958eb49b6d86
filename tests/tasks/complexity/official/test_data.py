"""CompLex files: the published ones by their counts and rows, and small invented ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError, MissingError
from marginalia.tasks.complexity.official.data import Target, load, read_targets

TSV = (
    "id\tcorpus\tsentence\ttoken\tcomplexity\n"
    'A1\tbible\tHe said, "Go to the river.\triver\t0.1\n'
    "A2\tbiomed\tThe null allele is silent.\tnull\t0.45\n"
    "A3\teuroparl\tNone of it came.\tNone\t0.2\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a tiny invented test split that has no labels."""
    base = tmp_path / "complex-lcp" / "test"
    base.mkdir(parents=True)
    unlabelled = "\n".join(line.rpartition("\t")[0] for line in TSV.splitlines()) + "\n"
    (base / "lcp_single_test.tsv").write_text(unlabelled, encoding="utf-8")
    multi = "id\tcorpus\tsentence\ttoken\nB1\tbible\tA dry river bed lay there.\triver bed\n"
    (base / "lcp_multi_test.tsv").write_text(multi, encoding="utf-8")
    return tmp_path


def test_quotes_and_null_words_are_ordinary_text(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(TSV, encoding="utf-8")
    rows = list(read_targets(path, "words"))
    assert [id for id, _, _ in rows] == ["A1", "A2", "A3"]
    assert rows[0][1] == Target("bible", 'He said, "Go to the river.', "river", "words")
    assert [item.token for _, item, _ in rows] == ["river", "null", "None"]
    assert [value for _, _, value in rows] == [0.1, 0.45, 0.2]


def test_a_split_without_labels_can_be_loaded_but_has_no_gold(folder: Path) -> None:
    split = load("test", folder)
    assert list(split.items) == ["A1", "A2", "A3", "B1"]
    assert split.items["B1"].kind == "multi"
    with pytest.raises(MissingError, match="predicted"):
        split.require_gold()


def test_fetched_test_labels_become_gold(folder: Path) -> None:
    labels = folder / "complex-lcp" / "test-labels"
    labels.mkdir()
    (labels / "lcp_single_test.tsv").write_text(TSV, encoding="utf-8")
    multi = "id\tcorpus\tsentence\ttoken\tcomplexity\nB1\tbible\tA dry river bed lay there.\triver bed\t0.3\n"
    (labels / "lcp_multi_test.tsv").write_text(multi, encoding="utf-8")
    assert load("test", folder).require_gold() == {"A1": 0.1, "A2": 0.45, "A3": 0.2, "B1": 0.3}


def test_a_missing_file_names_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="fetch_data\\('complexity'\\)"):
        load("train", tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "lacks the column 'id'"),
        ("id\tsentence\n", "lacks the column 'token'"),
        (TSV + "A4\tbible\tshort row\n", ":5: 3 columns where 5"),
        (TSV + "A1\tbible\tx\tx\t0.1\n", ":5: the id A1 is given twice"),
        (TSV + "A4\tbible\tx\tx\tnan\n", ":5: the complexity is nan"),
    ],
)
def test_bad_files_are_refused_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        list(read_targets(path, "words"))


@pytest.mark.parametrize(
    ("name", "words", "multi"), [("train", 7662, 1517), ("dev", 421, 99), ("test", 917, 184)]
)
def test_published_counts(data: Path, name: str, words: int, multi: int) -> None:
    split = load(name, data)
    kinds = [item.kind for item in split.items.values()]
    assert (kinds.count("words"), kinds.count("multi")) == (words, multi)
    assert {item.corpus for item in split.items.values()} == {"bible", "biomed", "europarl"}


def test_first_middle_and_last_rows_of_train(data: Path) -> None:
    split = load("train", data)
    gold = split.require_gold()
    ids = list(split.items)
    chosen = [ids[0], ids[4000], ids[-1]]
    assert [(split.items[id].token, round(gold[id], 4)) for id in chosen] == [
        ("river", 0.0),
        ("variants", 0.2857),
        ("thematic remit", 0.75),
    ]
    assert all(0 <= value <= 1 for value in gold.values())
