"""A correction is made once: what repeats it follows, in the note, at the other end of a pair, and elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from marginalia import Document
from marginalia.reader.annotate import Batch
from marginalia.web.corrections import corrected
from tests.web.conftest import long_words, opened
from tests.web.test_deciding import TEXT, decide, named, notes

Make = Callable[..., TestClient]


@pytest.mark.parametrize(
    ("attrs", "given", "after"),
    [
        (
            {"why": "a hall · easier: room", "meaning": "a hall", "easier": ["room"], "details": "rare"},
            {"why": "a porch"},
            {"why": "a porch", "meaning": "a porch", "details": "rare"},
        ),
        (
            {"why": "short for body mass", "meaning": "body mass"},
            {"why": "short for body mass index"},
            {"why": "short for body mass index", "meaning": "body mass index"},
        ),
        (
            {"why": "short for body mass", "meaning": "body mass"},
            {"meaning": "bone mass"},
            {"why": "short for bone mass", "meaning": "bone mass"},
        ),
        ({"why": "mass: 5 kg", "unit": "kg"}, {"unit": "g"}, {"why": "mass: 5 g", "unit": "g"}),
        ({"meaning": "a hall"}, {"meaning": None}, {}),
    ],
)  # fmt: skip
def test_what_repeats_the_note_follows_it(
    attrs: dict[str, Any], given: dict[str, Any], after: dict[str, Any]
) -> None:
    assert corrected(attrs, given) == after


def edit(client: TestClient, id: str, note: str, **more: object) -> dict[str, Any]:
    body = {"note": note, "attrs": {"why": "an entrance hall"}, **more}
    answer = client.post(f"/api/documents/{id}/decisions/edit", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def whys(client: TestClient, id: str) -> list[str]:
    return [note["attrs"]["why"] for key, note in notes(client, id).items() if "vestibule" in key]


def test_a_correction_here_in_the_document_and_in_the_library(make_client: Make) -> None:
    client = make_client()
    doc, other = opened(client, TEXT), opened(client, f"Another one. {TEXT}", "b.txt")
    note = named(doc, "vestibule")
    assert edit(client, doc["id"], note)["also"] == 0
    assert whys(client, doc["id"]) == ["an entrance hall", "9 letters"]
    client.post(f"/api/documents/{doc['id']}/decisions/undo")
    said = edit(client, doc["id"], note, where="document")
    assert (said["also"], said["other_documents"]) == (1, 0)
    assert whys(client, doc["id"]) == ["an entrance hall"] * 2
    assert whys(client, other["id"]) == ["9 letters"] * 2
    client.post(f"/api/documents/{doc['id']}/decisions/undo")
    assert whys(client, doc["id"]) == ["9 letters"] * 2, "one gesture"
    # What was decided there already stays.
    decide(client, other["id"], named(other, "vestibule", 1), "accepted")
    assert edit(client, doc["id"], note, where="library")["other_documents"] == 1
    assert whys(client, other["id"]) == ["an entrance hall", "9 letters"]


def test_both_ends_of_a_pair_are_one_decision(
    make_client: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def paired(doc: Document, *args: object, **more: object) -> Iterator[Batch]:
        for batch in long_words(doc):
            first, second, *rest = batch.notes
            pair = [
                replace(first, links={"contradicts": (second.id,)}),
                replace(second, links={"contradicts": (first.id,)}),
            ]
            yield replace(batch, notes=(*pair, *rest))

    monkeypatch.setattr("marginalia.web.library.stream", paired)
    client = make_client()
    doc = opened(client, TEXT)
    changed = decide(client, doc["id"], named(doc, "courtyard"), "rejected")
    assert [one["quote"] for one in changed["notes"]] == ["vestibule", "courtyard"]
    client.post(f"/api/documents/{doc['id']}/decisions/undo")
    after = client.get(f"/api/documents/{doc['id']}").json()["annotations"]
    assert not any("decision" in one["attrs"] for one in after)
