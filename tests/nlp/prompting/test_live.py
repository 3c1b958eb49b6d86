"""Models of the ``llm`` package behind an OpenAI-compatible server on loopback, which may hang, break off or talk nonsense."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llm")

from marginalia.core.errors import FormatError, MissingError, UnknownNameError
from marginalia.nlp.prompting import live
from marginalia.nlp.prompting.live import language_model, say_where
from tests.nlp.prompting.test_model import answer, requests

KEY = "sk-of-the-test-0123456789"


class Server(ThreadingHTTPServer):
    daemon_threads = True
    act: Callable[[Handler, dict[str, Any]], None]
    seen: list[dict[str, Any]]
    stop: threading.Event


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append({"key": self.headers["Authorization"], **body})
        self.server.act(self, body)

    def say(self, status: int, data: Any, **headers: str) -> None:
        content = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def completion(text: str | None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 50, "completion_tokens": 7, "total_tokens": 57},
    }


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    made = Server(("127.0.0.1", 0), Handler)
    made.seen, made.stop = [], threading.Event()
    made.act = lambda handler, body: handler.say(200, completion(_answer(body)))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{made.server_address[1]}/v1"
    own = {"api_base": base, "api_key_name": "local", "supports_schema": True}
    listed = [{"model_id": "local", "model_name": "m", **own}]
    (tmp_path / "keys.json").write_text(json.dumps({"local": KEY}))
    (tmp_path / "extra-openai-models.yaml").write_text(json.dumps(listed))
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path))
    live.find_model.cache_clear()
    yield made
    made.stop.set()
    made.shutdown()
    live.find_model.cache_clear()


def _answer(body: dict[str, Any]) -> str:
    lines = body["messages"][-1]["content"].splitlines()
    said = [{"n": json.loads(line)["n"], "rating": 2} for line in lines]
    return json.dumps({"answers": said})


def ask(seconds: float = 20.0) -> tuple[int, Any]:
    model = language_model("local", cached=False, seconds=seconds)
    return len(model.ask(requests())), model.tally


def test_any_model_of_llm_answers(server: Server) -> None:
    found, tally = ask()
    assert found == 3
    assert (tally.requests, tally.tokens_in, tally.tokens_out) == (2, 100, 14)
    sent = server.seen[0]
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert sent["response_format"]["type"] == "json_schema"
    assert "tools" not in sent
    assert sent["key"] == f"Bearer {KEY}"


def test_it_is_said_what_is_sent_where(server: Server) -> None:
    assert (
        f"to the service of local at http://127.0.0.1:{server.server_address[1]}/v1"
        in say_where("local")
    )


def test_a_server_that_is_busy_once_is_asked_again(server: Server) -> None:
    def busy(handler: Handler, body: dict[str, Any]) -> None:
        if len(server.seen) == 1:
            handler.say(429, {"error": {"message": "slow down"}}, retry_after_ms="1")
        else:
            handler.say(200, completion(_answer(body)))

    server.act = busy
    assert ask()[0] == 3


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_server_that_refuses_costs_its_lines_and_no_key_is_kept(
    server: Server, status: int
) -> None:
    message = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    server.act = lambda handler, body: handler.say(status, message, retry_after_ms="1")
    model = language_model("local", cached=False)
    assert model.ask(requests()) == []
    assert model.tally.unanswered == 3
    assert all(name.endswith(f" {status}") for name in model.tally.failures)
    assert KEY not in json.dumps(model.to_dict()) + "".join(model.sentences())


def test_a_server_that_breaks_off(server: Server) -> None:
    def cut(handler: Handler, body: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000")
        handler.send_header("x-should-retry", "false")
        handler.end_headers()
        handler.wfile.write(b'{"id": ')
        handler.close_connection = True

    server.act = cut
    found, tally = ask()
    assert found == 0 and tally.failures


@pytest.mark.parametrize(
    "said", [b"<html>busy</html>", b'{"choices": []}', {"choices": "no"}, completion(None), completion("ok")]
)  # fmt: skip
def test_a_server_that_answers_nonsense(server: Server, said: Any) -> None:
    server.act = lambda handler, body: handler.say(200, said)
    found, tally = ask()
    assert found == 0 and tally.unanswered == 3


def test_a_server_that_hangs(server: Server) -> None:
    server.act = lambda handler, body: (server.stop.wait(), None)[1]
    found, tally = ask(seconds=0.2)
    assert found == 0 and set(tally.failures) == {"TimeoutError"}


def test_a_server_that_is_not_there(server: Server) -> None:
    server.shutdown()
    server.server_close()
    model = language_model("local", cached=False, seconds=5)
    assert model.ask(requests()[:1]) == []
    assert set(model.tally.failures) <= {"APIConnectionError", "TimeoutError"}


def test_a_model_without_its_key_says_how_to_set_it(server: Server, tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{}")
    with pytest.raises(MissingError, match="llm keys set local"):
        language_model("local", cached=False).ask(requests())


def test_names_and_options_are_checked_first(server: Server) -> None:
    with pytest.raises(UnknownNameError, match=r"language model 'locla'\. Did you mean 'local'"):
        language_model("locla")
    with pytest.raises(FormatError, match="options of local"):
        language_model("local", options={"warmth": 3})


def test_answers_of_a_test_have_the_form_of_real_ones() -> None:
    assert json.loads(answer(requests()[0]))["answers"][0] == {"n": 1, "rating": 3}
