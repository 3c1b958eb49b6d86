"""Long work can be interrupted by whoever started it."""

from __future__ import annotations

import threading

from marginalia.core.long_work import pause, pausing


def test_pauses_are_asked_for_by_a_block_and_a_thread() -> None:
    told: list[str] = []
    pause()
    with pausing(lambda: told.append("outer")):
        pause()
        with pausing(lambda: told.append("inner")):
            pause()
        elsewhere = threading.Thread(target=pause)
        elsewhere.start()
        elsewhere.join()
        pause()
    pause()
    assert told == ["outer", "inner", "outer"]
