"""CLAIRE files: the published ones by their counts and rows, and small invented ones."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError
from marginalia.tasks.clarification.official.data import (
    GAP,
    PHENOMENA,
    Item,
    load,
    read_items,
    sentence_of,
)
from marginalia.tasks.clarification.official.ratings import (
    Rating,
    decode,
    encode,
    format_labels,
    format_scores,
    label_of,
    mean_ratings,
    read_gold,
    read_values,
)
from tests.tasks.clarification.invented import ROWS, data_file, data_text, invented

cells = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r"), max_size=12)
patterns = st.sampled_from(sorted(PHENOMENA))


def item_of(sentence: str, filler: str) -> Item:
    return Item("FUSED HEAD", "", "", "", sentence, "", filler, ("a", "b", "c", "d"))


def test_a_row_becomes_five_items_with_quotes_and_null_as_ordinary_text(tmp_path: Path) -> None:
    items = read_items(data_file(tmp_path))
    assert list(items) == [f"{sentence}_{n}" for sentence in (7, 8) for n in range(1, 6)]
    third = items["8_3"]
    assert (third.filler, third.others) == ("null", ("goldfish", "soup", "water", "goldfish"))
    assert third.previous == ' He said: "Fill it. '
    assert third.phenomenon == "noun compound"
    assert third.filled == "A null tank needs no heater."
    assert third.filled[slice(*third.span)] == "null"


@given(cells, cells, cells)
def test_the_filler_lies_where_its_span_says(left: str, right: str, filler: str) -> None:
    for sentence in (left + GAP + right, left + right, left + GAP + right + GAP):
        item = item_of(sentence, filler)
        assert item.filled[slice(*item.span)] == filler


def test_two_gaps_or_none() -> None:
    assert item_of("Wash ______ and ______.", "it").filled == "Wash it and ______."
    assert item_of("Wash and dry. ", "it").filled == "Wash and dry. it"
    assert item_of("", "it").filled == "it"


def test_the_upstream_readme_s_name_of_a_pattern_is_read_too(tmp_path: Path) -> None:
    text = data_text().replace("ADDED COMPOUND", "ADDED NOUN")
    assert read_items(data_file(tmp_path, text))["8_1"].pattern == "ADDED COMPOUND"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: the header lacks the column 'Id'"),
        (data_text().replace("Filler5", "Filler6"), "lacks the column 'Filler5'"),
        (data_text() + "9\tFUSED HEAD\tshort\n", ":4: 3 columns where 12"),
        (data_text([ROWS[0], ROWS[0]]), ":3: the Id 7 is given twice"),
        (data_text([("x", *ROWS[0][1:])]), ":2: the Id 'x' is not a whole number"),
        (
            data_text([("7", "ELLIPSIS", *ROWS[0][2:])]),
            ":2: there is no resolved pattern 'ELLIPSIS'",
        ),
    ],
)
def test_bad_data_files_are_refused_with_their_place(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        read_items(data_file(tmp_path, text))


@given(st.floats(1, 5))
def test_the_class_follows_from_the_score(score: float) -> None:
    below, above = label_of(score) == "IMPLAUSIBLE", label_of(score) == "PLAUSIBLE"
    assert (below, above) == (score <= 2.5, score >= 4)


def test_a_missing_rating_has_no_class() -> None:
    with pytest.raises(FormatError, match="no class"):
        label_of(math.nan)


ratings = st.dictionaries(
    st.from_regex(r"[0-9]{1,4}_[1-5]", fullmatch=True),
    st.builds(
        Rating, st.sampled_from(["IMPLAUSIBLE", "NEUTRAL", "PLAUSIBLE"]), st.floats(-1e9, 1e9)
    ),
    min_size=1,
    max_size=20,
)


@given(ratings)
def test_labels_and_scores_come_back_as_they_were(
    tmp_path_factory, gold: dict[str, Rating]
) -> None:
    folder = tmp_path_factory.mktemp("gold")
    labels, scores = folder / "labels.tsv", folder / "scores.tsv"
    labels.write_text(format_labels(gold), encoding="utf-8")
    scores.write_text(format_scores(gold), encoding="utf-8")
    assert read_gold(labels, scores, gold) == gold
    assert {id: decode(encode(rating)) for id, rating in gold.items()} == gold


def test_gold_from_individual_ratings() -> None:
    each = {"1_1": {"ann": 2, "bob": 5}, "1_2": {"ann": 3, "bob": 5}, "1_3": {}}
    assert mean_ratings(each) == {"1_1": Rating("NEUTRAL", 3.5), "1_2": Rating("PLAUSIBLE", 4.0)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("Id\tLabel\n1_1\tNEUTRAL\n", ":1: the id 'Id' is not of the form"),
        ("1_1\tNEUTRAL\n1_6\tNEUTRAL\n", ":2: the id '1_6'"),
        ("1_1\tNEUTRAL\n1_2\tneutral\n", ":2: 'neutral' is not a class"),
        ("1_1\tNEUTRAL\n1_2\t3\n", ":2: '3' is not a class"),
        ("1_1\t\n1_2\tNEUTRAL\n", ":1: '' is not a class"),
        ("1_1\t3\n1_2\tNEUTRAL\n", ":2: the rating 'NEUTRAL' is not a number"),
        ("1_1\t3\n\n1_2\n", ":3: 1 columns where 2"),
        ("1_1\tNEUTRAL\t3\n", ":1: 3 columns where 2"),
    ],
)
def test_bad_labels_and_scores_are_refused_with_their_place(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_values(path)


def test_an_empty_rating_is_a_missing_one(tmp_path: Path) -> None:
    path = tmp_path / "scores.tsv"
    path.write_text("1_1\t\n1_2\t2.5\r\n\n1_3\tinf\n", encoding="utf-8")
    rows = read_values(path)
    assert math.isnan(rows[0].value)
    assert [(row.id, row.value, row.line) for row in rows[1:]] == [
        ("1_2", 2.5, 2),
        ("1_3", math.inf, 4),
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a tiny invented test split that has no labels."""
    base = tmp_path / "claire"
    base.mkdir()
    data_file(base).rename(base / "test_data.tsv")
    return tmp_path


def test_a_split_without_labels_can_be_loaded_but_has_no_gold(folder: Path) -> None:
    split = load("test", folder)
    assert len(split) == 10
    assert set(split.group.values()) == {"7", "8"}
    assert [path.name for path in split.files] == ["test_data.tsv"]
    with pytest.raises(MissingError, match="predicted"):
        split.require_gold()


def test_fetched_test_labels_become_gold(folder: Path, tmp_path_factory) -> None:
    gold = invented(tmp_path_factory.mktemp("invented")).require_gold()
    (folder / "claire" / "test_labels.tsv").write_text(format_labels(gold), encoding="utf-8")
    assert load("test", folder).gold is None, "labels alone are half of the gold"
    (folder / "claire" / "test_scores.tsv").write_text(format_scores(gold), encoding="utf-8")
    assert load("test", folder).require_gold() == gold


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        ("7_1\tNEUTRAL\n", "7_1\t3\n", "test_labels.tsv: 9 ids do not fit the data file"),
        ("7_1\t3\n", "7_1\t3\n", "test_labels.tsv:1: a class was expected for 7_1"),
        ("7_1\tNEUTRAL\n7_1\tNEUTRAL\n", "7_1\t3\n", ":2: the id 7_1 is given twice"),
    ],
)
def test_gold_that_does_not_fit_is_refused(
    folder: Path, labels: str, scores: str, message: str
) -> None:
    (folder / "claire" / "test_labels.tsv").write_text(labels, encoding="utf-8")
    (folder / "claire" / "test_scores.tsv").write_text(scores, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        load("test", folder)


def test_a_missing_file_names_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="fetch_data\\('clarification'\\)"):
        load("train", tmp_path)


@pytest.mark.parametrize(("name", "sentences"), [("train", 3995), ("dev", 500), ("test", 500)])
def test_published_counts(data: Path, name: str, sentences: int) -> None:
    split = load(name, data)
    assert len(split) == 5 * sentences
    assert len(set(split.group.values())) == sentences
    assert all(item.sentence.count(GAP) == 1 for item in split.items.values())
    assert all(item.filled[slice(*item.span)] == item.filler for item in split.items.values())
    counts = Counter(item.phenomenon for item in split.items.values())
    if name == "train":
        names = ("implicit reference", "fused head", "noun compound", "metonymy")
        assert [counts[each] // 5 for each in names] == [996, 999, 1000, 1000]
    else:
        assert set(counts.values()) == {625}


@pytest.mark.parametrize(
    ("name", "counts", "plausible"),
    [("train", (5474, 7162, 7339), 1.84), ("dev", (982, 602, 916), 1.83)],
)
def test_published_classes_follow_from_the_published_scores(
    data: Path, name: str, counts: tuple[int, ...], plausible: float
) -> None:
    """Table 3 of the overview; its 1.87 plausible fillers per sentence of dev do not fit 916 / 500."""
    split = load(name, data)
    gold = split.require_gold()
    found = Counter(rating.label for rating in gold.values())
    assert tuple(found[label] for label in ("IMPLAUSIBLE", "NEUTRAL", "PLAUSIBLE")) == counts
    assert all(rating.label == label_of(rating.score) for rating in gold.values())
    assert round(found["PLAUSIBLE"] / (len(gold) / 5), 2) == plausible


def test_first_middle_and_last_rows(data: Path) -> None:
    split = load("train", data)
    gold = split.require_gold()
    chosen = ["1_1", "2000_3", "3995_5"]
    ids = list(split.items)
    assert (ids[0], ids[9997], ids[-1]) == tuple(chosen)
    assert [(split.items[id].filler, gold[id].label) for id in chosen] == [
        ("stress", "PLAUSIBLE"),
        ("texts", "PLAUSIBLE"),
        ("point", "IMPLAUSIBLE"),
    ]
    assert [sentence_of(id) for id in chosen] == ["1", "2000", "3995"]
    dev = load("dev", data)
    assert next(iter(dev.items)) == "0_1"
    assert dev.items["0_5"].filler == "the ear"
