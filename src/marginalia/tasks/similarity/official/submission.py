"""The official submission: ``STS.output.<set>.txt`` for each set of CORE, one file for TYPED."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines
from marginalia.core.report import Report
from marginalia.core.resolution import warn_once
from marginalia.core.table import format_table, parse_float
from marginalia.tasks.similarity.official import programs, typed
from marginalia.tasks.similarity.official.data import Score
from marginalia.tasks.similarity.official.judge import judge
from marginalia.tasks.similarity.official.layouts import set_name, short_names
from marginalia.tasks.similarity.official.programs import Row
from marginalia.tasks.similarity.official.score import score
from marginalia.tasks.similarity.official.typed import TYPES, RecordPair, Scores

TYPED_OUTPUT = "STS.output.typed.txt"


def write_submission(split: Split, pred: Mapping[str, Any]) -> dict[str, str]:
    """``STS.output.<set>.txt`` with ``score<TAB>confidence`` on the line of each pair.

    For TYPED, ``STS.output.typed.txt`` with eight tab-separated scores, in the order of the input. A pair
    that was never rated is not in a split with gold; its line gets a 0 of confidence 0.
    """
    if any(isinstance(item, RecordPair) for item in split.items.values()):
        rows = ([_shown(value) for value in pred[id]] for id in split.items)
        return {TYPED_OUTPUT: format_table(rows)}
    lines: dict[str, dict[int, Score]] = {}
    for id, item in split.items.items():
        lines.setdefault(item.dataset, {})[int(id.rpartition("/")[2])] = pred[id]
    files = {}
    for dataset, name in short_names(list(lines)).items():
        given = (lines[dataset].get(n, Score(0, 0)) for n in range(1, max(lines[dataset]) + 1))
        files[f"STS.output.{name.replace('/', '.')}.txt"] = format_table(
            (_shown(row.score), _shown(row.confidence)) for row in given
        )
    return files


def _shown(value: float) -> str:
    """All digits of a number, and no more than a whole number needs."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def read_rows(path: Path) -> tuple[list[Row], list[str]]:
    """The rows of an output file as the programs read them, and its lines as the format checker does."""
    lines = [text for _, text in read_lines(path)]
    if not any(line.strip() and not line.startswith("#") for line in lines):
        raise FormatError("the file is empty; expected rows of score<TAB>confidence", path=path)
    rows = []
    for line in lines:
        if line.startswith("#"):
            continue
        cells = programs.fields(line)
        score = programs.number(cells[0]) if cells else 0.0
        rows.append(Row(score, programs.number(cells[1]) if len(cells) > 1 else None))
    return rows, lines


def read_gold_rows(path: Path) -> tuple[list[float | None], int]:
    """The scores of a gold file as the programs read them, and its number of line ends."""
    table = set_name(path)[0] == "tsv"
    gold: list[float | None] = []
    for _, line in read_lines(path):
        if line.startswith("#"):
            continue
        text = line.split("\t")[0] if table else line
        cells = programs.fields(text)
        gold.append(programs.number(cells[0]) if cells else None)
    if not gold:
        raise FormatError("the file is empty; expected a score on each line", path=path)
    return gold, path.read_bytes().count(b"\n")


def read_typed(path: Path) -> list[Scores]:
    """The rows of a TYPED output: eight tab-separated numbers each."""
    rows = []
    for line, text in read_lines(path):
        cells = text.split("\t")
        if len(cells) != len(TYPES):
            raise FormatError(
                f"{len(cells)} columns where {len(TYPES)} were expected ({', '.join(TYPES)})",
                path=path,
                line=line,
            )
        rows.append(tuple(parse_float(cell, "score", path, line) for cell in cells))
    return rows


def read_submission(split: Split, path: Path) -> dict[str, Any]:
    """The predictions of an official submission: a file for each set of the split, a line for each pair."""
    if any(isinstance(item, RecordPair) for item in split.items.values()):
        file = path / TYPED_OUTPUT if path.is_dir() else path
        found = read_typed(file)
        if len(found) != len(split):
            raise FormatError(f"{len(found)} rows where the split has {len(split)}", path=file)
        return dict(zip(split.items, found, strict=True))
    lines: dict[str, dict[int, str]] = {}
    for id, item in split.items.items():
        lines.setdefault(item.dataset, {})[int(id.rpartition("/")[2])] = id
    outputs = _named(path, "output")
    pred: dict[str, Score] = {}
    names = short_names(list(lines))
    surplus = outputs.keys() - {name.replace("/", ".") for name in names.values()}
    if path.is_dir() and surplus:
        left_out = ", ".join(outputs[name].name for name in sorted(surplus))
        warn_once(f"{left_out} left out: the split '{split.name}' has no such set here.")
    for dataset, name in names.items():
        file = outputs.get(name.replace("/", ".")) or (path if not path.is_dir() else path / name)
        if not file.is_file():
            raise FormatError(f"the folder has no STS.output.{name}.txt", path=path)
        rows, _ = read_rows(file)
        last = max(lines[dataset])
        if len(rows) < last:
            raise FormatError(f"{len(rows)} rows where {name} has {last} pairs", path=file)
        for number, id in lines[dataset].items():
            row = rows[number - 1]
            pred[id] = Score(row.score, 100.0 if row.confidence is None else row.confidence)
    return {id: pred[id] for id in split.items}


def score_files(gold: Path, pred: Path, text: Path | None = None) -> Report:
    """Score output files against gold files of any year: a file against a file, or folder by folder.

    Gold is ``STS.gs.<set>.txt``, ``<set>.test.tsv`` or, for TYPED, a ``.jsonl`` file of ours. The report
    has ``sets`` and ``mean`` as a run has them, ``datasets`` with what each official program prints,
    and ``correlation-all`` where the four sets of 2013 are there.
    """
    records = _jsonl(gold)
    if records:
        return _score_typed(records, pred)
    truth = _named(gold, "gs", "tsv")
    outputs = _named(pred, "output")
    if not gold.is_dir() and not pred.is_dir():
        outputs = dict.fromkeys(truth, pred)
    elif not pred.is_dir():
        truth = {name: path for name, path in truth.items() if name in outputs}
    if not truth.keys() & outputs.keys():
        raise FormatError(
            f"no output for any set of {gold}; expected STS.output.<set>.txt with a set of the gold",
            path=pred,
        )
    return judge(
        gold={name: read_gold_rows(path) for name, path in truth.items()},
        outputs={name: read_rows(path) for name, path in outputs.items() if name in truth},
        unknown=sorted(outputs.keys() - truth.keys()),
    )


def _named(path: Path, *kinds: str) -> dict[str, Path]:
    """Set -> file: those of a folder, or the one file under whatever name it has."""
    if not path.is_dir():
        return {set_name(path)[1] or path.stem: path}
    found = {set_name(file)[1]: file for file in path.iterdir() if set_name(file)[0] in kinds}
    if not found:
        wanted = "STS.output.<set>.txt" if "output" in kinds else "STS.gs.<set>.txt"
        raise FormatError(f"the folder has no {wanted}", path=path)
    return found


def _jsonl(path: Path) -> list[Path]:
    """The TYPED files that a gold path names; a folder with gold of CORE is one of CORE."""
    if not path.is_dir():
        return [path] if path.suffix == ".jsonl" else []
    core = any(set_name(file)[0] in ("gs", "tsv") for file in path.iterdir())
    return [] if core else sorted(path.glob("*.jsonl"))


def _score_typed(records: list[Path], pred: Path) -> Report:
    path = pred / TYPED_OUTPUT if pred.is_dir() else pred
    items: dict[str, RecordPair] = {}
    gold: dict[str, Scores] = {}
    for file in records:
        for line, id, item, scores in typed.read_pairs(file):
            if scores is None:
                raise FormatError(f"the pair {id!r} has no ratings", path=file, line=line)
            items[id], gold[id] = item, scores
    rows = read_typed(path)
    if len(rows) != len(items):
        raise FormatError(f"{len(rows)} rows where gold has {len(items)} pairs", path=path)
    split = Split(name="typed", items=items, gold=gold, group={id: id for id in items})
    return score(split, dict(zip(items, rows, strict=True)))
