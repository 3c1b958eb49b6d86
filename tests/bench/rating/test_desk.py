"""Sessions of raters: sheets, hidden gold questions, answers that are kept, and official files at the end."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from marginalia.bench.building import is_near
from marginalia.bench.host.errors import RefusedError
from marginalia.bench.rating import Desk, export, overlap
from marginalia.cli.main import cli
from marginalia.core.errors import FormatError
from marginalia.core.registry import BUILDERS
from marginalia.tasks.measurement.official.tsv import read_spans
from marginalia.web.rating.app import create_app
from tests.bench.rating.campaigns import (
    campaign,
    measurement_campaign,
    variables_campaign,
    words_campaign,
)


def rate_all(desk: Desk, token: str, value: float, gold: float = 1) -> str:
    """Answer until the session ends; its state then."""
    while (session := desk.session(token))["question"]:
        id = session["question"]["id"]
        desk.answer(token, id, gold if id in desk.gold else value)
    return session["state"]


def test_every_rater_gets_a_sheet_until_all_is_rated(tmp_path: Path) -> None:
    desk = Desk(words_campaign(tmp_path, ratings=2, per_rater=4))
    tokens = [desk.begin(f"rater {n}") for n in range(4)]
    with pytest.raises(RefusedError, match="every sheet is being rated"):
        desk.begin("one too many")
    for token in tokens:
        assert rate_all(desk, token, 3) == "done"
    with pytest.raises(RefusedError, match="nothing is left"):
        desk.begin("one too many")
    built = export(desk)
    rows = [row.split("\t") for row in built.files["ratings.tsv"].splitlines()[1:]]
    assert len(rows) == 16 and built.figures["raters"] == 4
    assert {row[0] for row in rows} == {f"w{n}" for n in range(8)}, "gold questions are no items"
    with_gold = export(desk, with_gold=True).files["ratings.tsv"]
    assert "\nw8\t" in with_gold or "\nw9\t" in with_gold


def test_the_sheet_of_a_rater_who_left_comes_back(tmp_path: Path) -> None:
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    desk = Desk(words_campaign(tmp_path, ratings=1, per_rater=20), clock=lambda: now[0])
    left = desk.begin("visitor")
    first = desk.session(left)["question"]["id"]
    desk.answer(left, first, 1 if first in desk.gold else 2)
    with pytest.raises(RefusedError, match="being rated"):
        desk.begin("Ann")
    now[0] += timedelta(hours=25)
    token = desk.begin("Ann")
    assert rate_all(desk, token, 3) == "done"
    assert len(desk.given_answers()["Ann"]) == desk.session(token)["of"]
    assert desk.session(left)["done"] == 1, "what was answered before is kept"
    now[0] += timedelta(hours=25)
    with pytest.raises(RefusedError, match="nothing is left"):
        desk.begin("Bob")


def test_the_sheet_of_a_stopped_rater_comes_back_at_once(tmp_path: Path) -> None:
    desk = Desk(words_campaign(tmp_path, ratings=1, per_rater=20))
    assert rate_all(desk, desk.begin("careless"), 3, gold=5) == "stopped"
    assert rate_all(desk, desk.begin("Ann"), 3) == "done"


def test_a_session_goes_on_where_it_stopped(tmp_path: Path) -> None:
    folder = words_campaign(tmp_path, per_rater=20)
    token = Desk(folder).begin("Ann")
    first = Desk(folder).session(token)
    Desk(folder).answer(token, first["question"]["id"], 2)
    after = Desk(folder).session(token)  # another server, the same session
    assert after["done"] == 1 and after["question"]["id"] != first["question"]["id"]
    assert after["last"] == first["question"]["id"]
    seen = Desk(folder).question(token, after["last"])
    assert seen["answer"] == 2 and seen["answered"]


def test_any_answer_can_be_changed_so_that_gold_cannot_be_told(tmp_path: Path) -> None:
    desk = Desk(words_campaign(tmp_path, per_rater=20, qualify=5))
    token = desk.begin("Ann")
    rate_all(desk, token, 3)
    for id in ("w0", "w8"):
        desk.answer(token, id, 2)
        assert desk.question(token, id)["answer"] == 2


def test_who_fails_the_gold_questions_is_stopped_and_left_out(tmp_path: Path) -> None:
    desk = Desk(words_campaign(tmp_path, per_rater=20, qualify=2))
    good, bad = desk.begin("good"), desk.begin("bad")
    assert rate_all(desk, good, 3, gold=2) == "done", "one off is still right"
    assert rate_all(desk, bad, 3, gold=5) == "stopped"
    with pytest.raises(RefusedError, match="has ended"):
        desk.answer(bad, "w0", 1)
    built = export(desk)
    assert built.figures["raters"] == 1 and built.figures["stopped"] == 1
    assert "bad" not in built.files["ratings.tsv"]


def test_the_api_never_says_which_questions_are_gold(tmp_path: Path) -> None:
    desk = Desk(words_campaign(tmp_path, per_rater=20))
    http = TestClient(create_app(desk, hosts=("testserver",)))
    token = http.post("/api/sessions", json={"name": "Ann"}).json()["token"]
    head = {"authorization": f"Bearer {token}"}
    shapes = set()
    for _ in range(10):
        session = http.get("/api/session", headers=head).json()
        assert "gold" not in str(session)
        question = session["question"]
        shapes.add(tuple(sorted(question)))
        answer = http.post("/api/answers", json={"id": question["id"], "answer": 1}, headers=head)
        assert answer.status_code == 200
    assert len(shapes) == 1
    for value in (0, 6, "3", True, [1], None, 2.5):
        bad = http.post("/api/answers", json={"id": "w0", "answer": value}, headers=head)
        assert bad.status_code == 422 and "no point of the scale" in bad.json()["error"]
    assert http.get("/api/session", headers={"authorization": "Bearer x"}).status_code == 401
    assert (
        http.post("/api/answers", json={"id": "no", "answer": 1}, headers=head).status_code == 404
    )
    assert http.post("/api/sessions", json={"name": "ANN"}).status_code == 409
    assert http.get("/annotation.sqlite").status_code == 404


SPANS: list[dict[str, Any]] = [
    {"type": "Quantity", "start": 19, "end": 23, "unit": "kg"},
    {"type": "MeasuredProperty", "start": 12, "end": 18, "of": 0},
    {"type": "MeasuredEntity", "start": 0, "end": 11, "of": 1},
]


def test_spans_become_official_files_that_can_be_compared(tmp_path: Path) -> None:
    desk = Desk(measurement_campaign(tmp_path))
    for name in ("ann", "bob"):
        token = desk.begin(name)
        desk.answer(token, "d1", SPANS)
    built = export(desk)
    paths = []
    for name, content in built.files.items():
        paths.append(tmp_path / name)
        paths[-1].write_text(content, encoding="utf-8")
    spans = [span for _, span in read_spans(paths[0])]
    assert [(span.type, span.text) for span in spans] == [
        ("Quantity", "5 kg"),
        ("MeasuredProperty", "weighs"),
        ("MeasuredEntity", "The 🪨 stone"),
    ]
    assert spans[2].other == {"HasProperty": "T2-1"} and spans[0].unit == "kg"
    compare = BUILDERS.get("measurement").compare_annotators
    assert compare is not None and compare(paths).scores["overall"]["f1_overlap"] == 1


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (SPANS, True), (SPANS[:1], True), ([], False), ([{"type": "Quantity", "start": 4, "end": 9}], False),
        ([{"type": "Quantity", "start": 20, "end": 23}], True),
        ([{"type": "MeasuredUnit", "start": 19, "end": 23}], False), ([SPANS[0]] * 4, False),
    ],
)  # fmt: skip
def test_marked_spans_can_be_gold_questions(
    tmp_path: Path, answer: list[dict[str, Any]], right: bool
) -> None:
    assert (overlap(answer, SPANS) >= 0.5) is right


def test_who_marks_the_wrong_spans_is_stopped(tmp_path: Path) -> None:
    folder = measurement_campaign(tmp_path, gold="gold.jsonl", qualify=1)
    (folder / "text" / "d2.txt").write_text("The 🪨 stone weighs 5 kg.", encoding="utf-8")
    known = folder / "gold.jsonl"
    known.write_text(json.dumps({"id": "d2", "answer": SPANS}) + "\n", encoding="utf-8")
    desk = Desk(folder)
    good, bad = desk.begin("good"), desk.begin("bad")
    desk.answer(good, "d2", [{**SPANS[0], "start": 20}, SPANS[1]])
    desk.answer(bad, "d2", [])
    assert desk.session(good)["state"] == "open" and desk.session(bad)["state"] == "stopped"
    assert list(desk.given_answers()) == ["good"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "d1"}', "gold.jsonl:1: .*was expected"),
        ('{"id": "d1", "answer": [{"type": "No", "start": 0, "end": 1}]}', "gold question 'd1': a span has"),
        ('{"id": "d9", "answer": []}', "'d9' is not among the items"),
        ('{"id": "d1", "answer": []}\n{"id": "d1", "answer": []}', "gold.jsonl:2: .*given twice"),
        ("[", "gold.jsonl:1: not JSON"),
    ],
)  # fmt: skip
def test_gold_that_is_none_is_refused(tmp_path: Path, line: str, said: str) -> None:
    folder = measurement_campaign(tmp_path, gold="gold.jsonl")
    (folder / "gold.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(FormatError, match=said):
        Desk(folder)


def test_what_does_not_apply_is_near_to_itself_only() -> None:
    assert is_near(None, None, 1) and is_near(2, 3, 1)
    assert not is_near(None, 3, 1) and not is_near(3, None, 1) and not is_near(1, 3, 1)


@pytest.mark.parametrize(
    "answer",
    [
        "x", [1], [{"type": "Nothing", "start": 0, "end": 1}], [{"type": "Quantity", "start": 3, "end": 3}],
        [{"type": "Quantity", "start": 0, "end": 999}], [{"type": "Quantity", "start": True, "end": 2}],
        [{"type": "MeasuredEntity", "start": 0, "end": 3}], [{"type": "MeasuredEntity", "start": 0, "end": 3, "of": 0}],
        [{"type": "Quantity", "start": 0, "end": 3, "unit": "x" * 101}], [SPANS[0]] * 301,
    ],
)  # fmt: skip
def test_spans_that_are_none_are_refused(tmp_path: Path, answer: Any) -> None:
    desk = Desk(measurement_campaign(tmp_path))
    token = desk.begin("ann")
    with pytest.raises(FormatError):
        desk.answer(token, "d1", answer)
    assert desk.session(token)["done"] == 0


def test_choices_become_official_files(tmp_path: Path) -> None:
    desk = Desk(variables_campaign(tmp_path))
    for name, chosen in (("ann", ["v2", "v1"]), ("bob", [])):
        desk.answer(desk.begin(name), "u1", chosen)
    with pytest.raises(FormatError, match="not one of the choices"):
        desk.questions["u1"].check(["v3"])
    built = export(desk)
    assert built.files["ann.tsv"].splitlines()[1].split("\t")[1:3] == ["1", "v1;v2"]
    assert built.files["bob.tsv"].splitlines()[1].split("\t")[1:3] == ["0", ""]


def test_sentences_and_fillers_are_asked_for_too(tmp_path: Path) -> None:
    pairs = campaign(tmp_path / "sts", "similarity", "STS.input.x.txt")
    (pairs / "STS.input.x.txt").write_text("a b\tc d\n", encoding="utf-8")
    assert Desk(pairs).questions["1"].check(0) == 0
    head = "Id\tResolved pattern\tArticle title\tSection header\tPrevious context\tSentence\tFollow-up context"
    fillers = "\t".join(f"Filler{n}" for n in range(1, 6))
    rows = campaign(tmp_path / "claire", "clarification", "data.tsv")
    (rows / "data.tsv").write_text(
        f"{head}\t{fillers}\n1\tFUSED HEAD\tCook\t\tBefore.\tUse medium ______.\t\theat\tfire\toil\tpan\tsize\n",
        encoding="utf-8",
    )
    question = Desk(rows).questions["1_2"]
    assert question.parts[-1][1] == "Use medium fire." and question.mark == (11, 15)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("items = ", "item = ", "'item' is not known"),
        ('items = "targets.tsv"', "", "'items' is missing"),
        ("ratings = 3", 'ratings = "3"', "is no int"),
        ("targets.tsv", "nosuch.tsv", "no such file"),
        ('"complexity"', '"nosuch"', "no task"),
    ],
)
def test_settings_that_are_wrong_are_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = words_campaign(tmp_path, ratings=3) / "annotation.toml"
    path.write_text(path.read_text().replace(old, new))
    run = CliRunner().invoke(cli, ["bench", "annotate", str(tmp_path), "--export", "out"])
    assert run.exit_code != 0 and said in f"{run.output}{run.exception}"
