"""What the commands write over all of examples/ and the recorded cases, kept as text, and compared.

    python benchmarks/outputs.py record FOLDER
    python benchmarks/outputs.py compare BEFORE AFTER

``record`` runs the command line of the Python it is run by, each command in one working folder with a copy of the
examples: the exit code, what was printed and every file written become one text file per command. With
MARGINALIA_ORACLE also `bench score` on every recorded case. ``compare`` shows the lines that differ; the exit code is
1 if any does.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from output_cases import SCORED, commands
from pages import ROOT

EXAMPLES = ROOT / "examples"
SECONDS = 1200
"""A command that takes longer has hung."""

NOISE = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)"), "TIME"),
    (re.compile(r'("(?:seconds|[a-z_]*_s)": )[\d.e-]+'), r"\1SECONDS"),
    (re.compile(r"\b\d+\.\d+ s\b"), "SECONDS s"),
    (re.compile(r'("version": |marginalia[ /])"?\d+\.\d+\.\d+[\w.+]*"?'), r"\1VERSION"),
)
"""What differs from run to run, and what stands for it. More is done by the working folder: all paths are relative."""

SHOWN, DIFFERENCES = 240, 40
"""Characters of a line, and lines of a command, that ``compare`` prints."""


def record(folder: Path) -> None:
    """One text file per command; what was recorded there before is replaced."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary) / "work"
        shutil.copytree(EXAMPLES, work / "examples", ignore=shutil.ignore_patterns("*.py*"))
        for path in work.rglob("*"):
            os.utime(path, (0, 0))
        oracle = os.environ.get("MARGINALIA_ORACLE")
        if oracle:
            for name in SCORED:
                (work / "cases").mkdir(exist_ok=True)
                (work / "cases" / name).symlink_to(Path(oracle).resolve() / name)
        environment = {
            **os.environ,
            "MARGINALIA_CACHE": str(Path(temporary) / "cache"),
            "COLUMNS": "120",
            "NO_COLOR": "1",
            "PYTHONUTF8": "1",
        }
        done = 0
        for name, words in commands(work):
            (folder / f"{name}.txt").write_text(run(words, work, environment), encoding="utf-8")
            done += 1
            print(name, file=sys.stderr, flush=True)
    print(f"{done} commands recorded in {folder}")


def run(words: Iterable[str], work: Path, environment: dict[str, str]) -> str:
    """What one command printed and wrote, as text without what differs from run to run."""
    known = set(work.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-m", "marginalia", *words],
        cwd=work,
        env=environment,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    lines = [f"$ marginalia {shlex.join(words)}", f"exit code {done.returncode}"]
    for title, text in (("printed", done.stdout), ("on standard error", done.stderr)):
        decoded = text.decode("utf-8", "replace").replace(str(work.resolve()), "WORK")
        lines += [f"=== {title}", readable(decoded)]
    for path in sorted(set(work.rglob("*")) - known):
        # An index is built for its answers, and those are recorded; its files have names by chance.
        if path.is_file() and not any(part.endswith(".cat") for part in path.parts):
            lines += [f"=== file {path.relative_to(work).as_posix()}", written(path)]
    text = "\n".join(lines) + "\n"
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return text


def written(path: Path) -> str:
    """A file as text: tables of columns as rows, what is not text by its length and hash."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as parquet

        table = parquet.read_table(path)
        return "\n".join([str(table.schema), *map(repr, table.to_pylist())])
    data = path.read_bytes()
    try:
        return readable(data.decode("utf-8"))
    except UnicodeDecodeError:
        return f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"


def readable(text: str) -> str:
    """JSON on several lines, so that a difference is one line; all else as it is."""
    try:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    except ValueError:
        pass
    try:
        rows = [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return text
    return "\n".join(json.dumps(row, indent=1, ensure_ascii=False) for row in rows)


def compare(before: Path, after: Path) -> int:
    """Print every difference; how many lines and commands differ."""
    old, new = (
        {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
        for folder in (before, after)
    )
    different = same = 0
    for name in sorted({*old, *new}):
        if name not in old or name not in new:
            print(f"{name}: recorded only in {before if name in old else after}")
            different += 1
        elif old[name] == new[name]:
            same += 1
        else:
            parts = sections(name, old[name]), sections(name, new[name])
            for part in dict.fromkeys((*parts[0], *parts[1])):
                lines = list(differences(parts[0].get(part, ""), parts[1].get(part, "")))
                show(part, lines)
                different += len(lines)
    print(f"{same} of {len({*old, *new})} commands write the same; {different} differences")
    return different


def sections(name: str, text: str) -> dict[str, str]:
    """What a command printed, and each file that it wrote: ``read-as-csv``, ``read-as-csv/notes.csv``."""
    found: dict[str, list[str]] = {}
    part = name
    for line in text.splitlines():
        if line.startswith("=== "):
            part = f"{name}/{line[9:]}" if line.startswith("=== file ") else name
        found.setdefault(part, []).append(line)
    return {part: "\n".join(lines) for part, lines in found.items()}


def differences(old: str, new: str) -> Iterator[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    yield from (line for line in lines if not line.startswith(("---", "+++", "@@")))


def show(name: str, lines: list[str]) -> None:
    """Print what differs in one part."""
    if not lines:
        return
    print(f"{name}: {len(lines)} lines differ")
    for line in lines[:DIFFERENCES]:
        print(f"  {line[:SHOWN]}")
    if len(lines) > DIFFERENCES:
        print(f"  … and {len(lines) - DIFFERENCES} more")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    jobs = parser.add_subparsers(dest="job", required=True)
    jobs.add_parser("record").add_argument("folder", type=Path)
    both = jobs.add_parser("compare")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    return parser


def main() -> None:
    arguments = parser().parse_args()
    if arguments.job == "record":
        record(arguments.folder)
    elif compare(arguments.before, arguments.after):
        sys.exit(1)


if __name__ == "__main__":
    main()
