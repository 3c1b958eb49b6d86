"""A baseline: the findings that a project has already, so that only new ones are reported.

A finding is known by its file, its code and its words, not by its line, so that it stays known when text moves. Of
findings with the same words as many are known as were recorded.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from marginalia.core.errors import FormatError
from marginalia.core.files import read_json
from marginalia.reader.view.findings import Finding

VERSION = 1
MAX_QUOTE_CHARACTERS = 60


class Known(NamedTuple):
    path: str
    code: str
    quote: str


def dump(findings: Iterable[Finding], path: Path) -> str:
    """The findings as a baseline file at this path: sorted, so that a change is a small one."""
    counted = Counter(_known(one, path) for one in findings)
    rows = [{**known._asdict(), "count": count} for known, count in sorted(counted.items())]
    return json.dumps({"version": VERSION, "findings": rows}, ensure_ascii=False, indent=1) + "\n"


def load(path: Path) -> Counter[Known]:
    """What a baseline file knows."""
    data = read_json(path)
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise FormatError("this is no baseline: write one first", path=path)
    try:
        return Counter(
            {
                Known(row["path"], row["code"], row["quote"]): int(row["count"])
                for row in data["findings"]
            }
        )
    except (KeyError, TypeError, ValueError):
        raise FormatError(
            "the baseline has a row without path, code, quote or count: write it again",
            path=path,
        ) from None


def new(findings: Iterable[Finding], known: Counter[Known], path: Path) -> list[Finding]:
    """The findings that the baseline at this path does not know."""
    left = Counter(known)
    unknown = []
    for one in findings:
        key = _known(one, path)
        if left[key] > 0:
            left[key] -= 1
        else:
            unknown.append(one)
    return unknown


def _known(one: Finding, baseline: Path) -> Known:
    path, folder = Path(one.path).resolve(), baseline.resolve().parent
    shown = path.relative_to(folder) if path.is_relative_to(folder) else path
    return Known(shown.as_posix(), one.code, _short(" ".join(one.quote.split())))


def _short(quote: str) -> str:
    if len(quote) <= MAX_QUOTE_CHARACTERS:
        return quote
    return f"{quote[:MAX_QUOTE_CHARACTERS]}… {sha256(quote.encode()).hexdigest()[:12]}"
