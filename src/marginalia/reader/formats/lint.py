"""Findings for people, editors and machines: lines, SARIF, and GitHub's annotations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from marginalia import __version__
from marginalia.core.document import Document
from marginalia.core.registry import find_annotator
from marginalia.reader.formats.format import Format
from marginalia.reader.lint.wanted import all_codes, codes_of
from marginalia.reader.view.caption import caption, is_part
from marginalia.reader.view.findings import (
    FORMATS_WITH_LINES,
    OFF,
    Finding,
    Replacement,
    Rules,
    code_of,
    find_noted,
)
from marginalia.reader.view.places import Places

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_GITHUB = {"note": "notice", "warning": "warning", "error": "error"}


def dump_text(findings: Sequence[Finding]) -> str:
    return "".join(
        f"{one.path}:{one.line}:{one.column}: {one.severity}: {one.message} [{one.code}]{' *' if one.fix else ''}\n"
        for one in findings
    )


def dump_github(findings: Sequence[Finding]) -> str:
    """Workflow commands, which GitHub shows beside the changed lines."""
    return "".join(
        f"::{_GITHUB[one.severity]} file={_property(one.path)},line={one.line},endLine={one.end_line},"
        f"col={one.column},title={_property(one.code)}::{_escape(one.message)}{_escape(_more(one))}\n"
        for one in findings
    )


def dump_sarif(findings: Sequence[Finding]) -> str:
    help = {one.code: one.help for one in findings}
    codes = sorted(help)
    driver = {
        "name": "marginalia",
        "version": __version__,
        "rules": [_rule(code, help[code]) for code in codes],
    }
    results = [_result(one, codes.index(one.code)) for one in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _more(one: Finding) -> str:
    return f" ({one.help})" if one.help else ""


def _rule(code: str, help: str) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": code}
    annotator = all_codes().get(code)
    if annotator is None:
        name, _, label = code.partition(".")
        rule["shortDescription"] = {"text": label.replace("-", " ") or name}
    else:
        label = codes_of(annotator)[code]
        about, severity = annotator.about(label), annotator.kinds[label]
        level = "note" if severity == OFF else severity
        rule["shortDescription"] = {"text": about.summary}
        whole = f"{about.summary}. {about.reason}" if about.reason else about.summary
        rule["fullDescription"] = {"text": whole}
        rule["defaultConfiguration"] = {"level": level, "enabled": severity != OFF}
    if help:
        rule["helpUri"] = help
    return rule


def _result(one: Finding, index: int) -> dict[str, Any]:
    file = {"uri": quote(Path(one.path).as_posix())}
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": index,
        "level": one.severity,
        "message": {"text": one.message},
        "locations": [{"physicalLocation": {"artifactLocation": file, "region": _region(one)}}],
    }
    if one.fix:
        changes = [
            {"deletedRegion": _region(each), "insertedContent": {"text": each.text}}
            for each in one.fix
        ]
        result["fixes"] = [
            {"artifactChanges": [{"artifactLocation": file, "replacements": changes}]}
        ]
    return result


def _region(place: Finding | Replacement) -> dict[str, int]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


def dump_notes(docs: Sequence[Document]) -> str:
    """All notes on documents as SARIF: by line and column where the file has lines, else by page."""
    return _dump([(doc, Path(str(doc.meta.get("path", "")))) for doc in docs])


def _dump(docs: Iterable[tuple[Document, Path]]) -> str:
    """Documents, each with the file it was read from."""
    found = [one for doc, source in docs for one in _noted(doc, source)]
    data = json.loads(dump_sarif([finding for finding, _ in found]))
    for result, (finding, page) in zip(data["runs"][0]["results"], found, strict=True):
        location = result["locations"][0]["physicalLocation"]
        if not finding.line:
            del location["region"]
        if page:
            result["properties"] = {"page": page}
    return json.dumps(data, indent=1) + "\n"


def _noted(doc: Document, path: Path) -> Iterator[tuple[Finding, int | None]]:
    rules = Rules(select=("*",))
    source = _source(doc, path)
    if source is not None:
        if heads := [note for note in doc.annotations if not is_part(note)]:
            own = replace(doc, annotations=tuple(heads))
            for one, _ in find_noted(own, Places(source, doc.text), rules):
                yield one, None
        return
    for note in doc.annotations:
        if not is_part(note):
            annotator = find_annotator(note.task)
            message = " · ".join(
                part for part in (" ".join(note.quote.split()), caption(note)) if part
            )
            severity = (annotator.kinds.get(note.label) if annotator else None) or "note"
            one = Finding(
                path=str(doc.meta.get("path", doc.id)),
                code=code_of(note),
                severity=severity,
                message=message,
                quote=note.quote,
                line=0,
                column=0,
                end_line=0,
                end_column=0,
            )
            yield one, doc.page(note.start)


def _source(doc: Document, path: Path) -> str | None:
    """The text of its file, if that has lines to point to."""
    if doc.meta.get("format") in FORMATS_WITH_LINES and path.is_file():
        with suppress(UnicodeDecodeError):  # a page may declare another encoding
            return path.read_bytes().decode("utf-8-sig")
    return None


SARIF = Format(
    name="sarif",
    suffixes=(".sarif",),
    media="application/sarif+json",
    write=dump_notes,
    write_from=lambda doc, source: _dump([(doc, source)]),
    write_findings=dump_sarif,
)
GITHUB = Format(name="github", suffixes=(), media="text/plain", write_findings=dump_github)
