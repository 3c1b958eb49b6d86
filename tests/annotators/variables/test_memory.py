"""Decisions are kept beside the catalogue, found by the words of a sentence, and refused when damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.annotators.variables.memory import Decision, Memory, memory_of, parse_decision

SENTENCE = "Most respondents trust\ntheir neighbours, as the table shows."


def decision(variable: str, verdict: str, sentence: str = SENTENCE) -> Decision:
    return Decision(sentence=sentence, variable=variable, verdict=verdict)


def test_the_last_word_counts_and_is_written(tmp_path: Path) -> None:
    memory = memory_of(tmp_path)
    assert memory.add([decision("v1", "accepted"), decision("v2", "rejected")]) == 2
    assert memory.add([decision("v1", "accepted")]) == 0, "nothing new"
    assert memory.add([decision("v2", "accepted")]) == 1
    again = memory_of(tmp_path)
    assert list(again) == list(memory) and len(again) == 2
    known = again.recall("Most respondents trust their neighbours as the table shows")
    assert known.accepted == ("v1", "v2") and not known.rejected and not known.none


def test_a_source_file_has_its_memory_beside_it(tmp_path: Path) -> None:
    (tmp_path / "survey.xml").write_text("<codeBook/>")
    memory_of(tmp_path / "survey.xml").add([decision("v1", "accepted")])
    assert (tmp_path / "survey.xml.decisions.jsonl").exists()
    assert len(memory_of(tmp_path / "survey.xml")) == 1


def test_nearly_the_same_sentence_is_remembered() -> None:
    memory = Memory()
    memory.add([decision("v1", "accepted"), decision("v9", "rejected")])
    near = memory.recall("Most respondents trust their neighbours, as this table shows.")
    assert near.near == ("v1",) and not near.accepted and not near.rejected
    assert memory.recall("Roses grow in few gardens of the region today.").near == ()
    memory.add([decision("", "none", "No variable here.")])
    assert memory.recall("No variable here").none


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "not a decision"),
        ({"sentence": 1, "variable": "v", "verdict": "accepted"}, "not a decision"),
        ({"sentence": "x", "variable": "v", "verdict": "maybe"}, "no verdict 'maybe'"),
        ({"sentence": " ", "variable": "v", "verdict": "accepted"}, "names a sentence"),
        ({"sentence": "x", "verdict": "accepted"}, "names a sentence"),
    ],
)
def test_what_is_no_decision(data: object, said: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=said):
        parse_decision(data)
    (tmp_path / "decisions.jsonl").write_text("{\n")
    with pytest.raises(FormatError, match=r"decisions\.jsonl:1: not JSON"):
        memory_of(tmp_path)
