"""The shipped multilingual encoder: offsets, company, languages, damage; and how its small files are made."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from marginalia import FormatError
from marginalia.nlp.encoder import Encoder, english, for_language, multilingual, without_blanks
from marginalia.nlp.training.fourbits import BLOCK, pack
from marginalia.nlp.training.vocabulary import always, keep_pieces

PAIRS = [
    ("Der Hund schläft auf dem Sofa.", "The dog is sleeping on the couch."),
    ("Wie oft gehen Sie in die Kirche?", "How often do you attend church?"),
    ("Die Steuern steigen nächstes Jahr.", "Taxes will go up next year."),
    ("Vertrauen in das Parlament", "Trust in parliament"),
]


def test_offsets_slice_back_in_german_with_umlauts_and_emoji() -> None:
    text = "Die Größe  der Häuser 😀 über\n(Köln) ist groß."
    [tokens] = multilingual().tokens([text], [0])
    pieces = [text[start:end] for start, end in tokens.offsets]
    assert "".join(pieces) == "".join(text.split())
    for piece in ("Größe", "Häuser", "😀", "über", "groß"):
        assert piece in pieces
    assert all(piece == piece.strip() for piece in pieces)


def test_the_prefix_is_before_every_text_and_has_no_place_in_it() -> None:
    encoder = multilingual()
    [tokens] = encoder.tokens(["Haus"], [0])
    before = 1 + len(encoder.prefix)
    assert tokens.offsets.tolist() == [[0, 0]] * before + [[0, 4], [0, 0]]
    prefix = encoder.manifest.get("prefix", "")
    assert [0, *encoder.prefix] == encoder.tokenizer.encode(prefix + "Haus").ids[:before]


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=40))
def test_any_text_has_offsets_inside_it_and_a_unit_vector(text: str) -> None:
    [tokens] = multilingual().tokens([text], [0])
    assert ((tokens.offsets >= 0) & (tokens.offsets <= len(text))).all()
    assert (tokens.offsets[:, 0] <= tokens.offsets[:, 1]).all()
    assert len(tokens.offsets) == len(tokens.layers[0])
    assert np.isclose(np.linalg.norm(multilingual().vectors([text])), 1)


def test_a_text_has_the_same_vector_in_any_company() -> None:
    texts = [text for pair in PAIRS for text in pair] + ["", "Ja."]
    together = multilingual().vectors(texts)
    alone = np.concatenate([multilingual().vectors([text]) for text in reversed(texts)])[::-1]
    assert (together == alone).all()
    assert together.shape == (len(texts), 384)


def test_a_sentence_is_nearest_to_its_translation() -> None:
    german, english_ = (multilingual().vectors(list(side)) for side in zip(*PAIRS, strict=True))
    near = german @ english_.T
    assert near.argmax(axis=1).tolist() == near.argmax(axis=0).tolist() == list(range(len(PAIRS)))


def test_a_long_text_is_cut_into_windows_and_loses_no_token() -> None:
    text = " ".join(["Häuser"] * 700)
    [tokens] = multilingual().tokens([text], [0])
    assert len(tokens.offsets) == len(tokens.layers[0]) > multilingual().manifest["max_tokens"]
    assert "".join(text[start:end] for start, end in tokens.offsets) == text.replace(" ", "")


def test_each_language_has_its_encoder() -> None:
    assert for_language("en") is english()
    assert for_language("de") is for_language("fr") is multilingual()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "multilingual"
    shutil.copytree(multilingual().folder, folder)
    with (folder / "tokenizer.json").open("ab") as file:
        file.write(b" ")
    with pytest.raises(FormatError, match=r"tokenizer\.json: the file is damaged"):
        Encoder(folder).vectors(["eins"])


def test_nothing_of_ours_is_unknown_to_it() -> None:
    text = "Straße, Maß, daß; naïve café – „Zitat“ «x» 3,5 % ≥ 12 °C µm² iPhone GHz MÄßIG α β"
    assert 3 not in multilingual().tokenizer.encode(text).ids


def test_a_blank_before_a_word_is_not_its_own() -> None:
    assert without_blanks("a  b", 1, 4) == (3, 4)
    assert without_blanks("a  b", 1, 3) == (0, 0)
    assert without_blanks("ab", 0, 2) == (0, 2)


def test_the_packed_table_gives_its_numbers_back() -> None:
    rng = np.random.default_rng(0)
    scales = rng.normal(size=(5, 2, 1)).astype(np.float16).astype(np.float32)
    levels = rng.integers(0, 16, size=(5, 2, BLOCK))
    levels[:, :, 0] = 0  # the largest number of each block, which sets its scale
    levels[4] = 8  # a row of zeros
    table = ((levels - 8) * scales).astype(np.float32).reshape(5, 2 * BLOCK)
    packed, found = pack(table)
    assert packed.nbytes + found.nbytes == 5 * (BLOCK + 4)
    unpacked = np.concatenate([packed & 15, packed >> 4], axis=1).reshape(levels.shape)
    assert (((unpacked - 8.0) * found[:, :, None]).reshape(table.shape) == table).all()


def test_a_tokenizer_keeps_the_pieces_it_is_told() -> None:
    vocab = [
        ("<s>", 0.0),
        ("</s>", 0.0),
        ("<unk>", 0.0),
        ("▁der", -2.0),
        ("▁", -3.0),
        ("▁la", -2.0),
    ]
    vocab += [("ma", -4.0), ("l", -9.0), ("a", -9.0), ("m", -9.0)]
    whole = Tokenizer(models.Unigram(vocab, unk_id=2, byte_fallback=False))
    whole.pre_tokenizer = pre_tokenizers.Metaspace()
    whole.add_special_tokens(["<s>", "</s>", "<unk>"])
    source = json.loads(whole.to_str())
    source["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "<s>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "</s>", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {
            "<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
            "</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]},
        },
    }
    kept = [0, 1, 2, 3, 4, 6, 7, 8, 9]
    small = Tokenizer.from_str(keep_pieces(json.dumps(source).encode(), kept).decode())
    assert small.encode("der ma").tokens == ["<s>", "▁der", "▁", "ma", "</s>"]
    assert small.encode("der").ids == [0, 3, 1]
    assert small.encode("la").tokens == ["<s>", "▁", "l", "a", "</s>"]


@pytest.mark.parametrize("piece", ["日", "▁2019", "%)", "Maß", "▁GHz", "▁iPhone"])
def test_some_pieces_stay_in_any_language(piece: str) -> None:
    assert always(piece)


@pytest.mark.parametrize("piece", ["▁quelque", "▁Über", "ción", "▁NATO"])
def test_others_must_be_used(piece: str) -> None:
    assert not always(piece)
