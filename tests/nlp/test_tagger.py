"""The shipped tagger: plain sentences, offsets, odd inputs, company, and pairs of words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia import ContractError, MissingError
from marginalia.nlp.encoder import Tokens, english
from marginalia.nlp.tagger import (
    Tagged,
    Tagger,
    capitals_are_mute,
    endings_of,
    english_tagger,
    shapes,
    word_vectors,
)
from marginalia.nlp.tokens import words


def tags(*texts: str) -> list[list[Tagged]]:
    tagger = english_tagger()
    passes = english().tokens(texts, [tagger.layer])
    return [tagger.tag(text, tokens) for text, tokens in zip(texts, passes, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The quick fox jumped over seven lazy dogs.",
            "DET ADJ NOUN VERB ADP NUM ADJ NOUN",
        ),
        ("She has slowly opened the old door.", "PRON AUX ADV VERB DET ADJ NOUN"),
        ("We met Angela Merkel in Berlin.", "PRON VERB PROPN PROPN ADP PROPN"),
        (
            "The doctors did not know whether the new drug would help or harm them.",
            "DET NOUN AUX PART VERB SCONJ DET ADJ NOUN AUX VERB CCONJ VERB PRON",
        ),
        ("It weighs 3.5 kg at 20 degrees.", "PRON VERB NUM NOUN ADP NUM NOUN"),
    ],
)
def test_plain_sentences(text: str, expected: str) -> None:
    [tagged] = tags(text)
    assert " ".join(word.tag for word in tagged) == expected
    assert all(0 < word.probability <= 1 for word in tagged)


def test_the_same_word_in_two_roles() -> None:
    [verb], [noun] = (
        [word.tag for word in tagged if word.word == "record"]
        for tagged in tags("They record the sound.", "It was a new record for the team.")
    )
    assert (verb, noun) == ("VERB", "NOUN")


def test_capitals_in_a_heading_make_no_names() -> None:
    plain, heading = tags("the growth of bacteria in water", "The Growth of Bacteria in Water")
    assert [word.tag for word in heading] == [word.tag for word in plain]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "😀 👩‍👩‍👧",
        "?!…",
        "שלום עולם، مرحبا بالعالم",
        "日本語の文章です。",
        "x" * 10_000,
        "e\u0301te\u0301 a\u0000b \u200bword\ufeff",
        "one two " * 700,
        "\n" * 3000 + "€ end",
    ],
)
def test_odd_inputs_do_not_fail(text: str) -> None:
    [tagged] = tags(text)
    assert [word.word for word in tagged] == [match.group() for match in words(text)]


@settings(max_examples=25, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_words_slice_back(text: str) -> None:
    [tagged] = tags(text)
    assert all(text[word.start : word.end] == word.word for word in tagged)
    assert [word.word for word in tagged] == [match.group() for match in words(text)]


def test_a_text_has_the_same_tags_in_any_company() -> None:
    texts = [
        "Dogs bark.",
        "The committee of the European Parliament meets today.",
        "",
        "Dogs bark.",
    ]
    assert tags(*texts) == [tags(text)[0] for text in texts]


def test_tokens_without_the_layer_are_refused() -> None:
    [tokens] = english().tokens(["Dogs bark."], [2])
    with pytest.raises(ContractError, match=r"reads layer 4 of the encoder, but the tokens hold 2"):
        english_tagger().tag("Dogs bark.", tokens)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    [tokens] = english().tokens(["Dogs bark."], [4])
    with pytest.raises(MissingError, match="not there"):
        Tagger(tmp_path).tag("Dogs bark.", tokens)


def test_the_head_is_small_and_knows_its_encoder() -> None:
    tagger = english_tagger()
    assert (tagger.folder / "model.onnx").stat().st_size < 100_000
    assert tagger.manifest["encoder"] == english().manifest["files"]["lower.onnx"]


def test_word_vectors_are_the_spans_of_the_tokens() -> None:
    text = "Immunohistochemistry of naïve e\u0301te\u0301, 3.5 mg/kg"
    [tokens] = english().tokens([text], [4])
    spans = [match.span() for match in words(text)]
    expected = [tokens.span(start, end, 4) for start, end in spans]
    assert np.allclose(word_vectors(spans, tokens, 4), expected, atol=1e-6)
    marks = Tokens(np.zeros((2, 2), dtype=np.int64), {4: np.ones((2, 3), dtype=np.float32)})
    assert not word_vectors([(0, 1)], marks, 4).any(), "a word without tokens has no vector"


def test_a_capital_counts_only_within_a_sentence() -> None:
    text = 'Lions sleep. "Lions" like other Lions here'
    spans = [match.span() for match in words(text)]
    made = shapes(text, spans, [text[start:end] for start, end in spans])
    opening, inner = made[:, 1], made[:, 2]
    assert opening.tolist() == [1, 0, 1, 0, 0, 0, 0]
    assert inner.tolist() == [0, 0, 0, 0, 0, 1, 0]


def test_capitals_of_headings_and_of_small_letters_are_mute() -> None:
    assert capitals_are_mute("Growth of Bacteria in Water".split())
    assert capitals_are_mute("growth of bacteria".split())
    assert not capitals_are_mute("We met Angela yesterday evening".split())
    assert not capitals_are_mute(["Dogs"])


def test_endings_leave_two_letters() -> None:
    assert endings_of("Running") == ["g", "ng", "ing"]
    assert endings_of("the") == ["e"]
    assert endings_of("at") == []


def made_of(text: str, *tagged: str) -> list[Tagged]:
    return [
        Tagged(*match.span(), match.group(), tag, 1.0)
        for match, tag in zip(words(text), tagged, strict=True)
    ]
