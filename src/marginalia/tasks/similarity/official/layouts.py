"""The official sets of STS 2012 to 2016, the splits they make up, and their file layouts, in and out.

``STS.input.<set>.txt`` has two tab-separated sentences per line (2016 adds two columns with their
sources and calls itself ``STS2016``), ``STS.gs.<set>.txt`` the score of the same line; in 2015 and 2016
a gold line is empty where a pair was never rated. ``<set>.test.tsv`` has score and sentences together.
A double quote is an ordinary character in all of them.

A set is written ``<year>/<name>``, its name being the one in the official file names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines
from marginalia.core.table import format_table, parse_float

SETS = {
    "2012-train": ("MSRpar", "MSRvid", "SMTeuroparl"),
    "2012-test": ("MSRpar", "MSRvid", "SMTeuroparl", "surprise.OnWN", "surprise.SMTnews"),
    "2013-test": ("headlines", "OnWN", "FNWN", "SMT"),
    "2014-test": ("deft-forum", "deft-news", "headlines", "images", "tweet-news", "OnWN"),
    "2015-test": ("answers-forums", "answers-students", "belief", "headlines", "images"),
    "2016-test": (
        "answer-answer",
        "headlines",
        "plagiarism",
        "postediting",
        "question-question",
    ),
}
RESTRICTED = frozenset({"2013-test/SMT", "2014-test/OnWN"})
"""Sets that a year may lack: SMT is licensed by LDC, and 2014 OnWN shares 68 pairs with 2013 OnWN."""

YEARS = {year: tuple(f"{year}/{name}" for name in names) for year, names in SETS.items()}
SPLITS = {
    "train": (*YEARS["2012-train"], *YEARS["2012-test"]),
    "dev": tuple(name for name in YEARS["2014-test"] if name not in RESTRICTED),
    "test": tuple(name for name in YEARS["2013-test"] if name not in RESTRICTED),
    **YEARS,
    **{name.replace("/", "-"): (name,) for names in YEARS.values() for name in names},
}
"""Split name -> its sets. ``train``, ``dev`` and ``test`` hold the same sets on every machine."""

ABOUT = {
    "train": "all of STS 2012, train and test: the official training data of 2013",
    "dev": "STS 2014 without OnWN, which shares pairs with the test data",
    "test": "STS 2013 without SMT, which is licensed: headlines, OnWN, FNWN",
    **{year: f"STS {year[:4]} {year[5:]}: {', '.join(names)}" for year, names in SETS.items()},
    **{
        f"{year}-{name}": f"STS {year[:4]} {year[5:]}, {name} alone"
        for year, names in SETS.items()
        for name in names
    },
}
_NAME = re.compile(r"STS(?:20\d\d)?\.(input|gs|output)\.(.+)\.txt|(.+)(\.test)\.tsv")


def short_names(sets: list[str]) -> dict[str, str]:
    """Set -> its official name alone, or with the year where two years have a set of that name."""
    names = [name.rpartition("/")[2] for name in sets]
    if len(set(names)) < len(names):
        return {name: name for name in sets}
    return dict(zip(sets, names, strict=True))


def set_name(path: Path) -> tuple[str, str]:
    """``input``, ``gs``, ``output`` or ``tsv``, and the set of an official file name; else empty texts."""
    found = _NAME.fullmatch(path.name)
    if found is None:
        return "", ""
    return ("tsv", found[3]) if found[4] else (found[1], found[2])


def find(folder: Path, kind: str, name: str) -> Path | None:
    """The file of a folder that holds this kind of content for a set."""
    if not folder.is_dir():
        return None
    return next((path for path in sorted(folder.iterdir()) if set_name(path) == (kind, name)), None)


def read_sentences(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line number and the two sentences of each line of an input file."""
    for line, text in read_lines(path):
        cells = text.split("\t")
        if not 2 <= len(cells) <= 4:
            raise FormatError(
                f"{len(cells)} columns where two sentences were expected (and at most two sources)",
                path=path,
                line=line,
            )
        yield line, cells[0], cells[1]


def read_gold(path: Path) -> list[float | None]:
    """The score of each line of a gold file; None where the pair was never rated."""
    return [
        parse_float(text, "score", path, line) if text.strip() else None
        for line, text in read_lines(path)
    ]


def read_scored(path: Path) -> Iterator[tuple[int, str, str, float | None]]:
    """Line number, sentences and score of each line of a ``.test.tsv`` file."""
    for line, text in read_lines(path):
        cells = text.split("\t")
        if len(cells) != 3:
            raise FormatError(
                f"{len(cells)} columns where 3 were expected (score, s1, s2)", path=path, line=line
            )
        score = parse_float(cells[0], "score", path, line) if cells[0].strip() else None
        yield line, cells[1], cells[2], score


def format_sentences(pairs: Iterable[tuple[str, str]]) -> str:
    """The text of an input file."""
    return format_table(pairs)


def format_gold(gold: Iterable[float | None]) -> str:
    """The text of a gold file."""
    return format_table([("" if score is None else repr(float(score)),) for score in gold])
