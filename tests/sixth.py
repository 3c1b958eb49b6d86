"""The sixth task of ``examples/``, as the tests of the bench use it: small and without data to fetch."""

from __future__ import annotations

import sys
from pathlib import Path

from marginalia import Task

EXAMPLE = Path(__file__).parent.parent / "examples" / "sixth-task"
DATA = EXAMPLE / "data"


def sixth_task() -> Task:
    source = str(EXAMPLE / "src")
    if source not in sys.path:
        sys.path.insert(0, source)
    from marginalia_acronyms.task import TASK

    return TASK
