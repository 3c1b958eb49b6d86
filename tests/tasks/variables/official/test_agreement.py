"""Agreement on variables: kappa, alpha over sets, the union."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from marginalia import FormatError
from marginalia.cli.bench.group import bench_command
from marginalia.tasks.variables.official.agreement import compare, merge
from marginalia.tasks.variables.official.data import read_labels

HEADER = "sentence\tis_variable\tvariable\tdoc_id\tuuid\tlang\tmention_type\n"


def write(path: Path, *answers: tuple[str, str, str]) -> Path:
    """A file with these answers: id, variables (empty for a negative sentence), kind of mention."""
    rows = [
        f"Sentence {id}.\t{int(bool(named))}\t{named}\td1\t{id}\ten\t{kind}\n"
        for id, named, kind in answers
    ]
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    one = write(
        tmp_path / "one.tsv",
        ("a", "v1;v2", "explicit"),
        ("b", "v3", "implicit"),
        ("c", "", ""),
        ("d", "", ""),
        ("e", "unk", "implicit"),
    )
    other = write(
        tmp_path / "other.tsv",
        ("a", "v1", "implicit"),
        ("b", "v3", "implicit"),
        ("c", "v4", "explicit"),
        ("d", "", ""),
    )
    return [one, other]


def test_figures_by_hand(files: list[Path]) -> None:
    report = compare(files)
    # Of the four that both saw they agree on three; by chance on 2/4 * 3/4 + 2/4 * 1/4 = 1/2 of them.
    assert report.scores["detection"]["kappa"] == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    # Two sentences: {v1,v2}/{v1} at 1/2 by Jaccard, {v3}/{v3} at 0. Of the twelve ordered pairs of any two of
    # the four sets, two are 1/2, two are 0, and eight are 1.
    assert report.scores["linking"]["alpha_jaccard"] == pytest.approx(1 - (1 / 4) / (9 / 12))
    assert report.also == {
        "annotators": 2,
        "sentences": 5,
        "sentences_of_two_or_more": 4,
        "positive_for_two_or_more": 2,
        "positive_for_one_only": 1,
    }


def test_annotators_who_say_the_same_agree_wholly(files: list[Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy.tsv"
    copy.write_bytes(files[0].read_bytes())
    scores = compare([files[0], copy]).scores
    assert scores["detection"] == {"kappa": 1.0, "alpha": 1.0}
    assert scores["linking"] == {"alpha_masi": 1.0, "alpha_jaccard": 1.0}


def test_the_union_reads_back_as_an_official_file(files: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "union.tsv"
    path.write_text(merge(files), encoding="utf-8")
    labels = read_labels([path])
    assert list(labels) == ["a", "b", "c", "d", "e"]
    assert labels["a"].variables == ("v1", "v2") and labels["a"].kind == "mixed"
    assert labels["c"].is_variable == 1 and labels["c"].variables == ("v4",)
    assert labels["d"].is_variable == 0
    assert labels["e"].is_variable == 1 and labels["e"].variables == ()
    assert merge(files).splitlines()[1:] == merge(files[::-1]).splitlines()[1:]


def test_the_command(files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "both.tsv"
    words = ["agreement", "variables", *map(str, files), "--merge", str(out)]
    shown = CliRunner().invoke(bench_command, words)
    assert shown.exit_code == 0, shown.output
    assert "kappa" in shown.stdout and out.read_text(encoding="utf-8") == merge(files)
    found = json.loads(CliRunner().invoke(bench_command, [*words, "--json"]).stdout)
    assert found["detection"]["kappa"] == 0.5
    own = CliRunner().invoke(bench_command, [*words[:-1], str(files[0])])
    assert isinstance(own.exception, FormatError) and "overwritten" in str(own.exception)


def test_what_cannot_be_compared_is_said(files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="two annotators or more"):
        compare(files[:1])
    with pytest.raises(FormatError, match="share no uuid"):
        compare([files[0], write(tmp_path / "else.tsv", ("z", "v1", ""))])
    odd = tmp_path / "odd.tsv"
    odd.write_text(HEADER + "Another.\t0\t\td1\ta\ten\t\n", encoding="utf-8")
    with pytest.raises(FormatError, match="reads otherwise"):
        compare([files[0], odd])
    odd.write_text(HEADER + "Sentence a.\t2\t\td1\ta\ten\t\n", encoding="utf-8")
    with pytest.raises(FormatError, match="not 0 or 1"):
        compare([files[0], odd])
