"""TF-IDF cosines are those of scikit-learn."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.variables.index.terms import stems
from marginalia.tasks.variables.systems.evidence import cosines

TEXTS = st.lists(
    st.lists(
        st.sampled_from("trust trusting Zeitung parliament how much the 42".split()), max_size=8
    ).map(" ".join),
    max_size=6,
)


@given(TEXTS, TEXTS)
def test_they_are_those_of_scikit_learn(sentences: list[str], texts: list[str]) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    found = cosines(sentences, texts)
    assert found.shape == (len(sentences), len(texts))
    if not sentences or not any(stems(text) for text in texts):
        assert not found.any()
        return
    peer = TfidfVectorizer(analyzer=stems, sublinear_tf=True).fit(texts)
    wanted = (peer.transform(sentences) @ peer.transform(texts).T).toarray()
    assert np.allclose(found, wanted, atol=1e-12)


def test_a_text_is_nearest_to_itself() -> None:
    texts = ["How much do you trust the parliament?", "Wie oft lesen Sie eine Zeitung?"]
    near = cosines(texts, texts)
    assert np.allclose(np.diag(near), 1) and near[0, 1] == 0
