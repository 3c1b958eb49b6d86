"""What stays: the library on disk, its migrations, its search, its log, its tokens, and its one file."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from marginalia import Annotation, Document, FormatError, MissingError
from marginalia.core.decisions import Decision
from marginalia.web.store.annotated_documents import brief_of
from marginalia.web.store.archive import export_library, import_library
from marginalia.web.store.database import migrations
from marginalia.web.store.documents import Record
from marginalia.web.store.people import check_token
from marginalia.web.store.store import Store, default_folder

TEXT = "Die Rücklaufquote der Befragung lag bei 41,7 %."


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "library")


def add(store: Store, text: str = TEXT, name: str = "a.txt", owner: str = "anna") -> Record:
    path = store.incoming / "upload"
    path.write_text(text, encoding="utf-8")
    return store.documents.add(name, path, owner=owner)


def note(id: str = "1", quote: str = "Befragung") -> Annotation:
    start = TEXT.index(quote)
    return Annotation(id=id, task="words", label="hard word", start=start, end=start + len(quote), quote=quote, attrs={"why": "selten"})  # fmt: skip


def decision(id: str, verdict: str = "accepted") -> Decision:
    return Decision(id=id, document="a", verdict=verdict, note=note(id))


def verdicts(store: Store, id: str) -> dict[str, str]:
    return {one.id: one.verdict for one in store.decisions.current(id)}


def test_documents_are_there_after_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path)
    record = add(store, name="../../étude: 1?.txt")
    store.documents.set_tags(record.id, ["thesis", " to  read ", "thesis"])
    store.close()
    again = Store(tmp_path)
    found = again.documents.get(record.id)
    assert found.path.read_text(encoding="utf-8") == TEXT
    assert found.path.is_relative_to(tmp_path / "files"), "a name never leads out of its folder"
    assert found.tags == ("thesis", "to read") and found.state == "waiting"
    with pytest.raises(MissingError, match="no document of that id"):
        again.documents.get("nothing")


def test_one_server_at_a_time_and_others_may_look(tmp_path: Path) -> None:
    first = Store(tmp_path)
    with pytest.raises(FormatError, match="in use by another server"):
        Store(tmp_path)
    beside = Store(tmp_path, alone=False)
    token = beside.people.add_token("ben", "read")
    assert first.people.find(token).name == "ben", (
        "a token that was added beside a server is known at once"
    )
    first.close()
    Store(tmp_path).close()


def test_a_damaged_library_gets_a_sentence_and_stays_as_it_is(tmp_path: Path) -> None:
    Store(tmp_path).close()
    file = tmp_path / "library.sqlite"
    data = bytearray(file.read_bytes())
    data[100:3000] = b"\xff" * 2900
    file.write_bytes(data)
    with pytest.raises(FormatError, match="the library is damaged") as error:
        Store(tmp_path)
    assert "import an exported copy" in str(error.value) and file.read_bytes() == data
    file.write_bytes(b"no database at all, but some text")
    with pytest.raises(FormatError, match="damaged or cannot be opened"):
        Store(tmp_path)


def test_a_library_of_a_newer_release_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / "library.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(FormatError, match="newer release"):
        Store(tmp_path)


def test_levels_and_names_of_notes_of_earlier_releases_are_taken_over(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "library.sqlite") as db:
        for number, sql in migrations()[:2]:
            db.executescript(f"{sql}\nPRAGMA user_version = {number};")
        for id, level in {"a": "general", "b": "expert", "c": "learner", "d": None}.items():
            db.execute(
                "INSERT INTO documents (id, name, file, sha256, bytes, asked_level, owner, state, added, changed)"
                " VALUES (?, 'n', ?, '', 1, ?, 'me', 'done', '', '')",
                (id, id, level),
            )
        db.execute(
            "INSERT INTO decisions (document, batch, target, action, data, who, at) VALUES ('a', '', '', 'accepted', ?, '', '')",
            (json.dumps({"decision": {"note": {"task": "complexity"}}}),),
        )
    store = Store(tmp_path)
    assert [(one.audience, one.state) for one in store.documents.all()] == [
        (audience, "waiting") for audience in ("reader", "specialist", "learner", None)
    ]
    (entry,) = store.decisions.entries("a")
    assert entry.data["decision"]["note"]["task"] == "words"
    store.close()


def test_steps_are_numbered_without_gaps() -> None:
    assert [number for number, _ in migrations()] == list(range(1, len(migrations()) + 1))


def test_what_a_killed_server_left_is_cleaned_up(tmp_path: Path) -> None:
    store = Store(tmp_path)
    kept = add(store)
    store.close()
    (tmp_path / "incoming" / "half").write_bytes(b"half of a file")
    stray = tmp_path / "files" / "unknown" / "0123"
    stray.mkdir(parents=True)
    (stray / "b.txt").write_bytes(b"moved, but never confirmed")
    again = Store(tmp_path)
    assert list(again.incoming.iterdir()) == [] and not stray.parent.exists()
    assert "moved to" in again.notice and list(tmp_path.glob("set-aside/*/files/*/*/b.txt"))
    assert again.documents.get(kept.id).path.exists() and again.db.faults() == []


def test_a_new_version_replaces_the_file(store: Store) -> None:
    record = add(store)
    path = store.incoming / "new"
    path.write_text("New.", encoding="utf-8")
    new = store.documents.replace_file(record.id, "b.md", path)
    assert new.path.read_text(encoding="utf-8") == "New." and not record.path.exists()
    assert (new.id, new.name, new.state) == (record.id, "b.md", "waiting")


def test_search_in_titles_texts_and_notes(store: Store) -> None:
    first, second = add(store), add(store, "Nothing of the kind.")
    doc = Document(id="a", text=TEXT, meta={"title": "Vertrauen"}).annotate([note()])
    store.annotated.put(first.id, doc)
    store.annotated.put(
        second.id, Document(id="b", text="Nothing of the kind.", meta={"title": "Else"})
    )
    for words in ("Vertrauen", "rucklauf", "RÜCKLAUFQUOTE befragung", "selten", "41,7"):
        assert [hit.document for hit in store.annotated.search(words)] == [first.id], words
    assert "\u2068Rücklaufquote\u2069" in store.annotated.search("rücklaufquote")[0].text
    for words in ("Vertrauen Else", '"', "AND OR NOT", "*", "a:b", "text:", "", "\0"):
        assert store.annotated.search(words) == [], words
    store.annotated.put(first.id, Document(id="a", text="Changed.", meta={"title": "Vertrauen"}))
    assert store.annotated.search("befragung") == []
    store.documents.delete(second.id)
    assert store.annotated.search("kind") == [] and store.db.faults() == []


def test_a_damaged_reading_is_none(store: Store) -> None:
    record = add(store)
    store.annotated.put(record.id, Document(id="a", text=TEXT))
    with store.db.change() as db:
        db.execute("UPDATE annotated_documents SET data = x'00' WHERE document = ?", (record.id,))
    assert store.annotated.get(record.id) is None


def test_undo_and_redo(store: Store) -> None:
    id, log = add(store).id, store.decisions
    log.add(id, [decision("1"), decision("2", "rejected")], who="anna", words=["befragung"])
    log.add(id, [decision("1", "rejected")], who="ben")
    log.add(id, [decision("3")], who="anna")
    assert verdicts(store, id) == {"1": "rejected", "2": "rejected", "3": "accepted"}
    assert store.people.words("anna") == ["befragung"]
    log.undo(id, who="anna")
    assert "3" not in verdicts(store, id)
    log.undo(id, who="anna")
    assert verdicts(store, id) == {"1": "rejected"}, "that of ben is his"
    assert store.people.words("anna") == [], "what came with a gesture goes with it"
    assert log.undo(id, who="anna") is None
    log.undo(id, who="anna", redo=True)
    log.undo(id, who="anna", redo=True)
    assert verdicts(store, id) == {"1": "rejected", "2": "rejected", "3": "accepted"}
    assert store.people.words("anna") == ["befragung"]
    assert log.undo(id, who="anna", redo=True) is None
    log.clear(id, ["2"], who="anna")
    assert "2" not in verdicts(store, id)


def test_the_log_only_grows(store: Store) -> None:
    id = add(store).id
    store.decisions.add(id, [decision("1")], who="anna")
    store.decisions.undo(id, who="anna")
    entries = store.decisions.entries(id)
    assert [(one.action, one.who) for one in entries] == [("accepted", "anna"), ("undo", "anna")]
    assert all(one.at.endswith("+00:00") for one in entries)
    with pytest.raises(sqlite3.DatabaseError, match="only grows"), store.db.change() as db:
        db.execute("UPDATE decisions SET who = 'eve'")
    assert store.decisions.entries(id) == entries


def test_tokens_are_told_once_and_kept_as_hashes(store: Store) -> None:
    token = store.people.add_token("anna", "write")
    found = store.people.find(token)
    assert (found.name, found.may, found.all) == ("anna", "write", False)
    store.db.close()
    for file in store.folder.iterdir():
        assert file.is_dir() or token.encode() not in file.read_bytes()


def test_a_token_can_be_revoked_and_made_anew(store: Store) -> None:
    old = store.people.add_token("anna", "read")
    with pytest.raises(FormatError, match="has a token already"):
        store.people.add_token("anna", "write")
    store.people.revoke_token("anna")
    assert store.people.find(old) is None
    new = store.people.add_token("anna", "write")
    assert store.people.find(new).may == "write" and store.people.find(old) is None
    for name in ("", " ", "a\nb", "x" * 61):
        with pytest.raises(FormatError, match="is no name"):
            store.people.add_token(name, "read")


@pytest.mark.parametrize("token", ["", "short", "with space in it", "a;b=cccccc", "ümlautümlaut", "line\nline\nline", "x" * 201])  # fmt: skip
def test_odd_tokens_are_refused(token: str) -> None:
    with pytest.raises(FormatError, match="a token has 8 to 200"):
        check_token(token)


def test_the_whole_library_as_one_file(store: Store, tmp_path: Path) -> None:
    first, second = add(store), add(store, "Second.", "b.txt", owner="ben")
    store.documents.set_tags(first.id, ["thesis"])
    store.annotated.put(first.id, Document(id="a", text=TEXT).annotate([note()]))
    store.decisions.add(first.id, [decision("1")], who="anna", words=["befragung"])
    store.decisions.undo(first.id, who="anna")
    store.documents.remove(second.id)
    store.people.set("anna", "thresholds", {"a.b": 0.5})
    token = store.people.add_token("anna", "write")
    file = io.BytesIO()
    assert export_library(store, file) == 2
    other = Store(tmp_path / "other")
    assert import_library(other, file) == (2, 0) and import_library(other, file) == (0, 2)
    got = other.documents.get(first.id)
    assert (got.tags, got.state, got.owner, got.added) == (("thesis",), "done", "anna", first.added)
    assert got.path.read_bytes() == first.path.read_bytes()
    assert other.annotated.get(first.id) == store.annotated.get(first.id)
    assert [(e.action, e.at) for e in other.decisions.entries(first.id)] == [
        (e.action, e.at) for e in store.decisions.entries(first.id)
    ]
    assert other.documents.get(second.id).removed
    assert other.people.settings("anna") == {"thresholds": {"a.b": 0.5}}
    assert other.people.find(token) is None and other.people.tokens() == [], "tokens stay at home"
    assert other.annotated.search("befragung") and other.db.faults() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda files: files.pop("library.json"),
        lambda files: files.update({"library.json": b'{"format": "x"}'}),
        lambda files: files.update({"library.json": b"[" * 100_000}),
        lambda files: files.update({"documents/x.json": b"{}"}),
        lambda files: files.update({n: b.replace(b'"decisions": []', b'"decisions": [3]') for n, b in files.items()}),
        lambda files: files.update({n: b.replace(b"der Befragung lag", b"der Umfragen! lag") for n, b in files.items()}),
        lambda files: [files.pop(n) for n in list(files) if n.startswith("files/")],
    ],
)  # fmt: skip
def test_a_bad_export_gets_a_sentence(store: Store, tmp_path: Path, change) -> None:  # type: ignore[no-untyped-def]
    record = add(store)
    store.annotated.put(record.id, Document(id="a", text=TEXT).annotate([note()]))
    file = io.BytesIO()
    export_library(store, file)
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    bad = io.BytesIO()
    with zipfile.ZipFile(bad, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    other = Store(tmp_path / "other")
    with pytest.raises(FormatError) as error:
        import_library(other, bad)
    assert "\n" not in str(error.value) and other.documents.all() == []
    with pytest.raises(FormatError, match="no exported library"):
        import_library(other, io.BytesIO(b"no zip"))


def test_where_it_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MARGINALIA_LIBRARY", str(tmp_path / "mine"))
    assert default_folder() == tmp_path / "mine"
    monkeypatch.delenv("MARGINALIA_LIBRARY")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_folder().name == "library" and "marginalia" in str(default_folder())


@pytest.mark.parametrize(
    ("lines", "authors"),
    [
        (("Joseph Futoma, Katherine Heller JDF38,KH204@DUKE.EDU", "Duke University"), "Joseph Futoma, Katherine Heller"),
        (("Anna Ahn¹*, Ben Bo²,³", "¹ Department of Rooms"), "Anna Ahn, Ben Bo"),
        (("Version v2.1 vom 2020/08/06",), ""),
        (("¹ CELCT, Trento, Italy (forner@celct.it)",), ""),
        ((), ""),
    ],
)  # fmt: skip
def test_authors_are_names_without_addresses_and_affiliations(
    lines: tuple[str, ...], authors: str
) -> None:
    text = "\n".join(lines)
    starts = [text.index(line) for line in lines]
    regions = [
        {"kind": "authors", "start": start, "end": start + len(line)}
        for start, line in zip(starts, lines, strict=True)
    ]
    assert (
        brief_of(Document(id="d", text=text or "x", meta={"regions": regions})).authors == authors
    )
