"""Deciding over the API: what is said, what it changes, what it leaves in every export, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from marginalia import Document
from marginalia.reader.decisions import Decided
from tests.web.conftest import long_words, opened

TEXT = (
    "The vestibule leads to a courtyard.\n\nThe archivist keeps the vestibule locked at midnight."
)
Make = Callable[..., TestClient]


def notes(client: TestClient, id: str) -> dict[str, dict[str, Any]]:
    found = client.get(f"/api/documents/{id}").json()["annotations"]
    return {f"{note['quote']}@{note['start']}": note for note in found}


def named(doc: dict[str, Any], quote: str, nth: int = 0) -> str:
    return [note["id"] for note in doc["annotations"] if note["quote"] == quote][nth]


def decide(client: TestClient, id: str, note: str, verdict: str, **more: object) -> dict[str, Any]:
    answer = client.post(
        f"/api/documents/{id}/decisions", json={"notes": [note], "verdict": verdict, **more}
    )
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def exported(client: TestClient, id: str, keep: str) -> Document:
    answer = client.get(f"/api/documents/{id}/export?format=json&notes={keep}")
    return Document.from_dict(answer.json())


def quotes(doc: Document) -> list[str]:
    return [note.quote for note in doc.annotations]


def test_accept_reject_undo_and_what_is_exported(make_client: Make) -> None:
    client = make_client()
    doc = opened(client, TEXT)
    id = doc["id"]
    changed = decide(client, id, named(doc, "courtyard"), "accepted")
    assert [note["attrs"]["decision"] for note in changed["notes"]] == ["accepted"]
    decide(client, id, named(doc, "vestibule"), "rejected")
    assert quotes(exported(client, id, "accepted")) == ["courtyard"]
    everything = quotes(exported(client, id, "all"))
    assert everything == ["vestibule", "courtyard", "archivist", "vestibule", "midnight"]
    assert quotes(exported(client, id, "open")) == everything[1:]
    unasked = client.get(f"/api/documents/{id}/export?format=json").json()
    assert quotes(Document.from_dict(unasked)) == everything[1:], "rejected notes only if asked for"
    with_them = exported(client, id, "decisions")
    assert [n.attrs.get("decision") for n in with_them.annotations] == [
        "rejected",
        "accepted",
        None,
        None,
        None,
    ]
    back = client.post(f"/api/documents/{id}/decisions/undo").json()
    assert [(n["quote"], "decision" in n["attrs"]) for n in back["notes"]] == [("vestibule", False)]
    again = client.post(f"/api/documents/{id}/decisions/undo?redo=true").json()
    assert again["notes"][0]["attrs"]["decision"] == "rejected"
    decide(client, id, named(doc, "courtyard"), "cleared")
    assert quotes(exported(client, id, "accepted")) == []


def test_a_note_is_edited_and_one_is_added(make_client: Make) -> None:
    client = make_client()
    doc = opened(client, TEXT)
    id, start = doc["id"], TEXT.index("The archivist")
    body = {
        "note": named(doc, "archivist"),
        "start": start,
        "end": start + 13,
        "attrs": {"why": "keeper of records"},
    }
    changed = client.post(f"/api/documents/{id}/decisions/edit", json=body).json()["notes"]
    assert [(n["quote"], n["attrs"]["why"], n["attrs"]["decision"]) for n in changed] == [
        ("The archivist", "keeper of records", "edited")
    ]
    assert changed[0]["id"] == named(doc, "archivist"), "the note keeps its name"
    own = {"start": 0, "end": 13, "why": "Where is it?"}
    added = client.post(f"/api/documents/{id}/decisions/add", json=own).json()["notes"][0]
    assert (added["task"], added["quote"], added["system"]) == ("own", "The vestibule", "own")
    body = {"note": added["id"], "attrs": {"why": "On the ground floor."}}
    client.post(f"/api/documents/{id}/decisions/edit", json=body)
    kept = exported(client, id, "accepted")
    assert [(n.quote, n.attrs["why"]) for n in kept.annotations] == [
        ("The vestibule", "On the ground floor."),
        ("The archivist", "keeper of records"),
    ]
    decide(client, id, added["id"], "rejected")
    assert quotes(exported(client, id, "accepted")) == ["The archivist"]
    rejected = next(n for n in exported(client, id, "decisions").annotations if n.task == "own")
    assert rejected.attrs["decision"] == "rejected", "it can still be found, and accepted again"
    decide(client, id, rejected.id, "accepted")
    assert quotes(exported(client, id, "accepted")) == ["The vestibule", "The archivist"]
    for bad in ({"start": 5, "end": 5}, {"start": 5, "end": 10**9}, {"start": -1, "end": 3}):
        answer = client.post(f"/api/documents/{id}/decisions/add", json={**bad, "why": "x"})
        assert answer.status_code == 422 and answer.json()["error"]


def test_decisions_are_there_after_a_restart_and_in_a_changed_file(make_client: Make) -> None:
    client = make_client()
    doc = opened(client, TEXT)
    id = doc["id"]
    decide(client, id, named(doc, "vestibule", 1), "rejected")
    decide(client, id, named(doc, "courtyard"), "accepted")
    client = make_client()
    assert (
        notes(client, id)[f"vestibule@{TEXT.rindex('vestibule')}"]["attrs"]["decision"]
        == "rejected"
    )
    new = "A new beginning.\n\n" + TEXT.replace("leads to a courtyard", "leads nowhere")
    answer = client.put(f"/api/documents/{id}/file?name=b.txt", content=new.encode())
    assert answer.status_code == 200
    client.library.wait()  # type: ignore[attr-defined]
    doc = client.get(f"/api/documents/{id}").json()
    said = {(n["quote"], n["start"]): n["attrs"].get("decision") for n in doc["annotations"]}
    assert said["vestibule", new.rindex("vestibule")] == "rejected"
    assert said["vestibule", new.index("vestibule")] is None
    assert [one["note"]["quote"] for one in doc["lost"]] == ["courtyard"], (
        "what has no place is listed"
    )


def test_a_file_of_the_command_line_keeps_its_decisions(make_client: Make, tmp_path: Any) -> None:
    path = tmp_path / "guide.md"
    path.write_text("# Rooms\n\n" + TEXT, encoding="utf-8")
    client = make_client()
    entry = client.library.open(path)  # type: ignore[attr-defined]
    client.library.wait()  # type: ignore[attr-defined]
    doc = client.get(f"/api/documents/{entry.id}").json()
    decide(client, entry.id, named(doc, "midnight"), "accepted")
    client = make_client()
    again = client.library.open(path)  # type: ignore[attr-defined]
    assert again.id == entry.id and again.state == "done", "nothing is read twice"
    path.write_text("# Rooms and keys\n\n" + TEXT, encoding="utf-8")
    changed = client.library.open(path)  # type: ignore[attr-defined]
    client.library.wait()  # type: ignore[attr-defined]
    assert changed.id == entry.id and "keys" in changed.doc.text
    assert quotes(exported(client, entry.id, "accepted")) == ["midnight"]


def test_a_word_that_is_known_is_known_everywhere(make_client: Make) -> None:
    client = make_client()
    first, second = opened(client, TEXT), opened(client, TEXT, "b.txt")
    changed = decide(client, first["id"], named(first, "vestibule"), "rejected", known_word=True)
    assert changed["known_words"] == ["vestibule"]
    assert client.get(f"/api/documents/{second['id']}").json()["known_words"] == ["vestibule"]
    client.post(f"/api/documents/{first['id']}/decisions/undo")
    assert client.get("/api/me").json()["known_words"] == []
    assert client.post("/api/me/words", json={"word": " Midnight "}).json() == ["midnight"]
    assert client.delete("/api/me/words?word=Midnight").json() == []


def test_decisions_travel_as_a_file(make_client: Make) -> None:
    client = make_client()
    doc = opened(client, TEXT)
    decide(client, doc["id"], named(doc, "courtyard"), "accepted")
    saved = client.get(f"/api/documents/{doc['id']}/decisions/export")
    assert saved.headers["content-disposition"] == 'attachment; filename="a.decisions.jsonl"'
    other = opened(client, "Elsewhere.\n\n" + TEXT, "b.txt")
    answer = client.post(
        f"/api/documents/{other['id']}/decisions/import", json={"lines": saved.text}
    )
    assert [note["quote"] for note in answer.json()["notes"]] == ["courtyard"]
    bad = client.post(f"/api/documents/{other['id']}/decisions/import", json={"lines": "{}\n"})
    assert bad.status_code == 422 and "decisions:1" in bad.json()["error"]


def test_many_at_once_are_undone_at_once_and_counted(make_client: Make) -> None:
    client = make_client()
    text = " ".join(f"archivists{'x' * n} locked." for n in range(12))
    doc = opened(client, text)
    ids = [note["id"] for note in doc["annotations"]]
    path = f"/api/documents/{doc['id']}/decisions"
    assert (
        len(client.post(path, json={"notes": ids[2:], "verdict": "accepted"}).json()["notes"]) == 10
    )
    client.post(path, json={"notes": ids[:2], "verdict": "rejected"})
    (row,) = client.get("/api/me/precision").json()
    assert (row["kind"], row["accepted"], row["rejected"]) == ("words.hard-word", 10, 2)
    assert row["precision"] == pytest.approx(10 / 12)
    assert row["threshold"] == min(note["score"] for note in doc["annotations"]), (
        "all of them: 83 % were kept"
    )
    assert client.put("/api/me/settings", json={"thresholds": {row["kind"]: 0.5}}).json() == {
        "thresholds": {row["kind"]: 0.5}
    }
    client.post(f"{path}/undo")
    client.post(f"{path}/undo")
    listed = client.get(path).json()
    assert listed["decisions"] == []
    assert [one["action"] for one in listed["log"]] == ["accepted"] * 10 + ["rejected"] * 2 + [
        "undo"
    ] * 2
    assert client.post(f"{path}/undo").status_code == 422, "there is nothing to undo"


def test_decisions_on_several_documents_find_theirs_by_its_name(
    make_client: Make, tmp_path: Path
) -> None:
    """Also with signs in its name that the library does not use in its own."""
    client = make_client()
    lines = ""
    for name, text in (("lab (1).txt", TEXT), ("lab (2).txt", f"Second: {TEXT}")):
        doc = opened(client, text, name)
        decide(client, doc["id"], named(doc, "vestibule"), "rejected")
        lines += client.get(f"/api/documents/{doc['id']}/decisions/export").text
    (tmp_path / "both.jsonl").write_text(lines, encoding="utf-8")
    decided = Decided(tmp_path / "both.jsonl", "open")
    for name in ("lab (1)", "lab (2)"):
        noted = [note for batch in long_words(Document(id=name, text=TEXT)) for note in batch.notes]
        kept = decided.apply(Document(id=name, text=TEXT).annotate(noted))
        assert quotes(kept) == ["courtyard", "archivist", "vestibule", "midnight"]
        assert list(decided.lost(kept)) == []
    other = decided.apply(Document(id="other", text=TEXT))
    assert list(decided.lost(other)) == [
        "other: no decision is about it, only about lab (1), lab (2)"
    ]


@pytest.mark.parametrize("keep", ["open", "accepted", "decisions", "all"])
@pytest.mark.parametrize("format", ["html", "csv", "jsonld", "xmi", "brat", "ttl"])
def test_everything_that_exports_exports_decisions(
    make_client: Make, format: str, keep: str
) -> None:
    client = make_client()
    doc = opened(client, TEXT)
    decide(client, doc["id"], named(doc, "courtyard"), "accepted")
    answer = client.get(f"/api/documents/{doc['id']}/export?format={format}&notes={keep}")
    assert answer.status_code == 200, answer.text[:200]
    assert client.get(f"/api/documents/{doc['id']}/export?format=json&notes=few").status_code == 404
