"""Who may use the web reader, and what its answers allow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from marginalia.web.app import create_app
from marginalia.web.guard import Limits
from marginalia.web.library import Library

HERE = "http://127.0.0.1:8037"


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    library = Library()
    yield library
    library.close()


@pytest.fixture
def client(library: Library) -> TestClient:
    return TestClient(create_app(library, limits=Limits(upload_bytes=1_000)), base_url=HERE)


@pytest.mark.parametrize("host", ["127.0.0.1:8037", "localhost", "LOCALHOST:1", "[::1]:8037"])
def test_this_machine_is_answered(client: TestClient, host: str) -> None:
    assert client.get("/api/documents", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.:80"])
def test_a_name_that_was_made_to_lead_here_is_not(client: TestClient, host: str) -> None:
    answer = client.get("/api/documents", headers={"host": host})
    assert answer.status_code == 403
    assert "Host" in answer.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_others_may_not_ask(client: TestClient, headers: dict[str, str]) -> None:
    assert client.get("/api/documents", headers=headers).status_code == 403
    assert client.post("/api/documents", content=b"x", headers=headers).status_code == 403


def test_our_own_page_may(client: TestClient) -> None:
    headers = {"origin": HERE, "sec-fetch-site": "same-origin"}
    assert client.get("/api/documents", headers=headers).status_code == 200


def test_nothing_from_elsewhere_and_nothing_inline(client: TestClient) -> None:
    for path in ("/", "/main.js", "/api/documents", "/nothing"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert client.get(path).headers["x-content-type-options"] == "nosniff"
    page = client.get("/").text
    assert "//" not in page.replace("<!doctype html>", ""), "no address of elsewhere"
    assert "style=" not in page and " on" not in page.replace(" one", "")


def test_too_much_is_refused_with_and_without_a_length(client: TestClient) -> None:
    assert client.post("/api/documents", content=b"x" * 1_001).status_code == 413
    chunks = (b"x" * 100 for _ in range(11))
    answer = client.post("/api/documents", content=chunks)
    assert answer.status_code == 413 and "limit" in answer.json()["error"]
    odd = client.post("/api/documents", content=b"x", headers={"content-length": "-1"})
    assert odd.status_code == 413


def test_elsewhere_a_token_is_needed(library: Library) -> None:
    app = create_app(library, hosts=("*",), token="open-sesame")  # noqa: S106
    client = TestClient(app, base_url="http://reader.example")
    assert client.get("/").status_code == 401
    assert client.get("/api/documents", headers={"authorization": "Bearer nut"}).status_code == 401
    assert client.get("/?token=nut").status_code == 401
    ok = client.get("/api/documents", headers={"authorization": "Bearer open-sesame"})
    assert ok.status_code == 200
    entered = client.get("/?token=open-sesame", follow_redirects=False)
    assert entered.status_code == 303 and entered.headers["location"] == "/"
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert client.get("/").status_code == 200, "the cookie is enough from then on"
