"""Survey variables with a language model at hand: is one mentioned at all, and which of the candidates is it?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from marginalia.annotators.variables.sentences import Sentence
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.passages import CORRECTED, KEPT, MODEL, VERDICT
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.prompted import ask_candidates

MIN_MENTION = 0.5
"""Below this probability of the model a sentence has no note."""

Linked = tuple[Sentence, float, list[dict[str, Any]]]


def review(
    linked: Sequence[Linked], catalogue: Catalogue, model: LanguageModel
) -> tuple[list[Linked], dict[int, dict[str, str]]]:
    """The sentences that the model keeps, claiming what it chose of their candidates; and its verdict by where each begins.

    What a person decided stays as it is.
    """
    asked = {
        str(one.start): (one.text, [entry["id"] for entry in entries])
        for one, _, entries in linked
        if not any(entry["decided"] for entry in entries)
    }
    answers = ask_candidates(asked, catalogue, model)
    kept: list[Linked] = []
    said: dict[int, dict[str, str]] = {}
    for one, chance, entries in linked:
        answer = answers.get(str(one.start))
        if answer is not None:
            mention, chosen = answer
            if mention < MIN_MENTION:
                continue
            before = [entry["id"] for entry in entries if entry["claimed"]]
            entries = [{**entry, "claimed": entry["id"] in chosen} for entry in entries]
            entries.sort(key=lambda entry: not entry["claimed"])
            verdict = KEPT if set(before) == set(chosen) else CORRECTED
            said[one.start] = {MODEL: model.name, VERDICT: verdict}
        kept.append((one, chance, entries))
    return kept, said
