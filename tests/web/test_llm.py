"""The web reader with a language model: it is asked only where the reader says so, and its notes are marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

pytest.importorskip("jsonschema")

from marginalia.nlp.prompting.model import LanguageModel
from marginalia.web.app import create_app
from marginalia.web.library import Library
from tests.asked import agreeing, model

TEXT = "The committee gave a palliative answer to the isotropic rumour."


@pytest.fixture
def llm() -> LanguageModel:
    return model(agreeing, "the-model")


@pytest.fixture
def library(llm: LanguageModel) -> Iterator[Library]:
    library = Library(llm=llm)
    yield library
    library.close()


@pytest.fixture
def client(library: Library) -> TestClient:
    return TestClient(create_app(library), base_url="http://127.0.0.1")


def open_text(client: TestClient, library: Library, query: str = "") -> dict[str, Any]:
    sent = client.post(f"/api/documents?name=a.txt{query}", content=TEXT.encode())
    assert sent.status_code == 201
    library.wait()
    return dict(client.get(f"/api/documents/{sent.json()['id']}").json())


def models(doc: dict[str, Any]) -> set[Any]:
    return {note["attrs"].get("model") for note in doc["annotations"]}


def test_the_page_learns_which_model_there_is(client: TestClient) -> None:
    assert client.get("/api/llm").json() == {"model": "the-model"}
    without = Library()
    bare = TestClient(create_app(without), base_url="http://127.0.0.1")
    assert bare.get("/api/llm").json() == {"model": None}
    without.close()


def test_nobody_is_asked_unless_the_reader_says_so(
    client: TestClient, library: Library, llm: LanguageModel
) -> None:
    doc = open_text(client, library)
    assert models(doc) == {None} and not doc["llm"]
    assert llm.tally.requests == 0


def test_a_document_is_asked_about_and_can_go_without_again(
    client: TestClient, library: Library, llm: LanguageModel
) -> None:
    doc = open_text(client, library, "&llm=true")
    assert models(doc) == {"the-model"} and doc["llm"]
    assert llm.tally.requests == 1
    client.post(f"/api/documents/{doc['id']}/read", json={"llm": False})
    library.wait()
    again = client.get(f"/api/documents/{doc['id']}").json()
    assert models(again) == {None} and not again["llm"]
    assert llm.tally.requests == 1


def test_another_reader_of_the_document_keeps_the_choice(
    client: TestClient, library: Library
) -> None:
    doc = open_text(client, library, "&llm=true")
    client.post(f"/api/documents/{doc['id']}/read", json={"audience": "learner"})
    library.wait()
    assert models(client.get(f"/api/documents/{doc['id']}").json()) == {"the-model"}


def test_a_server_without_a_model_ignores_the_wish() -> None:
    library = Library()
    client = TestClient(create_app(library), base_url="http://127.0.0.1")
    doc = open_text(client, library, "&llm=true")
    assert models(doc) == {None}
    said = client.post(f"/api/documents/{doc['id']}/explain?start=0&end=3")
    assert said.status_code == 422 and "without a language model" in said.json()["error"]
    library.close()
