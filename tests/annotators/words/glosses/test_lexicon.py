"""The senses of words, from the shipped file and from files of ours."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.annotators.words.glosses.build import build, is_clear, short
from marginalia.annotators.words.glosses.lexicon import NAME, read_lexicon, senses
from marginalia.nlp.weights import write_weights

DATA = """00000010 04 n 02 covenant 0 agreement 0 000 | a promise that two sides make to each other; "they made a covenant"
00000200 04 n 01 covenant 1 000 | a covenanting
00000300 04 n 01 agreement 0 000 | being of one mind
00000400 04 n 02 ice_shelf 0 shelf_ice 0 000 | ice that floats at the coast
"""
INDEX = """agreement n 2 0 2 0 00000300 00000010
covenant n 2 0 2 0 00000010 00000200
ice_shelf n 1 0 1 0 00000400
"""


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for name in ("noun", "verb", "adj", "adv"):
        own = name == "noun"
        (tmp_path / f"data.{name}").write_text(DATA if own else "", encoding="utf-8")
        (tmp_path / f"index.{name}").write_text(INDEX if own else "", encoding="utf-8")
        (tmp_path / f"{name}.exc").write_text("", encoding="utf-8")
    counts = "covenant%1:04:00:: 1 5\nagreement%1:04:00:: 2 4\n"
    (tmp_path / "cntlist.rev").write_text(counts, encoding="utf-8")
    return tmp_path


def test_a_lexicon_is_built_and_read(wordnet: Path, tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    folder.mkdir()
    write_weights(folder, {NAME: build(wordnet)})
    first, second = senses("Covenants", "NOUN", folder)
    assert (first.lemma, first.ending, first.count) == ("covenant", "s", 5)
    assert first.gloss == "a promise that two sides make to each other" and first.clear
    assert first.related == "covenant, agreement" and first.easier == ("agreement",)
    assert not second.clear, "it explains the word by itself"
    assert senses("covenant", "VERB", folder) == () == senses("covenant", "PROPN", folder)
    [shelf] = senses("ice shelf", "NOUN", folder)
    assert shelf.gloss == "ice that floats at the coast"


def test_the_shipped_file_knows_irregular_forms_and_expressions() -> None:
    assert senses("hippocampi", "NOUN")[0].lemma == "hippocampus"
    assert senses("strove", "VERB")[0].lemma == "strive"
    assert senses("standard deviations", "NOUN")[0].lemma == "standard deviation"
    assert senses("house", "NOUN") == (), "a common word needs no gloss"
    assert senses("", "NOUN") == () == senses("x" * 500, "NOUN")


def test_a_gloss_is_short_and_in_easier_words() -> None:
    assert short(
        "a large bird that lives near the coast; with a very long tail " + "and so on " * 12
    ).endswith("coast")
    assert short("word " * 60) == ""
    assert is_clear("viscosity", "resistance of a liquid to flow")
    assert not is_clear("phosphorylation", "the process of phosphorylating a compound")
    assert not is_clear("flawlessly", "in an adroit manner")


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    write_weights(tmp_path, {NAME: gzip.compress(b"no header\n")})
    with pytest.raises(FormatError, match="expected glosses"):
        read_lexicon(tmp_path)
