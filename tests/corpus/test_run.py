"""A run over many documents: the rows, what is done once only, and what goes wrong with some."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from marginalia import FormatError, UnknownNameError
from marginalia.cli.corpus.annotate import describe
from marginalia.corpus.database import connect
from marginalia.corpus.run import Standing, annotate_corpus, batch_size, choose, is_in_shard
from marginalia.corpus.settings import Settings, key_of
from marginalia.corpus.sources import list_items
from marginalia.corpus.store import Store
from marginalia.corpus.supervisor import Worker
from tests.corpus.conftest import marginalia
from tests.corpus.rows import all_rows

FRAGILE = Settings(notes=("fragile",), vectors=False)


def ask(folder: Path, sql: str) -> list[dict[str, object]]:
    with connect(Store.open(folder)) as database:
        return database.rows(sql)


@pytest.mark.usefixtures("fragile")
def test_a_folder_that_grows_changes_and_shrinks(papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = annotate_corpus([str(papers)], out, FRAGILE, workers=2)
    assert (done.new, done.documents, done.errors) == (12, 12, 0)
    assert done.notes == {"fragile: hard word": 12 * 4}
    first = all_rows(out)
    rows = ask(
        out, 'SELECT document, year, "group", title FROM documents ORDER BY document LIMIT 1'
    )
    assert rows == [
        {"document": "papers/2019/paper-00.txt", "year": 2019, "group": "2019", "title": "paper-00"}
    ]
    links = ask(out, "SELECT target, label, score, quote FROM links LIMIT 1")
    assert links == [{"target": "V1", "label": "Trust in people", "score": 0.9, "quote": "Trust"}]
    assert len(ask(out, "FROM passages WHERE text LIKE 'Paper%' AND vector IS NULL")) == 12

    # Nothing is new: nothing is read, also not after a file was only touched.
    commits = len(list(Store(out).commits()))
    assert annotate_corpus([str(papers)], out, FRAGILE).same == 12
    assert len(list(Store(out).commits())) == commits
    os.utime(papers / "2019" / "paper-00.txt", (1, 1))
    touched = annotate_corpus([str(papers)], out, FRAGILE)
    assert (touched.new, touched.same) == (0, 12) and all_rows(out) == first

    (papers / "2019" / "paper-00.txt").write_text("Now it says Something Else.")
    (papers / "2020" / "paper-01.txt").unlink()
    (papers / "new.txt").write_text("A New one.")
    grown = annotate_corpus([f"{papers}/"], out, FRAGILE)  # the same folder, written otherwise
    assert (grown.new, grown.same, grown.gone, grown.documents) == (2, 10, 1, 12)
    here = ask(out, "SELECT count(*) AS n FROM annotations")[0]["n"]
    assert sum(grown.notes.values()) == here, "what was replaced or is gone does not count"
    status = ask(out, "SELECT status, count(*) AS n FROM all_documents GROUP BY ALL ORDER BY ALL")
    assert status == [{"status": "gone", "n": 1}, {"status": "present", "n": 12}]
    text = (
        "SELECT quote FROM annotations WHERE document = 'papers/2019/paper-00.txt' ORDER BY start"
    )
    assert [row["quote"] for row in ask(out, text)] == ["Now", "Something", "Else."]
    assert not ask(out, "FROM annotations WHERE document = 'papers/2020/paper-01.txt'")

    # Back to what it was: the rows of the first run, each once.
    for number, year in ((0, 2019), (1, 2020)):
        text = f"Paper {number} says that Trust matters.\n\nIt was a Study of {number} people.\n"
        (papers / str(year) / f"paper-{number:02}.txt").write_text(text)
    (papers / "new.txt").unlink()
    annotate_corpus([str(papers)], out, FRAGILE)
    assert all_rows(out) == first


BROKEN = {
    "empty.txt": b"",
    "blank.md": b" \n\n ",
    "latin.txt": b"caf\xe9 \xff\xfe\x00",
    "cut.pdf": b"%PDF-1.7\n1 0 obj\n<<",
    "zip.docx": b"PK\x03\x04 and no more",
    "bomb.xml": b'<!DOCTYPE article [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><article>&b;</article>',
    "deep.html": b"<div>" * 100,
    "note.ipynb": b"[" * 100_000,
    "crash.txt": b"This will CRASH the worker.",
    "greedy.txt": b"This is GREEDY.",
    "bug.txt": b"This meets a BUG.",
}


def test_broken_documents_are_errors_and_the_rest_is_annotated(
    papers: Path, tmp_path: Path
) -> None:
    """Through the command, whose exit code says so."""
    for name, content in BROKEN.items():
        (papers / name).write_bytes(content)
    Path(os.fsdecode(os.fsencode(papers) + b"/caf\xe9.txt")).write_text("Its Name is no text.")
    out = tmp_path / "out"
    words = [
        "corpus",
        "annotate",
        papers,
        "-o",
        out,
        "--notes",
        "fragile",
        "--no-vectors",
        "--workers",
        2,
    ]
    ran = marginalia(*words, "--json")
    assert ran.returncode == 1, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["documents"], told["errors"]) == (13, len(BROKEN))
    rows = ask(out, "SELECT document, kind, reason FROM errors ORDER BY document")
    kinds = {str(row["document"]).removeprefix("papers/"): row["kind"] for row in rows}
    assert kinds == {
        **dict.fromkeys(BROKEN, "unreadable"),
        "crash.txt": "crash",
        "greedy.txt": "memory",
        "bug.txt": "failed",
    }
    assert all(row["reason"] for row in rows)
    assert "SIGKILL" in next(str(row["reason"]) for row in rows if row["kind"] == "crash")

    # Errors are final until somebody asks, or the file changes.
    (papers / "crash.txt").write_text("It is Mended.")
    again = marginalia(*words, "--json")
    assert again.returncode == 1 and json.loads(again.stdout)["new"] == 1
    assert len(ask(out, "FROM errors")) == len(BROKEN) - 1


@pytest.mark.usefixtures("fragile")
def test_a_document_that_hangs_costs_its_time_and_no_more(papers: Path) -> None:
    """Only the second document of a worker has nothing but its own time: the first one loads the models."""
    settings = Settings(notes=("fragile",), vectors=False, seconds=2.0).check()
    (papers / "hang.txt").write_text("This will HANG for ever.")
    items = {item.name: item for item in list_items([str(papers)])}
    good, hang = items["papers/2019/paper-00.txt"], items["papers/hang.txt"]
    with Worker(settings, "key") as worker:
        part = worker.annotate([good, hang, good])
        first, rest = worker.annotate_for([good, good, hang], 0.0)
    assert [row["status"] for row in part.documents] == ["done", "error", "done"]
    assert part.documents[1]["kind"] == "time" and part.rows["errors"] == 1
    assert len(first.documents) == 1 and rest == [good, hang], "one at least, the rest is for later"


def test_progress_tells_rate_and_time_left_of_what_is_new() -> None:
    def told(looked_at: int, left_out: int, total: int | None, failed: int = 0) -> str:
        now = Standing(looked_at=looked_at, left_out=left_out, failed=failed, total=total)
        return describe(now, 60.0)

    assert told(0, 500, 1000) == "starting"
    assert told(60, 500, 620) == "1.00 a second, 1 min left"
    assert told(3, 0, 603, failed=2) == "3.0 a minute, 3.3 h left, 2 failed"
    assert told(60, 0, None) == "1.00 a second"


def test_settings_that_cannot_work_are_errors_before_any_work(tmp_path: Path) -> None:
    for settings, message in (
        (Settings(notes=("nonsense",)), "nonsense"),
        (Settings(options={"color": "red"}), "color"),
        (Settings(notes=("words",), systems={"measurements": "rules"}), "no measurements notes"),
        (Settings(notes=("words",), systems={"words": "features"}), "one system only"),
        (Settings(notes=("measurements",), systems={"measurements": "nonsense"}), "nonsense"),
    ):
        with pytest.raises((FormatError, UnknownNameError), match=message):
            annotate_corpus([str(tmp_path)], tmp_path / "out", settings)
    assert not (tmp_path / "out").exists()


def test_the_key_of_settings_is_that_of_the_rows(tmp_path: Path) -> None:
    def key(**changes: object) -> str:
        return key_of(Settings(**changes).check().facts())

    catalogue = tmp_path / "a.csv"
    catalogue.write_text("id,label\nV1,Trust\n")
    copy = tmp_path / "b.csv"
    copy.write_text(catalogue.read_text())
    plain = key()
    assert plain == key(seconds=1.0, memory=1)
    assert len({plain, key(notes=("words",)), key(vectors=False), key(lang="de")}) == 4
    assert key(options={"catalogue": str(catalogue)}) == key(options={"catalogue": str(copy)})
    copy.write_text("id,label\nV2,Health\n")
    assert key(options={"catalogue": str(catalogue)}) != key(options={"catalogue": str(copy)})


def test_samples_and_shards(papers: Path) -> None:
    items = list(list_items([str(papers)]))
    five = choose(items, 5)
    assert len(five) == 5 and five == choose(reversed(items), 5)
    shards = [[item.name for item in items if is_in_shard(item.name, k, 3)] for k in (1, 2, 3)]
    assert sorted(name for shard in shards for name in shard) == sorted(item.name for item in items)
    assert batch_size(None, 4) == 16 and batch_size(3, 4) == 1 and batch_size(10_000, 2) == 16


@pytest.mark.usefixtures("fragile")
def test_a_sample_marks_nothing_as_gone_and_a_dry_run_writes_nothing(
    papers: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = annotate_corpus([str(papers)], out, FRAGILE, sample=3)
    assert (done.new, done.gone) == (3, 0)
    assert annotate_corpus([str(papers)], out, FRAGILE, sample=3).same == 3
    words = [
        "corpus",
        "annotate",
        papers,
        "-o",
        tmp_path / "dry",
        "--notes",
        "fragile",
        "--no-vectors",
    ]
    ran = marginalia(*words, "--dry-run", "--json")
    told = json.loads(ran.stdout)
    assert (told["documents"], told["sample"], told["failed"]) == (12, 8, 0)
    assert told["hours"] >= 0 and not (tmp_path / "dry").exists()
