"""A new system or task: files to start from that keep their contracts."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path
from string import Template

from marginalia.core.benchmark import Benchmark
from marginalia.core.errors import FormatError
from marginalia.core.files import write_files
from marginalia.core.registry import BENCHMARKS, as_benchmark

_TASK_FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "src/marginalia_{name}/__init__.py": "init.py",
    "src/marginalia_{name}/benchmark.py": "benchmark.py",
    "src/marginalia_{name}/data.py": "data.py",
    "src/marginalia_{name}/score.py": "score.py",
    "src/marginalia_{name}/system.py": "majority.py",
    "tests/test_task.py": "test_task.py",
}
"""Path -> template."""


def new_system(name: str, task: str | Benchmark, folder: str | Path = ".") -> list[Path]:
    """Write ``NAME.py`` with a system of a task and ``test_NAME.py`` with its contract."""
    task = as_benchmark(task)
    _check_name(name)
    floor = next(
        (card.name for card in task.systems if card.kind == "floor"), task.preferred["bench"][-1]
    )
    words = {"name": name, "Name": class_name(name), "task": task.name, "floor": floor}
    made = {f"{name}.py": "system.py", f"test_{name}.py": "test_system.py"}
    return _write(Path(folder), {path: _fill(template, **words) for path, template in made.items()})


def new_task(name: str, folder: str | Path = ".") -> list[Path]:
    """Write a package with a task of one metric and one system into ``FOLDER/NAME``."""
    if not re.fullmatch(r"[a-z]{2,40}", name):
        raise FormatError(f"{name!r} is no name for a task: one plain lower-case word was expected")
    if name in BENCHMARKS.names():
        raise FormatError(f"there is a task '{name}' already")
    texts = {
        path.format(name=name): _fill(template, name=name) for path, template in _TASK_FILES.items()
    }
    for split in ("train", "dev", "test"):
        texts[f"data/{name}/{split}.jsonl"] = _fill("rows.jsonl", split=split)
    return _write(Path(folder) / name, texts)


def _fill(template: str, **words: str) -> str:
    text = (files("marginalia.bench") / "templates" / f"{template}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(words)


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name) or keyword.iskeyword(name):
        raise FormatError(
            f"{name!r} is no name for a module: lower-case letters, digits and _ were expected"
        )


def class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _write(folder: Path, texts: dict[str, str]) -> list[Path]:
    """All files or none; what is there is never replaced."""
    for path in texts:
        if (folder / path).exists():
            raise FormatError("this file is there already", path=folder / path)
    by_folder: dict[Path, dict[str, str | bytes]] = {}
    for path, text in texts.items():
        place = folder / path
        by_folder.setdefault(place.parent, {})[place.name] = text
    return [
        written for place, contents in by_folder.items() for written in write_files(place, contents)
    ]
