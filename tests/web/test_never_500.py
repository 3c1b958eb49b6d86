"""Whatever is asked, the answer is no 500 and has one sentence that says what was wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marginalia.web.app import create_app
from marginalia.web.library import Library
from tests.web.conftest import HERE, long_words, opened

Make = Callable[..., TestClient]
TEXT = "The vestibule leads to a courtyard."


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("marginalia.web.library.stream", long_words)
        patch.setattr("marginalia.web.api.texts.stream", long_words)
        library = Library()
        client = TestClient(create_app(library), base_url=HERE, raise_server_exceptions=False)
        client.library = library  # type: ignore[attr-defined]
        client.doc = opened(client, TEXT)["id"]  # type: ignore[attr-defined]
        yield client
        library.close()


def check(answer: object, *allowed: int) -> None:
    status, text = answer.status_code, answer.text  # type: ignore[attr-defined]
    assert status < 500, text
    if status >= 400:
        said = json.loads(text)["error"]
        assert said and "\n" not in said and len(said) < 400
    if allowed:
        assert status in allowed, text


RAW = [
    '{"text": NaN}', '{"text": Infinity}', '{"text": "x", "limit": 1e999}', '{"text": "\\ud800"}', '{"text": "a\\u0000b"}',
    '{"text": {"a": [NaN, "\\udfff"]}}', '{"a": "\\ud800", "b": NaN}', "[" * 20_000, "{", "null", "", '{"text": 1' + "0" * 5_000 + "}",
    '{"notes": ["\\ud800"], "text": "x"}', '{"text": "x", "options": {"\\ud800": "\\u0000"}}', '{"notes": ["\\ud800"], "verdict": "accepted"}',
    '{"note": "x", "start": 1e400}', '{"start": 0, "end": 3, "why": "\\ud800"}', '{"lines": "\\ud800"}', '{"word": "\\ud800"}', '{"tags": ["\\ud800"]}',
    '{"thresholds": {"\\ud800": NaN}}', '{"thresholds": {"a.b": Infinity}}', '{"word": "\\u0000"}', '{"tags": ["\\u0000"]}',
]  # fmt: skip
PLACES = ["annotate", "similar", "link", "me/words", "documents/{doc}/read", "documents/{doc}/decisions", "documents/{doc}/decisions/edit",
          "documents/{doc}/decisions/add", "documents/{doc}/decisions/import", "documents/{doc}/decisions/undo"]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_odd_json(client: TestClient, place: str) -> None:
    headers = {"content-type": "application/json"}
    for body in RAW:
        path = f"/api/{place.format(doc=client.doc)}"  # type: ignore[attr-defined]
        check(client.post(path, content=body.encode("utf-8", "surrogatepass"), headers=headers))
    client.library.wait()  # type: ignore[attr-defined]


def test_odd_json_where_things_are_changed(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    for body in RAW:
        path = f"/api/documents/{client.doc}"  # type: ignore[attr-defined]
        check(client.patch(path, content=body.encode(), headers=headers))
        check(client.put("/api/me/settings", content=body.encode(), headers=headers))
        check(client.get("/api/me"), 200)
        check(client.get(path), 200)


@given(st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters(codec=None), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["text", "lang", "notes", "options", "all", "a", "b", "notes", "verdict", "note", "start", "end", "why", "attrs", "word", "limit"]) | st.text(max_size=5),
        inner, max_size=5),
    max_leaves=12,
), st.sampled_from(PLACES))  # fmt: skip
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_json(client: TestClient, data: object, place: str) -> None:
    path = f"/api/{place.format(doc=client.doc)}"  # type: ignore[attr-defined]
    body = json.dumps(data).encode()
    check(client.post(path, content=body, headers={"content-type": "application/json"}))


@given(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.sampled_from(["", "/export", "/events", "/pages/1", "/decisions"]),
)
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_id(client: TestClient, id: str, way: str) -> None:
    from urllib.parse import quote

    answer = client.get(f"/api/documents/{quote(id, safe='')}{way}")
    check(answer)
    assert client.doc not in answer.text or id == "" or id == client.doc, "no other ids are listed"  # type: ignore[attr-defined]


@given(st.binary(max_size=300), st.text(st.characters(codec="utf-8"), max_size=30))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_file_under_any_name(client: TestClient, data: bytes, name: str) -> None:
    answer = client.post("/api/documents", params={"name": name}, content=data)
    check(answer, 201, 422)
    if answer.status_code == 201:
        id = answer.json()["id"]
        client.library.wait()  # type: ignore[attr-defined]
        check(client.get(f"/api/documents/{id}"), 200)
        check(client.get(f"/api/documents/{id}/export?format=xmi"))
        check(client.delete(f"/api/documents/{id}?for_good=true"), 204)


def test_odd_queries(client: TestClient) -> None:
    doc = f"/api/documents/{client.doc}"  # type: ignore[attr-defined]
    for path in (
        f"{doc}/export?format=%ED%A0%80", f"{doc}/export?format=json&notes=%00", f"{doc}/pages/99999999999999999999", f"{doc}/pages/-1",
        f"{doc}/pages/x", f"{doc}/events?after=x", f"{doc}/events?after=-99999999999999999999", "/api/search?q=%ED%A0%80", "/api/search?q=%00",
        '/api/search?q="', "/api/search?q=a*b(c", "/api/search?q=" + "x" * 401, "/api/search", "/api/me/words?word=%00", "/%00", "/..%2f", "//evil.example/",
        "/api/documents/%00", "/api/documents/..%2f..%2fetc", "/index.html%0a",
    ):  # fmt: skip
        check(client.get(path))
    for format in (
        "html",
        "json",
        "jsonl",
        "csv",
        "tsv",
        "ttl",
        "jsonld",
        "brat",
        "xmi",
        "pdf",
        "sarif",
        "parquet",
        "nothing",
    ):
        check(client.get(f"{doc}/export?format={format}"))


def test_control_characters_of_a_text_stop_no_export(client: TestClient) -> None:
    """XMI is XML, which has no place for some characters."""
    doc = opened(client, "The vesti\x0bbule leads \x01 to a courtyard \ufffe\uffff there.")
    for format in ("xmi", "ttl", "jsonld", "html", "brat"):
        check(client.get(f"/api/documents/{doc['id']}/export?format={format}"), 200, 422)


def test_a_redirect_leads_to_nobody_else() -> None:
    library = Library()
    client = TestClient(create_app(library, token="open-sesame"), base_url=HERE)  # noqa: S106
    for path in (
        "//evil.example/",
        "///evil.example",
        "/\\evil.example",
        "/%00",
        "/%0d%0aset-cookie:a=b",
        "/%2f%2fevil.example",
    ):
        answer = client.get(f"{HERE}{path}?token=open-sesame", follow_redirects=False)
        assert answer.status_code == 303
        place = answer.headers["location"]
        assert (
            place.startswith("/")
            and not place.startswith(("//", "/\\"))
            and "\n" not in place
            and "\0" not in place
        )
        assert len(answer.headers.get_list("set-cookie")) == 1
    library.close()


def test_what_nobody_foresaw_is_one_sentence_and_logged(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("marginalia.web.api.people.score_decisions", lambda _: {}["surprise"])
    answer = client.get("/api/me/precision")
    assert answer.status_code == 500 and "fault of the server" in answer.json()["error"]
    assert "KeyError" in caplog.text
