"""Sharing in a small team: who sees what, who may change it, and who has done it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from marginalia.web.library import Library
from tests.web.conftest import opened

TEXT = "The vestibule leads to a courtyard."
Make = Callable[..., TestClient]


@pytest.fixture
def team(make_client: Make) -> Callable[[str], TestClient]:
    """``team(name)`` is a client with the token of that name."""
    first = make_client(token="token-of-the-house", tokens=True)  # noqa: S106
    library: Library = first.library  # type: ignore[attr-defined]
    tokens = {
        name: library.store.people.add_token(name, may)
        for name, may in (("anna", "write"), ("ben", "write"), ("cleo", "read"))
    }  # type: ignore[arg-type]
    tokens["house"] = "token-of-the-house"

    def client(name: str) -> TestClient:
        found = TestClient(
            first.app,
            base_url="http://127.0.0.1",
            headers={"authorization": f"Bearer {tokens[name]}"},
        )
        found.library = library  # type: ignore[attr-defined]
        return found

    return client


def test_a_document_belongs_to_who_opened_it_until_it_is_shared(
    team: Callable[[str], TestClient],
) -> None:
    anna, ben, cleo, house = (team(name) for name in ("anna", "ben", "cleo", "house"))
    doc = opened(anna, TEXT)
    path = f"/api/documents/{doc['id']}"
    assert doc["owner"] == "anna" and not doc["shared"]
    for other in (ben, cleo):
        assert other.get("/api/documents").json() == []
        assert other.get("/api/search?q=vestibule").json() == []
        words = "?start=4&end=13"
        asked = (f"/ask{words}", f"/similar{words}", "/cover")
        seen = ("", "/events", "/export", "/decisions", "/decisions/export", "/pages/1")
        for way in (*seen, *asked):
            answer = other.get(path + way)
            assert (
                answer.status_code == 404 and "no document of that id" in answer.json()["error"]
            ), way
    for way, body in (("", {"tags": ["x"]}),):
        assert ben.patch(path + way, json=body).status_code == 404
    assert (
        ben.delete(path).status_code == 404
        and ben.post(f"{path}/decisions/undo").status_code == 404
    )
    assert [one["id"] for one in house.get("/api/documents").json()] == [doc["id"]], (
        "whoever runs it sees all"
    )
    assert anna.patch(path, json={"shared": True}).json()["shared"]
    assert ben.get(path).json()["text"] == TEXT and cleo.get(path).status_code == 200
    for way in (ben.patch(path, json={"shared": False}), ben.delete(path)):
        assert way.status_code == 422 and "only anna" in way.json()["error"]


def test_who_may_only_read_changes_nothing(team: Callable[[str], TestClient]) -> None:
    anna, cleo = team("anna"), team("cleo")
    doc = opened(anna, TEXT)
    path = f"/api/documents/{doc['id']}"
    anna.patch(path, json={"shared": True})
    note = doc["annotations"][0]["id"]
    tries = [
        cleo.post("/api/documents?name=a.txt", content=b"x"),
        cleo.put(f"{path}/file", content=b"x"),
        cleo.patch(path, json={"tags": []}),
        cleo.delete(path),
        cleo.post(f"{path}/decisions", json={"notes": [note], "verdict": "accepted"}),
        cleo.post(f"{path}/decisions/undo"),
        cleo.post("/api/library", content=b"x"),
        cleo.put("/api/me/settings", json={}),
    ]
    assert {answer.status_code for answer in tries} == {403}
    assert all("may read" in answer.json()["error"] for answer in tries)
    assert cleo.get(path).status_code == 200
    asked = cleo.post("/api/annotate", json={"text": " "})
    assert asked.status_code == 422, "asking changes nothing, so it is allowed"


def test_the_log_says_who_and_when(team: Callable[[str], TestClient]) -> None:
    anna, ben = team("anna"), team("ben")
    doc = opened(anna, TEXT)
    path = f"/api/documents/{doc['id']}"
    anna.patch(path, json={"shared": True})
    note = doc["annotations"][0]["id"]
    anna.post(f"{path}/decisions", json={"notes": [note], "verdict": "accepted"})
    ben.post(f"{path}/decisions", json={"notes": [note], "verdict": "rejected"})
    assert ben.get(path).json()["annotations"][0]["attrs"]["decided_by"] == "ben"
    anna.post(f"{path}/decisions/undo")
    found = anna.get(f"{path}/decisions").json()
    assert [(one["who"], one["action"]) for one in found["log"]] == [
        ("anna", "accepted"),
        ("ben", "rejected"),
        ("anna", "undo"),
    ]
    assert [one["verdict"] for one in found["decisions"]] == ["rejected"], (
        "anna undoes what she did, not what ben did"
    )
    assert all(one["when"] for one in found["log"])


def test_the_whole_library_is_for_who_runs_it(team: Callable[[str], TestClient]) -> None:
    assert team("anna").get("/api/library").status_code == 422
    whole = team("house").get("/api/library")
    assert whole.status_code == 200 and whole.content.startswith(b"PK")
    assert team("house").post("/api/library", content=whole.content).json() == {
        "added": 0,
        "known": 0,
    }
    assert team("house").post("/api/library", content=b"no zip").status_code == 422


def test_settings_and_words_are_ones_own(team: Callable[[str], TestClient]) -> None:
    team("anna").post("/api/me/words", json={"word": "vestibule"})
    assert team("ben").get("/api/me").json()["known_words"] == []
    assert team("anna").get("/api/me").json() | {"settings": {}} == {
        "name": "anna", "may": "write", "all": False, "settings": {}, "known_words": ["vestibule"],
    }  # fmt: skip


def test_a_revoked_token_opens_nothing(make_client: Make) -> None:
    client = make_client(tokens=True)
    people = client.library.store.people  # type: ignore[attr-defined]
    token = people.add_token("anna", "write")
    bearer = {"authorization": f"Bearer {token}"}
    assert client.get("/api/me", headers=bearer).json()["name"] == "anna"
    people.revoke_token("anna")
    assert client.get("/api/me", headers=bearer).status_code == 401
    assert client.get("/api/me").status_code == 401


def test_similar_passages_are_those_one_may_see(team: Callable[[str], TestClient]) -> None:
    anna, ben = team("anna"), team("ben")
    opened(anna, "The cold vestibule of the house leads to a narrow courtyard.", "a.txt")
    mine = opened(ben, "The vestibule of the old house leads to a courtyard.", "b.txt")
    path = f"/api/documents/{mine['id']}/similar?start=4&end=13"
    assert ben.get(path).json() == []
    shared = opened(ben, "A vestibule of that house leads to one courtyard.", "c.txt")
    assert [one["id"] for one in ben.get(path).json()] == [shared["id"]]
    assert ben.get(f"/api/documents/{mine['id']}/similar?start=4&end=4000").status_code == 422
