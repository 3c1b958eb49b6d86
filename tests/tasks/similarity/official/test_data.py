"""STS files: the published ones by their counts and rows, and small invented ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError, get_benchmark
from marginalia.tasks.similarity.official import layouts
from marginalia.tasks.similarity.official.data import Pair, Score, decode, encode, load, published
from marginalia.tasks.similarity.official.layouts import ABOUT, SPLITS

TASK = get_benchmark("similarity")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with tiny invented sets in the layouts of four years."""
    files = {
        "2012-test/STS.input.MSRpar.txt": 'He said "no.\tHe refused.\nIt rains.\tIt is wet.\n',
        "2012-test/STS.gs.MSRpar.txt": "4.250\n1\n",
        "2013-test/STS.input.headlines.txt": "Bank fails\tA bank fails\n",
        "2013-test/STS.input.OnWN.txt": "to run fast\tmove fast\n",
        "2013-test/STS.input.FNWN.txt": "a race\ta contest\n",
        "2013-test/STS.gs.SMT.txt": "4.0\n4.5\n",
        "2014-test/images.test.tsv": "3.6\tA cat.\tA black cat.\n3.0\tA black cat.\tA cat.\n",
        "2016-test/STS2016.input.plagiarism.txt": "a b\tb c\tbook\tweb\nd\te\tx\ty\nf\tg\tx\ty\n",
        "2016-test/STS2016.gs.plagiarism.txt": "2\n\n5\n",
    }
    for name, text in files.items():
        path = tmp_path / "sts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_every_split_is_described_and_every_core_system_takes_it() -> None:
    assert list(TASK.splits)[:3] == ["train", "dev", "test"]
    assert list(ABOUT) == list(SPLITS) == list(TASK.card("token-cosine").splits)


def test_quotes_are_ordinary_text_and_lines_make_the_id(folder: Path) -> None:
    split = load("2012-test-MSRpar", folder)
    assert split.items["2012-test/MSRpar/1"] == Pair(
        'He said "no.', "He refused.", "2012-test/MSRpar"
    )
    assert split.require_gold() == {"2012-test/MSRpar/1": 4.25, "2012-test/MSRpar/2": 1.0}
    assert [path.name for path in split.files] == ["STS.input.MSRpar.txt", "STS.gs.MSRpar.txt"]


def test_a_pair_that_is_rated_twice_is_one_group(folder: Path) -> None:
    split = load("2014-test-images", folder)
    assert list(split.require_gold().values()) == [3.6, 3.0]
    assert len(set(split.group.values())) == 1


def test_pairs_that_were_never_rated_are_left_out_and_keep_their_line(folder: Path) -> None:
    split = load("2016-test-plagiarism", folder)
    assert split.require_gold() == {"2016-test/plagiarism/1": 2.0, "2016-test/plagiarism/3": 5.0}
    assert split.items["2016-test/plagiarism/3"] == Pair("f", "g", "2016-test/plagiarism")


def test_the_test_split_has_no_licensed_set_and_gold_only_when_it_was_fetched(folder: Path) -> None:
    for name in ("test", "2013-test"):
        split = load(name, folder)
        sets = [item.dataset for item in split.items.values()]
        assert sets == ["2013-test/headlines", "2013-test/OnWN", "2013-test/FNWN"]
        with pytest.raises(MissingError, match="predicted"):
            split.require_gold()
    for name in ("headlines", "OnWN", "FNWN"):
        (folder / "sts" / "2013-test" / f"STS.gs.{name}.txt").write_text("2.5\n", encoding="utf-8")
    assert list(load("test", folder).require_gold().values()) == [2.5, 2.5, 2.5]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("train", r"STS.input.MSRpar.txt is not there; get it with `fetch_data"),
        ("dev", r"deft-forum.test.tsv is not there; get it with `fetch_data"),
        ("2013-test-SMT", r"STS.input.SMT.txt is not there and cannot be fetched"),
        ("typed", r"typed has no .jsonl file: the official TYPED data"),
    ],
)
def test_a_missing_file_says_how_to_get_it(folder: Path, name: str, message: str) -> None:
    with pytest.raises(MissingError, match=message):
        load(name, folder)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("STS.input.MSRpar.txt", "alone\nx\ty\n", ":1: 1 columns where two sentences"),
        ("STS.input.MSRpar.txt", "a\tb\nc\td\ne\tf\n", "2 scores for the 3 pairs"),
        ("STS.gs.MSRpar.txt", "1\nmany\n", ":2: the score 'many' is not a number"),
        ("STS.gs.MSRpar.txt", "nan\n2\n", ":1: the score is nan"),
        ("STS.gs.MSRpar.txt", "", "0 scores for the 2 pairs"),
    ],
)
def test_bad_files_are_refused_with_their_place(
    folder: Path, name: str, text: str, message: str
) -> None:
    (folder / "sts" / "2012-test" / name).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        load("2012-test-MSRpar", folder)


def test_a_broken_table_and_a_broken_encoding_are_refused(folder: Path) -> None:
    path = folder / "sts" / "2014-test" / "images.test.tsv"
    path.write_text("3.6\tA cat.\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r":1: 2 columns where 3 were expected \(score, s1, s2\)"):
        load("2014-test-images", folder)
    path.write_bytes(b"3.6\tA caf\xe9.\tA cat.\n")
    with pytest.raises(FormatError, match=":1: byte 10 of the line is not UTF-8"):
        load("2014-test-images", folder)


sentence = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=("Cs",)))
rating = st.none() | st.floats(0, 5)


@given(st.lists(st.tuples(rating, sentence, sentence), min_size=1, max_size=6))
def test_export_then_import_is_the_identity(tmp_path_factory, rows) -> None:
    folder = tmp_path_factory.mktemp("sts")
    texts = {
        "STS.input.x.txt": layouts.format_sentences((a, b) for _, a, b in rows),
        "STS.gs.x.txt": layouts.format_gold(score for score, *_ in rows),
        "x.test.tsv": "".join(
            "\t".join(["" if score is None else repr(score), a, b]) + "\n" for score, a, b in rows
        ),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    pairs = layouts.read_sentences(folder / "STS.input.x.txt")
    assert [(a, b) for _, a, b in pairs] == [(a, b) for _, a, b in rows]
    assert layouts.read_gold(folder / "STS.gs.x.txt") == [score for score, *_ in rows]
    table = layouts.read_scored(folder / "x.test.tsv")
    assert [(score, a, b) for _, a, b, score in table] == rows


def test_predictions_of_both_kinds_survive_json() -> None:
    for pred in (Score(3.25, 50.0), Score(0.1), (1.0, 0.5, 0.0, 5.0, 4.0, 3.0, 2.0, 1.5)):
        assert decode(encode(pred)) == pred


def test_the_board_without_smt_is_computed_from_the_printed_figures() -> None:
    boards = {board["board"]: board for board in published()["boards"]}
    assert set(boards) == {"core", "core-without-SMT", "typed"}
    rows = {row["system"]: row for row in boards["core-without-SMT"]["rows"]}
    baseline = rows["baseline-tokencos"]["scores"]
    assert baseline["mean"] == round((750 * 0.5399 + 561 * 0.2828 + 189 * 0.2146) / 1500, 4)
    assert "SMT" not in baseline and "computed" in rows["baseline-tokencos"]["source"]


@pytest.mark.parametrize(
    ("name", "counts", "groups"),
    [
        (
            "train",
            {
                "2012-train/MSRpar": 750,
                "2012-train/MSRvid": 750,
                "2012-train/SMTeuroparl": 734,
                "2012-test/MSRpar": 750,
                "2012-test/MSRvid": 750,
                "2012-test/SMTeuroparl": 459,
                "2012-test/surprise.OnWN": 750,
                "2012-test/surprise.SMTnews": 399,
            },
            5122,
        ),
        (
            "dev",
            {
                "2014-test/deft-forum": 450,
                "2014-test/deft-news": 300,
                "2014-test/headlines": 750,
                "2014-test/images": 750,
                "2014-test/tweet-news": 750,
            },
            2962,
        ),
        (
            "test",
            {"2013-test/headlines": 750, "2013-test/OnWN": 561, "2013-test/FNWN": 189},
            1500,
        ),
    ],
)
def test_published_counts(data: Path, name: str, counts: dict[str, int], groups: int) -> None:
    split = load(name, data)
    sets = [item.dataset for item in split.items.values()]
    assert {dataset: sets.count(dataset) for dataset in counts} == counts
    assert len(split) == sum(counts.values())
    assert len(set(split.group.values())) == groups
    assert all(0 <= value <= 5 for value in (split.gold or {}).values())


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "train",
            [
                ("2012-train/MSRpar/1", "But other sources", "or two.", 4.0),
                ("2012-test/MSRpar/438", "Tehran has made", "is lifted.", 3.8),
                ("2012-test/surprise.SMTnews/399", "He did, but", "very far.", 3.5),
            ],
        ),
        (
            "dev",
            [
                ("2014-test/deft-forum/1", "How about some", "on there?", 3.0),
                ("2014-test/images/1", "A cat standing", "tree branches.", 3.6),
                ("2014-test/tweet-news/750", "DAILY REVIEW: Selected", "William Styron?", 4.0),
            ],
        ),
    ],
)
def test_first_middle_and_last_rows(data: Path, name: str, rows) -> None:
    split = load(name, data)
    gold = split.require_gold()
    ids = list(split.items)
    chosen = [ids[0], ids[len(ids) // 2], ids[-1]]
    found = [
        (id, " ".join(pair.s1.split()[:3]), " ".join(pair.s2.split()[-2:]), gold[id])
        for id, pair in ((id, split.items[id]) for id in chosen)
    ]
    assert found == rows


def test_first_middle_and_last_rows_of_test(data: Path) -> None:
    items = load("test", data).items
    ids = list(items)
    chosen = [ids[0], ids[750], ids[-1]]
    assert [(id, items[id].s1.split()[0]) for id in chosen] == [
        ("2013-test/headlines/1", "Drug"),
        ("2013-test/OnWN/1", "measure"),
        ("2013-test/FNWN/189", "a"),
    ]


def test_a_year_and_a_set_are_parts_of_train(data: Path) -> None:
    train, year = load("train", data), load("2012-test", data)
    alone = load("2012-test-surprise.OnWN", data)
    assert alone.items.items() <= year.items.items() <= train.items.items()
    assert len(year) == 3108 and len(alone) == 750
