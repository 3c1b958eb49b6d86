"""Passages that say something similar: by words first, then by meaning."""

from __future__ import annotations

import pytest

from marginalia import Document
from marginalia.reader import similar_passages as module
from marginalia.reader.similar_passages import similar_passages


def doc(id: str, text: str, lang: str = "en") -> Document:
    return Document(id=id, text=text, meta={"lang": lang})


ASKED = doc("a", "The drug lowered the blood pressure of most patients. It was cheap to make.")
START, END = 0, ASKED.text.index(" It was")


def test_the_same_in_other_words_is_found_and_the_passage_itself_is_not() -> None:
    other = doc(
        "b",
        "Blood pressure fell in most patients who took the drug. The garden was full of red roses in May. "
        "Patients waited in the corridor for a long time.",
    )
    found = similar_passages(ASKED, START, END, {"own": ASKED, "other": other})
    assert [(one.document, one.text) for one in found] == [
        ("other", "Blood pressure fell in most patients who took the drug.")
    ]
    assert other.text[found[0].start :].startswith(found[0].text)


def test_nothing_in_another_language_and_nothing_without_common_words() -> None:
    same = doc("b", ASKED.text, "de")
    far = doc("c", "The garden was full of red roses in the month of May.")
    assert similar_passages(ASKED, START, END, {"b": same, "c": far}) == []


def test_only_so_many_are_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    real = module.encode

    def counting(one: Document, texts: list[str]) -> object:
        counted.append(len(texts))
        return real(one, texts[:1] * len(texts))

    monkeypatch.setattr(module, "encode", counting)
    lines = " ".join(f"Sentence {n} is about the pressure of number{n:04d}." for n in range(400))
    monkeypatch.setattr(module, "MAX_WORD_SHARE", 1.0)
    found = similar_passages(ASKED, START, END, {"b": doc("b", lines)})
    assert counted == [1 + module.MAX_ENCODED] and len(found) == module.MAX_SHOWN
