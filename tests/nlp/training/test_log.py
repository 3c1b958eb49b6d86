"""What a long training says, and where."""

from __future__ import annotations

import subprocess
import sys


def test_a_training_says_how_far_it_is() -> None:
    code = """
import logging
from marginalia.nlp.training.log import show_progress
logging.getLogger("marginalia.tasks.x").info("nobody asked")
show_progress()
logging.getLogger("marginalia.tasks.x").info("epoch 1 of 2")
logging.getLogger("__main__").info("done")
logging.getLogger("others").info("chatter")
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    lines = result.stderr.splitlines()
    assert [line.split("] ")[1] for line in lines] == ["epoch 1 of 2", "done"]
    assert all(line.startswith("[") and line.split()[-1] for line in lines)
    assert all(" s] " in line for line in lines) and not result.stdout
