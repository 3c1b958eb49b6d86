"""A scorer that hangs, eats memory, dies or raises: its submission fails, and the next one is scored."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from marginalia.bench.host import submissions
from marginalia.bench.host.site import Site
from marginalia.bench.host.submissions import Upload
from marginalia.bench.host.teams import Team, add_team
from marginalia.core import entry_points, registry
from tests.bench.host.small import make_competition, predictions

PLUGIN = """
import os
from dataclasses import replace
from marginalia.tasks.complexity.benchmark import BENCHMARK as COMPLEXITY

def score(split, pred):
    first = pred["s0"]
    if first == 1:
        while True:
            pass
    if first == 2:
        hoard = bytearray(2**34)
    if first == 3:
        os._exit(9)
    if first == 4:
        print("a scorer may print")
        raise KeyError("unforeseen")
    return COMPLEXITY.score(split, pred)

TASK = replace(COMPLEXITY, name="hostile", score=score)
"""
SAID = {
    1: "not done after 5 seconds",
    2: "more memory",
    3: "ended without an answer",
    4: "cannot handle it (KeyError)",
}


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A task of another package, installed as packages are."""
    place = tmp_path / "site-packages"
    info = place / "hostile-1.0.dist-info"
    info.mkdir(parents=True)
    (place / "hostile_task.py").write_text(PLUGIN, encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[marginalia.benchmarks]\nhostile = hostile_task:TASK\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.setenv("PYTHONPATH", str(place))
    caches = (entry_points._all_entries, registry._entries, registry._load)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


def test_one_bad_upload_never_stops_the_queue(
    tmp_path: Path, plugin: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    folder = make_competition(tmp_path / "host", seconds=5)
    settings = folder / "competition.toml"
    text = settings.read_text().replace('"complexity"', '"hostile"')
    settings.write_text(text.replace("upload_mb", "memory_mb = 1000\nupload_mb"))
    site = Site(folder)
    now = datetime.now(UTC)
    add_team(site.database, "blue", now)
    team, phase = Team(1, "blue", False), site.competition.phases[0]
    for number in (*SAID, 0.5):
        content = f"s0,{number}\n".encode() + predictions().partition(b"\n")[2]
        upload = Upload(file="pred.csv", content=content, request=str(number))
        submissions.enter(site.database, site.competition, team, phase, upload, now)
    while site.worker.score_next():
        pass
    found = {each["id"]: each for each in site.submissions(team)}
    for id, said in SAID.items():
        assert found[id]["state"] == "failed" and said in found[id]["problem"], found[id]
    assert found[5]["state"] == "scored"
    site.stop()


def test_what_breaks_the_server_down_again_and_again_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    site = Site(make_competition(tmp_path))
    now = datetime.now(UTC)
    add_team(site.database, "blue", now)
    team, phase = Team(1, "blue", False), site.competition.phases[0]
    upload = Upload(file="pred.csv", content=predictions(), request="1")
    submissions.enter(site.database, site.competition, team, phase, upload, now)
    for _ in range(3):
        assert site.worker.claim() is not None
        assert site.worker.claim() is None, "somebody is at it"
        site.worker.release()  # as a server does that finds what one before it left
    assert site.worker.score_next()
    assert site.submission(team, 1)["problem"] == "scoring broke down three times"
    assert not submissions.finish(site.database, 1, now, scores={}), "a result stays"
    site.stop()
