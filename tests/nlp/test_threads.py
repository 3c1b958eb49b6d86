"""The number of threads, as it may be set."""

from __future__ import annotations

import pytest

from marginalia import FormatError
from marginalia.nlp.threads import THREADS_VARIABLE, side_by_side, threads


@pytest.mark.parametrize("value", ["0", "-1", "²", "١", "1e9", "", " 2", "99999"])
def test_odd_numbers_are_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, value)
    with pytest.raises(FormatError, match="a whole number from 1 was expected"):
        threads()


def test_a_number_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, "3")
    assert threads() == 3
    monkeypatch.delenv(THREADS_VARIABLE)
    assert threads() >= 1


@pytest.mark.parametrize("count", ["1", "3"])
def test_work_is_done_in_order_by_any_number(count: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, count)
    assert list(side_by_side(str, range(7))) == list("0123456")
    assert list(side_by_side(str, [])) == []
