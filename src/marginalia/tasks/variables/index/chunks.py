"""A part of a catalogue while it is indexed: what one pass over some variables gives.

A chunk knows nothing of the others. So an interrupted build goes on with the next one.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError
from marginalia.core.files import write_file
from marginalia.tasks.variables.catalogue.formats import content
from marginalia.tasks.variables.catalogue.groups import group_hash
from marginalia.tasks.variables.index.records import encode
from marginalia.tasks.variables.index.strings import Strings
from marginalia.tasks.variables.index.terms import variable_terms
from marginalia.tasks.variables.official.vocabulary import Variable


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Everything as arrays, so that it can be written and read without running any code of the file."""

    records: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    """Bytes of each record."""
    id_text: NDArray[np.uint8]
    id_starts: NDArray[np.int64]
    survey_text: NDArray[np.uint8]
    survey_starts: NDArray[np.int64]
    survey: NDArray[np.int32]
    """Place of each variable's survey among those of the chunk."""
    contents: NDArray[np.uint64]
    groups: NDArray[np.uint64]
    term_text: NDArray[np.uint8]
    term_starts: NDArray[np.int64]
    starts: NDArray[np.int64]
    """Where the terms of each variable start in the next two."""
    terms: NDArray[np.int32]
    counts: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.sizes)

    def rows(self) -> list[tuple[str, str, int]]:
        """Id, survey and content of each variable."""
        ids = Strings(self.id_text, self.id_starts)
        surveys = Strings(self.survey_text, self.survey_starts)
        names = [surveys[place] for place in range(len(surveys))]
        return [
            (ids[row], names[self.survey[row]], int(self.contents[row])) for row in range(len(self))
        ]

    def term_list(self) -> list[str]:
        terms = Strings(self.term_text, self.term_starts)
        return [terms[place] for place in range(len(terms))]


def make_chunk(variables: Iterable[Variable]) -> Chunk:
    records, ids, contents, groups = [], [], [], []
    survey: list[int] = []
    surveys: dict[str, int] = {}
    vocabulary: dict[str, int] = {}
    terms: list[int] = []
    counts: list[float] = []
    lengths = [0]
    for variable in variables:
        records.append(encode(variable))
        ids.append(variable.id)
        contents.append(content(variable))
        groups.append(group_hash(variable))
        survey.append(surveys.setdefault(variable.survey, len(surveys)))
        found = variable_terms(variable)
        for term in found:
            terms.append(vocabulary.setdefault(term, len(vocabulary)))
        counts.extend(found.values())
        lengths.append(len(found))
    id_strings, survey_strings, term_strings = map(Strings.of, (ids, surveys, vocabulary))
    return Chunk(
        records=np.frombuffer(b"".join(records), dtype=np.uint8),
        sizes=np.array([len(one) for one in records], dtype=np.int64),
        id_text=id_strings.data,
        id_starts=id_strings.starts,
        survey_text=survey_strings.data,
        survey_starts=survey_strings.starts,
        survey=np.array(survey, dtype=np.int32),
        contents=np.array(contents, dtype=np.uint64),
        groups=np.array(groups, dtype=np.uint64),
        term_text=term_strings.data,
        term_starts=term_strings.starts,
        starts=np.array(list(accumulate(lengths)), dtype=np.int64),
        terms=np.array(terms, dtype=np.int32),
        counts=np.array(counts, dtype=np.float32),
    )


def save_chunk(chunk: Chunk, path: Path) -> None:
    """All of it or nothing: half a chunk would be taken for a whole one."""
    data = io.BytesIO()
    np.savez(data, **{field.name: getattr(chunk, field.name) for field in fields(chunk)})
    write_file(path, data.getvalue())


def load_chunk(path: Path) -> Chunk:
    try:
        with np.load(path, allow_pickle=False) as found:
            parts: dict[str, Any] = {field.name: found[field.name] for field in fields(Chunk)}
    except (ValueError, KeyError, OSError, EOFError) as error:
        raise FormatError(
            f"this part of an unfinished catalogue cannot be read ({error}); delete the folder "
            "and build again",
            path=path,
        ) from error
    return Chunk(**parts)
