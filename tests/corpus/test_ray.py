"""Ray gives the same rows as the processes of this machine, and the same errors."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from marginalia import MissingError
from marginalia.corpus.ray_engine import RayWorker
from marginalia.corpus.run import annotate_corpus, get_engine
from marginalia.corpus.settings import Settings, key_of
from marginalia.corpus.sources import list_items
from tests.corpus.conftest import marginalia
from tests.corpus.rows import all_rows


@pytest.mark.slow
def test_the_same_rows_as_the_local_engine(
    papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "RAY_ADDRESS", "127.0.0.1:1"
    )  # what another program has left, and nobody is there
    (papers / "crash.txt").write_text("This will CRASH the worker.")
    (papers / "empty.txt").write_text("")
    for engine in ("local", "ray"):
        words = [
            "corpus",
            "annotate",
            papers,
            "-o",
            tmp_path / engine,
            "--notes",
            "fragile",
            "--no-vectors",
        ]
        ran = marginalia(*words, "--engine", engine, "--workers", 2)
        assert ran.returncode == 1, ran.stderr
    assert all_rows(tmp_path / "ray", without=()) == all_rows(tmp_path / "local", without=())


@pytest.mark.usefixtures("fragile")
def test_what_an_actor_does_is_a_row_in_and_a_row_out(papers: Path) -> None:
    settings = Settings(notes=("fragile",), vectors=False).check()
    items = list(list_items([str(papers)]))[:3]
    actor = RayWorker(settings.to_dict(), key_of(settings.facts()))
    row = {"items": json.dumps([item.to_dict() for item in items]), "data": [None] * 3}
    try:
        head = json.loads(actor(row)["head"])
    finally:
        actor.worker.close()
    assert [one["status"] for one in head["documents"]] == ["done"] * 3
    assert head["rows"]["annotations"] == 12


def test_no_cluster_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "a.txt").write_text("A Text.")
    with pytest.raises(MissingError, match="no Ray cluster"):
        annotate_corpus(
            [str(tmp_path / "a.txt")],
            tmp_path / "out",
            Settings(notes=("words",), vectors=False),
            engine=get_engine("ray", f"127.0.0.1:{port}"),
        )
