"""``marginalia link`` as a person calls it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[4] / "examples"
PAPER, SURVEY = str(EXAMPLES / "article.pdf"), str(EXAMPLES / "survey.ddi.xml")


def link(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "marginalia", "link", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def test_sentences_and_their_variables_are_shown(tmp_path: Path) -> None:
    result = link(PAPER, "--catalogue", SURVEY, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "sentences that use survey variables" in result.stdout
    turned = link(PAPER, "--catalogue", SURVEY, "--by", "variable", cwd=tmp_path)
    assert "\n  * p. " in turned.stdout


@pytest.mark.parametrize("ending", ["html", "csv", "json", "ttl"])
def test_links_are_written(tmp_path: Path, ending: str) -> None:
    result = link(PAPER, "--catalogue", SURVEY, "-o", f"links.{ending}", cwd=tmp_path)
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


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    for words, said in (
        ((PAPER, "--catalogue", "no.xml"), "no such catalogue"),
        ((PAPER, "--catalogue", SURVEY, "-o", "links.doc"), "does not say the format"),
        (("no.pdf", "--catalogue", SURVEY), "no such file"),
    ):
        result = link(*words, cwd=tmp_path)
        assert result.returncode == 2 and said in result.stderr
        assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
