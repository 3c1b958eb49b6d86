"""The variables of a build while they are read: on disk, with only ids and groups in memory."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from marginalia.tasks.variables.catalogue.formats import content, unique_ids
from marginalia.tasks.variables.catalogue.groups import group_hash
from marginalia.tasks.variables.catalogue.titles import Titles
from marginalia.tasks.variables.index.engine import decode, encode
from marginalia.tasks.variables.official.vocabulary import Notes, Variable


class Spool:
    """Written once, then read group by group."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.starts = array("q", [0])
        self.rows: list[tuple[str, str, int]] = []
        self.groups = array("Q")
        self.titles = Titles()
        self.joined: list[int] = []
        """Variables of one text: what is title, label and question is known when all of their survey are read."""

    def fill(self, variables: Iterable[Variable]) -> Iterator[int]:
        """Write the variables down, and say every now and then how many."""
        with self.path.open("wb") as file:
            for number, variable in enumerate(variables, 1):
                data = encode([variable])
                file.write(data)
                self.starts.append(self.starts[-1] + len(data))
                self.rows.append((variable.id, variable.survey, content(variable)))
                self.groups.append(group_hash(variable))
                self.titles.add([variable])
                if not variable.fields:
                    self.joined.append(number - 1)
                if not number % 1000:
                    yield number
        yield len(self.rows)

    def members(self, notes: Notes) -> Iterator[tuple[Variable, ...]]:
        """The groups as they first occur, each with its variables under their unique ids."""
        ids = unique_ids(self.rows, notes)
        together: dict[int, list[int]] = {}
        with self.path.open("rb") as file:
            for place in self.joined:
                self.groups[place] = group_hash(self._read(file, place))
            for place, group in enumerate(self.groups):
                if ids[place] is not None:
                    together.setdefault(group, []).append(place)
            for places in together.values():
                found = ((place, self._read(file, place)) for place in places)
                yield tuple(replace(one, id=ids[place] or one.id) for place, one in found)

    def _read(self, file: BinaryIO, place: int) -> Variable:
        file.seek(self.starts[place])
        (one,) = decode(file.read(self.starts[place + 1] - self.starts[place]))
        return self.titles.tell_apart(one)


def count_surveys(members: Iterable[Variable], into: Counter[str]) -> list[str]:
    """Count the variables of each survey, and name those of this group."""
    names = [one.survey for one in members]
    into.update(names)
    return list(dict.fromkeys(names))
