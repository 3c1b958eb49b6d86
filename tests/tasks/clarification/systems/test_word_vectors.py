"""The word vectors that are read out of the shared encoder are those it uses itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from marginalia import FormatError
from marginalia.nlp.encoder import english
from marginalia.tasks.clarification.systems.word_vectors import read_vectors, word_vectors


def test_vectors_of_the_shipped_encoder() -> None:
    vectors = word_vectors()
    assert vectors.table.shape == (30522, 384)
    size = english().tokenizer.get_vocab_size()
    assert vectors(np.array([0, size - 1])).shape == (2, 384)


def test_like_words_have_like_vectors() -> None:
    tokenizer = english().tokenizer
    ids = [tokenizer.token_to_id(word) for word in ("water", "waters", "lawyer")]
    water, waters, lawyer = word_vectors()(np.array(ids))
    assert np.linalg.norm(water - waters) < np.linalg.norm(water - lawyer)


@pytest.mark.parametrize("data", [b"", b"no graph", b"\x3a\x7f", bytes(100)])
def test_a_file_without_them_is_named(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "lower.onnx"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"lower\.onnx.*no table of word vectors"):
        read_vectors(path)
