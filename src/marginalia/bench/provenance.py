"""Where a figure comes from: versions, the commit, weights, the machine."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

import marginalia
from marginalia.core.benchmark import Benchmark, SystemCard
from marginalia.core.distributions import find_weights
from marginalia.core.own_weights import own_digest
from marginalia.nlp.threads import threads

LIBRARIES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "onnxruntime",
    "tokenizers",
    "wordfreq",
    "bm25s",
    "python-crfsuite",
    "snowballstemmer",
    "pint",
    "torch",
    "transformers",
)
"""What figures may depend on, where it is installed."""


def versions(card: SystemCard | None = None) -> dict[str, str]:
    """Ours, Python's, those of the libraries that matter, and of the package that the system comes from."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    known = {"marginalia": marginalia.__version__, "python": python}
    for name in (*LIBRARIES, *_origin(card)):
        try:
            known.setdefault(name, version(name))
        except PackageNotFoundError:
            continue
    return known


def _origin(card: SystemCard | None) -> list[str]:
    package = getattr(getattr(card, "make", None), "__module__", "").partition(".")[0]
    if not package or package == "marginalia":
        return []
    return packages_distributions().get(package, [])


def environment(task: Benchmark) -> dict[str, Any]:
    """The commit of the package and whether it was changed since, the hash of the task's weights, processor and threads."""
    facts: dict[str, Any] = {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "threads": threads(),
        "weights": own_digest(task.name) or weights_hash(task.name),
        **_commit(),
    }
    return {name: value for name, value in facts.items() if value not in (None, "")}


@cache
def _processor() -> str:
    """The model of the processor, as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@cache
def _commit() -> dict[str, Any]:
    """The commit that the package was checked out at; nothing for an installed one."""
    folder = Path(marginalia.__file__).parents[2]
    if not (folder / ".git").exists():
        return {}
    try:
        commit, changes = (
            subprocess.run(  # noqa: S603
                ["git", "-C", str(folder), *words],  # noqa: S607
                capture_output=True,
                text=True,
                check=True,
                timeout=30,
            ).stdout.strip()
            for words in (("rev-parse", "HEAD"), ("status", "--porcelain", "--", "src"))
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    return {"commit": commit, "changed": bool(changes)}


@cache
def weights_hash(task: str) -> str:
    """SHA-256 over the manifests of a task's weights, which name the hash of each file; empty without weights."""
    package = Path(marginalia.__file__).parent
    folders = [package / "tasks" / task / "weights", package / "nlp", find_weights(task)]
    manifests = sorted(
        manifest for folder in folders if folder for manifest in Path(folder).rglob("manifest.json")
    )
    if not manifests:
        return ""
    whole = hashlib.sha256()
    for manifest in manifests:
        whole.update(manifest.read_bytes())
    return whole.hexdigest()
