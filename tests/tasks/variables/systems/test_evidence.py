"""What a paper says about variables, and the features made from it."""

from __future__ import annotations

import numpy as np
import pytest

from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable
from marginalia.tasks.variables.systems.evidence import Evidence, cosines, evidence, standard
from marginalia.tasks.variables.systems.features import (
    CANDIDATE_FEATURES,
    SENTENCE_FEATURES,
    candidate_features,
    key_words,
    neighbour_shares,
    sentence_features,
)
from tests.tasks.variables.invented import catalogue

SENTENCES = (
    "Most respondents trust their neighbours.",
    "Trust in neighbours has grown.",
    "Roses are grown in half of the gardens.",
    "The next section describes the method.",
)


def found(paper: Paper | None = None, whole: Catalogue | None = None) -> Evidence:
    return Evidence(paper or Paper(SENTENCES), whole or catalogue().within(["ZA1"]))


def test_words_and_meaning_prefer_the_variable_that_a_sentence_is_about() -> None:
    given = found()
    for scores in (given.words, given.meaning, given.label_meaning, given.fused):
        assert scores.shape == (4, 3)
        assert scores[0].argmax() == 0 and scores[2].argmax() == 1


def test_a_label_in_capitals_is_read_as_words() -> None:
    """VERMOEGEN and ERHEBUNGSGEBIET look like codes to the encoder; written out they do not."""
    labels = {
        "v1": "ERHEBUNGSGEBIET : WEST - OST",
        "v2": "WEG ZUM ERFOLG: GELD, VERMOEGEN",
        "v3": "FAMILIENSTAND DER BEFRAGTEN",
    }
    whole = Catalogue(
        Variable(id=id, survey="ZA3", text=text, raw=text, fields={"label": text})
        for id, text in labels.items()
    )
    given = found(Paper(["Wer reich ist, kommt leichter voran."], "de"), whole)
    other, right, another = given.label_meaning[0]
    assert right - max(other, another) > 0.03, "in capitals it would be .02"
    assert not given.words.any(), "they share no word"


def test_the_paper_is_more_about_what_it_says_oftener() -> None:
    given = found()
    trust, roses, age = given.share
    assert trust > age and roses > age
    assert given.best[2] == min(given.best)


def test_items_of_a_battery_are_alike() -> None:
    whole = catalogue().within(["ZA1"])
    assert found().alike.tolist() == [0.0] * len(whole)


@pytest.mark.parametrize(
    "paper", [Paper(), Paper(["One."]), Paper(SENTENCES)], ids=["none", "one", "four"]
)
@pytest.mark.parametrize("whole", [Catalogue(), catalogue()], ids=["no catalogue", "catalogue"])
def test_features_are_finite_however_little_there_is(paper: Paper, whole: Catalogue) -> None:
    given = Evidence(paper, whole)
    if len(paper):
        rows = sentence_features(given)
        assert rows.shape == (len(paper), len(SENTENCE_FEATURES)) and np.isfinite(rows).all()
    columns = candidate_features(given)
    assert columns.shape == (len(paper), len(whole), len(CANDIDATE_FEATURES))
    assert np.isfinite(columns).all()


def test_relative_features_of_a_paper_have_mean_nought() -> None:
    rows = sentence_features(found())
    assert np.allclose(rows[:, SENTENCE_FEATURES.index("length") :].mean(axis=0), 0, atol=1e-9)


def test_key_words_are_those_the_language_has_seldom() -> None:
    keys = key_words(found())
    assert keys["neighbour"] > keys["method"] == 0


def test_company_shares_add_up_to_one_or_nothing() -> None:
    near = neighbour_shares(found(), 2)
    assert np.allclose(np.diag(near), 0)
    assert all(total == pytest.approx(1) or total == 0 for total in near.sum(axis=1))
    assert near[0].argmax() == 1


def test_standard_and_cosines_know_the_empty_case() -> None:
    assert standard(np.ones(3)).tolist() == [0, 0, 0]
    assert standard(np.zeros((0, 3))).shape == (0, 3)
    assert cosines(["a word"], ["the of"]).tolist() == [[0.0]]


def test_evidence_is_kept_for_the_same_paper() -> None:
    paper, whole = Paper(SENTENCES), catalogue()
    assert evidence(paper, whole) is evidence(paper, whole)
    assert evidence(paper, whole) is not evidence(Paper(SENTENCES), whole)
