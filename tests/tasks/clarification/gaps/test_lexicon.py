"""The lexicon made anew from a tiny WordNet of our own."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.tasks.clarification.gaps import build as build_lexicon
from marginalia.tasks.clarification.gaps.build import build

FILES = {
    "data.noun": "00000001 06 n 01 chair 0 002 %p 00000002 n 0000 @ 00000004 n 0000 | a seat\n"
    "00000002 06 n 01 leg 0 000 | a support\n"
    "00000003 06 n 02 garden_chair 0 Big_Chair 0 000 | a chair outside\n"
    "00000004 06 n 01 furniture 0 001 %p 00000005 n 0000 | things in a room\n"
    "00000005 06 n 01 surface 0 000 | the outer part\n"
    "00000006 08 n 01 tooth 0 000 | hard\n"
    "00000007 15 n 01 garden 0 000 | a plot\n",
    "index.adj": "  1 a licence\nweak a 1\nred a 1\n",
    "cntlist.rev": "garden%1:15:00:: 1 5\nweak%3:00:00:: 1 7\n"
    "red%3:00:00:: 1 4\nred%1:07:00:: 1 3\n",
    "noun.exc": "teeth tooth\n",
}


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_nouns_and_their_forms(wordnet: Path) -> None:
    data = json.loads(gzip.decompress(build(wordnet)))
    assert "Princeton" in data["about"]
    assert data["nouns"]["chair"] == ["artifact", 1, ["garden"], ["leg", "surface"]]
    assert data["nouns"]["tooth"][0] == "body"
    assert data["adjectives"] == ["weak"]
    assert data["noun_forms"] == {"teeth": "tooth"}


def test_the_file_is_the_same_each_time(wordnet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = wordnet / "lexicon.json.gz"
    monkeypatch.setattr(sys, "argv", ["build", "--wordnet", str(wordnet), "--out", str(out)])
    build_lexicon.main()
    assert out.read_bytes() == build(wordnet)


def test_a_bad_line_is_named(wordnet: Path) -> None:
    (wordnet / "data.noun").write_text("00000001 35 n zz hold\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"data\.noun:1: not a line of a WordNet data file"):
        build(wordnet)
