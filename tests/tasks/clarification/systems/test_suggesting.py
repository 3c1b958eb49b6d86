"""What a language model would write is proposed where it is a noun that fits, after what the guide says itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from marginalia import MissingError
from marginalia.cli.main import cli
from marginalia.nlp.lm.model import MODEL_VARIABLE, CausalModel
from marginalia.tasks.clarification.building.fillers import suitable, written
from marginalia.tasks.clarification.gaps.filler import candidates
from marginalia.tasks.clarification.gaps.marked import marked
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.language_model import LanguageModel, Suggestions
from tests.nlp.lm.tiny import write_tiny


class Listed(LanguageModel):
    """Thinks that later tokens are likelier, and keeps what it was asked."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.asked: list[str] = []

    def chances(self, item: Item) -> np.ndarray:
        self.asked.append(item.sentence)
        return np.arange(float(self.model.file.sizes.words))


@pytest.fixture
def model(tmp_path: Path) -> Listed:
    return Listed(write_tiny(tmp_path / "tiny.gguf"))


def test_nouns_that_fit_are_proposed(model: Listed) -> None:
    suggest = Suggestions(model)
    place, guide = marked("Knead ______ for ten minutes.", context="Mix the flour with water.")
    found = list(suggest(place, guide))
    assert found[:3] == ["the salt", "the quickly", "the towel"]
    assert model.asked == ["Knead the ______ for ten minutes.", "Knead ______ for ten minutes."]
    texts = {one.text: one.source for one in candidates(place, guide, suggest)}
    assert texts["the dough"] == "suggested"
    assert texts["the flour"] == "context"
    assert "the quickly" not in texts
    assert list(texts).index("the flour") < list(texts).index("the dough")


def test_a_real_pass_gives_words(model: Listed) -> None:
    plain = LanguageModel(model.name)
    plain.model = CausalModel(Path(model.name), cache=Path(model.name).parent)
    place, guide = marked("Clean the ______ tank.")
    assert sorted(Suggestions(plain)(place, guide)) == ["dough", "quickly", "salt", "towel"]


def test_rows_of_a_data_set_get_the_words_of_the_model(model: Listed) -> None:
    item = Item("IMPLICIT REFERENCE", "", "", "", "Knead ______ for ten minutes.", "", "it", ())
    found = written(item, model)
    assert found[:3] == ["the salt", "the quickly", "the towel"]
    assert list(suitable(item, found)) == ["the salt", "the towel", "the dough"]


def test_without_a_model_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(tmp_path / "none.gguf"))
    words = ["clarify", "fill", "--sentence", "Knead ______ for ten minutes.", "--lm"]
    result = CliRunner().invoke(cli, words)
    assert isinstance(result.exception, MissingError)  # the whole program says it in a sentence
