"""Catalogues as users have them: whichever format a file has, its variables one by one.

What is odd but harmless is counted in ``Notes``; what cannot be read is one error. Nothing is lost: a
variable without an id gets one, and an id that two surveys share is qualified with the survey.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import list_files
from marginalia.core.lazy import lazy
from marginalia.tasks.variables.catalogue.groups import Titles, hash64
from marginalia.tasks.variables.official.vocabulary import Catalogue, Notes, Variable

REPEATED = "variables were given twice, word for word, and are kept once"
EMPTY = "the source holds no variables"
QUALIFIED = "ids occur more than once and are qualified with the survey"

READERS: Mapping[str, Callable[..., Iterator[Variable]]] = {
    ".xml": lazy(__package__, "ddi.read_ddi"),
    ".ddi": lazy(__package__, "ddi.read_ddi"),
    ".json": lazy(__package__, "metadata.read_metadata"),
    ".jsonl": lazy(__package__, "metadata.read_metadata_lines"),
    ".csv": lazy(__package__, "tables.read_variables"),
    ".tsv": lazy(__package__, "tables.read_variables"),
    ".tab": lazy(__package__, "tables.read_variables"),
    ".txt": lazy(__package__, "tables.read_variables"),
    ".xlsx": lazy(__package__, "tables.read_spreadsheet"),
    ".sav": lazy(__package__, "statistics_files.read_data_file"),
    ".zsav": lazy(__package__, "statistics_files.read_data_file"),
    ".por": lazy(__package__, "statistics_files.read_data_file"),
    ".dta": lazy(__package__, "statistics_files.read_data_file"),
}
"""read(path, notes, columns) -> variables, their ids as the source gives them."""


def source_files(sources: Iterable[str | Path]) -> list[Path]:
    """The files themselves, and those of folders; each must have an ending that says its format."""
    files = []
    for source in sources:
        path = Path(source)
        if not path.exists():
            raise MissingError(f"{path}: there is no such file")
        files += list_files(path, *READERS)
    for path in files:
        if path.suffix.lower() not in READERS:
            raise FormatError(
                f"the ending does not say the format; known are {', '.join(READERS)}", path=path
            )
    return files


def read_files(
    files: Sequence[Path], notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """The variables of all the files in turn, their ids not yet made unique."""
    for path in files:
        yield from READERS[path.suffix.lower()](path, notes, columns or {})


def read_catalogue(
    sources: Iterable[str | Path], columns: Mapping[str, str] | None = None
) -> Catalogue:
    """All the variables in memory; ``catalogue.notes`` counts what was odd."""
    notes: Notes = Counter()
    files = source_files(sources)
    variables = list(read_files(files, notes, columns))
    if not variables:
        raise FormatError(EMPTY, path=files[0])
    ids = unique_ids([(v.id, v.survey, content(v)) for v in variables], notes)
    titles = Titles(variables)
    return Catalogue(
        (
            titles.tell_apart(variable if variable.id == id else replace(variable, id=id))
            for variable, id in zip(variables, ids, strict=True)
            if id is not None
        ),
        notes,
    )


def content(variable: Variable) -> int:
    """A number that two variables share when all that is known of them is the same."""
    return hash64(
        "\0".join((variable.raw, *(part for pair in variable.fields.items() for part in pair)))
    )


def unique_ids(rows: Sequence[tuple[str, str, int]], notes: Notes) -> list[str | None]:
    """One id per row of id, survey and content; None for a row that was there before, word for word.

    An id that stands for several variables is qualified with the survey wherever it occurs, so the
    order of the sources does not matter, and numbered where that is not enough.
    """
    first: dict[tuple[str, str, int], int] = {}
    kept: list[bool] = []
    for number, row in enumerate(rows):
        kept.append(first.setdefault(row, number) == number)
    notes[REPEATED] += kept.count(False)
    times = Counter(row[0] for row, keep in zip(rows, kept, strict=True) if keep)
    clash = {id for id, count in times.items() if count > 1}
    notes[QUALIFIED] += len(clash)
    taken = set(times) - clash
    ids: list[str | None] = []
    for (id, survey, _), keep in zip(rows, kept, strict=True):
        if keep and id in clash:
            id = qualified = f"{survey}:{id}"
            number = 1
            while id in taken:
                number += 1
                id = f"{qualified}#{number}"
            taken.add(id)
        ids.append(id if keep else None)
    for name in (REPEATED, QUALIFIED):
        if not notes[name]:
            del notes[name]
    return ids
