"""``marginalia link`` as a person calls it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
PAPER, SURVEY = str(EXAMPLES / "article.pdf"), str(EXAMPLES / "survey.ddi.xml")


def link(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "marginalia", "link", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def test_sentences_and_their_variables_are_shown(tmp_path: Path) -> None:
    result = link(PAPER, "--catalogue", SURVEY, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "with survey variables" in result.stdout and "--top 5 lists" in result.stdout
    turned = link(
        PAPER, "--catalogue", SURVEY, "--by", "variable", "--threshold", "0.1", cwd=tmp_path
    )
    assert "\n  * p. " in turned.stdout


@pytest.mark.parametrize("ending", ["html", "csv", "json", "ttl"])
def test_links_are_written(tmp_path: Path, ending: str) -> None:
    result = link(
        PAPER, "--catalogue", SURVEY, "--threshold", "0.1", "-o", f"links.{ending}", cwd=tmp_path
    )
    assert result.returncode == 0, result.stderr
    text = (tmp_path / f"links.{ending}").read_text(encoding="utf-8")
    if ending == "csv":
        rows = list(csv.DictReader(text.splitlines(keepends=True)))
        assert {"variable", "label", "kind", "page"} <= set(rows[0])
    elif ending == "json":
        assert json.loads(text)[0]["variables"]
    elif ending == "html":
        assert "Variables in" in text and "<script" not in text
    else:
        assert "variables-1" in text


def test_a_review_file_goes_round(tmp_path: Path) -> None:
    """Written, filled in, read back, kept with the catalogue, exported."""
    survey = tmp_path / "survey.xml"
    survey.write_bytes(Path(SURVEY).read_bytes())
    words = (PAPER, "--catalogue", "survey.xml", "--review", "review.csv", "--top", "2")
    first = link(*words, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    assert "candidates to decide on" in first.stderr and first.stdout == ""
    with (tmp_path / "review.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rows[1]["decision"], rows[2]["decision"] = "yes", "no"
    with (tmp_path / "review.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    again = link(*words, cwd=tmp_path)
    assert "2 new decisions kept with survey.xml" in again.stderr
    with (tmp_path / "review.csv").open(newline="", encoding="utf-8") as file:
        now = list(csv.DictReader(file))
    assert (now[0]["variable"], now[0]["decision"]) == (rows[1]["variable"], "yes")
    decide = ["catalogue", "decide", "survey.xml", "review.csv"]
    command = [
        sys.executable,
        "-m",
        "marginalia",
        *decide,
        "-o",
        "l.csv",
        "-o",
        "l.ttl",
        "-o",
        "l.tsv",
    ]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0 and "links: 1" in result.stdout, result.stderr
    assert rows[1]["variable"] in (tmp_path / "l.csv").read_text(encoding="utf-8")
    assert "oa:identifying" in (tmp_path / "l.ttl").read_text(encoding="utf-8")
    assert (tmp_path / "l.tsv").read_text(encoding="utf-8").count("\n") == 2


def test_concepts_are_listed(tmp_path: Path) -> None:
    words = ("--catalogue", SURVEY, "--by", "concept", "--threshold", "0.1", "--json")
    result = link(PAPER, *words, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found and all(one["variables"] and one["documents"] for one in found)


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    for words, said in (
        ((PAPER, "--catalogue", "no.xml"), "no such catalogue"),
        ((PAPER, "--catalogue", SURVEY, "-o", "links.doc"), "does not say the format"),
        (("no.pdf", "--catalogue", SURVEY), "no such file"),
        ((PAPER, "--catalogue", SURVEY, "--review", "r.doc"), "is .csv or .xlsx"),
        ((PAPER, "--catalogue", SURVEY, "--survey", "ZA1"), "no survey in this catalogue 'ZA1'"),
    ):
        result = link(*words, cwd=tmp_path)
        assert result.returncode == 2 and said in result.stderr
        assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
