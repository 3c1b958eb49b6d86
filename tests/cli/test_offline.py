"""Reading stays on this machine: no connection, no look-up of a name, and nothing written into the home folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

GUARD = """
import os, sys

def guard(event, arguments):
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"} or event.startswith("socket.get"):
        with open(os.environ["ATTEMPTS"], "a") as file:
            print(event, *map(repr, arguments), file=file)
        raise OSError("the tests have no network")

sys.addaudithook(guard)
"""
"""Loaded at the start of every Python process below, those that ours start included."""


@pytest.fixture
def guarded(tmp_path: Path) -> dict[str, str]:
    """The environment of a process under the guard, with a home of its own."""
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    (tmp_path / "home").mkdir()
    # What a tester has set for himself, or this very process by importing us, must not help.
    unset = ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return kept | {
        "ATTEMPTS": str(tmp_path / "attempts"),
        "HOME": str(tmp_path / "home"),
        "MARGINALIA_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": str(tmp_path / "guard"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def test_the_guard_sees_an_attempt(tmp_path: Path, guarded: dict[str, str]) -> None:
    code = "import socket; socket.getaddrinfo('localhost', 80)"
    result = subprocess.run([sys.executable, "-c", code], env=guarded, capture_output=True)
    assert result.returncode == 1
    assert "socket.getaddrinfo" in (tmp_path / "attempts").read_text(encoding="utf-8")


def test_reading_asks_nobody_and_leaves_nothing_at_home(
    tmp_path: Path, guarded: dict[str, str]
) -> None:
    """onnxruntime's telemetry is native code, which no guard in Python sees; its device id in the home folder tells."""
    out = tmp_path / "article.json"
    words = ["read", str(EXAMPLES / "article.pdf"), "--for", "curator", "-o", str(out)]
    result = subprocess.run(
        [sys.executable, "-m", "marginalia", *words],
        env=guarded,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert '"measurement"' in out.read_text(encoding="utf-8"), "a model was at work"
    assert not (tmp_path / "attempts").exists()
    assert list((tmp_path / "home").rglob("*")) == []


def test_whoever_wants_telemetry_may_have_it(guarded: dict[str, str]) -> None:
    code = "import os, marginalia; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    for given, found in (({}, "1"), ({"ORT_DISABLE_TELEMETRY": "0"}, "0")):
        result = subprocess.run(
            [sys.executable, "-c", code], env=guarded | given, capture_output=True, text=True
        )
        assert result.stdout.strip() == found
