"""What a model answered: JSON found in its text, each element checked against the schema of the prompt.

An answer is data from outside, whoever the model is: what does not fit the schema is left out, line by line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from marginalia.core.errors import missing_package
from marginalia.nlp.prompting.prompt import NUMBER, Prompt, Request

MAX_CHARACTERS = 2_000_000
MAX_STARTS = 20
"""How many braces of a text are tried: a model may write some words before its JSON."""

Answers = dict[int, Mapping[str, Any]]
"""The valid elements of an answer by the number of their line."""


def read_answer(said: str | Mapping[str, Any], request: Request) -> Answers:
    """The elements of a text or an object that follow the schema; of two with the same number the first."""
    data = find_json(said) if isinstance(said, str) else said
    listed = data.get("answers") if isinstance(data, Mapping) else None
    check = validator(request.prompt)
    found: Answers = {}
    for element in listed if isinstance(listed, list) else ():
        if check.is_valid(element) and 1 <= element[NUMBER] <= len(request.entries):
            found.setdefault(element[NUMBER], element)
    return found


def find_json(text: str) -> Any:
    """The first JSON object of a text that has answers; None without one."""
    decoder = json.JSONDecoder(parse_constant=_refuse)  # NaN passes every minimum and maximum
    text, start = text[:MAX_CHARACTERS], -1
    for _ in range(MAX_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            return None
        try:
            data, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and "answers" in data:
            return data
    return None


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


@lru_cache(maxsize=64)
def validator(prompt: Prompt) -> Any:
    """Checks one element of an answer."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError as error:
        raise missing_package("Reading a model's answers", "jsonschema", "llm") from error
    return Draft202012Validator(prompt.schema["properties"]["answers"]["items"])
