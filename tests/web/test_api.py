"""The REST API: documents go in, notes come out, bad input gets one sentence."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from marginalia import Annotation, Document
from marginalia.reader.annotate import Batch, stream
from marginalia.reader.cache import NoteCache
from marginalia.reader.read import read
from marginalia.web.app import create_app
from marginalia.web.library import WARM_UP_TEXT, Library
from tests.reader.documents import pdf
from tests.reader.pdf.test_ocr import recognising
from tests.reader.test_pictures import PNG
from tests.web.conftest import opened

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TEXT = "The kinase is not in the herbarium. The flask weighed 12.5 kg. 😀 It weighed 3 g."


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    library = Library(cache=NoteCache(tmp_path_factory.mktemp("web") / "notes.sqlite"))
    yield library
    library.close()


@pytest.fixture(scope="module")
def client(library: Library) -> TestClient:
    return TestClient(create_app(library), base_url="http://127.0.0.1")


def test_a_document_is_opened_read_and_noted(client: TestClient, library: Library) -> None:
    opened = client.post("/api/documents?name=../../lab%20notes.txt", content=TEXT.encode())
    assert opened.status_code == 201
    id = opened.json()["id"]
    library.wait()
    doc = client.get(f"/api/documents/{id}").json()
    assert doc["state"] == "done" and doc["text"] == TEXT
    for note in doc["annotations"]:
        assert TEXT[note["start"] : note["end"]] == note["quote"]
    assert {note["task"] for note in doc["annotations"]} == {"words"}, "those of its profile"
    heads = [n for n in doc["annotations"] if not n["attrs"].get("part_of")]
    assert sorted(doc["ranked"]) == sorted(n["id"] for n in heads)
    assert doc["room"] == sum(n["attrs"]["why"] != n["quote"] for n in heads) > 0
    assert doc["blocks"][0] == {
        "kind": "paragraph", "start": 0, "end": len(TEXT), "level": None, "marker": "",
    }  # fmt: skip
    listed = {one["id"]: one for one in client.get("/api/documents").json()}
    assert listed[id]["counts"] == doc["counts"]
    assert library.get(id).path.name == "lab notes.txt", "a name never leads out of its folder"


def test_what_happens_is_told_as_it_happens(client: TestClient, library: Library) -> None:
    id = client.post(
        "/api/documents?name=a.md", content=b"# A\n\nThe kinase is not in the herbarium."
    ).json()["id"]
    library.wait()
    lines = client.get(f"/api/documents/{id}/events").text.split("\n\n")
    kinds = [line.split("event: ")[1].split("\n")[0] for line in lines if line]
    assert kinds[0] == "read" and kinds[-1] == "done" and set(kinds[1:-1]) == {"notes"}
    data = json.loads(lines[-2].split("data: ")[1])
    assert data["ranked"] and "terms" in data["summary"]
    later = client.get(f"/api/documents/{id}/events?after={len(kinds) - 1}").text
    assert later.count("event: ") == 1


def test_a_bad_file_fails_and_the_server_goes_on(client: TestClient, library: Library) -> None:
    ids = [
        client.post(f"/api/documents?name={name}", content=data).json()["id"]
        for name, data in {
            "cut.pdf": b"%PDF-1.7 nothing more",
            "bytes.txt": b"\xff\xfe\x00\x00\x01",
            "picture.png": b"\x89PNG",
            "blank.txt": b" \n .",
        }.items()
    ]
    library.wait()
    for id, name in zip(ids[:3], ["cut.pdf", "bytes.txt", "picture.png"], strict=True):
        doc = client.get(f"/api/documents/{id}").json()
        assert doc["state"] == "failed" and doc["error"]
        assert "marginalia-" not in doc["error"], "where we keep it is nobody's business"
        assert name in doc["error"] or name.split(".")[1] in doc["error"]
    assert client.get(f"/api/documents/{ids[3]}").json()["state"] == "done"


def test_a_scan_offers_to_be_recognised(
    client: TestClient, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    id = client.post("/api/documents?name=scan.pdf", content=pdf([])).json()["id"]
    library.wait()
    doc = client.get(f"/api/documents/{id}").json()
    assert (doc["state"], doc["scan"]) == ("failed", "missing")
    assert (
        json.loads(client.get(f"/api/documents/{id}/events").text.split("data: ")[1])["scan"]
        == "missing"
    )
    (tmp_path / "done.pdf").write_bytes(pdf(["The jar holds honey."]))
    recognising(tmp_path, monkeypatch)
    assert client.get(f"/api/documents/{id}").json()["scan"] == "offer"
    client.post(f"/api/documents/{id}/read", json={"ocr": True})
    library.wait()
    doc = client.get(f"/api/documents/{id}").json()
    assert (doc["state"], doc["scan"], doc["text"]) == ("done", "", "The jar holds honey.")
    client.post(f"/api/documents/{id}/read", json={"lang": "de"})
    library.wait()
    assert client.get(f"/api/documents/{id}").json()["lang"] == "de", "it is recognised once more"


def test_what_nobody_foresaw_is_logged_with_its_traceback(
    client: TestClient,
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(Library, "_annotate", lambda self, entry: {}["surprise"])
    id = client.post("/api/documents?name=a.txt", content=TEXT.encode()).json()["id"]
    library.wait()
    assert client.get(f"/api/documents/{id}").json()["error"] == "a.txt: KeyError: 'surprise'"
    (record,) = (one for one in caplog.records if one.name == "marginalia.web.library")
    assert record.getMessage() == "a.txt: KeyError: 'surprise'" and record.exc_info


def test_formats_that_need_the_file_find_it_in_the_library(
    make_client: Callable[..., TestClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in the folder the server runs in, where another file of that name may lie; also after a restart."""
    pypdf = pytest.importorskip("pypdf")
    (tmp_path / "article.pdf").write_bytes(b"%PDF-1.7 another")
    (tmp_path / "a.txt").write_text("Another text.\n\nIt has a herbarium.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    client = make_client()
    sent = (EXAMPLES / "article.pdf").read_bytes()
    id = client.post("/api/documents?name=article.pdf", content=sent).json()["id"]
    text = opened(client, "\n\n\nThe herbarium.")["id"]
    client.library.wait()  # type: ignore[attr-defined]
    for start in (lambda: client, make_client):
        again = start()
        answer = again.get(f"/api/documents/{id}/export?format=pdf")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/pdf"
        pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
        marks = [one.get_object()["/Subtype"] for page in pages for one in page["/Annots"]]
        assert set(marks) == {"/Highlight"}
        (found,) = again.get(f"/api/documents/{text}/export?format=sarif").json()["runs"][0][
            "results"
        ]
        place = found["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "a.txt" and place["region"]["startLine"] == 4
    path = again.library.get(id).path  # type: ignore[attr-defined]
    path.unlink()
    answer = again.get(f"/api/documents/{id}/export?format=pdf")
    assert answer.status_code == 404 and answer.json()["error"].startswith("article.pdf is not")
    answer = again.get(f"/api/documents/{text}/export?format=pdf")
    assert answer.status_code == 422 and "only a document that was read" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/documents/nothing", 404),
        ("/api/documents/nothing/events", 404),
        ("/api/documents/nothing/pages/1", 404),
        ("/api/nothing", 404),
        ("/../../etc/passwd", 404),
        ("/static/..%2f..%2fapp.py", 404),
    ],
)
def test_what_is_not_there(client: TestClient, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status and answer.json()["error"]


def test_an_empty_upload_is_refused(client: TestClient) -> None:
    answer = client.post("/api/documents?name=a.txt", content=b" ")
    assert answer.status_code == 422 and "nothing in it" in answer.json()["error"]


def test_export_and_removal(client: TestClient, library: Library) -> None:
    id = client.post("/api/documents?name=a.txt", content=TEXT.encode()).json()["id"]
    library.wait()
    for format in ("json", "csv", "html"):
        answer = client.get(f"/api/documents/{id}/export?format={format}")
        assert answer.status_code == 200 and "herbarium" in answer.text
        assert answer.headers["content-disposition"] == f'attachment; filename="a.{format}"'
    assert client.get(f"/api/documents/{id}/export?format=doc").status_code == 404
    for format, name in (("brat", "a.ann"), ("xmi", "a.xmi")):
        answer = client.get(f"/api/documents/{id}/export?format={format}")
        assert answer.status_code == 200 and answer.headers["content-type"] == "application/zip"
        assert answer.headers["content-disposition"] == 'attachment; filename="a.zip"'
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            beside = {"brat": {"a.txt", "annotation.conf"}, "xmi": {"TypeSystem.xml"}}[format]
            assert set(archive.namelist()) - {name} == beside
            assert b"herbarium" in archive.read(name)
    path = library.get(id).path
    assert client.delete(f"/api/documents/{id}").status_code == 204
    assert path.exists() and client.get(f"/api/documents/{id}").status_code == 404
    assert id in {one["id"] for one in client.get("/api/documents?removed=true").json()}
    assert client.post(f"/api/documents/{id}/restore").json()["state"] == "done"
    assert client.get(f"/api/documents/{id}").json()["text"] == TEXT
    assert client.delete(f"/api/documents/{id}?for_good=true").status_code == 204
    assert not path.exists() and client.get(f"/api/documents/{id}").status_code == 404


def test_a_text_is_annotated_at_once(client: TestClient) -> None:
    text = "The mass of the stone was 12.5 kg."
    body = {"text": text, "notes": ["measurements"], "lang": "en"}
    doc = client.post("/api/annotate", json=body).json()
    assert {note["task"] for note in doc["annotations"]} == {"measurements"}
    assert "12.5 kg" in {note["quote"] for note in doc["annotations"]}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"text": TEXT, "notes": ["poetry"]}, "poetry"),
        ({"text": TEXT, "options": {"audience": "duke"}}, "duke"),
        ({"text": "   "}, "no text"),
    ],
)
def test_bad_requests_get_a_sentence(client: TestClient, body: dict, said: str) -> None:
    answer = client.post("/api/annotate", json=body)
    assert 400 <= answer.status_code < 500 and said in answer.json()["error"]


@pytest.fixture
def with_catalogue() -> Iterator[TestClient]:
    library = Library(options={"catalogue": str(EXAMPLES / "survey.ddi.xml")})
    yield TestClient(create_app(library), base_url="http://127.0.0.1")
    library.close()


QUESTION = (
    "The survey asked how often respondents had trouble falling asleep in the last four weeks."
)


def test_a_request_names_no_file_with_units(with_catalogue: TestClient) -> None:
    body = {"text": "5 smoots.", "notes": ["measurements"], "options": {"units": "/etc/hosts"}}
    answer = with_catalogue.post("/api/annotate", json=body)
    assert answer.status_code == 422
    assert "a request cannot define units" in answer.text


def test_the_servers_catalogue_is_taken_by_its_name(with_catalogue: TestClient) -> None:
    tasks = {task["name"]: task for task in with_catalogue.get("/api/annotators").json()}
    assert tasks["variables"]["catalogues"] == ["survey.ddi.xml"]
    assert "catalogues" not in tasks["measurements"], "it takes none"
    text = read(EXAMPLES / "article.pdf").text
    body = {"text": text, "notes": ["variables"], "options": {"catalogue": "survey.ddi.xml"}}
    doc = with_catalogue.post("/api/annotate", json=body).json()
    assert [note["attrs"]["variables"] for note in doc["annotations"]], "linked to variables of it"
    assert with_catalogue.post("/api/link", json={"text": QUESTION}).json()


@pytest.mark.parametrize(
    "path", [str(EXAMPLES / "survey.ddi.xml"), "/etc/passwd", "../survey.ddi.xml", "", "x" * 999]
)
def test_no_other_path_is_taken_as_a_catalogue(with_catalogue: TestClient, path: str) -> None:
    body = {"text": QUESTION, "options": {"catalogue": path}}
    answer = with_catalogue.post("/api/annotate", json=body)
    assert answer.status_code == 404
    said = answer.json()["error"]
    assert said.startswith("There is no catalogue ") and said.endswith("Known: survey.ddi.xml.")
    assert len(said) < 250


def test_without_a_catalogue_none_is_taken(client: TestClient) -> None:
    body = {"text": QUESTION, "options": {"catalogue": str(EXAMPLES / "survey.ddi.xml")}}
    for path, sent in (("/api/annotate", body), ("/api/link", {"text": QUESTION})):
        answer = client.post(path, json=sent)
        assert answer.status_code == 422 and "started without a catalogue" in answer.json()["error"]
    tasks = {task["name"]: task for task in client.get("/api/annotators").json()}
    assert tasks["variables"]["catalogues"] == []


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "the request has no body: send JSON"),
        ({"content": b"{bad"}, "the body is no JSON: "),
        ({"json": {"text": "A.", "tasks": ["x"]}}, "there is no field 'tasks'; known are text,"),
    ],
)
def test_a_body_that_is_not_understood_is_told_why(
    client: TestClient, sent: dict[str, Any], said: str
) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/annotate", headers=headers, **sent)
    assert answer.status_code == 422 and answer.json()["error"].startswith(said)


def test_many_at_once(client: TestClient) -> None:
    """A hundred short requests side by side: all answered, all alike."""

    def ask(number: int) -> int:
        body = {"text": f"It weighed {number} kg.", "notes": ["measurements"]}
        answer = client.post("/api/annotate", json=body)
        return answer.status_code if f"{number} kg" in answer.text else 0

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(ask, range(100))) == {200}


def test_the_description_names_every_path(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {"/api/documents", "/api/annotate", "/api/similar", "/api/link"} <= set(paths)
    assert all(method.get("description") for path in paths.values() for method in path.values()), (
        "each says what it does"
    )


def test_the_models_are_loaded_before_a_document_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[str] = []
    monkeypatch.setattr("marginalia.web.library.annotate", lambda doc, _: noted.append(doc.text))
    library = Library()
    library.warm().join()
    assert noted == [WARM_UP_TEXT] and not library.store.documents.all()
    library.close()


def test_a_book_shows_its_first_page_before_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marginalia.web.library.PREVIEW_BYTES", 100)
    library = Library()
    entry = library.add("article.pdf", (EXAMPLES / "article.pdf").read_bytes(), audience="curator")
    library.wait()
    kinds = [event["kind"] for event in entry.events]
    assert kinds.count("read") == 2 and kinds[:2] == ["read", "notes"]
    assert kinds.index("done") == len(kinds) - 1
    assert entry.doc is not None and len(entry.doc.meta["pages"]) == 2
    assert len({note.id for note in entry.notes}) == len(entry.notes)
    library.close()


def test_a_picture_is_taken_from_the_file(client: TestClient, library: Library) -> None:
    page = f"<p>It weighed 3 kg.</p><img src='data:image/png;base64,{base64.b64encode(PNG).decode()}'><p>A dot.</p>"
    id = client.post("/api/documents?name=a.html", content=page.encode()).json()["id"]
    library.wait()
    (figure,) = client.get(f"/api/documents/{id}").json()["meta"]["figures"]
    assert figure["start"] == len("It weighed 3 kg.")
    answer = client.get(f"/api/documents/{id}/figures/1")
    assert (answer.headers["content-type"], answer.content) == ("image/png", PNG)
    for number in (0, 2, -1):
        assert client.get(f"/api/documents/{id}/figures/{number}").status_code == 404


def test_what_is_put_away_is_not_read_until_it_is_wanted_again() -> None:
    library = Library()
    try:
        with library.turns.turn():  # nothing is noted meanwhile
            id = library.add("away.txt", b"Hold it for ten seconds.").id
            library.drop(id)
        library.wait()
        assert library.store.documents.get(id).state == "waiting"
        assert library.in_memory(id) is None
        library.restore(id)
        library.wait()
        assert library.get(id).state == "done"
    finally:
        library.close()


def test_another_reader_gets_what_is_missing_and_decisions_stay(
    client: TestClient, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "The kinase is not in the herbarium. The flask weighed 12.5 kg."
    sent = client.post("/api/documents?name=b.txt&audience=reader", content=text.encode())
    id = sent.json()["id"]
    library.wait()
    doc = client.get(f"/api/documents/{id}").json()
    assert doc["audience"] == "reader"
    assert doc["meta"]["elsewhere"] == [
        {"notes": "measurements", "count": 1, "audience": "curator"}
    ]
    (first, *_) = doc["annotations"]
    body = {"notes": [first["id"]], "verdict": "accepted"}
    client.post(f"/api/documents/{id}/decisions", json=body)

    ran: list[list[str]] = []

    def watched(doc: Any, annotators: Any, **more: Any) -> Any:
        ran.append([one.name for one in annotators])
        return stream(doc, annotators, **more)

    monkeypatch.setattr("marginalia.web.library.stream", watched)
    monkeypatch.setattr("marginalia.web.library.read", None)
    for audience, made in {
        "specialist": [],
        "curator": ["measurements", "variables"],
        "learner": ["consistency", "statistics", "terms", "words"],
    }.items():
        client.post(f"/api/documents/{id}/read", json={"audience": audience})
        library.wait()
        assert ran.pop() == made, "the text is not read again, nor are notes made twice"
        doc = client.get(f"/api/documents/{id}").json()
        assert doc["audience"] == audience and doc["state"] == "done"
        assert [n["quote"] for n in doc["annotations"] if n["attrs"].get("decision")] == [
            first["quote"]
        ]
    answer = client.post(f"/api/documents/{id}/read", json={"audience": "poet"})
    assert answer.status_code == 404 and "curator" in answer.json()["error"]


def test_profiles_say_how_many_notes_there_is_room_for_and_which_are_hidden(
    make_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def repeated(doc: Document, annotators: Any, **_: object) -> Iterator[Batch]:
        notes = [
            Annotation(
                id=f"consistency-{start}", task="consistency", label=label,
                start=start, end=start + 4, quote=doc.text[start : start + 4], attrs={"why": "x"},
            )
            for start, label in ((0, "repetition"), (5, "contradiction"))
        ]  # fmt: skip
        if any(one.name == "consistency" for one in annotators):
            yield Batch("consistency", tuple(notes), len(doc.text))

    client = make_client()
    monkeypatch.setattr("marginalia.web.library.stream", repeated)
    profiles = {one["name"]: one for one in client.get("/api/profiles").json()}
    assert [name for name in profiles if profiles[name]["default"]] == ["reader"]
    assert list(profiles)[:2] == ["reader", "learner"] and "words" in profiles["reader"]["notes"]
    id = opened(client, "Some text that is here.")["id"]
    labels = {n["label"] for n in client.get(f"/api/documents/{id}").json()["annotations"]}
    assert labels == {"contradiction"}, "a reader does not want to know of repetitions"
    client.post(f"/api/documents/{id}/read", json={"audience": "writer"})
    client.library.wait()
    doc = client.get(f"/api/documents/{id}").json()
    assert {n["label"] for n in doc["annotations"]} == {"contradiction", "repetition"}
