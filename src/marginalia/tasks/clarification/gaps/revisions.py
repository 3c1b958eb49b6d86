"""Clarifications in the history of a text: two versions become rows in the layout of CLAIRE."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_lines
from marginalia.core.table import format_table
from marginalia.nlp.sentences import sentences
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.clarification.gaps.lexicon import singular
from marginalia.tasks.clarification.gaps.patterns import Insertion, match, single_insertion, tokens
from marginalia.tasks.clarification.gaps.places import CONTEXT_SENTENCES, Word, tag
from marginalia.tasks.clarification.official.data import COLUMNS, PHENOMENA

BATCH_REVISIONS = 200
"""Revision pairs that are read at once."""
MAX_SENTENCE_CHARACTERS = 2_000
"""Characters of a sentence that is compared word by word."""
FILLERS_PER_GAP = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """A clarification that a revision made: the filler in its gap, with the text around it."""

    pattern: str
    title: str
    header: str
    previous: str
    sentence: str
    """The new sentence with a gap in place of the filler."""
    followup: str
    filler: str
    old: str
    """The sentence before the revision."""

    @property
    def phenomenon(self) -> str:
        return PHENOMENA[self.pattern]

    def to_dict(self) -> dict[str, str]:
        context = {"previous": self.previous, "sentence": self.sentence, "followup": self.followup}
        names = {"pattern": self.pattern, "phenomenon": self.phenomenon}
        place = {"title": self.title, "header": self.header}
        return {**names, **place, **context, "filler": self.filler, "old": self.old}


@dataclass(frozen=True, slots=True)
class Revision:
    """Two versions of a text."""

    old: str
    new: str
    title: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True)
class _Changed:
    """A sentence that something was put into."""

    revision: Revision
    old: str
    new: str
    previous: tuple[str, ...]
    """All sentences before it."""
    followup: str
    runs: tuple[tuple[int, int], ...]


def mine(revisions: Iterable[Revision]) -> Iterator[Mined]:
    """The clarifications of a stream of revisions, in its order."""
    stream = iter(revisions)
    while part := list(islice(stream, BATCH_REVISIONS)):
        changed = [one for revision in part for one in _changes(revision)]
        for one, words in zip(changed, tag(one.new for one in changed), strict=True):
            found = _best(one, words)
            if found is not None:
                yield found


def _changes(revision: Revision) -> Iterator[_Changed]:
    """Sentences of the new version that say more than their counterparts, and else the same."""
    old = [" ".join(revision.old[a:b].split()) for a, b in sentences(revision.old, "en")]
    new = [" ".join(revision.new[a:b].split()) for a, b in sentences(revision.new, "en")]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, i, end, j, stop in matcher.get_opcodes():
        if kind != "replace" or end - i != stop - j:
            continue
        for before, after, place in zip(old[i:end], new[j:stop], range(j, stop), strict=True):
            if len(after) > MAX_SENTENCE_CHARACTERS:
                continue
            runs = tuple(single_insertion(before, after))
            if runs:
                followup = " ".join(new[place + 1 : place + 2])
                yield _Changed(revision, before, after, tuple(new[:place]), followup, runs)


def _best(one: _Changed, words: tuple[Word, ...]) -> Mined | None:
    """The first of the possible runs that fits a pattern; CLAIRE's patterns do not overlap."""
    made = _tokens(one.new, words)
    context = " ".join((one.revision.title, one.revision.header, *one.previous))
    mentioned = {singular(word) for word in lower_words(context)}
    for start, end in one.runs:
        earlier = {singular(word.lower) for word in made[:start]}
        # Without any context nothing can have been mentioned.
        known = mentioned | earlier if mentioned else None
        found = match(Insertion(one.new, made, start, end), known)
        if found is not None:
            return Mined(
                pattern=found.pattern,
                title=one.revision.title,
                header=one.revision.header,
                previous=" ".join(one.previous[-CONTEXT_SENTENCES:]),
                sentence=found.sentence,
                followup=one.followup,
                filler=found.filler,
                old=one.old,
            )
    return None


def _tokens(text: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The tokens with the tags of the words they lie in; a mark has none."""
    tags: dict[int, str] = {}
    for word in words:
        tags |= dict.fromkeys(range(word.start, word.end), word.tag)
    return tuple(
        Word(a, b, text[a:b], tags.get(a, "PUNCT") if text[a].isalnum() else "PUNCT", "")
        for a, b in tokens(text)
    )


def read_revisions(path: Path) -> Iterator[Revision]:
    """Revision pairs of a file: JSON lines with ``old`` and ``new``, or two columns with a tab between them.

    JSON may also have ``title`` and ``header``. A TSV file may have the header ``old<TAB>new``.
    """
    is_json = path.suffix.lower() in (".jsonl", ".ndjson", ".json")
    yield from parse_revisions(read_lines(path), path, is_json=is_json)


def parse_revisions(
    lines: Iterable[tuple[int, str]], path: Path, *, is_json: bool
) -> Iterator[Revision]:
    """Revision pairs of numbered lines; ``path`` is for messages."""
    for line, text in lines:
        if not text.strip():
            continue
        if is_json:
            yield _from_json(parse_json(text, path, line), path, line)
            continue
        cells = text.split("\t")
        if len(cells) != 2:
            raise FormatError(
                f"{len(cells)} columns where 2 were expected (old, new)", path=path, line=line
            )
        if [cell.strip().lower() for cell in cells] != ["old", "new"] or line > 1:
            yield Revision(*cells)


def _from_json(data: Any, path: Path, line: int) -> Revision:
    if not isinstance(data, dict):
        raise FormatError("a JSON object with 'old' and 'new' was expected", path=path, line=line)
    texts = {name: data.get(name, "") for name in ("old", "new", "title", "header")}
    for name, value in texts.items():
        if name not in data and name in ("old", "new"):
            raise FormatError(f"there is no {name!r}", path=path, line=line)
        if not isinstance(value, str):
            raise FormatError(f"{name!r} is {value!r:.40}, not text", path=path, line=line)
    return Revision(**texts)


def format_mined(rows: Iterable[Mined]) -> str:
    """A data file in the layout of CLAIRE, with the filler that was inserted and room for four others."""
    table: list[tuple[object, ...]] = [COLUMNS]
    for number, row in enumerate(rows, 1):
        place = (row.pattern, row.title, row.header, row.previous, row.sentence, row.followup)
        cells = (str(number), *place, row.filler, *[""] * (FILLERS_PER_GAP - 1))
        table.append(tuple(" ".join(cell.split()) for cell in cells))
    return format_table(table)
