"""Decisions find their place again in a text that has changed, and say which notes stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Annotation, Document, UnknownNameError
from marginalia.cli.main import cli
from marginalia.core.decisions import CONTEXT_CHARACTERS, Decision, decide, dump_decisions
from marginalia.reader.decisions import Quoted, anchor, apply

TEXT = (
    "The first flask weighed 12 kg before the run.\n\nThe second flask weighed 12 kg after it, which "
    "nobody had expected of so small a vessel.\n\nThe kinase perturbs homeostasis."
)


def quoted(text: str, start: int, end: int) -> Quoted:
    before = text[max(0, start - CONTEXT_CHARACTERS) : start]
    return Quoted(start, text[start:end], before, text[end : end + CONTEXT_CHARACTERS])


def place(text: str, quote: str, nth: int = 0) -> tuple[int, int]:
    start = -1
    for _ in range(nth + 1):
        start = text.index(quote, start + 1)
    return start, start + len(quote)


@given(st.text(min_size=1, max_size=200), st.data())
def test_in_the_same_text_every_span_finds_itself(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert anchor(text, quoted(text, start, end)) == (start, end)


@given(st.text(max_size=300), st.text(max_size=300))
def test_whatever_the_text_became_a_place_quotes_what_was_quoted(text: str, other: str) -> None:
    if not text:
        return
    passage = quoted(text, 0, min(len(text), 20))
    found = anchor(other, passage)
    assert found is None or other[found[0] : found[1]] == passage.quote


@pytest.mark.parametrize("nth", [0, 1])
def test_of_two_that_are_alike_the_context_tells(nth: int) -> None:
    start, end = place(TEXT, "12 kg", nth)
    changed = "A new beginning of some length, with 12 kg in it.\n\n" + TEXT
    assert anchor(changed, quoted(TEXT, start, end)) == place(changed, "12 kg", nth + 1)


def test_a_rewritten_neighbourhood_on_one_side_is_no_loss() -> None:
    start, end = place(TEXT, "kinase")
    changed = TEXT.replace("perturbs homeostasis", "is left alone by everything")
    assert anchor(changed, quoted(TEXT, start, end)) == place(changed, "kinase")


def test_what_is_gone_is_gone() -> None:
    start, end = place(TEXT, "kinase")
    assert anchor(TEXT.replace("kinase", "enzyme"), quoted(TEXT, start, end)) is None
    elsewhere = "Quite another text about a kinase of no interest to anybody here, at all, ever."
    assert anchor(elsewhere, quoted(TEXT, start, end)) is None, "the same word in another place"
    assert anchor("We took 12 kg.", quoted("We took 2 kg.", 8, 12)) is None, (
        "not in a longer number"
    )


def test_a_sentence_that_was_mended_is_still_that_sentence() -> None:
    sentence = (
        "The second flask weighed 12 kg after it, which nobody had expected of so small a vessel."
    )
    start, end = place(TEXT, sentence)
    changed = TEXT.replace("nobody had expected", "nobody expected")
    found = anchor(changed, quoted(TEXT, start, end))
    assert found is not None
    assert changed[found[0] : found[1]] == sentence.replace(
        "nobody had expected", "nobody expected"
    )


def noted(text: str = TEXT) -> Document:
    """Notes on both masses, with a part each, and on two words."""
    notes = []
    for nth, name in enumerate(("first flask", "second flask")):
        start, end = place(text, "12 kg", nth)
        notes.append(
            _note(text, f"m-{nth}", "measurements", start, end, links={"entity": (f"p-{nth}",)})
        )
        at = place(text, name)
        notes.append(_note(text, f"p-{nth}", "measurements", *at, attrs={"part_of": [f"m-{nth}"]}))
    for word in ("kinase", "homeostasis"):
        notes.append(_note(text, word, "words", *place(text, word)))
    return Document(id="lab", text=text).annotate(notes)


def _note(text: str, id: str, task: str, start: int, end: int, **more: object) -> Annotation:
    return Annotation(
        id=id, task=task, label="note", start=start, end=end, quote=text[start:end], **more
    )  # type: ignore[arg-type]


def verdicts(doc: Document, **by_id: str) -> list[Decision]:
    notes = {note.id.replace("-", "_"): note for note in doc.annotations}
    return [
        decide(doc, notes[name], verdict, id=f"d-{name}", who="anna", when="2026-01-01")
        for name, verdict in by_id.items()
    ]


def ids(doc: Document) -> set[str]:
    return {note.id for note in doc.annotations}


def test_what_is_kept() -> None:
    doc = noted()
    decisions = verdicts(doc, m_0="accepted", m_1="rejected", kinase="accepted")
    kept = {
        keep: ids(apply(doc, decisions, keep=keep).doc)
        for keep in ("open", "accepted", "decisions", "all")
    }
    assert kept["all"] == kept["decisions"] == ids(doc)
    assert kept["open"] == ids(doc) - {"m-1", "p-1"}, "a part goes where its whole goes"
    assert kept["accepted"] == {"m-0", "p-0", "kinase"}
    marked = {
        note.id: note.attrs for note in apply(doc, decisions, keep="decisions").doc.annotations
    }
    assert marked["m-1"]["decision"] == "rejected" and marked["m-1"]["decided_by"] == "anna"
    assert "decision" not in marked["homeostasis"]
    with pytest.raises(UnknownNameError, match="choice of notes"):
        apply(doc, [], keep="some")


def test_decisions_survive_a_new_reading_of_a_changed_file() -> None:
    decisions = verdicts(noted(), m_0="accepted", m_1="rejected", kinase="rejected")
    changed = "Preface.\n\n" + TEXT.replace(
        "\n\nThe kinase perturbs homeostasis.", "\n\nThe end: homeostasis."
    )
    new = Document(id="lab", text=changed).annotate(
        _note(changed, f"new-{nth}", "measurements", *place(changed, "12 kg", nth))
        for nth in (0, 1)
    )
    applied = apply(new, decisions, keep="decisions")
    said = {
        note.quote: note.attrs.get("decision")
        for note in applied.doc.annotations
        if note.id == "new-0"
    }
    assert said == {"12 kg": "accepted"}
    assert (
        next(n for n in applied.doc.annotations if n.id == "new-1").attrs["decision"] == "rejected"
    )
    assert [one.note.quote for one in applied.lost] == ["kinase"]


def test_what_was_accepted_stays_although_it_is_not_made_again() -> None:
    decisions = verdicts(noted(), m_0="accepted", m_1="rejected")
    moved = "A title.\n\n" + TEXT
    applied = apply(Document(id="lab", text=moved), decisions, keep="open")
    assert [note.quote for note in applied.doc.annotations] == ["first flask", "12 kg"]
    head = next(note for note in applied.doc.annotations if note.quote == "12 kg")
    part = next(note for note in applied.doc.annotations if note.quote == "first flask")
    assert part.attrs["part_of"] == [head.id] and head.links["entity"] == (part.id,)


def test_an_edited_note_replaces_the_one_it_was_made_of() -> None:
    doc = noted()
    kinase = next(note for note in doc.annotations if note.id == "kinase")
    start, end = place(TEXT, "The kinase")
    edited = _note(TEXT, "kinase", "words", start, end, attrs={"why": "mine"})
    one = decide(doc, kinase, "edited", id="1", edited=edited)
    moved = "A title.\n\n" + TEXT
    for text, made in ((TEXT, doc), (moved, noted(moved)), (moved, Document(id="lab", text=moved))):
        found = [
            n for n in apply(made, [one]).doc.annotations if n.attrs.get("decision") == "edited"
        ]
        assert [(n.quote, n.attrs["why"]) for n in found] == [("The kinase", "mine")]
        assert found[0].start == text.index("The kinase")


def invoke(*words: str) -> str:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


def test_read_takes_decisions_back(tmp_path: Path) -> None:
    """The whole way: notes to a file, decisions about them, the file read again with them."""
    source = tmp_path / "lab.txt"
    source.write_text(TEXT, encoding="utf-8")
    invoke(
        "read", str(source), "--notes", "measurements", "--all", "-o", str(tmp_path / "all.json")
    )
    doc = Document.from_dict(json.loads((tmp_path / "all.json").read_text(encoding="utf-8")))
    heads = [note for note in doc.annotations if note.quote == "12 kg"]
    decisions = [
        decide(doc, heads[0], "rejected", id="1", who="anna"),
        decide(doc, heads[1], "accepted", id="2", who="anna"),
    ]
    file = tmp_path / "lab.decisions.jsonl"
    file.write_text(dump_decisions(decisions), encoding="utf-8")
    source.write_text("A new first line, so that all moves.\n\n" + TEXT, encoding="utf-8")
    out = tmp_path / "kept.json"
    invoke(
        "read",
        str(source),
        "--notes",
        "measurements",
        "--decisions",
        str(file),
        "--keep",
        "accepted",
        "-o",
        str(out),
    )
    kept = Document.from_dict(json.loads(out.read_text(encoding="utf-8")))
    heads = [note for note in kept.annotations if not note.attrs.get("part_of")]
    assert [(n.quote, n.attrs["decision"], n.attrs["decided_by"]) for n in heads] == [
        ("12 kg", "accepted", "anna")
    ]
    assert kept.text[: heads[0].start].count("12 kg") == 1, "the second of the two"
    words = ("read", str(source), "--notes", "measurements", "--decisions", str(file))
    unasked = Document.from_dict(json.loads(invoke(*words, "--format", "json")))
    decided = [n.attrs.get("decision") for n in unasked.annotations if n.quote == "12 kg"]
    assert decided == ["accepted"], "rejected notes only if asked for"
    scores = invoke("bench", "decisions", str(file), "--json")
    assert json.loads(scores)[0] | {"low": 0, "high": 0} == {
        "kind": "measurements.measurement", "accepted": 1, "edited": 0, "rejected": 1, "precision": 0.5,
        "low": 0, "high": 0, "threshold": None, "shown": None,
    }  # fmt: skip
