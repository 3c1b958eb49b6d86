"""Batch files: requests for services that answer them later, and their results.

A request line has the form that OpenAI's batch service and those compatible with it take. A result line may have that
form (``response.body.choices``), the one with ``result.message.content``, or the plain one for answers from elsewhere,
``{"custom_id": ..., "answer": {...}}``, with an object or a text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_lines
from marginalia.nlp.prompting.answer import read_answer
from marginalia.nlp.prompting.model import LanguageModel, Limits, Reply
from marginalia.nlp.prompting.prompt import Request

URL = "/v1/chat/completions"
MODEL = "MODEL"
"""What stands for the model's name where the user names none."""


def write_batch(requests: Iterable[Request], model: str = MODEL) -> str:
    """One request a line; a request that stands twice is written once."""
    once = {request.custom_id: request for request in requests}
    return "".join(
        json.dumps(_line(request, model), ensure_ascii=False) + "\n" for request in once.values()
    )


def _line(request: Request, model: str) -> dict[str, Any]:
    schema = {"name": request.prompt.name, "strict": True, "schema": request.schema}
    return {
        "custom_id": request.custom_id,
        "method": "POST",
        "url": URL,
        "body": {
            "model": model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            "response_format": {"type": "json_schema", "json_schema": schema},
        },
    }


class BatchAnswers:
    """The results in a file, in any order; what is wrong with a line is in ``problems``, and costs only that line.

    Of several lines for one request each is kept: a later one may answer what an earlier one left open.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.replies: dict[str, list[Reply]] = {}
        self.problems: list[str] = []
        self.used: set[str] = set()
        for number, line in read_lines(path):
            if line.strip():
                self._read(line, number)

    def _read(self, line: str, number: int) -> None:
        try:
            data = parse_json(line, self.path, number)
            id = data["custom_id"]
            reply = _reply(data)
        except FormatError as error:
            self.problems.append(str(error))
            return
        except (KeyError, TypeError, IndexError, AttributeError):
            self.problems.append(f"{self.path}:{number}: this is no result of a batch")
            return
        self.replies.setdefault(str(id), []).append(reply)

    def is_complete(self, request: Request) -> bool:
        """Whether each line of a request has a valid answer."""
        replies = self.replies.get(request.custom_id, ())
        found = {n for reply in replies for n in read_answer(reply.text, request)}
        return len(found) == len(request.entries)

    def __call__(self, request: Request) -> Reply:
        replies = self.replies.get(request.custom_id)
        if not replies:
            raise LookupError
        self.used.add(request.custom_id)
        elements: list[Any] = []
        for reply in reversed(replies):
            elements += read_answer(reply.text, request).values()
        known_in = sum(reply.tokens_in or 0 for reply in replies)
        known_out = sum(reply.tokens_out or 0 for reply in replies)
        return Reply({"answers": elements}, known_in or None, known_out or None)

    def sentences(self) -> list[str]:
        """What is wrong with the file."""
        unused = self.replies.keys() - self.used
        more = [f"{len(unused)} results belong to no request here"] if unused else []
        return [*self.problems, *(f"{self.path}: {one}" for one in more)]


def answering(answers: BatchAnswers, name: str) -> LanguageModel:
    """The model whose answers lie in the file. It is asked once: what is missing there stays missing."""
    limits = Limits(at_once=1, tries=1, failures=None)
    return LanguageModel(name, answers, limits=limits)


def _reply(data: Mapping[str, Any]) -> Reply:
    """The text and the tokens of a result line, in any of the three forms."""
    if "answer" in data:
        answer = data["answer"]
        if not isinstance(answer, (str, dict)):
            raise TypeError
        return Reply(answer)
    if "result" in data:
        message = data["result"]["message"]
        text = "".join(part["text"] for part in message["content"] if part["type"] == "text")
        usage = message.get("usage") or {}
        return Reply(text, usage.get("input_tokens"), usage.get("output_tokens"))
    body = data["response"]["body"]
    usage = body.get("usage") or {}
    text = body["choices"][0]["message"]["content"]
    if not isinstance(text, str):
        raise TypeError
    return Reply(text, usage.get("prompt_tokens"), usage.get("completion_tokens"))
