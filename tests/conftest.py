"""Where the tests find the shared tasks' data, and what they say when it is not there."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from marginalia.core import distributions
from marginalia.core.distributions import find_weights
from marginalia.core.resolution import warn_once
from marginalia.tasks.similarity.systems import classic, inputs, learned, word_vectors

NO_DATA = "no data: MARGINALIA_DATA is not set"
NO_ORACLE = "no data: MARGINALIA_ORACLE is not set"

# Deterministic and without deadlines: a busy machine must not make a test fail.
settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


def pytest_configure() -> None:
    """Both distributions are under test; what happens without the second, ``without_weights`` shows."""
    if find_weights("similarity") is None:
        raise pytest.UsageError(
            "marginalia-noncommercial is not installed: make test installs it, or "
            "python -m pip install --no-deps -e ./noncommercial"
        )


@pytest.fixture
def without_weights(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if ``marginalia`` alone were installed."""
    remembered = (
        find_weights,
        warn_once,
        classic.shipped,
        learned.shipped,
        inputs.shipped_scales,
        word_vectors.weights,
    )

    def forget() -> None:
        for function in remembered:
            function.cache_clear()

    monkeypatch.setattr(distributions, "entries", lambda group: [])
    forget()
    yield
    forget()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests, also in processes they start, have a cache and settings of their own, not the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MARGINALIA_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("MARGINALIA_CONFIG", str(tmp_path_factory.mktemp("config")))
        yield


LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::")  # noqa: S104 - as a server binds


@pytest.fixture(scope="session", autouse=True)
def nothing_but_loopback() -> Iterator[None]:
    """No test reaches the network: a connection or a look-up of anything else fails here."""
    real = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def check(address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if isinstance(host, bytes):
            host = host.decode()
        if host and not str(host).startswith(LOOPBACK):
            raise AssertionError(f"a test wants to reach {host}")

    def connect(self: socket.socket, address: Any) -> None:
        check(address)
        real[0](self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        check(address)
        return real[1](self, address)

    def look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        check((host,))
        return real[2](host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket.socket, "connect_ex", connect_ex)
        patch.setattr(socket, "getaddrinfo", look_up)
        yield


@pytest.fixture(scope="session")
def data() -> Path:
    """The data folder; tests that need it are skipped where there is none."""
    folder = os.environ.get("MARGINALIA_DATA")
    if not folder:
        pytest.skip(NO_DATA)
    return Path(folder)


@pytest.fixture(scope="session")
def oracle() -> Path:
    """The folder of recorded outputs of the official scorers."""
    folder = os.environ.get("MARGINALIA_ORACLE")
    if not folder:
        pytest.skip(NO_ORACLE)
    return Path(folder)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.getreports("skipped")
    wanting = sum("no data:" in str(report.longrepr) for report in skipped)
    terminalreporter.write_line(f"skipped for want of data: {wanting}")
