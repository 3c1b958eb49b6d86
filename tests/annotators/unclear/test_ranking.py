"""Fillers of a marked gap, their ratings, revisions, and ratings of people."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from marginalia import Document, FormatError, UnknownNameError
from marginalia.annotators.unclear.data_set import aggregate_ratings, mine_revisions
from marginalia.annotators.unclear.gaps import fill_gap
from marginalia.reader.annotate import annotate as annotate_all
from marginalia.reader.skipped_regions import skipped_regions
from marginalia.tasks.clarification.gaps.filler import candidates, distinct, fill, suits
from marginalia.tasks.clarification.gaps.marked import marked
from marginalia.tasks.clarification.gaps.revisions import Revision
from marginalia.tasks.clarification.official.ratings import Rating, label_of

CONTEXT = "Lift your leg into the pose. Keep the stretch gentle."
GAP = "Hold ______ for ten seconds, then rest."
PANEL = "The panel has a power button and a reset button."
GERMAN = "Heben Sie das Bein. Halten Sie für zehn Sekunden und lassen Sie es wieder sinken."


class Longest:
    """A system of known answers: the more letters, the more plausible."""

    def predict(self, items):
        scores = {id: min(5.0, len(item.filler) / 2) for id, item in items.items()}
        return {id: Rating(label_of(score), score) for id, score in scores.items()}


def doc(text: str, lang: str = "en", **meta: object) -> Document:
    return Document(id="x", text=text, meta={"lang": lang, **meta})


def test_phrases_of_the_context_are_candidates() -> None:
    place, guide = marked(GAP, context=CONTEXT)
    found = {filler.text: filler.source for filler in candidates(place, guide)}
    assert {"the pose", "the stretch", "your leg"} <= {
        t for t, s in found.items() if s == "context"
    }
    assert not {"the second", "the seconds", "the hold"} & found.keys()
    more = {f.text: f.source for f in candidates(place, guide, lambda *_: ["a  kite", "the pose"])}
    assert more["a kite"] == "suggested" and more["the pose"] == "context"


def test_suggestions_are_filtered_by_part_of_speech() -> None:
    place, guide = marked(GAP, context=CONTEXT)
    texts = ["the breath", "slowly", "42", "", "!", "the very long breath you took"]
    assert [text for text in texts if suits(place, guide, text)] == ["the breath"]
    place, guide = marked("Press the ______ button.", context=PANEL)
    texts = ["volume", "volumes", "the volume", "slowly"]
    assert [text for text in texts if suits(place, guide, text)] == ["volume"]


def test_a_plural_is_filled_with_plurals() -> None:
    context = "Every family has a recipe and a custom."
    place, guide = marked("You may well alter these ______.", context=context)
    texts = {filler.text for filler in candidates(place, guide)}
    assert {"recipes", "customs", "steps"} <= texts and not {"recipe", "custom"} & texts


def test_kinds_that_the_text_has_named_come_first() -> None:
    place, guide = marked("Press the ______ button.", context=PANEL)
    first = [filler.text for filler in candidates(place, guide)][:2]
    assert first == ["power", "reset"]
    assert place.item(guide, "reset").filled == "Press the reset button."


def test_parts_and_aspects() -> None:
    place, guide = marked("Adjust the ______ of the chair until your feet rest on the floor.")
    texts = {filler.text for filler in candidates(place, guide)}
    assert {"seat", "back", "height"} <= texts
    filled = place.item(guide, "height").filled
    assert filled == "Adjust the height of the chair until your feet rest on the floor."
    place, guide = marked("Park the van at your aunt's ______ and walk.")
    assert "house" in {filler.text for filler in candidates(place, guide)}


def test_choices_differ_and_are_the_same_each_time() -> None:
    place, guide = marked(GAP, context=CONTEXT)
    chosen = fill(place, guide)
    assert len(chosen) == 5 == len({filler.text for filler in chosen})
    assert chosen == fill(place, guide)
    assert len(fill(place, guide, n=2)) == 2 and fill(place, guide, n=0) == []


def test_one_of_each_cluster() -> None:
    a, b, c = np.eye(3, dtype=np.float32)
    rows = np.stack([a, a, b, b, c])
    assert {tuple(rows[i]) for i in distinct(rows, 3)} == {tuple(a), tuple(b), tuple(c)}
    assert distinct(rows[:2], 3) == [0, 1]


def test_readings_are_rated_and_ambiguity_is_flagged() -> None:
    gap = fill_gap(GAP, context=CONTEXT, system=Longest())
    scores = [reading.rating.score for reading in gap.readings]
    assert scores == sorted(scores, reverse=True) and len(scores) == 5
    assert gap.several and gap.to_dict()["several"] is True
    assert gap.cloze == GAP


@pytest.mark.parametrize(
    ("text", "phenomenon", "cloze"),
    [
        ("Hold ______ for a while.", "implicit reference", "Hold ______ for a while."),
        ("Change these ______.", "fused head", "Change these ______."),
        ("Clean the ______ tank.", "noun compound", "Clean the ______ tank."),
        ("Look at the ______ of the teeth.", "metonymy", "Look at the ______ of the teeth."),
        ("Go to your aunt's ______ today.", "metonymy", "Go to your aunt's ______ today."),
        ("Hold", "implicit reference", "Hold ______"),
        ("", "implicit reference", "______"),
        ("______", "implicit reference", "______"),
        ("Hold ______ and ______ it.", "implicit reference", "Hold ______ and ______ it."),
        ("<p>Hold ______</p>", "implicit reference", "<p>Hold ______</p>"),
    ],
)
def test_a_gap_marked_by_hand(text: str, phenomenon: str, cloze: str) -> None:
    place, guide = marked(text)
    assert (place.phenomenon, place.cloze(guide.sentences[-1])) == (phenomenon, cloze)
    gap = fill_gap(text, fillers=["the egg", "", "x " * 200], system=Longest())
    assert gap.cloze == cloze and len(gap.readings) == 3


def test_a_gap_with_context_is_filled_from_it() -> None:
    gap = fill_gap(
        "Hold ______ for ten seconds.", context="Lift your leg into the pose.", system=Longest()
    )
    assert "the pose" in {reading.filler for reading in gap.readings}
    given = fill_gap("Hold ______.", phenomenon="fused head", fillers=["x"])
    assert given.phenomenon == "fused head"
    with pytest.raises(UnknownNameError, match="no phenomenon 'irony'"):
        fill_gap("Hold ______.", phenomenon="irony")


def test_other_languages_get_none_and_that_is_said() -> None:
    german = annotate_all(doc(GERMAN, "de"), ["unclear"])
    assert german.annotations == ()
    assert skipped_regions(german).sentences() == ["in German: no notes of unclear"]


def test_revisions_are_mined(tmp_path: Path) -> None:
    pair = {"old": "Hold for a bit.", "new": "Hold the egg for a bit."}
    found = mine_revisions([pair])
    assert found[0].phenomenon == "implicit reference"
    assert tuple(found[0].to_dict()) == found.columns
    path = tmp_path / "pairs.tsv"
    path.write_text("\t".join(pair.values()) + "\n", encoding="utf-8")
    assert mine_revisions(path) == found == mine_revisions([Revision(**pair)])


def ratings_file(folder: Path, text: str, name: str = "ratings.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_ratings_become_gold(tmp_path: Path) -> None:
    text = "id,rater,rating\n1_1,a,5\n1_1,b,4\n1_2,a,2\n1_2,b,3\n1_3,a,3\n1_3,b,4\n"
    report = aggregate_ratings(ratings_file(tmp_path, text))
    rows = {row["id"]: (row["rating"], row["label"], row["raters"]) for row in report.also["rows"]}
    assert rows == {
        "1_1": (4.5, "PLAUSIBLE", 2),
        "1_2": (2.5, "IMPLAUSIBLE", 2),
        "1_3": (3.5, "NEUTRAL", 2),
    }
    assert report.scores["classes"] == {"IMPLAUSIBLE": 1, "NEUTRAL": 1, "PLAUSIBLE": 1}
    assert report.scores["ratings"] == 6 and report.scores["raters"] == 2
    assert 0 < report.scores["alpha_ratings"] < 1
    assert report.scores["accuracy"] == pytest.approx(4 / 6)
    tabbed = ratings_file(tmp_path, text.replace(",", "\t"), "ratings.tsv")
    assert aggregate_ratings(tabbed).scores == report.scores


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,rater\n1,a\n", "the header lacks the column 'rating'"),
        ("id,rater,rating\n1,a,6\n", "ratings.csv:2: the rating 6 is not on the scale from 1 to 5"),
        ("id,rater,rating\n1,a,x\n", "the rating 'x' is not a number"),
        ("id,rater,rating\n1,a,3\n1,a,4\n", "'a' rates '1' a second time"),
        ("id,rater,rating\n", "there is no rating in it"),
    ],
)
def test_bad_ratings(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        aggregate_ratings(ratings_file(tmp_path, text))
