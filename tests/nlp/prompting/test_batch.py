"""Batch files: requests out, results in, in any order and in each of the forms that services write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from marginalia.nlp.prompting.batch import BatchAnswers, answering, write_batch
from marginalia.nlp.prompting.prompt import Entry
from tests.nlp.prompting.test_model import PROMPT, answer, requests


def openai(id: str, text: str | None) -> dict[str, Any]:
    body = {
        "choices": [{"message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 30, "completion_tokens": 5},
    }
    return {"custom_id": id, "response": {"status_code": 200, "body": body}, "error": None}


def messages(id: str, text: str) -> dict[str, Any]:
    message = {
        "content": [{"type": "text", "text": text}],
        "usage": {"input_tokens": 30, "output_tokens": 5},
    }
    return {"custom_id": id, "result": {"type": "succeeded", "message": message}}


def plain(id: str, text: str) -> dict[str, Any]:
    return {"custom_id": id, "answer": json.loads(text)}


def write(path: Path, rows: list[Any]) -> BatchAnswers:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return BatchAnswers(path)


def test_a_request_line_is_what_the_services_take() -> None:
    lines = [json.loads(line) for line in write_batch([*requests(), *requests()], "m").splitlines()]
    assert len(lines) == 2
    first = lines[0]
    assert set(first) == {"custom_id", "method", "url", "body"}
    assert first["body"]["model"] == "m"
    assert len(first["custom_id"]) <= 64 and first["custom_id"].replace("-", "").isalnum()
    assert [one["role"] for one in first["body"]["messages"]] == ["system", "user"]


@pytest.mark.parametrize("form", [openai, messages, plain])
def test_results_in_any_order_and_form(tmp_path: Path, form: Any) -> None:
    rows = [form(request.custom_id, answer(request)) for request in reversed(requests())]
    model = answering(write(tmp_path / "results.jsonl", rows), "elsewhere")
    assert [entry.ids for entry, _ in model.ask(requests())] == [("sea",), ("yahweh",), ("kinase",)]
    assert model.tally.unanswered == 0


def test_broken_and_missing_lines_are_reported_and_cost_only_themselves(tmp_path: Path) -> None:
    first, second = requests()
    batch = write(
        tmp_path / "results.jsonl",
        [
            "{broken",
            openai(first.custom_id, answer(first)),
            {"custom_id": second.custom_id, "response": None, "error": {"message": "expired"}},
            openai(second.custom_id, None),
            openai("another-one", "{}"),
            "[1]",
            {"custom_id": 3, "answer": 4},
        ],
    )
    model = answering(batch, "elsewhere")
    assert len(model.ask(requests())) == 2
    assert model.sentences() == ["elsewhere gave no valid answer to 1 of 3 lines"]
    said = [one.removeprefix(f"{tmp_path}/") for one in batch.sentences()]
    assert said[0].startswith("results.jsonl:1: not JSON")
    assert said[1:] == [
        *(f"results.jsonl:{line}: this is no result of a batch" for line in (3, 4, 6, 7)),
        "results.jsonl: 1 results belong to no request here",
    ]


def test_a_later_line_may_answer_what_an_earlier_one_left_open(tmp_path: Path) -> None:
    first = requests()[0]
    halves = [{"answers": [{"n": n, "rating": n}]} for n in (1, 2)]
    rows = [{"custom_id": first.custom_id, "answer": half} for half in halves]
    batch = write(tmp_path / "results.jsonl", rows)
    assert batch.is_complete(first)
    assert [a["rating"] for _, a in answering(batch, "x").ask([first])] == [1, 2]


def test_what_is_missing_in_a_row_does_not_hide_what_follows(tmp_path: Path) -> None:
    many = list(PROMPT.requests([Entry((str(n),), {"word": str(n)}) for n in range(40)]))
    batch = write(tmp_path / "results.jsonl", [plain(many[-1].custom_id, answer(many[-1]))])
    assert len(answering(batch, "x").ask(many)) == 2
