"""What ``marginalia lint`` prints besides findings: its rules, one rule, and figures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from marginalia.cli.output import print_json, print_table

if TYPE_CHECKING:
    from marginalia.reader.lint.statistics import FileFigures, Statistics


def print_rules_of(code: str) -> None:
    """The page of a kind of finding, or of all of a family."""
    from marginalia.core.errors import UnknownNameError
    from marginalia.reader.lint.wanted import all_codes
    from marginalia.reader.view.findings import matches

    meant = [one for one in all_codes() if matches(one, (code,))]
    if not meant:
        raise UnknownNameError("code", code, all_codes())
    click.echo("\n".join(_page(one) for one in meant), nl=False)


def _page(code: str) -> str:
    from marginalia.reader.lint.wanted import all_codes, codes_of

    annotator = all_codes()[code]
    about = annotator.about(codes_of(annotator)[code])
    return about.page or f"### {code}\n\n{about.summary}\n"


def print_rules(*, as_json: bool) -> None:
    from marginalia.reader.lint.wanted import all_codes, codes_of
    from marginalia.reader.view.findings import OFF

    rows = []
    for code, annotator in all_codes().items():
        label = codes_of(annotator)[code]
        about, severity = annotator.about(label), annotator.kinds[label]
        rows.append(
            {
                "code": code,
                "severity": "note" if severity == OFF else severity,
                "default": severity != OFF,
                "fixes": about.fixes,
                "languages": list(about.languages),
                "summary": about.summary,
                "help": about.help,
            }
        )
    if as_json:
        print_json(rows)
        return
    cells = [
        (
            row["code"],
            row["severity"],
            "on" if row["default"] else "off",
            "yes" if row["fixes"] else "",
            row["summary"],
        )
        for row in rows
    ]
    print_table("rules of lint", ("code", "severity", "default", "--fix", "what it reports"), cells)


def show_statistics(figures: Statistics, *, as_json: bool) -> str:
    """The figures as text: findings by code, then each file."""
    if as_json:
        return json.dumps(figures.to_dict(), ensure_ascii=False, indent=1) + "\n"
    lines = [f"{count:6d}  {code}" for code, count in figures.codes.items()]
    total = sum(figures.codes.values())
    lines.append(
        f"{total:6d}  in all: {figures.per_1000_words} per 1,000 words; --fix can fix {figures.fixable}"
    )
    for one in figures.files:
        lines += ["", *_file(one)]
    return "\n".join(lines) + "\n"


def _file(one: FileFigures) -> list[str]:
    known = "  ".join(f"{name} {value}" for name, value in one.readability.items())
    said = f"{one.words} words, {one.sentences} sentences of {one.words_per_sentence} words"
    return [
        f"{one.path} ({one.lang}): {said}, {one.findings} findings",
        f"  {known or 'no readability figures for this text'}",
    ]
