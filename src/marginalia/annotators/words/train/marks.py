"""Texts in which readers marked what stopped them: our own marks, and those of CWI 2018."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.annotators.words.candidates import Candidate, Sentence, find_candidates
from marginalia.annotators.words.train.fit import Text
from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines
from marginalia.lexicon.dictionary import Dictionary
from marginalia.nlp.sentences import sentences
from marginalia.nlp.tokens import words

CWI = ("News", "WikiNews", "Wikipedia")
READERS = 10
"""Natives and learners each, who read a text of CWI."""
SHARE = {1: 0.35, 2: 0.7, 3: 0.9}
"""Importance of one of our marks -> the share of such readers that it stands for."""
NATIVE_MARKED_BY_LEARNERS = 0.02
"""The same for natives, of what was marked for learners alone."""


def own_texts(folder: Path, dictionary: Dictionary) -> Iterator[Text]:
    """Our marks: ``texts.jsonl`` has the paragraphs, ``marks*.jsonl`` what was marked in them."""
    marks: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(folder.glob("marks*.jsonl")):
        for row in rows_of(path):
            marks.setdefault(row["id"], []).extend(row["marks"])
    for row in rows_of(folder / "texts.jsonl"):
        if row["id"] in marks:
            yield _own_text(row, marks[row["id"]], dictionary)


def _own_text(row: dict[str, Any], marks: Iterable[dict[str, Any]], dictionary: Dictionary) -> Text:
    text = row["text"]
    places = []
    for mark in marks:
        found = [m.start() for m in re.finditer(re.escape(mark["quote"]), text)]
        if found:
            start = found[min(mark.get("nth", 1), len(found)) - 1]
            places.append((start, start + len(mark["quote"]), mark))
    read, shares, seen = [], [], set()
    for start, end in sentences(text, "en"):
        piece = text[start:end]
        inside = [(a - start, b - start, m) for a, b, m in places if start <= a < end]
        # What was marked and is no candidate teaches nothing.
        spans = [match.span() for match in words(piece)]
        sentence = Sentence(start, piece, tuple(find_candidates(piece, spans, dictionary)))
        read.append(sentence)
        for one in sentence.candidates:
            key = one.key("en")
            # A word is marked once: its later uses say nothing of who would stop there.
            shares.append((np.nan, np.nan) if key in seen else _share(one, inside))
            seen.add(key)
    group = str(row.get("article") or row["id"])
    return Text(group, "own", tuple(read), np.array(shares, dtype=np.float32).reshape(-1, 2))


def _share(one: Candidate, marked: list[tuple[int, int, dict[str, Any]]]) -> tuple[float, float]:
    """The shares of natives and learners that a mark on this word, or on what it is most of, stands for."""
    for start, end, mark in marked:
        shared = min(end, one.end) - max(start, one.start)
        if shared > 0 and 2 * shared >= max(end - start, 1) and 2 * shared >= one.end - one.start:
            share = SHARE[int(mark["importance"])]
            return (
                (share, share) if mark["level"] == "general" else (NATIVE_MARKED_BY_LEARNERS, share)
            )
    return 0.0, 0.0


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in read_lines(path):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise FormatError(f"no JSON: {error}", path=path, line=number) from error


def cwi_texts(folder: Path, dictionary: Dictionary) -> Iterator[Text]:
    """Train and dev of CWI 2018, one text for each group of sentences that the same readers saw."""
    hits: dict[tuple[str, str], dict[str, dict[tuple[int, int], tuple[float, float]]]] = {}
    for genre in CWI:
        for part in ("Train", "Dev"):
            for _, line in read_lines(folder / f"{genre}_{part}.tsv"):
                hit, text, low, high, _, _, _, native, learner, *_ = line.split("\t")
                span = int(low), int(high)
                shares = int(native) / READERS, int(learner) / READERS
                hits.setdefault((genre, hit), {}).setdefault(text, {})[span] = shares
    for (genre, hit), texts in hits.items():
        read, shares_of = [], []
        for text, marked in texts.items():
            spans = [match.span() for match in words(text)]
            found = {(one.start, one.end): one for one in find_candidates(text, spans, dictionary)}
            for start, end in marked.keys() - found.keys():
                parts = tuple(match.group() for match in words(text[start:end])) or (
                    text[start:end],
                )
                entry = dictionary.entry(text[start:end])
                found[start, end] = Candidate(start, end, text[start:end], entry, parts, start == 0)
            read.append(Sentence(0, text, tuple(found[span] for span in sorted(found))))
            shares_of += [marked.get(span, (np.nan, np.nan)) for span in sorted(found)]
        marks = np.array(shares_of, dtype=np.float32).reshape(-1, 2)
        yield Text(f"{genre}-{hit}", genre, tuple(read), marks)
