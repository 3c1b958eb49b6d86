"""Runs a program and reports its exit code and peak memory: ``python measured.py FD MAX_BYTES PROGRAM ARGUMENT...``.

Linux counts the memory of the process that starts a program in the program's own peak. Started from this small one,
which imports nothing of ours, a program has its own. The report is a JSON object on the file descriptor FD.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from typing import Any


def main(descriptor: str, max_bytes: str, *words: str) -> None:
    limits = (int(max_bytes), int(max_bytes))
    report: dict[str, Any]
    try:
        done = subprocess.run(  # noqa: S603 - the user names the program
            words,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits),
            check=False,
        )
    except FileNotFoundError:
        report = {"missing": True}
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        report = {"error": str(error)}
    else:
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        bytes_each = 1 if sys.platform == "darwin" else 2**10
        report = {"code": done.returncode, "peak_memory_mb": round(peak * bytes_each / 2**20, 1)}
    with os.fdopen(int(descriptor), "w", encoding="utf-8") as file:
        json.dump(report, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
