"""The systems that ask a language model: what an answer means in each task, and how it is blended with the shipped system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("jsonschema")

from marginalia import MissingError, get_benchmark
from marginalia.nlp.prompting.model import LanguageModel, Reply
from marginalia.nlp.prompting.system import Prompted
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating
from marginalia.tasks.clarification.systems import prompted as clarification
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems import prompted as complexity
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span, check_spans
from marginalia.tasks.measurement.systems import prompted as measurement
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.official.typed import Record, RecordPair
from marginalia.tasks.similarity.systems import prompted as similarity
from marginalia.tasks.variables.official.data import Mention, Statement
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable
from marginalia.tasks.variables.systems import prompted as variables
from tests.asked import agreeing, model

TEXT = "The film of C60 was heated at 340 K for 5 min; at 340 K its density is 1.6 g cm-3 in air."


class Fixed:
    """A shipped system that says what it was told."""

    def __init__(self, **pred: Any) -> None:
        self.pred = pred

    def predict(self, items: Mapping[str, Any]) -> dict[str, Any]:
        return {id: self.pred[id] for id in items}


def asked(
    module: Any, items: Mapping[str, Any], answer: Any, **pred: Any
) -> tuple[Any, LanguageModel]:
    llm = model(answer)
    system = Prompted(module.requests, module.read, lambda: Fixed(**pred), model=llm)
    return system.predict(items), llm


@pytest.mark.parametrize(
    "task", ["complexity", "clarification", "similarity", "measurement", "variables"]
)
def test_without_a_model_it_says_what_to_do(task: str) -> None:
    for name in ("prompted", "combined"):
        with pytest.raises(MissingError, match="name one with `llm=`"):
            get_benchmark(task).system(name).predict({"a": None})


def test_a_rating_of_five_points_is_a_complexity_from_0_to_1() -> None:
    items = {"a": Target("bible", "The sea rose.", "sea", "words")}
    pred, _ = asked(complexity, items, lambda prompt, row: {"rating": 2.0})
    assert pred == {"a": 0.25}
    assert complexity.blend(0.25, 0.75) == 0.5


def test_what_is_not_answered_the_shipped_system_answers() -> None:
    items = {name: Target("bible", f"The {name} rose.", name, "words") for name in ("sea", "sun")}

    def answer(prompt: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"rating": 1.0 if row["target"] == "sea" else 99}

    pred, llm = asked(complexity, items, answer, sun=0.7)
    assert pred == {"sea": 0.0, "sun": 0.7}
    assert llm.tally.fallback == 1
    assert "the shipped system answered 1 items instead" in llm.sentences()


def gap(filler: str, *others: str) -> Item:
    return Item("FUSED HEAD", "How to", "", "", "Clean the ______.", "", filler, others)


def test_ratings_belong_to_fillers_in_their_order() -> None:
    items = {"1_1": gap("tank", "soup"), "1_2": gap("soup", "tank")}
    pred, _ = asked(clarification, items, lambda prompt, row: {"ratings": [4.5, 1.5]})
    assert pred == {"1_1": Rating("PLAUSIBLE", 4.5), "1_2": Rating("IMPLAUSIBLE", 1.5)}
    too_few = {"ratings": [4.5]}
    pred, llm = asked(clarification, items, lambda prompt, row: too_few, **dict.fromkeys(items, 3))
    assert pred == {"1_1": 3, "1_2": 3} and llm.tally.fallback == 2


def test_pairs_and_records_are_asked_apart() -> None:
    items = {"p": Pair("a b", "a c", "x"), "r": RecordPair(Record("a"), Record("b", date="1900"))}
    pred, _ = asked(similarity, items, agreeing)
    assert pred == {"p": Score(5.0), "r": (5.0,) * 8}
    assert similarity.blend((4.0,) * 8, (0.0,) * 8) == (3.0,) * 8


def quantity(text: str, **more: Any) -> dict[str, Any]:
    return {
        "quantity": text, "unit": "", "modifiers": [], "entity": "", "property": "", "qualifier": "", **more
    }  # fmt: skip


def test_what_is_quoted_becomes_spans_in_the_order_of_the_text() -> None:
    said = [
        quantity("340 K", unit="K", entity="film", property="heated"),
        quantity("5 min", unit="min", modifiers=["IsRange"], entity="gas"),
        quantity("340 K", unit="kelvin"),
        quantity(
            "1.6 g cm-3", unit="g cm-3", entity="film", property="density", qualifier="in air"
        ),
        quantity("7 kg"),
    ]
    pred, llm = asked(
        measurement, {"a": Paragraph("", "", TEXT)}, lambda p, row: {"quantities": said}
    )
    spans = pred["a"]
    check_spans(spans)
    assert all(TEXT[span.start : span.end] == span.text for span in spans)
    found = [span for span in spans if span.type == "Quantity"]
    assert [span.start for span in found] == [
        TEXT.index("340 K"),
        TEXT.index("5 min"),
        TEXT.rindex("340 K"),
        TEXT.index("1.6"),
    ]
    assert [span.unit for span in found] == ["K", "min", None, "g cm-3"]
    assert [dict(span.other) for span in spans if span.set == 4][1:] == [
        {"HasQuantity": "T1-4"}, {"HasProperty": "T2-4"}, {"Qualifies": "T1-4"},
    ]  # fmt: skip
    assert llm.tally.dropped == 2  # the gas and the 7 kg are nowhere


def test_the_blend_has_our_quantities_and_their_context() -> None:
    start = TEXT.index("5 min")
    ours = (
        Span(3, "Quantity", start, start + 5, "T1-3", "5 min", {"unit": "min"}),
        Span(3, "MeasuredEntity", 0, 3, "T2-3", "The", {"HasQuantity": "T1-3"}),
    )
    said = [
        quantity("for 5 min", entity="film", qualifier="in air"),
        quantity("340 K", entity="C60"),
    ]
    pred, _ = asked(
        measurement, {"a": Paragraph("", "", TEXT)}, lambda p, row: {"quantities": said}
    )
    both = measurement.blend(pred["a"], ours)
    check_spans(both)
    assert [(span.type, span.text) for span in both] == [
        ("Quantity", "5 min"),
        ("MeasuredEntity", "film"),
    ]
    wider = measurement.blend(pred["a"], ours, qualifiers=True)
    assert wider[-1].text == "in air" and wider[-1].other == {"Qualifies": "T1-3"}
    assert measurement.blend((), ours) == ours


def test_candidates_are_chosen_by_number() -> None:
    catalogue = Catalogue(
        Variable(id=f"v{n}", survey="s", text=text, raw=text)
        for n, text in enumerate(["trust in courts", "trust in police", "income of household"])
    )
    items = {"a": Statement("Trust in the police fell.", "en", "d", ("s",), catalogue)}
    shown: list[str] = []

    def answer(prompt: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        shown.extend(row["candidates"].values())
        return {"mention": 0.8, "variables": [2, 7, 2]}

    pred, llm = asked(variables, items, answer)
    first = pred["a"].ranking[0][0]
    assert pred["a"].is_variable == 1
    assert catalogue[first].text == shown[1]
    assert len(pred["a"].ranking) == 3 and llm.tally.dropped == 1


def test_both_have_a_say_whether_a_variable_is_mentioned() -> None:
    unsure = variables.Judged(0.1, (("v1", 1.0),))
    sure = variables.Judged(-0.3, (("v2", 0.6), ("v1", 0.4)))
    assert variables.blend(unsure, sure) == Mention(0, (("v1", 0.7), ("v2", 0.3)))
    assert variables.mention_of(sure).is_variable == 0


def test_a_model_that_fails_leaves_everything_to_the_shipped_system() -> None:
    def fail(request: Any) -> Reply:
        raise ConnectionError

    items = {"a": Target("bible", "The sea rose.", "sea", "words")}
    llm = LanguageModel("tester", fail)
    system = Prompted(
        complexity.requests, complexity.read, lambda: Fixed(a=0.4), blend=complexity.blend
    )
    assert system.asking(llm).predict(items) == {"a": 0.4}
