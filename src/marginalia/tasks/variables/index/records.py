"""Variables as lines of JSON in one file, each found by its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from marginalia.tasks.variables.index.strings import Strings
from marginalia.tasks.variables.official.vocabulary import FIELDS, Variable


def encode(variable: Variable) -> bytes:
    """One line. The text, where it is more or other than the fields one after the other, is kept beside them."""
    row: dict[str, Any] = {"survey": variable.survey, "fields": dict(variable.fields)}
    text = _text(variable.fields)
    if variable.text != text:
        row["text"] = variable.text
    if variable.raw != variable.text:
        row["raw"] = variable.raw
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def decode(line: bytes, id: str) -> Variable:
    row = json.loads(line.decode("utf-8", "surrogatepass"))
    text = row["text"] if "text" in row else _text(row["fields"])
    return Variable(
        id=id, survey=row["survey"], text=text, raw=row.get("raw", text), fields=row["fields"]
    )


def _text(fields: Mapping[str, str]) -> str:
    return " ".join(fields[name] for name in FIELDS if name in fields)


class Records(Sequence[Variable]):
    """The variables of an index, each read from the file when it is asked for."""

    def __init__(self, data: Any, places: Any, ids: Strings) -> None:
        self.data, self.places, self.ids = data, places, ids

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Variable: ...

    @overload
    def __getitem__(self, place: slice) -> list[Variable]: ...

    def __getitem__(self, place: int | slice) -> Variable | list[Variable]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        start, end = self.places[place]
        return decode(bytes(self.data[start:end]), self.ids[place])

    def __iter__(self) -> Iterator[Variable]:
        return (self[place] for place in range(len(self)))
