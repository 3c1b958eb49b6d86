"""Both databases: SQLite, and a PostgreSQL server from Debian's packages that the tests start."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

POSTGRES = "no PostgreSQL: install Debian's postgresql, as `make test` does where it can"


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[4]))
    if found:
        return found[-1].parent
    named = shutil.which("initdb")
    return Path(named).parent if named else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server of our own, on a socket in a temporary folder."""
    programs = _programs()
    if programs is None:
        pytest.skip(POSTGRES)
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # the path of a socket must be short
    options: dict[str, object] = {"check": True, "capture_output": True, "cwd": folder}
    if os.geteuid() == 0:  # the server refuses to run as root
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        options |= {"user": user.pw_uid, "group": user.pw_gid}
    data = folder / "data"
    initdb = [programs / "initdb", "-D", data, "-A", "trust", "-U", "tests", "-N"]
    subprocess.run([*map(str, initdb)], **options)
    flags = f"-k {folder} -c listen_addresses='' -c max_connections=200"
    start = [programs / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", flags, "start"]
    # Without pipes: the server would keep them open.
    quiet = {**options, "capture_output": False, "stdout": subprocess.DEVNULL}
    subprocess.run([*map(str, start)], **quiet)
    yield f"postgresql://tests@/postgres?host={folder}"
    stop = [programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"]
    subprocess.run([*map(str, stop)], **quiet)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What DATABASE_URL says; empty for SQLite. Each test of PostgreSQL has a database of its own."""
    if request.param == "sqlite":
        monkeypatch.delenv("DATABASE_URL", raising=False)
        return ""
    import psycopg

    server = request.getfixturevalue("postgres")
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = server.replace("/postgres?", f"/{name}?")
    monkeypatch.setenv("DATABASE_URL", url)
    return url
