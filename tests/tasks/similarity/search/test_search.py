"""What says the same in many sentences: exact, by words, across documents, and never the whole matrix."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Document, FormatError, UnknownNameError
from marginalia.tasks.similarity.search import neighbours as nearest_module
from marginalia.tasks.similarity.search import search
from marginalia.tasks.similarity.search.candidates import candidate_pairs, top_of_rows
from marginalia.tasks.similarity.search.comparison import compare_documents, look_up
from marginalia.tasks.similarity.search.matches import Match, clusters, distinct
from marginalia.tasks.similarity.search.neighbours import encode, near_pairs, nearest
from marginalia.tasks.similarity.search.passages import Passage
from marginalia.tasks.similarity.search.search import find_repeated

ONE = Document(
    id="one",
    text=(
        "A reef knot holds the two ends of the thread.\n\nThe sheets are folded one by one.\n\n"
        "The committee rejected the budget for 2019."
    ),
)
TWO = Document(
    id="two",
    text=(
        "The two ends of the thread are held by a reef knot.\n\nAll our hens are laying again.\n\n"
        "The committee rejected the budget for 2020.\n\nThe sheets are folded one by one!\n\n"
        "The sheets are folded one by one."
    ),
)


def pairs_of(found) -> dict[tuple[str, str], Match]:
    texts = [passage.text for passage in found.passages]
    return {(texts[match.left], texts[match.right]): match for match in found.matches}


def test_the_same_in_other_words_and_in_the_same_words() -> None:
    found = find_repeated([ONE, TWO])
    pairs = pairs_of(found)
    knot = ("A reef knot holds the two ends of the thread.",
            "The two ends of the thread are held by a reef knot.")  # fmt: skip
    assert pairs[knot].kind == "alike" and pairs[knot].score >= 4
    sheets = "The sheets are folded one by one."
    assert pairs[sheets, sheets].kind == pairs[sheets, sheets[:-1] + "!"].kind == "identical"
    assert not any("hens" in text for pair in pairs for text in pair)
    assert found.by == "meaning" and found.complete
    assert found.counts["documents"] == 2 and found.counts["sentences"] == 8
    assert found.counts["distinct"] == found.counts["encoded"] == 6


def test_what_differs_is_told() -> None:
    found = find_repeated([ONE, TWO], least=3)
    budget = pairs_of(found)[
        "The committee rejected the budget for 2019.", "The committee rejected the budget for 2020."
    ]
    assert budget.differs == ("another date: “2019” against “2020”",)


def test_signs_that_mean_something_are_not_noise() -> None:
    texts = (
        "It was -5 degrees on the roof.",
        "It was 5 degrees on the roof.",
        "IT was 5 degrees, on the roof",
    )
    found = [Passage(text, "x", 0, len(text), 1) for text in texts]
    assert distinct(found) == [[0], [1, 2]]


def test_clusters_join_what_matches_join() -> None:
    found = find_repeated([ONE, TWO])
    names = [[found.passages[place].document for place in members] for members in found.clusters]
    assert names[0] == ["one", "two", "two"]


def test_across_documents_only() -> None:
    found = find_repeated([ONE, TWO], across=True)
    for match in found.matches:
        assert found.passages[match.left].document != found.passages[match.right].document
    assert len(found.clusters[0]) == 3, "both copies have their match in the other document"
    assert not find_repeated([TWO], across=True).matches


def test_by_words_only_what_shares_rare_words_is_encoded() -> None:
    found = find_repeated([ONE, TWO], by="words")
    assert found.by == "words" and found.counts["encoded"] < found.counts["distinct"]
    assert any("reef knot" in left for left, _ in pairs_of(found))


def test_many_sentences_are_searched_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_ALL_ENCODED", 3)
    assert find_repeated([ONE, TWO]).by == "words"


def test_the_limit_says_that_there_is_more() -> None:
    text = "\n\n".join(
        f"The {word} cat sat on the old mat." for word in "red fat big shy old".split()
    )
    doc = Document(id="cats", text=text)
    found = find_repeated([doc], limit=1, least=2)
    assert not found.complete and len(found.matches) == 1
    every = find_repeated([doc], least=2)
    assert every.complete and found.matches[0].score == max(match.score for match in every.matches)


def test_rows_lead_back_to_both_documents() -> None:
    found = find_repeated([ONE, TWO]).to_dict()
    assert json.loads(json.dumps(found)) == found
    texts = {"one": ONE.text, "two": TWO.text}
    for row in found["matches"]:
        for side in "ab":
            text = texts[row[f"document_{side}"]]
            assert text[row[f"start_{side}"] : row[f"end_{side}"]] == row[f"text_{side}"]
    assert found["clusters"][0]["passages"][0]["document"] == "one"


@pytest.mark.parametrize("by", search.BY)
def test_the_order_of_the_documents_says_nothing(by: str) -> None:
    def seen(*docs: Document) -> set[tuple[object, ...]]:
        """What is matched with what and how; which side is which follows the order of the documents."""
        sides = ("document", "start", "end")
        return {
            (frozenset(tuple(row[f"{name}_{side}"] for name in sides) for side in "ab"), row["kind"], row["score"])
            for row in find_repeated(docs, by=by, least=3).rows()
        }  # fmt: skip

    three = Document(
        id="three", text="All the hens lay again.\n\nThe sheets are folded one by one."
    )
    assert seen(ONE, TWO, three) == seen(three, TWO, ONE) == seen(TWO, ONE, three) != set()


def test_vectors_are_kept_for_the_next_time(tmp_path: Path) -> None:
    first = find_repeated([ONE, TWO], cache=tmp_path / "vectors.db")
    assert (tmp_path / "vectors.db").stat().st_size > 0
    assert find_repeated([ONE, TWO], cache=tmp_path / "vectors.db") == first


def test_progress_is_told_sentence_by_sentence() -> None:
    told: list[tuple[str, int, int]] = []
    find_repeated([ONE, TWO], by="words", progress=lambda *what: told.append(what))
    assert {what for what, _, _ in told} >= {"reading documents", "encoding sentences", "comparing"}
    assert all(done <= total for _, done, total in told)


def test_nothing_to_find() -> None:
    for docs in ([], [Document(id="x", text="Too short.")]):
        found = find_repeated(docs)
        assert found.matches == () and found.clusters == () and found.complete


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"by": "magic"}, UnknownNameError, "no way to search 'magic'"),
        ({"least": 6}, FormatError, "a number from 0 to 5"),
        ({"limit": 0}, FormatError, "a whole number from 1"),
    ],
)
def test_wrong_options(options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        find_repeated([ONE], **options)


def units(count: int, width: int = 8) -> np.ndarray:
    made = np.random.default_rng(0).normal(size=(count, width)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def test_blocks_find_what_the_whole_matrix_has(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = units(300)
    cosines = vectors @ vectors.T
    expected = {(i, j) for i in range(300) for j in range(i + 1, 300) if cosines[i, j] >= 0.8}
    monkeypatch.setattr(nearest_module, "ROWS_PER_BLOCK", 64)
    monkeypatch.setattr(nearest_module, "COLUMNS_PER_BLOCK", 100)
    first, second, values = near_pairs(vectors, 0.8, most=100_000).best()
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == expected
    assert list(values) == sorted(values, reverse=True)


def test_only_the_best_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = units(200)
    monkeypatch.setattr(nearest_module, "ROWS_PER_BLOCK", 16)
    every = near_pairs(vectors, 0.5, most=100_000)
    few = near_pairs(vectors, 0.5, most=20)
    assert few.full and not every.full
    assert np.allclose(few.best()[2], every.best()[2][:20])


def test_no_pairs_within_one_owner() -> None:
    vectors = np.concatenate([units(20), units(20)])
    owners = np.array([0] * 20 + [1] * 20)
    first, second, _ = near_pairs(vectors, 0.999, most=1_000, owners=owners).best()
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == {
        (i, i + 20) for i in range(20)
    }


def test_nearest_of_another_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_module, "ROWS_PER_BLOCK", 7)
    monkeypatch.setattr(nearest_module, "COLUMNS_PER_BLOCK", 9)
    left, right = units(30), units(80)[30:]
    places, values = nearest(left, right, 3)
    expected = np.argsort(-(left @ right.T), axis=1)[:, :3]
    assert (places == expected).all()
    assert np.allclose(values, np.take_along_axis(left @ right.T, expected, axis=1), atol=1e-6)
    assert nearest(left, right[:2], 5)[0].shape == (30, 2)


def test_many_vectors_go_to_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    class Toy:
        width = 4

        def vectors(self, texts):
            return np.ones((len(texts), 4), dtype=np.float32)

    monkeypatch.setattr(nearest_module, "MAX_VECTORS_IN_MEMORY", 2)
    made = encode(Toy(), ["a", "b", "c"])  # type: ignore[arg-type]
    assert isinstance(made, np.memmap) and (made == 1).all()


def test_nominated_pairs_share_rare_words() -> None:
    texts = [
        "The glacier calved into the fjord.",
        "Tax rates were raised by parliament.",
        "Into the fjord a glacier had calved.",
        "My cat sleeps all day long.",
    ]
    first, second = candidate_pairs(texts)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 2)]
    assert len(candidate_pairs([])[0]) == 0 and len(candidate_pairs(["the", ""])[0]) == 0


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0, 1)), max_size=30), st.integers(1, 3))
def test_the_best_of_each_row(entries: list[tuple[int, float]], most: int) -> None:
    rows = np.array([row for row, _ in entries], dtype=np.int64)
    values = np.array([value for _, value in entries])
    kept = top_of_rows(rows, values, most)
    for row in range(5):
        expected = sorted((value for r, value in entries if r == row), reverse=True)[:most]
        assert sorted(values[kept][rows[kept] == row], reverse=True) == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_clusters_are_what_is_connected(edges: list[tuple[int, int]]) -> None:
    found = clusters(Match(i, j, 5.0, "alike") for i, j in edges)
    of = {place: members for members in found for place in members}
    assert sorted(of) == sorted({place for edge in edges for place in edge})
    assert all(of[i] is of[j] for i, j in edges)
    assert [len(members) for members in found] == sorted(map(len, found), reverse=True)


def test_two_documents_side_by_side() -> None:
    found = compare_documents(ONE, TWO)
    best = {one.passage.text: one for one in found.left}
    assert best["The sheets are folded one by one."].score == 5
    knot = best["A reef knot holds the two ends of the thread."]
    assert knot.other.text.startswith("The two ends") and knot.score >= 4
    assert len(found.left) == 3 and len(found.right) == 5
    data = found.to_dict()
    assert 0 < data["score"] < 5 and data["said"]["left"] >= 2 / 3 > data["said"]["right"] - 0.3
    assert compare_documents(ONE, ONE).score == 5
    with pytest.raises(FormatError, match="no sentence in it"):
        compare_documents(ONE, Document(id="empty", text="123"))


def test_a_sentence_is_looked_up_in_a_document() -> None:
    found = look_up("Reef knots hold the ends of a thread.", ONE, most=2)
    first, second = found.matches
    assert first.other.text.startswith("A reef knot") and first.score >= second.score
    assert [row["text_b"] for row in found.rows()] == [first.other.text, second.other.text]
    with pytest.raises(FormatError, match="the sentence is empty"):
        look_up(" ", ONE)


def test_german_and_one_of_each() -> None:
    german = Document(
        id="de",
        text=(
            "Ein Kreuzknoten hält die beiden Enden des Fadens.\n\nAlle unsere Hennen legen wieder Eier.\n\n"
            "Die beiden Enden des Fadens werden von einem Kreuzknoten gehalten."
        ),
        meta={"lang": "de"},
    )
    (match,) = find_repeated([german], least=3.5).matches
    assert (match.left, match.right) == (0, 2)
    across = find_repeated([german, ONE], least=1, across=True)
    left, right = (
        across.passages[place].text for place in (across.matches[0].left, across.matches[0].right)
    )
    assert "Kreuzknoten" in left and "reef knot" in right
