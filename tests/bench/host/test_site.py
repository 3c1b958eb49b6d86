"""What teams may do and what they may not: phases, limits, tokens, hostile uploads, and a log that holds."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from marginalia.bench.host import ledger
from marginalia.bench.host.ledger import audit
from marginalia.bench.host.site import Site
from marginalia.bench.host.teams import add_team, renew_token
from marginalia.core.errors import FormatError
from marginalia.web.competition.app import create_app
from tests.bench.host.small import make_competition, predictions

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
PHASE = "closes = 2026-06-10T00:00:00Z\n"


class Host:
    """A competition whose clock and queue the test moves by hand."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.now = NOON
        self.site = Site(make_competition(folder, **settings), clock=lambda: self.now)
        self.http = TestClient(create_app(self.site, hosts=("testserver",)))

    def team(self, name: str = "JUST BLUE", **options: Any) -> str:
        return add_team(self.site.database, name, self.now, **options)

    def send(self, token: str, content: bytes, key: str = "1", **query: str) -> Any:
        return self.http.post(
            "/api/submissions",
            params={"phase": "main", "file": "pred.csv", **query},
            headers={"authorization": f"Bearer {token}", "idempotency-key": key},
            content=content,
        )

    def get(self, path: str, token: str = "") -> Any:
        return self.http.get(path, headers={"authorization": f"Bearer {token}"} if token else {})

    def score(self) -> None:
        while self.site.worker.score_next():
            pass

    def count(self, table: str) -> int:
        with self.site.database.read() as rows:
            return int(rows.value(f"SELECT count(*) FROM {table}"))


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Host]]:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    made: list[Host] = []

    def make(**settings: Any) -> Host:
        made.append(Host(tmp_path / f"host{len(made)}", **settings))
        return made[-1]

    yield make
    for each in made:
        each.site.stop()


def test_a_team_hands_in_and_is_ranked(host: Callable[..., Host]) -> None:
    it = host()
    blue = it.http.post("/api/teams", json={"name": "JUST BLUE"}).json()["token"]
    red = it.http.post("/api/teams", json={"name": "Ärger 2"}).json()["token"]
    assert it.http.post("/api/teams", json={"name": "just  blue"}).status_code == 409
    for number in range(3):
        assert (
            it.send(blue, predictions(number), str(number), description="ours").status_code == 202
        )
    assert it.send(red, predictions(9)).status_code == 202
    assert it.get("/api/submissions/1", blue).json()["state"] == "queued"
    it.score()
    board = it.get("/api/board?phase=main").json()
    assert [row["rank"] for row in board] == [1, 2, None, None]
    assert {row["team"] for row in board[:2]} == {"JUST BLUE", "Ärger 2"}
    best = max(row["figures"]["words.pearson"] for row in board if row["team"] == "JUST BLUE")
    ranked = next(row for row in board[:2] if row["team"] == "JUST BLUE")
    assert ranked["figures"]["words.pearson"] == best, "the best one counts"
    low, high = ranked["intervals"]["words.pearson"]
    assert low < best < high
    by_multi = it.get("/api/board?phase=main&figure=multi.pearson").json()
    values = [row["figures"]["multi.pearson"] for row in by_multi[:2]]
    assert [row["rank"] for row in by_multi[:2]] == [1, 2] and values[0] > values[1]
    assert it.get("/api/board?phase=main&figure=nosuch").status_code == 422
    # The same figure as the official scorer gives for the file.
    task = it.site.competition.card
    file = it.site.competition.folder / "pred.csv"
    file.write_bytes(predictions(9))
    gold = it.site.competition.folder / "data" / "complex-lcp" / "trial"
    said = task.score_files(gold, file).scores["words"]["pearson"]
    shown = next(row for row in board if row["team"] == "Ärger 2")["figures"]["words.pearson"]
    assert shown == pytest.approx(said, abs=1e-12)


def test_the_same_request_is_the_same_submission(host: Callable[..., Host]) -> None:
    it = host(per_day=1)
    token = it.team()
    first = it.send(token, predictions(), "key").json()
    assert it.send(token, predictions(), "key").json()["id"] == first["id"]
    again = it.send(token, predictions(), "another")
    assert again.status_code == 429 and "2026-06-02" in again.json()["error"]
    it.now = it.now.replace(day=2)
    assert it.send(token, predictions(), "another").status_code == 202


def test_what_does_not_fit_is_told_by_line_and_counts_for_nothing(
    host: Callable[..., Host],
) -> None:
    it = host(per_day=1)
    token = it.team()
    lines = predictions().decode().splitlines()
    broken = {
        "pred.csv:3: ": [*lines[:2], "s2,NaN", *lines[3:]],
        "pred.csv:2: the id 's0' is given twice": [lines[0], *lines],
        "1 of 24 ids have no prediction": lines[1:],
        "is not in the split": [*lines, "zzz,0.5"],
    }
    for said, rows in broken.items():
        answer = it.send(token, "\n".join(rows).encode(), said[:5])
        assert answer.status_code == 422
        assert said in answer.json()["error"], answer.json()
    assert it.count("submissions") == 0
    assert it.send(token, predictions()).status_code == 202


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


HOSTILE = {
    "a path that leads out": (zipped({"../../evil.csv": b"s0,1"}), "which is no file of it"),
    "a path from the root": (zipped({"/etc/evil.csv": b"s0,1"}), "which is no file of it"),
    "a bomb": (zipped({"a.csv": b"0" * (300 * 2**20)}), "the limit"),
    "a zip in name only": (b"PK\x03\x04 nonsense", "pred"),
    "a line without an end": (b"s0," + b"1" * (1100 * 1024), "the line is longer"),
    "bytes that are no text": (b"\xff\xfe\x00", "UTF-8"),
    "an infinite number": (b"s0,inf", "pred.csv:1"),
    "markup as an id": (b"<script>alert(1)</script>,0.5", "not in the split"),
    "nothing": (b"", "empty"),
}


def test_hostile_files_are_refused_and_change_nothing(
    host: Callable[..., Host], tmp_path: Path
) -> None:
    it = host()
    token = it.team()
    before = it.get("/api/competition").json()["head"]
    for kind, (content, said) in HOSTILE.items():
        name = "pred.zip" if content[:2] == b"PK" else "pred.csv"
        answer = it.send(token, content, kind, file=name)
        assert answer.status_code == 422, kind
        assert said in answer.json()["error"], (kind, answer.json())
        assert str(tmp_path.anchor + "tmp") not in answer.json()["error"]
        assert "marginalia-" not in answer.json()["error"]
    assert it.get("/api/competition").json()["head"] == before
    assert it.count("submissions") == 0
    assert not list(tmp_path.rglob("evil*"))
    assert it.send(token, predictions()).status_code == 202, "the queue goes on"


def test_an_upload_beyond_the_limit_is_refused_before_it_is_read(host: Callable[..., Host]) -> None:
    it = host()
    token = it.team()

    def gigabyte() -> Iterator[bytes]:
        for _ in range(1024):
            yield b"[" * 2**20

    answer = it.send(token, gigabyte())
    assert answer.status_code == 413 and "2 MB" in answer.json()["error"]
    declared = it.http.post(
        "/api/submissions", headers={"content-length": str(2**30)}, content=b"[]"
    )
    assert declared.status_code == 413


@pytest.mark.parametrize(
    "name",
    ["<b>bold</b>", "x'; DROP TABLE teams; --", "../gold", "", "a\nb", "x" * 61, "\u202eevil"],
)
def test_odd_team_names_are_refused(host: Callable[..., Host], name: str) -> None:
    it = host()
    answer = it.http.post("/api/teams", json={"name": name})
    if name == "a\nb":  # white space is made plain
        assert answer.status_code == 201
        return
    assert answer.status_code == 422 and "team's name" in answer.json()["error"]
    assert it.count("teams") == 0


def test_odd_fields_are_refused_or_kept_as_text(host: Callable[..., Host]) -> None:
    it = host()
    token = it.team()
    for file in ("../../etc/passwd", "a/b.csv", "<img>.csv", "..", "x\0.csv"):
        assert it.send(token, predictions(), file=file).status_code == 422, file
    sql = "'); DROP TABLE submissions; --"
    assert it.send(token, predictions(), sql, description=sql).status_code == 202
    assert it.get("/api/submissions", token).json()[0]["description"] == sql
    for phase in ("main' OR '1'='1", "nosuch"):
        assert it.send(token, predictions(), "2", phase=phase).status_code == 422
        assert it.get(f"/api/board?phase={phase}").status_code == 422
    assert it.get("/api/submissions/99999999999999999999", token).status_code == 404


def test_one_team_sees_nothing_of_another(host: Callable[..., Host]) -> None:
    it = host()
    blue, red, boss = it.team("blue"), it.team("red"), it.team("boss", is_organiser=True)
    it.send(blue, predictions())
    for token in (red, "", "x" * 43):
        wanted = 404 if token == red else 401
        for path in ("/api/submissions/1", "/api/submissions/1/file"):
            assert it.get(path, token).status_code == wanted
    answer = it.http.post(
        "/api/submissions/1/withdrawal",
        json={"reason": ""},
        headers={"authorization": f"Bearer {red}"},
    )
    assert answer.status_code == 404
    assert it.get("/api/submissions", red).json() == []
    own = it.get("/api/submissions/1/file", blue)
    assert own.content == predictions()
    assert own.headers["content-disposition"].startswith("attachment")
    assert it.get("/api/submissions/1/file", boss).content == predictions()


def test_gold_and_database_have_no_address(host: Callable[..., Host]) -> None:
    it = host()
    for path in (
        "competition.sqlite", "competition.toml", "data/complex-lcp/trial/lcp_single_trial.tsv",
        "..%2fcompetition.toml", "%2e%2e/competition.toml", "static/../app.py", "app.py",
    ):  # fmt: skip
        assert it.get(f"/{path}").status_code == 404, path
    assert it.get("/").status_code == 200


def test_tokens_are_stored_hashed_and_can_be_renewed(host: Callable[..., Host]) -> None:
    it = host()
    token = it.team("blue")
    stored = (it.site.competition.folder / "competition.sqlite").read_bytes()
    wal = it.site.competition.folder / "competition.sqlite-wal"
    assert token.encode() not in stored + (wal.read_bytes() if wal.exists() else b"")
    new = renew_token(it.site.database, "Blue", it.now)
    assert it.get("/api/team", token).status_code == 401
    assert it.get("/api/team", new).json() == {"name": "blue", "organiser": False}


def test_phases_open_and_close(host: Callable[..., Host]) -> None:
    it = host(phase=PHASE)
    token = it.team()
    it.now = datetime(2019, 12, 31, tzinfo=UTC)
    assert "opens at 2020-01-01" in it.send(token, predictions()).json()["error"]
    it.now = datetime(2026, 6, 10, tzinfo=UTC)
    late = it.send(token, predictions())
    assert late.status_code == 403 and "closed at 2026-06-10" in late.json()["error"]


def test_late_and_withdrawn_submissions_are_marked_and_not_ranked(
    host: Callable[..., Host],
) -> None:
    it = host(phase=PHASE + "late = true\n")
    token, other = it.team(), it.team("other")
    it.send(token, predictions(1), "1")
    it.send(token, predictions(2), "2")
    it.send(other, predictions(3), "3")
    it.now = datetime(2026, 6, 11, tzinfo=UTC)
    assert it.send(other, predictions(4), "4").json()["late"] is True
    it.score()
    withdrawn = it.http.post(
        "/api/submissions/3/withdrawal",
        json={"reason": "trained on the gold"},
        headers={"authorization": f"Bearer {other}"},
    )
    assert withdrawn.json()["state"] == "withdrawn"
    board = {row["submission"]: row for row in it.get("/api/board?phase=main").json()}
    assert board[3]["mark"] == "withdrawn" and board[4]["mark"] == "late"
    assert [row["rank"] for row in board.values()].count(1) == 1
    assert {id for id, row in board.items() if row["rank"]} <= {1, 2}


def test_private_figures_stay_private_until_the_end(host: Callable[..., Host]) -> None:
    it = host(phase=PHASE + "public = 0.5\n")
    token, boss = it.team(), it.team("boss", is_organiser=True)
    it.send(token, predictions(7))
    it.score()
    public = it.get("/api/board?phase=main").json()[0]["figures"]["words.pearson"]
    final = it.get("/api/board?phase=main", boss).json()[0]["figures"]["words.pearson"]
    assert public != final
    own = it.get("/api/submissions/1", token)
    assert own.json()["figures"]["words.pearson"] == public
    log = it.get("/api/log").text
    for text in (own.text, log):
        assert repr(final)[:8] not in text
    it.now = datetime(2026, 6, 11, tzinfo=UTC)
    assert it.get("/api/board?phase=main").json()[0]["figures"]["words.pearson"] == final


def test_nothing_is_shown_where_nothing_is_public(host: Callable[..., Host]) -> None:
    it = host(phase=PHASE + "public = 0\n")
    token = it.team()
    it.send(token, predictions(1))
    it.score()
    (row,) = it.get("/api/board?phase=main").json()
    assert row["rank"] is None and set(row["figures"].values()) == {None}
    it.now = datetime(2026, 6, 11, tzinfo=UTC)
    (row,) = it.get("/api/board?phase=main").json()
    assert row["rank"] == 1 and row["figures"]["words.pearson"] is not None


def test_the_log_shows_every_change(host: Callable[..., Host]) -> None:
    it = host()
    token = it.team()
    it.send(token, predictions(1), "1")
    kept = it.get("/api/competition").json()["head"]
    it.send(token, predictions(2), "2")
    it.score()
    database = it.site.database
    assert audit(database, kept=kept).faults == ()
    assert audit(database, kept="f" * 64).faults
    with sqlite3.connect(database.url) as hand, pytest.raises(sqlite3.IntegrityError):
        hand.execute("UPDATE ledger SET who = 'nobody'")
    changes = {
        "UPDATE results SET scores = replace(scores, '0', '9') WHERE submission = 1": "result of submission 1 was",
        "UPDATE submissions SET content = x'00' WHERE id = 2": "file of submission 2",
        "UPDATE submissions SET withdrawn = 'x' WHERE id = 1": "withdrawn in the log or in the table",
        "DROP TRIGGER ledger_no_update": "",
        "UPDATE ledger SET who = 'nobody' WHERE number = 2": "entry 2 was changed",
        "DROP TRIGGER ledger_no_delete": "",
        "DELETE FROM ledger WHERE number = 3": "entry 3 is missing",
        "DELETE FROM results WHERE submission = 2": "result of submission 2 of the log is not there",
    }
    for sql, said in changes.items():
        with sqlite3.connect(database.url) as hand:
            hand.execute(sql)
        assert any(said in fault for fault in audit(database).faults) or not said, sql


def test_a_chain_made_anew_is_known_by_the_hash_somebody_kept() -> None:
    entry = ledger.Entry(1, "t", "w", "x", "{}", ledger.BEGINNING, "0")
    assert ledger.chain_faults([entry]) == ["entry 1 was changed"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("title = 'x'\ntask = 'complexity'", "[[phases]]"),
        ("title = 'x'\ntask = 'nosuch'\n[[phases]]\nname='a'\nopens=2020-01-01T00:00:00Z\nsplit='dev'", "no task"),
        ("title = 'x'\ntask = 'complexity'\n[[phases]]\nname='a'\nopens=2020-01-01T00:00:00\nsplit='dev'", "zone"),
        ("title = 'x'\ntask = 'complexity'\n[[phases]]\nname='a'\nopens=2020-01-01T00:00:00Z\nsplit='dve'", "'dev'"),
        ("title = 'x'\ntask = 'complexity'\nphase = 1", "did you mean 'phases'"),
        ("title = 'x'\ntask = 'complexity'\n[limits]\nper_day = -1\n[[phases]]", "per_day"),
    ],
)  # fmt: skip
def test_settings_that_are_wrong_are_told(tmp_path: Path, settings: str, said: str) -> None:
    from marginalia.bench.host.settings import read_competition
    from marginalia.core.errors import MarginaliaError

    (tmp_path / "competition.toml").write_text(settings, encoding="utf-8")
    with pytest.raises(MarginaliaError, match=said.replace("[[", r"\[\[")):
        read_competition(tmp_path)


def test_gold_files_can_take_the_place_of_a_split(tmp_path: Path) -> None:
    from marginalia.bench.host.judge import Judge
    from marginalia.bench.host.settings import read_competition

    (tmp_path / "reference.csv").write_bytes(predictions(1))
    (tmp_path / "competition.toml").write_text(
        "title='x'\ntask='complexity'\nmetrics=['pearson']\n[[phases]]\nname='old'\n"
        "gold='reference.csv'\nopens=2020-01-01T00:00:00Z\n",
        encoding="utf-8",
    )
    competition = read_competition(tmp_path)
    judge, phase = Judge(competition), competition.phases[0]
    pred = tmp_path / "pred.csv"
    pred.write_bytes(predictions(1))
    assert judge.score(phase, pred)["public"]["scores"]["pearson"] == pytest.approx(1)
    pred.write_bytes(b"s0,x\n")
    with pytest.raises(FormatError, match=r"pred\.csv:1"):
        judge.check(phase, pred)
