"""The shipped systems keep the contract, stand odd input, and know what makes sense."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from marginalia import MissingError, check_system, get_benchmark
from marginalia.core.resolution import choose_system
from marginalia.nlp.weights import open_weights
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import CLASSES
from marginalia.tasks.clarification.systems import weights_folder
from marginalia.tasks.clarification.systems.features import Boosted
from marginalia.tasks.clarification.systems.filler_rows import PARTS, Evidence, names, places
from marginalia.tasks.clarification.systems.language_model import LanguageModel, Likelihood
from marginalia.tasks.clarification.systems.passes import FILLERS_PER_PASS, Passes, bare
from marginalia.tasks.clarification.systems.rater import INGREDIENTS, Rater
from marginalia.tasks.clarification.systems.stacking import to_bytes
from tests.tasks.clarification.invented import invented

TASK = get_benchmark("clarification")
TEA = Item(
    "IMPLICIT REFERENCE",
    "How to Make Tea",
    "Steps",
    "1. Boil the water. (...) 2. Put a tea bag into the cup.",
    "3. Pour ______ into the cup.",
    "Let it steep for three minutes.",
    "the water",
    ("the lawyer", "the kettle", "your bicycle"),
)


class Invented(LanguageModel):
    """Likes short fillers."""

    def load(self) -> None:
        pass

    def ratings(self, item: Item, fillers) -> tuple[list[Likelihood], np.ndarray]:
        found = self.likelihoods(item, fillers)
        return found, np.array([[own.filler / 5, own.filler, 0.0] for own in found])

    def likelihoods(self, item: Item, fillers) -> list[Likelihood]:
        return [Likelihood(-float(len(filler)), -5.0, 1) for filler in fillers]


@pytest.fixture(scope="module")
def rater() -> Rater:
    return Rater()


def scores(system: Rater, item: Item) -> dict[str, float]:
    """The rating of every filler of an item's gap."""
    fillers = bare(item).others
    items = {
        filler: replace(item, filler=filler, others=tuple(f for f in fillers if f != filler))
        for filler in fillers
    }
    return {filler: rating.score for filler, rating in system.predict(items).items()}


@pytest.mark.parametrize("name", ["rater", "encoder"])
def test_shipped_systems_keep_the_contract(name: str, tmp_path: Path) -> None:
    check_system(TASK.card(name), invented(tmp_path))


def test_with_a_language_model_it_keeps_the_contract(tmp_path: Path) -> None:
    card = replace(TASK.card("rater-lm"), make=lambda: Rater("rater-lm", lm=Invented()))
    check_system(card, invented(tmp_path))


def test_what_makes_sense_is_rated_higher(rater: Rater) -> None:
    found = scores(rater, TEA)
    assert found["the water"] > found["the lawyer"]
    assert found["the water"] > found["your bicycle"]
    assert rater.predict({"1": TEA})["1"].label == "PLAUSIBLE"


@pytest.mark.parametrize(
    "changed",
    [
        {"sentence": "3. Pour it into the cup."},
        {"sentence": "Pour ______ into ______."},
        {"sentence": ""},
        {"sentence": "______"},
        {"filler": ""},
        {"filler": "   "},
        {"filler": "all of the water that you have boiled before " * 40},
        {"sentence": "<li>Pour ______ &nbsp;into <b>the cup", "filler": "<i>tea</i>"},
        {"title": "", "header": "", "previous": "", "followup": ""},
        {"others": ()},
        {"others": ("the water", "the water")},
        {"others": tuple(f"thing {n}" for n in range(2 * FILLERS_PER_PASS))},
        {"pattern": "SOMETHING ELSE"},
        {"previous": "word " * 5000, "followup": "word " * 5000},
        {"filler": "☃ \x00 \ud7ff 水"},
    ],
    ids=str,
)
def test_odd_items_get_a_rating(rater: Rater, changed) -> None:
    rating = rater.predict({"1": replace(TEA, **changed)})["1"]
    assert rating.label in CLASSES
    assert 1 <= rating.score <= 5


def test_left_overs_of_html_change_nothing(rater: Rater) -> None:
    tagged = replace(
        TEA,
        sentence="<li>3. Pour  ______ into the <b>cup</b>.</li>",
        previous=TEA.previous.replace("water", "<a href='x'>water</a>"),
    )
    assert rater.predict({"1": tagged})["1"] == rater.predict({"1": TEA})["1"]


def test_one_pass_for_all_fillers_rates_as_one_for_each() -> None:
    """Up to the rounding of int8, which is scaled over all that a pass holds."""
    context = bare(TEA)
    together, apart = (Passes(shared=shared).heads([context])[context] for shared in (True, False))
    assert np.abs(together - apart).max() < 0.4
    assert np.argmax(together[:, 0]) == np.argmax(apart[:, 0])


def test_the_encoder_rates_each_filler_for_itself() -> None:
    encoder = Rater("encoder")
    alone, among = (encoder.predict({"1": item})["1"] for item in (replace(TEA, others=()), TEA))
    assert alone.score == pytest.approx(among.score, abs=0.3)


def test_rows_have_the_columns_they_are_named_by() -> None:
    for parts in INGREDIENTS.values():
        rows = Evidence(parts, Passes(), Boosted(), Invented()).rows({"1": TEA})
        assert rows["1"].shape == (len(names(parts)),)
    assert places(PARTS, ["features"]) == [10, 11]
    assert set(PARTS) == {part for parts in INGREDIENTS.values() for part in parts}


def test_save_needs_a_fit(rater: Rater, tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="not fitted"):
        rater.save(tmp_path)


def test_what_was_saved_predicts_the_same(rater: Rater, tmp_path: Path) -> None:
    fitted = Rater()
    fitted.given = {
        **{
            name: (weights_folder() / name).read_bytes()
            for name in ("network.onnx", "features.onnx")
        },
        "stacks.json": to_bytes({"rater": rater.stack}),
    }
    fitted.save(tmp_path)
    assert Rater(folder=tmp_path).predict({"1": TEA}) == rater.predict({"1": TEA})


def test_the_weights_stay_within_their_share() -> None:
    files = open_weights(weights_folder())["files"]
    assert sum((weights_folder() / name).stat().st_size for name in files) < 24.2e6


def test_rater_on_dev(data: Path) -> None:
    """A tenth of dev: enough to see whether the weights are whole."""
    dev = TASK.load("dev", data)
    part = dev.take(id for id in dev.items if int(dev.group[id]) % 10 == 0)
    found = TASK.score(part, choose_system(TASK).loaded().predict(part.items)).scores
    assert found["accuracy"] > 0.55
    assert found["spearman"] > 0.55
