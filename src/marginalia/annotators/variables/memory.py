"""What curators decided, kept beside the catalogue: decided links come first the next time.

One JSON object a line in ``decisions.jsonl`` of the catalogue's folder, or beside a source file; the last word on a
sentence and a variable counts. The index does not depend on it, so a rebuilt catalogue keeps its decisions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_lines
from marginalia.nlp.tokens import lower_words

FILE = "decisions.jsonl"
UNDECIDED = "undecided"
VERDICTS = ("accepted", "rejected", "none", UNDECIDED)
"""The sentence uses this variable; it does not; it uses no survey variable at all (then ``variable`` is empty); or what was
said of it earlier is taken back."""
MIN_NEAR_SHARE = 0.8
"""From this share of common words on (Jaccard) a decision on one sentence is offered for another."""
MIN_NEAR_WORDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One person's word on a sentence and a variable."""

    sentence: str
    variable: str
    verdict: str
    survey: str = ""
    document: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise FormatError(f"no verdict {self.verdict!r:.40}; known are {', '.join(VERDICTS)}")

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is known of a sentence: by decisions on itself, or on one that is nearly the same."""

    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    """Variables that were accepted for a sentence that is nearly the same."""
    none: bool = False
    """That it uses no variable."""


@dataclass(slots=True)
class Memory:
    """All decisions of a catalogue, looked up by the words of a sentence."""

    path: Path | None = None
    decisions: dict[tuple[str, str], Decision] = field(default_factory=dict)
    _by_sentence: dict[str, list[Decision]] | None = None

    def __len__(self) -> int:
        return len(self.decisions)

    def __iter__(self) -> Iterator[Decision]:
        return iter(self.decisions.values())

    def add(self, decisions: Iterable[Decision]) -> int:
        """Keep these and write down what is new; returns how many were."""
        new = []
        for one in decisions:
            if self._take(one):
                new.append(one)
        if new and self.path is not None:
            lines = "".join(json.dumps(one.to_dict(), ensure_ascii=False) + "\n" for one in new)
            try:
                # In one write to the end: two people who decide at once lose nothing.
                with self.path.open("ab") as file:
                    file.write(lines.encode("utf-8", "replace"))
                    file.flush()
                    os.fsync(file.fileno())
            except OSError as error:
                raise FormatError(
                    f"decisions cannot be written: {error.strerror}", path=self.path
                ) from error
        self._by_sentence = None
        return len(new)

    def _take(self, one: Decision) -> bool:
        """The last word on a sentence and a variable; whether it says something new."""
        key = _key(one.sentence), one.variable
        if one.verdict == UNDECIDED:
            return self.decisions.pop(key, None) is not None
        is_new = self.decisions.get(key) != one
        self.decisions[key] = one
        return is_new

    def recall(self, sentence: str) -> Remembered:
        """What was decided on this sentence, or on one that is nearly the same."""
        if not self.decisions:
            return Remembered()
        if self._by_sentence is None:
            self._by_sentence = {}
            for (key, _), one in self.decisions.items():
                self._by_sentence.setdefault(key, []).append(one)
        decided = self._by_sentence.get(_key(sentence), [])
        near: list[str] = []
        if not decided:
            words = set(_key(sentence).split())
            for key, each in self._by_sentence.items():
                if _near(words, set(key.split())):
                    near += [one.variable for one in each if one.verdict == "accepted"]
        return Remembered(
            accepted=tuple(one.variable for one in decided if one.verdict == "accepted"),
            rejected=tuple(one.variable for one in decided if one.verdict == "rejected"),
            near=tuple(dict.fromkeys(near)),
            none=any(one.verdict == "none" for one in decided),
        )


def memory_of(catalogue: str | Path) -> Memory:
    """The decisions that belong to a catalogue: in its folder, or beside its file."""
    place = Path(catalogue)
    path = place / FILE if place.is_dir() else place.with_name(f"{place.name}.{FILE}")
    memory = Memory(path)
    if path.exists():
        for line, text in read_lines(path):
            if text.strip():
                memory._take(parse_decision(parse_json(text, path, line), path, line))
    return memory


def parse_decision(data: Any, path: Path | None = None, line: int | None = None) -> Decision:
    """A decision from plain data, as a file or a request has it."""
    known = Decision.__dataclass_fields__
    if not isinstance(data, Mapping) or not all(
        isinstance(data.get(name, ""), str) for name in known
    ):
        raise FormatError("not a decision on a sentence and a variable", path=path, line=line)
    try:
        given = {name: data[name] for name in known if name in data}
        found = Decision(**{"sentence": "", "variable": "", "verdict": "", **given})
    except FormatError as error:
        raise FormatError(error.message, path=path, line=line) from None
    fits = bool(found.variable) != (found.verdict == "none") or found.verdict == UNDECIDED
    if not found.sentence.strip() or not fits:
        raise FormatError("a decision names a sentence and a variable", path=path, line=line)
    return found


def _key(sentence: str) -> str:
    """A sentence by its words: line breaks and punctuation differ from one reading of a PDF to the next."""
    return " ".join(lower_words(sentence)) or sentence.strip()


def _near(one: set[str], other: set[str]) -> bool:
    if min(len(one), len(other)) < MIN_NEAR_WORDS:
        return False
    return len(one & other) >= MIN_NEAR_SHARE * len(one | other)
