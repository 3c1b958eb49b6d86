"""Errors of the library, which name functions and arguments, in the words of the command line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import marginalia
from marginalia.cli.main import COMMANDS, as_options, commands

ROOT = Path(marginalia.__file__).parent


@pytest.mark.parametrize(
    ("library", "command_line"),
    [
        (
            "pass `data=`; `fetch_data(task)` fills",
            "pass --data; `marginalia data fetch TASK` fills",
        ),
        ("build over it with `again=True`", "build over it with --again"),
        ("name one with `columns=`", "name one with --column"),
        (
            "`run('similarity', split='dev', system='x y')`",
            "`marginalia bench run similarity --split dev --system 'x y'`",
        ),
        ("`import_data('variables', folder)`", "`marginalia data import variables FOLDER`"),
        ("call `look_up(text, doc)`, `x`", "call `look_up(text, doc)`, `x`"),
    ],
)
def test_arguments_are_options_and_functions_are_commands(library: str, command_line: str) -> None:
    assert as_options(library) == command_line


def test_functions_and_commands_exist() -> None:
    for function, command in COMMANDS.items():
        assert function in marginalia.__all__
        group, _, name = command.partition(" ")
        assert name in commands()[group].load().commands


def messages() -> list[tuple[Path, str]]:
    """The texts of the library that are not docstrings."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).parts
        if parts[0] == "cli" or "commands" in parts or {"train", "training"} & set(parts):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        raised = (node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc)
        for error in raised:
            found += [
                (path, node.value)
                for node in ast.walk(error)
                if isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docs
            ]
    return found


def test_only_the_command_line_speaks_of_options() -> None:
    assert len(messages()) > 300
    for path, text in messages():
        assert "--" not in text and "`marginalia" not in text, f"{path}: {text}"
