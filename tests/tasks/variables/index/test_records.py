"""What an index is made of: variables, terms and vectors come back as they were put in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia.tasks.variables.index.engine import decode, encode, whole
from marginalia.tasks.variables.index.terms import (
    count_terms,
    index_terms,
    query_terms,
    stem_term,
    terms_of,
)
from marginalia.tasks.variables.index.vectors import cosines, pack
from marginalia.tasks.variables.official.vocabulary import FIELDS, Variable, make_variable

texts = st.text(max_size=12)


variables = st.one_of(
    st.builds(make_variable, texts, texts, st.dictionaries(st.sampled_from(["name", *FIELDS]), texts)),
    st.builds(
        lambda id, survey, text, raw, code: Variable(
            id=id, survey=survey, text=text, raw=raw, codes=((code, text),)
        ),
        texts, texts, texts, texts, texts,
    ),
)  # fmt: skip


@given(st.lists(variables, max_size=3))
def test_variables_come_back(members: list[Variable]) -> None:
    assert decode(encode(members)) == tuple(members)


@given(texts)
def test_what_is_indexed_can_be_written(text: str) -> None:
    whole(text).encode()
    assert all(term == whole(term) for term in index_terms(whole(text)))


@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(0, 1000))
def test_packed_vectors_keep_their_cosines(width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(20, width)).astype(np.float32)
    query = rng.normal(size=width).astype(np.float32)
    wanted = vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)
    np.testing.assert_allclose(cosines(pack(vectors), query), wanted, atol=0.02)


def test_vectors_of_nothing() -> None:
    rows = pack(np.zeros((2, 3)))
    assert not cosines(rows, np.ones(3)).any()
    assert not cosines(rows, np.zeros(3)).any()


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
    assert stem_term("satisfied") == stem_term("satisfying") and stem_term("v123") == ()
