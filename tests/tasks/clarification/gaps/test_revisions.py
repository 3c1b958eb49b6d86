"""Clarifications in revisions: the four patterns, edits that fit none, files of pairs, the official layout."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError
from marginalia.tasks.clarification.gaps.patterns import single_insertion, tokens
from marginalia.tasks.clarification.gaps.revisions import (
    Revision,
    format_mined,
    mine,
    read_revisions,
)
from marginalia.tasks.clarification.official.data import GAP, PHENOMENA, read_items

HERE = Path(__file__).parent
ROWS = [json.loads(line) for line in (HERE / "revisions.jsonl").read_text("utf-8").splitlines()]


def test_each_pattern_is_found_with_high_precision() -> None:
    """Ten pairs of each pattern, and edits that fit none: precision of at least .9 for each."""
    assert Counter(row["pattern"] for row in ROWS if row["pattern"]) == dict.fromkeys(PHENOMENA, 10)
    assert sum(row["pattern"] is None for row in ROWS) >= 20
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for row in ROWS:
        for one in mine([Revision(row["old"], row["new"])]):
            same = (one.pattern, one.filler) == (row["pattern"], row["filler"])
            (right if same else wrong)[one.pattern] += 1
    for pattern in PHENOMENA:
        assert right[pattern] / (right[pattern] + wrong[pattern]) >= 0.9
        assert right[pattern] >= 9


def test_a_stream_gives_what_single_pairs_give() -> None:
    alone = [one for row in ROWS for one in mine([Revision(row["old"], row["new"])])]
    assert list(mine(Revision(row["old"], row["new"]) for row in ROWS)) == alone


def test_context_is_that_of_the_new_version() -> None:
    old = "Warm the pan. Crack an egg into the pan. Fry for two minutes. Serve it. Eat."
    new = old.replace("Fry for", "Fry the egg for")
    [one] = mine([Revision(old, new, "How to Fry", "Steps")])
    assert one.sentence == f"Fry {GAP} for two minutes." and one.filler == "the egg"
    assert one.previous == "Warm the pan. Crack an egg into the pan."
    assert (one.followup, one.old) == ("Serve it.", "Fry for two minutes.")
    assert (one.title, one.header, one.phenomenon) == ("How to Fry", "Steps", "implicit reference")


def test_an_implicit_reference_was_mentioned_before() -> None:
    assert not list(
        mine([Revision("Warm the pan. Fry it. Hold.", "Warm the pan. Fry it. Hold the moon.")])
    )
    assert list(mine([Revision("Hold for a while.", "Hold the moon for a while.")])), (
        "there is no context"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "Hold the egg."), ("Hold.", ""), ("", ""), ("Hold.", "Hold."), ("Hold the egg.", "Hold."),
        ("😀", "😀 😀"), ("a" * 3_000, "a" * 3_000 + " b"), ("Hold.", "Hold the <b>egg</b>."),
    ],
)  # fmt: skip
def test_nothing_to_find(old: str, new: str) -> None:
    assert not list(mine([Revision(old, new)]))


def test_an_insertion_may_be_seen_in_several_ways() -> None:
    old, new = "Look at the teeth.", "Look at the colour of the teeth."
    words = [new[a:b] for a, b in tokens(new)]
    runs = [" ".join(words[start:end]) for start, end in single_insertion(old, new)]
    assert runs == ["the colour of", "colour of the"]


@given(st.lists(st.sampled_from("a b c the of , .".split()), min_size=1, max_size=8), st.data())
def test_every_run_explains_the_change(old: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(old)))
    put = data.draw(st.lists(st.sampled_from("a b the x".split()), min_size=1, max_size=3))
    new = [*old[:place], *put, *old[place:]]
    runs = list(single_insertion(" ".join(old), " ".join(new)))
    assert (place, place + len(put)) in runs
    assert all([*new[:start], *new[end:]] == old for start, end in runs)


def test_rows_in_the_layout_of_claire(tmp_path: Path) -> None:
    mined = [one for row in ROWS for one in mine([Revision(row["old"], row["new"])])]
    path = tmp_path / "data.tsv"
    path.write_text(format_mined(mined), encoding="utf-8")
    items = read_items(path)
    assert len(items) == 5 * len(mined)
    first = [items[f"{number}_1"] for number in range(1, len(mined) + 1)]
    assert [item.filler for item in first] == [one.filler for one in mined]
    assert [item.pattern for item in first] == [one.pattern for one in mined]
    assert all(item.sentence.count(GAP) == 1 for item in first)


def test_files_of_revision_pairs(tmp_path: Path) -> None:
    pairs = [Revision("Hold.", "Hold it."), Revision('Say "a".', "Say b.", "T", "H")]
    lines = tmp_path / "pairs.jsonl"
    rows = [{"old": p.old, "new": p.new, "title": p.title, "header": p.header} for p in pairs]
    lines.write_text("\n\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    assert list(read_revisions(lines)) == pairs
    table = tmp_path / "pairs.tsv"
    table.write_text('old\tnew\nHold.\tHold it.\nSay "a".\tSay b.\n', encoding="utf-8")
    assert [(p.old, p.new) for p in read_revisions(table)] == [(p.old, p.new) for p in pairs]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.jsonl", '{"old": "a"}\n', "x.jsonl:1: there is no 'new'"),
        ("x.jsonl", '{"old": 1, "new": "a"}\n', "'old' is 1, not text"),
        ("x.jsonl", "[1]\n", "a JSON object with 'old' and 'new' was expected"),
        ("x.jsonl", "{\n", "not JSON"),
        ("x.tsv", "a\tb\na\tb\tc\n", "x.tsv:2: 3 columns where 2 were expected"),
    ],
)
def test_bad_files_of_pairs(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message.replace("[", r"\[")):
        list(read_revisions(path))
