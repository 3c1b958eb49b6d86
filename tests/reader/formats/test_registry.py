"""The formats that everything chooses from."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import click
import pytest

from marginalia import FormatError, MissingError, UnknownNameError
from marginalia.cli.main import cli
from marginalia.core.archive import pack
from marginalia.reader.formats.format import Format, unable
from marginalia.reader.formats.registry import (
    all_formats,
    choose_format,
    formats_that,
    get_format,
)
from marginalia.reader.formats.signature import sniff

FORMATS = sorted(all_formats().values(), key=lambda format: format.name)


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_what_a_format_says_of_itself_holds(format: Format) -> None:
    assert all(one.startswith(".") and one == one.lower() for one in format.suffixes)
    assert format.media.count("/") == 1 and " " not in format.media
    assert bool(format.several) == (format.write_files is not unable)
    assert format.write is unable or format.write_files is unable, "one file or several, not both"
    assert set(format.suffixes[:1]) >= set(format.several[:1]), "a file of one document is named"
    if format.extra:
        assert all(format.can(action) for action in format.extra.actions)


def test_every_extra_is_one_that_can_be_installed() -> None:
    root = Path(__file__).parents[3]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for format in FORMATS:
        if format.extra:
            needed = project["optional-dependencies"][format.extra.name]
            assert any(one.startswith(format.extra.package) for one in needed), format.name


@pytest.mark.parametrize("action", ["write", "read", "write_rows", "write_findings"])
def test_an_extension_says_one_format(action) -> None:
    suffixes = [suffix for one in formats_that(action).values() for suffix in one.suffixes]
    assert len(suffixes) == len(set(suffixes)) > 0


def test_a_format_is_chosen_by_name_or_extension(tmp_path: Path) -> None:
    known = formats_that("write")
    assert choose_format(Path("a.HTM"), None, known).name == "html"
    assert choose_format(Path("a.html"), "csv", known).name == "csv"
    assert choose_format(None, "ann", known).name == "brat", "an extension is a name too"
    with pytest.raises(
        FormatError, match=r"a\.xls: the extension .*known are \.json, .*, or say it"
    ):
        choose_format(Path("a.xls"), None, known, hint="say it")
    with pytest.raises(FormatError, match=r"known are \.csv$"):
        choose_format(tmp_path, None, ["csv"], hint="")
    with pytest.raises(FormatError, match=r"a folder does not say the format; say it: json, "):
        choose_format(tmp_path, None, known, hint="say it")
    with pytest.raises(UnknownNameError, match="no output format 'docx'"):
        choose_format(None, "docx", known)


def test_a_missing_package_is_named_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cassis", None)
    message = r"xmi needs the package dkpro-cassis: pip install 'marginalia\[xmi\]'"
    with pytest.raises(MissingError, match=message):
        get_format("xmi", "write")
    monkeypatch.setitem(sys.modules, "pypdf", None)
    get_format("pdf", "parse")  # reading a PDF needs another package, which is always there
    with pytest.raises(MissingError, match=r"marginalia\[pdf\]"):
        get_format("pdf", "write")


def test_what_a_format_cannot_do_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        get_format("csv", "read")
    with pytest.raises(FormatError):
        get_format("csv", "write").read(Path("x.csv"))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"%PDF-1.7", "pdf"),
        (b"PK\x03\x04", "docx"),
        (b"\\documentclass{article}\n# not Markdown\n", "latex"),
        (b'{"cells": [], "nbformat": 4}', "notebook"),
        (b'{"id": "x", "text": "A line."}', "jsonl"),
        (b'{"id": "x"}', "text"),
        (b"= A title\n:toc:\n\n# x\n", "asciidoc"),
        (b"= a sign\nof sums", "text"),
        (b"From: a\nTo: b\n\n# A text", "mail"),
        (b"From: here\nit goes on.", "text"),
        (b"\xef\xbb\xbf<!DOCTYPE html><title>x</title>\n```\n", "html"),
        (b"<?xml version='1.0'?><TEI xmlns='x'/>", "tei"),
        (b"<!DOCTYPE article SYSTEM 'x'><article/>", "jats"),
        (b"A line\n# A heading\n", "markdown"),
        (b"An <article> is a word.", "text"),
        (b"", "text"),
    ],
)
def test_bytes_without_a_name_are_recognised(data: bytes, name: str) -> None:
    assert sniff(data, Path("x")).name == name


def test_the_same_files_make_the_same_archive() -> None:
    assert pack({"a.txt": "A"}) == pack({"a.txt": "A"}) != pack({"a.txt": "B"})


@pytest.mark.parametrize(
    ("command", "action"),
    [
        ("read", "write"),
        ("lint", "write_findings"),
        ("extract", "write_rows"),
        ("similar", "write_rows"),
    ],
)
def test_the_help_of_a_command_names_every_format(command: str, action) -> None:
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    (option,) = (one for one in found.params if one.name == "format")
    words = set(re.findall(r"\w+", getattr(option, "help", "") or ""))
    assert set(formats_that(action)) <= words
