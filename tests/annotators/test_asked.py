"""Margin notes with a language model at hand: kept, corrected, dropped or new, and marked with its name in every export."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jsonschema")

from marginalia import (
    Annotation,
    Document,
    annotate,
    compare,
    extract_measurements,
    link,
    read,
    write,
)
from marginalia.annotators.unclear.gaps import fill_gap
from marginalia.core.resolution import system_for_documents
from marginalia.nlp.prompting.model import LanguageModel, Reply
from marginalia.tasks.clarification.benchmark import BENCHMARK
from marginalia.tasks.clarification.systems.prompted import asking_too
from tests.asked import agreeing, model

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = (
    "The committee gave a palliative answer to the isotropic rumour.\n\n"
    "Another palliative remark followed, and the treasurer resigned at once."
)


def noted(text: str, kind: str, answer: Any) -> list[Annotation]:
    doc = Document(id="d", text=text, meta={"lang": "en"})
    return list(annotate(doc, [kind], llm=model(answer)).annotations)


def words(**verdicts: tuple[str, str]) -> Any:
    """Keeps all words but these."""

    def answer(prompt: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        said = []
        for n, one in row["words"].items():
            verdict, meaning = verdicts.get(one["word"], ("keep", ""))
            said.append({"word": int(n), "verdict": verdict, "meaning": meaning})
        return {"words": said, "more": []}

    return answer


def test_a_meaning_that_fits_is_kept_with_the_name_of_the_model() -> None:
    notes = noted(TEXT, "words", agreeing)
    first = next(note for note in notes if note.quote == "palliative")
    assert first.attrs["model"] == "tester" and first.attrs["verdict"] == "kept"
    assert first.system == "dictionary + tester"
    assert [n.label for n in notes if n.quote == "palliative"] == ["hard word", "hard word again"]


def test_a_meaning_is_corrected_and_a_known_word_dropped() -> None:
    notes = noted(
        TEXT, "words", words(palliative=("correct", "short and cold"), isotropic=("drop", ""))
    )
    said = {note.quote: note.attrs.get("meaning") for note in notes}
    assert said["palliative"] == "short and cold"
    assert "isotropic" not in said


def test_a_passage_speaks_for_its_own_uses_of_a_word() -> None:
    def answer(prompt: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        first = "committee" in row["passage"]
        verdict = "drop" if first else "keep"
        said = [{"word": int(n), "verdict": verdict, "meaning": ""} for n in row["words"]]
        return {"words": said, "more": []}

    (note,) = [one for one in noted(TEXT, "words", answer) if one.quote == "palliative"]
    assert note.label == "hard word" and note.start > TEXT.index("Another")


def test_a_model_adds_words_that_are_there() -> None:
    def answer(prompt: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        more = [
            {"quote": "treasurer", "meaning": "who looks after\nthe money\x1b[1m"},
            {"quote": "chancellor", "meaning": "is nowhere"},
        ]
        return {**agreeing(prompt, row), "more": more}

    doc = Document(id="d", text=TEXT, meta={"lang": "en"})
    llm = model(answer)
    (note,) = [n for n in annotate(doc, ["words"], llm=llm).annotations if n.quote == "treasurer"]
    assert note.attrs["why"] == "who looks after the money[1m"
    assert (note.system, note.attrs["verdict"]) == ("tester", "new")
    assert llm.tally.dropped == 3  # the chancellor in both passages, the treasurer in the first


def test_a_model_asks_what_an_editor_would() -> None:
    text = (
        "The samples were stored for some time. Then they were shipped to the laboratory by road."
    )

    def answer(prompt: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        place = {"quote": "some time", "question": "For how long?", "reading": "a few days"}
        found = [{"place": int(number), "keep": False} for number in row["found"]]
        return {"found": found, "places": [place]}

    (note,) = noted(text, "unclear", answer)
    assert (note.quote, note.label) == ("some time", "open question")
    assert note.attrs["why"] == "For how long? a few days"


def test_a_contradiction_that_is_none_goes() -> None:
    text = (
        "The valve of the old boiler must be closed before the test.\n\n"
        "The weather was fine on most days of that cold and windy spring.\n\n"
        "The valve of the old boiler must not be closed before the test."
    )
    doc = Document(id="d", text=text, meta={"lang": "en"})
    before = [n for n in annotate(doc, ["consistency"]).annotations if n.label == "contradiction"]
    assert before, "the example has no contradiction any more"
    kept = [n for n in noted(text, "consistency", agreeing) if n.label == "contradiction"]
    assert [n.quote for n in kept] == [n.quote for n in before]
    assert all(n.attrs["model"] == "tester" for n in kept if "part_of" not in n.attrs)
    denied = noted(text, "consistency", lambda prompt, row: {"contradiction": False})
    assert not [n for n in denied if n.label == "contradiction"]


def measured(prompt: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    said = {"unit": "K", "modifiers": [], "property": "boiling point", "entity": "ether"}
    quantity = {"quantity": "307.8 K", "qualifier": "in the dark", **said}
    return {"quantities": [quantity]}


def test_a_measurement_gets_the_context_that_the_model_quotes() -> None:
    text = "As others saw, ether has a boiling point of 307.8 K, and the flask weighs 20 g."
    doc = Document(id="d", text=text, meta={"lang": "en"})
    llm = model(measured)
    found = {row["quantity"]: row for row in extract_measurements(doc, llm=llm).rows}
    assert (found["307.8 K"]["property"], found["307.8 K"]["entity"]) == ("boiling point", "ether")
    assert found["307.8 K"]["system"].endswith(" + tester")
    assert not found["20 g"]["system"].endswith("tester")
    assert llm.tally.dropped == 1  # "in the dark" is not in the text


def test_candidates_of_a_survey_are_chosen_by_the_model() -> None:
    catalogue = EXAMPLES / "survey.ddi.xml"
    doc = read(EXAMPLES / "article.html", notes=[])
    plain = link(doc, catalogue).sentences
    assert plain and any(len(one.candidates) > 1 for one in plain)
    assert not link(
        doc, catalogue, llm=model(lambda p, row: {"mention": 0.0, "variables": []})
    ).sentences
    llm = model(lambda prompt, row: {"mention": 1.0, "variables": [2, 99]})
    for one in link(doc, catalogue, llm=llm).sentences:
        assert len(one.variables) <= 1
        assert one.variables == one.candidates[: len(one.variables)]
    noted = link(doc, catalogue, llm=llm).doc.annotations
    assert {note.attrs["model"] for note in noted} == {"tester"}


def test_two_sentences_are_compared_by_both() -> None:
    pair = ("A man plays a guitar.", "The parliament voted on the budget.")
    alone, both = compare(*pair), compare(*pair, llm=model(agreeing))
    assert both.score == pytest.approx(0.25 * alone.score + 0.75 * 5)
    assert both.system == f"{alone.system} + tester"


def test_readings_are_rated_by_both() -> None:
    system = system_for_documents(BENCHMARK).loaded()
    found = fill_gap("Clean the ______ tank.", fillers=["fish", "soup"])
    both = fill_gap(
        "Clean the ______ tank.",
        fillers=["fish", "soup"],
        system=asking_too(system, model(agreeing)),
    )
    before = {one.filler: one.rating.score for one in found.readings}
    assert {r.filler: r.rating.score for r in both.readings} == pytest.approx(
        {filler: 0.1 * score + 0.9 * 5 for filler, score in before.items()}
    )


def test_a_model_that_says_nothing_changes_nothing() -> None:
    doc = read(EXAMPLES / "guide.md", notes=[])
    kinds = ["words", "unclear", "measurements", "consistency"]
    silent = LanguageModel("tester", lambda request: Reply("no"))
    with_it = annotate(doc, kinds, llm=silent)
    without = annotate(doc, kinds)
    assert {(n.start, n.end, n.label, str(n.attrs.get("why"))) for n in with_it.annotations} == {
        (n.start, n.end, n.label, str(n.attrs.get("why"))) for n in without.annotations
    }
    assert silent.tally.unanswered == silent.tally.lines > 0


@pytest.mark.parametrize(
    "format", ["json", "jsonl", "csv", "html", "jsonld", "ttl", "sarif", "brat", "xmi"]
)
def test_every_export_names_the_model_and_escapes_what_it_wrote(
    format: str, tmp_path: Path
) -> None:
    needs = {"ttl": "rdflib", "xmi": "cassis"}
    if format in needs:
        pytest.importorskip(needs[format])

    def answer(prompt: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        place = {
            "quote": "at once",
            "question": "<script>alert(1)</script> When?",
            "reading": "today",
        }
        return {"found": [], "places": [place] if "at once" in row["passage"] else []}

    doc = annotate(
        Document(id="d", text=TEXT, meta={"lang": "en", "path": "d.txt"}),
        ["unclear"],
        llm=model(answer, "the-model"),
    )
    written = write(
        [doc], tmp_path / f"out.{format}" if format != "brat" else tmp_path / "brat", format
    )
    text = "".join(path.read_text(encoding="utf-8") for path in written)
    assert "the-model" in text
    if format == "html":
        assert "<script>alert" not in text


def test_notes_with_a_model_are_not_taken_for_notes_without(tmp_path: Path) -> None:
    from marginalia.reader.cache import NoteCache

    cache = NoteCache(tmp_path / "notes.sqlite")
    doc = Document(id="d", text=TEXT, meta={"lang": "en"})
    asked = annotate(doc, ["words"], cache=cache, llm=model(words(palliative=("drop", ""))))
    plain = annotate(doc, ["words"], cache=cache)
    assert "palliative" not in {note.quote for note in asked.annotations}
    assert "palliative" in {note.quote for note in plain.annotations}
    again = annotate(doc, ["words"], cache=cache, llm=model(agreeing))
    assert json.dumps([note.attrs.get("model") for note in again.annotations]).count("tester")
