"""Data never runs code: what the package may not call, anywhere."""

from __future__ import annotations

import ast
import socket
from pathlib import Path

import pytest

import marginalia

ROOT = Path(marginalia.__file__).parent
SECOND = ROOT.parents[1] / "noncommercial" / "src"
FILES = sorted((*ROOT.rglob("*.py"), *SECOND.rglob("*.py")))
UNSAFE_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
UNSAFE_CALLS = {"eval", "exec", "compile", "__import__"}
UNSAFE_ATTRIBUTES = {("os", "system"), ("os", "popen"), ("torch", "load"), ("yaml", "load")}


def calls(path: Path) -> list[ast.Call]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_runs_what_it_reads(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "").partition(".")[0]]
        assert not UNSAFE_MODULES & set(names), f"{path}:{node.lineno}"  # type: ignore[attr-defined]
    for call in calls(path):
        where = f"{path}:{call.lineno}"
        if isinstance(call.func, ast.Name):
            assert call.func.id not in UNSAFE_CALLS, where
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            assert (call.func.value.id, call.func.attr) not in UNSAFE_ATTRIBUTES, where
        for keyword in call.keywords:
            value = getattr(keyword.value, "value", None)
            assert (keyword.arg, value) not in {("shell", True), ("allow_pickle", True)}, where


def test_the_guard_over_the_suite_refuses_the_network() -> None:
    with (
        socket.socket() as one,
        pytest.raises(AssertionError, match=r"wants to reach 192\.0\.2\.1"),
    ):
        one.connect(("192.0.2.1", 80))  # an address that is nobody's (RFC 5737)
    with pytest.raises(AssertionError, match=r"wants to reach example\.org"):
        socket.getaddrinfo("example.org", 80)
