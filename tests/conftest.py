"""Where the tests find the shared tasks' data, and what they say when it is not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from marginalia.core import distributions
from marginalia.core.distributions import find_weights
from marginalia.core.task import say_once
from marginalia.tasks.similarity.systems import classic, ours, scales, word_vectors

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
        say_once,
        classic.shipped,
        ours.shipped,
        scales.shipped_scales,
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
    """Notes that tests make, also in processes they start, are not kept in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MARGINALIA_CACHE", str(tmp_path_factory.mktemp("cache")))
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
