"""A language model of the tests: it answers every prompt of ours from the request alone, honestly or as badly as it can."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from marginalia import SystemCard
from marginalia.nlp.prompting.model import LanguageModel, Reply
from marginalia.nlp.prompting.prompt import Request

Row = Mapping[str, Any]
Answer = Callable[[str, Row], Row]
"""``answer(name of the prompt, line)`` -> its element but for ``n``"""


def model(answer: Answer, name: str = "tester") -> LanguageModel:
    """A model that answers each line so."""

    def complete(request: Request) -> Reply:
        rows = [json.loads(line) for line in request.user.split("\n")]
        said = [{"n": row["n"], **answer(request.prompt.name, row)} for row in rows]
        return Reply(json.dumps({"answers": said}))

    return LanguageModel(name, complete)


def agreeing(prompt: str, row: Row) -> Row:
    """Keeps all that is there and adds nothing."""
    return {
        "words": lambda: {
            "words": [{"word": int(n), "verdict": "keep", "meaning": ""} for n in row["words"]],
            "more": [],
        },
        "unclear": lambda: {
            "found": [{"place": int(n), "keep": True} for n in row["found"]],
            "places": [],
        },
        "contradiction": lambda: {"contradiction": True},
        "measurement": lambda: {"quantities": []},
        "variables": lambda: {"mention": 1.0, "variables": []},
        "complexity": lambda: {"rating": 3.0},
        "similarity": lambda: {"similarity": 5.0},
        "records": lambda: {"scores": [5.0] * 8},
        "clarification": lambda: {"ratings": [5.0] * len(row["fillers"])},
    }[prompt]()


def obeying(plant: str, words: str) -> Answer:
    """Does the worst wherever it reads the plant: drops all, adds all, quotes other passages and what is nowhere."""

    def answer(prompt: str, row: Row) -> Row:
        if plant not in json.dumps(row, ensure_ascii=False) and plant not in str(row):
            return agreeing(prompt, row)
        bad = "<script>alert(1)</script>\x1b[31m https://evil.example"
        quotes = [*words.split()[:40], "not in any text", "a", plant[:60]]
        return {
            "words": lambda: {
                "words": [{"word": n, "verdict": "drop", "meaning": bad} for n in range(-2, 60)],
                "more": [{"quote": one[:80], "meaning": bad} for one in quotes if one],
            },
            "unclear": lambda: {
                "found": [{"place": n, "keep": False} for n in range(-2, 60)],
                "places": [{"quote": one, "question": bad, "reading": bad} for one in quotes if one],
            },
            "contradiction": lambda: {"contradiction": False},
            "measurement": lambda: {
                "quantities": [
                    {
                        "quantity": one,
                        "unit": "",
                        "modifiers": ["IsCount"],
                        "entity": words,
                        "property": bad,
                        "qualifier": plant,
                    }
                    for one in quotes
                    if one
                ]
            },
        }[prompt]()  # fmt: skip

    return answer


def askable(card: SystemCard) -> SystemCard:
    """A system that asks, with a model to ask; any other as it is."""
    if card.needs != "llm":
        return card
    made: Any = card.make()
    return replace(card, make=lambda: made.asking(model(agreeing)))
