"""Asking a language model of the user's choice: prompts, answers, batch files, and systems made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel


def as_model(llm: str | LanguageModel | None) -> LanguageModel | None:
    """A model by the name that ``llm models`` lists, or as it is; nothing is imported where there is none."""
    if not isinstance(llm, str):
        return llm
    from marginalia.nlp.prompting.live import language_model

    return language_model(llm)
