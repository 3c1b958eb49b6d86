"""A corpus with a language model: its notes are other rows, and without one a corpus stays what it was."""

from __future__ import annotations

import pytest

pytest.importorskip("jsonschema")

from marginalia import Document
from marginalia.corpus import document_rows
from marginalia.corpus.settings import Settings, key_of
from tests.asked import agreeing, model

DOC = Document(id="d", text="The committee gave a palliative answer.", meta={"lang": "en"})


def test_the_annotators_of_a_corpus_ask_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int | None]] = []

    def find(name: str, max_tokens: int | None) -> object:
        asked.append((name, max_tokens))
        return model(agreeing, name)

    monkeypatch.setattr(document_rows, "_model", find)
    settings = Settings(notes=("words",), llm="m1", llm_max_tokens=500)
    (note,) = document_rows.annotate_document(DOC, settings).annotations
    assert note.attrs["model"] == "m1" and asked == [("m1", 500)]
    (note,) = document_rows.annotate_document(DOC, Settings(notes=("words",))).annotations
    assert "model" not in note.attrs and len(asked) == 1


def test_only_the_model_and_not_its_limit_makes_other_rows() -> None:
    plain, asked = Settings(notes=("words",)), Settings(notes=("words",), llm="m1")
    limited = Settings(notes=("words",), llm="m1", llm_max_tokens=5)
    assert not {"llm", "llm_max_tokens"} & plain.facts().keys()
    assert key_of(plain.facts()) != key_of(asked.facts()) == key_of(limited.facts())
    assert Settings.from_dict(limited.to_dict()) == limited
