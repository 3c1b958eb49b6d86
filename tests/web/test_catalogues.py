"""Catalogues in the library: kept, refused, chosen; candidates decided, taken back, remembered by the catalogue."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from marginalia import Annotation, Document, keep_decisions
from marginalia.reader.annotate import Batch
from marginalia.reader.known_words import add_words, personal_list, read_list
from marginalia.web.store.archive import import_library
from marginalia.web.store.store import Store
from tests.web.conftest import long_words, opened
from tests.web.seen import EXAMPLES

SENTENCE = "Respondents were asked how much they trust the courts."


def with_candidates(doc: Document, tasks: object = None, **given: Any) -> Iterator[Batch]:
    """A note with two candidates on the whole text, if a catalogue was chosen."""
    if "catalogue" in given["options"]:
        entry = {"survey": "RVP-2022", "question": "", "kind": "explicit", "words": [], "same": []}
        entries = [
            {**entry, "id": "V23", "label": "Trust in the courts", "score": 0.6, "claimed": True},
            {**entry, "id": "V22", "label": "Trust in police", "score": 0.2, "claimed": False},
        ]
        note = Annotation(
            id="variables-1",
            task="variables",
            label="survey variable",
            start=0,
            end=len(doc.text),
            quote=doc.text,
            score=0.9,
            attrs={"why": "claimed", "variables": entries[:1], "candidates": entries},
            links={"variable": ("V23",)},
        )
        yield Batch("variables", (note,), len(doc.text), None)


def bring(client: TestClient, name: str = "survey.ddi.xml") -> Any:
    content = (EXAMPLES / "survey.ddi.xml").read_bytes()
    return client.post(f"/api/catalogues?name={name}", content=content)


@pytest.fixture
def client(make_client: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch) -> TestClient:
    made = make_client()
    monkeypatch.setattr("marginalia.web.library.stream", with_candidates)
    return made


def kept(client: TestClient, catalogue: str) -> list[tuple[str, str]]:
    """What the memory of the catalogue holds."""
    path = client.library.store.catalogues.get(catalogue).path  # type: ignore[attr-defined]
    return [(one.variable, one.verdict) for one in keep_decisions(path, [])]


def test_candidates_are_decided_undone_and_remembered(client: TestClient) -> None:
    catalogue = bring(client).json()
    assert (catalogue["name"], catalogue["variables"]) == ("survey.ddi.xml", 26)
    id = opened(client, SENTENCE)["id"]
    assert client.get(f"/api/documents/{id}").json()["annotations"] == []
    client.post(
        f"/api/documents/{id}/read", json={"catalogue": catalogue["id"], "audience": "curator"}
    )
    client.library.wait()  # type: ignore[attr-defined]
    doc = client.get(f"/api/documents/{id}").json()
    assert doc["catalogue"] == catalogue["id"]
    (note,) = doc["annotations"]

    def choose(variable: str, verdict: str) -> dict[str, Any]:
        body = {"note": note["id"], "variable": variable, "verdict": verdict}
        answer = client.post(f"/api/documents/{id}/candidates", json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json()["notes"][0])

    made = choose("V22", "accepted")
    assert [one["id"] for one in made["attrs"]["variables"]] == ["V22"]
    assert made["links"] == {"variable": ["V22"]} and "Trust in police" in made["attrs"]["why"]
    assert kept(client, catalogue["id"]) == [("V22", "accepted")]
    choose("V23", "rejected")
    assert sorted(kept(client, catalogue["id"])) == [("V22", "accepted"), ("V23", "rejected")]
    client.post(f"/api/documents/{id}/decisions/undo")
    assert kept(client, catalogue["id"]) == [("V22", "accepted")]
    exported = client.get(f"/api/documents/{id}/export?format=json&notes=accepted").json()
    assert [one["id"] for one in exported["annotations"][0]["attrs"]["variables"]] == ["V22"]
    made = choose("V22", "undecided")
    assert "decision" not in made["attrs"] and made["attrs"]["why"] == "claimed"
    assert kept(client, catalogue["id"]) == []
    # The note as a whole: accepting it accepts its claim, rejecting it says that the sentence uses no variable.
    for verdict, expected in (("accepted", ("V23", "accepted")), ("rejected", ("", "none"))):
        body = {"notes": [note["id"]], "verdict": verdict}
        client.post(f"/api/documents/{id}/decisions", json=body)
        assert kept(client, catalogue["id"]) == [expected]


def test_a_catalogue_stays_and_can_be_removed(
    make_client: Callable[..., TestClient], client: TestClient
) -> None:
    catalogue = bring(client).json()["id"]
    id = opened(client, SENTENCE)["id"]
    client.post(f"/api/documents/{id}/read", json={"catalogue": catalogue, "audience": "curator"})
    client = make_client()
    assert [one["id"] for one in client.get("/api/catalogues").json()] == [catalogue]
    folder = client.library.store.catalogues.folder / catalogue  # type: ignore[attr-defined]
    assert folder.is_dir()
    assert client.delete(f"/api/catalogues/{catalogue}").status_code == 204
    assert not folder.exists() and client.get("/api/catalogues").json() == []
    assert client.get(f"/api/documents/{id}").json()["catalogue"] is None


def test_catalogues_and_their_decisions_are_in_the_archive(
    client: TestClient, tmp_path: Path
) -> None:
    catalogue = bring(client).json()["id"]
    id = opened(client, SENTENCE)["id"]
    client.post(f"/api/documents/{id}/read", json={"catalogue": catalogue, "audience": "curator"})
    client.library.wait()  # type: ignore[attr-defined]
    body = {"note": "variables-1", "variable": "V22", "verdict": "accepted"}
    client.post(f"/api/documents/{id}/candidates", json=body)
    archive = client.get("/api/library").content
    store = Store(tmp_path / "elsewhere")
    try:
        assert import_library(store, io.BytesIO(archive)) == (1, 0)
        assert store.documents.get(id).catalogue == catalogue
        kept = keep_decisions(store.catalogues.get(catalogue).path, [])
        assert [(one.variable, one.verdict) for one in kept] == [("V22", "accepted")]
        assert import_library(store, io.BytesIO(archive)) == (0, 1)
        assert len(store.catalogues.all()) == 1
    finally:
        store.close()


@pytest.mark.parametrize("content", [b"", b"<x", b"<codeBook/>", b"\x00\xff"])
def test_what_is_no_catalogue_is_refused_and_leaves_nothing(
    client: TestClient, content: bytes
) -> None:
    answer = client.post("/api/catalogues?name=a.xml", content=content)
    assert answer.status_code == 422
    assert str(client.library.store.folder) not in answer.json()["error"]  # type: ignore[attr-defined]
    assert client.get("/api/catalogues").json() == []
    assert not list(client.library.store.catalogues.folder.iterdir())  # type: ignore[attr-defined]
    assert not list(client.library.store.incoming.iterdir())  # type: ignore[attr-defined]


def test_unknown_catalogues_and_candidates(client: TestClient) -> None:
    id = opened(client, SENTENCE)["id"]
    again = client.post(f"/api/documents/{id}/read", json={"catalogue": "nowhere"})
    assert again.status_code == 404
    body = {"note": "variables-1", "variable": "V1", "verdict": "accepted"}
    assert client.post(f"/api/documents/{id}/candidates", json=body).status_code == 404


def test_the_words_of_this_machine_are_one_list(
    make_client: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MARGINALIA_CONFIG", str(tmp_path / "config"))
    client = make_client()
    monkeypatch.setattr("marginalia.web.library.stream", long_words)
    doc = opened(client, "Homeostasis and photosynthesis")
    words = {note["quote"]: note["id"] for note in doc["annotations"]}
    add_words(personal_list(), ["Photosynthesis"])
    assert client.get("/api/me").json()["known_words"] == ["photosynthesis"]
    exported = client.get(f"/api/documents/{doc['id']}/export?format=json").json()
    assert [note["quote"] for note in exported["annotations"]] == ["Homeostasis"]
    body = {"notes": [words["Homeostasis"]], "verdict": "rejected", "known_word": True}
    client.post(f"/api/documents/{doc['id']}/decisions", json=body)
    assert read_list(personal_list()) == ["Photosynthesis", "homeostasis"]
    client.post(f"/api/documents/{doc['id']}/decisions/undo")
    assert read_list(personal_list()) == ["Photosynthesis"]
    # What was known before is not a gesture's to take back.
    body["notes"] = [words["photosynthesis"]]
    client.post(f"/api/documents/{doc['id']}/decisions", json=body)
    client.post(f"/api/documents/{doc['id']}/decisions/undo")
    assert read_list(personal_list()) == ["Photosynthesis"]
    client.delete("/api/me/words?word=photosynthesis")
    assert read_list(personal_list()) == []


def test_with_tokens_everybody_has_a_list_of_their_own(
    make_client: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MARGINALIA_CONFIG", str(tmp_path / "config"))
    client = make_client(tokens=True)
    add_words(personal_list(), ["kinase"])
    token = client.library.store.people.add_token("anna", "write")  # type: ignore[attr-defined]
    client.headers["authorization"] = f"Bearer {token}"
    assert client.post("/api/me/words", json={"word": "flask"}).json() == ["flask"]
    assert read_list(personal_list()) == ["kinase"]
