"""Findings for people, editors and machines: lines, SARIF, and GitHub's annotations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from marginalia import __version__
from marginalia.reader.formats.format import Format
from marginalia.reader.hooks import find_task
from marginalia.reader.view.findings import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_GITHUB = {"note": "notice", "warning": "warning", "error": "error"}


def dump_text(findings: Sequence[Finding]) -> str:
    return "".join(
        f"{one.path}:{one.line}:{one.column}: {one.severity}: {one.message} [{one.code}]\n"
        for one in findings
    )


def dump_github(findings: Sequence[Finding]) -> str:
    """Workflow commands, which GitHub shows beside the changed lines."""
    return "".join(
        f"::{_GITHUB[one.severity]} file={_property(one.path)},line={one.line},endLine={one.end_line},"
        f"col={one.column},title={_property(one.code)}::{_escape(one.message)}\n"
        for one in findings
    )


def dump_sarif(findings: Sequence[Finding]) -> str:
    codes = sorted({one.code for one in findings})
    driver = {
        "name": "marginalia",
        "version": __version__,
        "rules": [_rule(code) for code in codes],
    }
    results = [_result(one, codes.index(one.code)) for one in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(code: str) -> dict[str, Any]:
    name, _, label = code.partition(".")
    task = find_task(name)
    rule: dict[str, Any] = {"id": code, "shortDescription": {"text": label.replace("-", " ")}}
    if task:
        rule["fullDescription"] = {"text": task.question}
    return rule


def _result(one: Finding, index: int) -> dict[str, Any]:
    place = {
        "artifactLocation": {"uri": quote(Path(one.path).as_posix())},
        "region": {
            "startLine": one.line,
            "startColumn": one.column,
            "endLine": one.end_line,
            "endColumn": one.end_column,
        },
    }
    return {
        "ruleId": one.code,
        "ruleIndex": index,
        "level": one.severity,
        "message": {"text": one.message},
        "locations": [{"physicalLocation": place}],
    }


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


SARIF = Format(
    name="sarif",
    suffixes=(".sarif",),
    media="application/sarif+json",
    write_findings=dump_sarif,
)
GITHUB = Format(name="github", suffixes=(), media="text/plain", write_findings=dump_github)
