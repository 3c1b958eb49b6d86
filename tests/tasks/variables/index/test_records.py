"""What an index is made of: strings, records and vectors come back as they were put in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia.tasks.variables.index.chunks import load_chunk, make_chunk, save_chunk
from marginalia.tasks.variables.index.latent import cosines, pack
from marginalia.tasks.variables.index.records import decode, encode
from marginalia.tasks.variables.index.strings import Strings
from marginalia.tasks.variables.index.terms import count_terms, grams, query_terms, terms_of
from marginalia.tasks.variables.official.vocabulary import FIELDS, Variable, make_variable

texts = st.text(max_size=12)


@given(st.lists(texts, unique=True), texts)
def test_strings(found: list[str], other: str) -> None:
    ordered = sorted(found, key=lambda text: text.encode("utf-8", "surrogatepass"))
    strings = Strings.of(ordered)
    assert [strings[place] for place in range(len(strings))] == ordered
    assert [strings.find(text) for text in ordered] == list(range(len(ordered)))
    assert (strings.find(other) >= 0) == (other in found)


variables = st.one_of(
    st.builds(make_variable, texts, texts, st.dictionaries(st.sampled_from(["name", *FIELDS]), texts)),
    st.builds(
        lambda id, survey, text, raw: Variable(id=id, survey=survey, text=text, raw=raw),
        texts, texts, texts, texts,
    ),
)  # fmt: skip


@given(variables)
def test_records(variable: Variable) -> None:
    line = encode(variable)
    assert line.count(b"\n") == 1 and decode(line, variable.id) == variable


def test_chunks(tmp_path) -> None:
    chunk = make_chunk(
        [make_variable("v1", "S", {"label": "Größe \ud800"}), make_variable("v2", "T", {})]
    )
    save_chunk(chunk, tmp_path / "c.npz")
    again = load_chunk(tmp_path / "c.npz")
    assert again.rows() == chunk.rows() and again.term_list() == ["größe"]
    assert again.rows()[0][:2] == ("v1", "S") and len(again) == 2


@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(0, 1000))
def test_packed_vectors_keep_their_cosines(width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(20, width)).astype(np.float32)
    query = rng.normal(size=width).astype(np.float32)
    wanted = vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)
    np.testing.assert_allclose(cosines(*pack(vectors), query), wanted, atol=0.02)


def test_vectors_of_nothing() -> None:
    codes, lengths = pack(np.zeros((2, 3)))
    assert not cosines(codes, lengths, np.ones(3)).any()
    assert not cosines(codes, lengths, np.zeros(3)).any()


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("trust", ["trust"]),
        ("arbeitszufriedenheit", ["arbeitszufriedenheit", "arbeit", "zufriedenheit"]),
        ("overtime", ["overtime"]),
        ("left-right", ["left", "right"]),
        ("respondent's", ["respondent"]),
        ("12", []),
        ("1994", ["1994"]),
        ("v17", ["v17"]),
    ],
)
def test_terms(word: str, wanted: list[str]) -> None:
    assert [term for term, _ in terms_of(word)] == wanted


def test_counts() -> None:
    assert count_terms("Trust, trust and 3 Arbeitszeiten")["trust"] == 2
    asked = query_terms("the trust the trust")
    assert asked["trust"] == 1 and asked["the"] < 0.5
    assert count_terms("Größe") == count_terms("Gro\u0308ße"), "however the umlaut is written"
    assert "^rot" in grams("rote") and grams("rot") == grams("v123") == ()
