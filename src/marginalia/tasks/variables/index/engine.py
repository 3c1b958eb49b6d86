"""The words of a catalogue in a tantivy index: one document per group of variables that ask the same.

tantivy stores, compresses and ranks (BM25); ours is what a word is: compounds come whole and in parts, so that
``Zufriedenheit`` meets ``Arbeitszufriedenheit``. Why this engine: docs/explanation/catalogue-engine.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from marginalia.tasks.variables.index.terms import (
    STOP_WORDS,
    index_terms,
    query_terms,
    stem_term,
)
from marginalia.tasks.variables.official.vocabulary import FIELDS, Variable

FIELD_BOOSTS = {"label": 1.5, "core": 1.0, "rest": 0.3}
"""What a word counts in the fields of the index. Answers, items and titles are alike in many variables."""
CORE = ("question", "subquestion", "text")
REST = tuple(name for name in FIELDS if name not in ("label", *CORE))
MIN_FUZZY_LETTERS = 4
"""Shorter words have no near ones: most that differ in a letter are other words."""
NEAR_BOOST = 0.5
"""What a near word, or one of the same stem, counts next to the word itself."""
WRITER_BYTES = 200_000_000
MAX_QUERY_TERMS = 200
"""Different words of a query that are looked up; a sentence has fewer."""


def schema() -> Any:
    import tantivy

    made = tantivy.SchemaBuilder()
    made.add_unsigned_field("number", indexed=True, fast=True)
    for name in ("id", "survey"):
        made.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in FIELD_BOOSTS:
        made.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    made.add_bytes_field("members", stored=True)
    return made.build()


class Writer:
    """Groups one after the other, in a folder or in memory."""

    def __init__(self, folder: Path | None = None) -> None:
        import tantivy

        self.index = tantivy.Index(schema(), path=None if folder is None else str(folder))
        # One thread, so that the same sources give the same order.
        self.writer: Any = self.index.writer(heap_size=WRITER_BYTES, num_threads=1)

    def add(self, number: int, members: Sequence[Variable]) -> None:
        import tantivy

        first = members[0]
        texts = dict(first.fields) or {"text": first.text}
        studies = " ".join(dict.fromkeys(one.fields.get("study", "") for one in members))
        texts["study"] = studies
        rest = [texts.get(name, "") for name in REST]
        names = " ".join(dict.fromkeys(one.fields.get("name", "") for one in members))
        made = tantivy.Document()
        made.add_unsigned("number", number)
        for one in members:
            made.add_text("id", whole(one.id))
        for survey in dict.fromkeys(one.survey for one in members):
            made.add_text("survey", whole(survey))
        made.add_text("label", _terms(texts.get("label", "")))
        made.add_text("core", _terms(" ".join(texts.get(name, "") for name in CORE)))
        made.add_text("rest", _terms(" ".join([*rest, names])))
        made.add_bytes("members", encode(members))
        self.writer.add_document(made)

    def abandon(self) -> None:
        """Let go of the files, so that they can be removed."""
        self.writer.rollback()
        self.writer = None

    def finish(self) -> Engine:
        self.writer.commit()
        self.writer.wait_merging_threads()
        self.index.reload()
        return Engine(self.index)


class Engine:
    """Groups by their words, their number, the id of a variable."""

    def __init__(self, index: Any) -> None:
        self.index, self.schema = index, index.schema
        self.searcher = index.searcher()
        self.group = lru_cache(maxsize=5000)(self._group)

    @classmethod
    def open(cls, folder: Path) -> Engine:
        import tantivy

        index = tantivy.Index.open(str(folder))
        index.config_reader(reload_policy="manual")
        return cls(index)

    def __len__(self) -> int:
        return int(self.searcher.num_docs)

    def search(
        self, text: str, k: int, *, fuzzy: bool = False, surveys: Iterable[str] | None = None
    ) -> dict[int, float]:
        """The best ``k`` groups by BM25, best first; ``fuzzy`` also takes words near in letters or stem."""
        import tantivy

        make = tantivy.Query
        parts = []
        for term, weight in list(query_terms(whole(text)).items())[:MAX_QUERY_TERMS]:
            near = fuzzy and len(term) >= MIN_FUZZY_LETTERS and term not in STOP_WORDS
            for field, boost in FIELD_BOOSTS.items():
                found = make.term_query(self.schema, field, term, "freq")
                parts.append(make.boost_query(found, weight * boost))
                others = [
                    *(make.fuzzy_term_query(self.schema, field, term, 1) for _ in range(near)),
                    *(
                        make.term_query(self.schema, field, one, "freq")
                        for one in (stem_term(term) if fuzzy else ())
                    ),
                ]
                parts += [make.boost_query(one, NEAR_BOOST * weight * boost) for one in others]
        if not parts or not k:
            return {}
        query = make.boolean_query([(tantivy.Occur.Should, part) for part in parts])
        if surveys is not None:
            allowed = make.term_set_query(self.schema, "survey", [whole(one) for one in surveys])
            both = (query, make.const_score_query(allowed, 0.0))
            query = make.boolean_query([(tantivy.Occur.Must, part) for part in both])
        hits = self.searcher.search(query, k, count=False).hits
        numbers = self.searcher.fast_field_values("number", [place for _, place in hits])
        rows = [(float(score), int(n)) for (score, _), n in zip(hits, numbers, strict=True)]
        # Equal ones in the order of the catalogue, whatever segment they are in.
        rows.sort(key=lambda row: (-round(row[0], 6), row[1]))
        return {number: score for score, number in rows}

    def rarity(self, term: str) -> int:
        """In how many groups a term is a word of the label or of the question."""
        return sum(int(self.searcher.doc_freq(field, whole(term))) for field in ("label", "core"))

    def find(self, id: str) -> int | None:
        """The number of the group that has a variable with this id."""
        found = self._first("id", whole(id))
        return None if found is None else int(self.searcher.fast_field_values("number", [found])[0])

    def _group(self, number: int) -> tuple[Variable, ...]:
        place = self._first("number", number)
        if place is None:
            raise IndexError(number)
        return decode(bytes(self.searcher.doc(place)["members"][0]))

    def _first(self, field: str, value: str | int) -> Any:
        import tantivy

        query = tantivy.Query.term_query(self.schema, field, value)
        hits = self.searcher.search(query, 1, count=False).hits
        return hits[0][1] if hits else None


def encode(members: Sequence[Variable]) -> bytes:
    """Variables as JSON. Text that is no more than the fields one after the other is not said twice."""
    rows = []
    for one in members:
        row: dict[str, Any] = {"id": one.id, "survey": one.survey, "fields": dict(one.fields)}
        if one.text != _text(one.fields):
            row["text"] = one.text
        if one.raw != one.text:
            row["raw"] = one.raw
        if one.codes:
            row["codes"] = [list(pair) for pair in one.codes]
        rows.append(row)
    return json.dumps(rows, separators=(",", ":")).encode()


def decode(data: bytes) -> tuple[Variable, ...]:
    variables = []
    for row in json.loads(data):
        text = row["text"] if "text" in row else _text(row["fields"])
        codes = tuple((str(code), str(said)) for code, said in row.get("codes", ()))
        variables.append(
            Variable(
                id=row["id"],
                survey=row["survey"],
                text=text,
                raw=row.get("raw", text),
                fields=row["fields"],
                codes=codes,
            )
        )
    return tuple(variables)


def whole(text: str) -> str:
    """The text as UTF-8 can have it: half of a surrogate pair is no character."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _text(fields: Any) -> str:
    return " ".join(fields[name] for name in FIELDS if name in fields)


def _terms(text: str) -> str:
    return " ".join(index_terms(whole(text)))
