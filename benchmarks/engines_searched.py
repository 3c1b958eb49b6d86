"""The engines that ``engines.py`` compares: how each builds its index and what it is asked."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FIELDS = {
    "label": (("label",), 1.0),
    "core": (("question", "subquestion"), 1.0),
    "rest": (("study", "items", "answers", "topic"), 0.3),
}
"""Fields of tantivy: which of ours they hold, and what they count."""
GRAM_LETTERS = 4


class Shipped:
    """The catalogue as it ships: tantivy with our words, near letters and stems, groups and stored variables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "shipped"

    def build(self, path: Path) -> None:
        from marginalia.tasks.variables.index.build import build

        build([path], self.folder, vectors="none")

    def open(self) -> None:
        from marginalia.tasks.variables.index.search import open_catalogue

        self.catalogue = open_catalogue(self.folder)

    def search(self, text: str) -> list[str]:
        return [hit.id for hit in self.catalogue.search(text, k=10)]


class Fts5:
    """SQLite with trigrams; a query is its words (found anywhere in a word), or its groups of three letters."""

    def __init__(self, folder: Path, by: str = "words") -> None:
        self.path, self.by = folder / "fts5.db", by

    def build(self, path: Path) -> None:
        import sqlite3

        db = sqlite3.connect(self.path)
        db.execute(
            "create virtual table v using fts5(id unindexed, label, text, tokenize='trigram')"
        )
        rows = map(json.loads, path.open(encoding="utf-8"))
        db.executemany(
            "insert into v values (?, ?, ?)",
            ((r["id"], r.get("label", ""), whole(r)) for r in rows),
        )
        db.commit()
        db.execute("insert into v(v) values ('optimize')")
        db.commit()
        db.close()

    def open(self) -> None:
        import sqlite3

        self.db = sqlite3.connect(self.path)

    def search(self, text: str) -> list[str]:
        from marginalia.tasks.variables.index.terms import STOP_WORDS

        words = [w for w in dict.fromkeys(plain(text)) if len(w) > 2 and w not in STOP_WORDS]
        words = words or [w for w in plain(text) if len(w) > 2]
        if self.by == "trigrams":
            words = list(dict.fromkeys(w[i : i + 3] for w in words for i in range(len(w) - 2)))
        asked = " OR ".join(f'"{word}"' for word in words)
        if not asked:
            return []
        found = self.db.execute(
            "select id from v where v match ? order by bm25(v, 0, 3, 1) limit 10", (asked,)
        )
        return [id for (id,) in found]


class Bm25s:
    """bm25s, memory-mapped, over our words, parts of compounds and groups of four letters."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "bm25s"

    def tokens(self, text: str) -> list[str]:
        from marginalia.tasks.variables.index.terms import query_terms

        words = list(query_terms(text))
        return [*words, *(gram for word in words for gram in grams(word))]

    def build(self, path: Path) -> None:
        from bm25s import BM25

        ids, tokens = [], []
        for row in map(json.loads, path.open(encoding="utf-8")):
            ids.append(row["id"])
            tokens.append(self.tokens(whole(row)))
        index = BM25(k1=1.5, b=0.75, method="lucene", backend="numpy")
        index.index(tokens, show_progress=False)
        index.save(self.folder, corpus=None)
        (self.folder / "ids.json").write_text(json.dumps(ids))

    def open(self) -> None:
        from bm25s import BM25

        self.index = BM25.load(self.folder, mmap=True)
        self.ids = json.loads((self.folder / "ids.json").read_text())

    def search(self, text: str) -> list[str]:
        import numpy as np

        known = [token for token in self.tokens(text) if token in self.index.vocab_dict]
        if not known:
            return []
        scores = self.index.get_scores(known)
        best = np.argpartition(-scores, 10)[:10]
        return [self.ids[place] for place in best[np.argsort(-scores[best], kind="stable")]]


class Tantivy:
    """tantivy with words as they are, or each longer word with its neighbours at an edit or two."""

    def __init__(self, folder: Path, by: str = "words") -> None:
        self.folder, self.by = folder / "tantivy", by

    def schema(self) -> Any:
        import tantivy

        made = tantivy.SchemaBuilder()
        made.add_text_field("id", stored=True, tokenizer_name="raw")
        for name in FIELDS:
            made.add_text_field(name, tokenizer_name="whitespace")
        return made.build()

    def build(self, path: Path) -> None:
        import tantivy

        self.folder.mkdir()
        index = tantivy.Index(self.schema(), path=str(self.folder))
        writer = index.writer(heap_size=200_000_000, num_threads=1)
        for line in path.open(encoding="utf-8"):
            row = json.loads(line)
            texts = {
                name: " ".join(terms(" ".join(row[one] for one in names if row.get(one))))
                for name, (names, _) in FIELDS.items()
            }
            writer.add_document(tantivy.Document(id=row["id"], **texts))
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        import tantivy

        self.index = tantivy.Index.open(str(self.folder))
        self.searcher = self.index.searcher()

    def search(self, text: str) -> list[str]:
        import tantivy

        from marginalia.tasks.variables.index.terms import STOP_WORDS, query_terms

        schema = self.index.schema
        parts = []
        for word, weight in query_terms(text).items():
            for field, (_, more) in FIELDS.items():
                query = tantivy.Query.term_query(schema, field, word)
                parts.append(tantivy.Query.boost_query(query, weight * more))
                if self.by == "fuzzy" and len(word) > 4 and word not in STOP_WORDS:
                    near = tantivy.Query.fuzzy_term_query(schema, field, word, 1)
                    parts.append(tantivy.Query.boost_query(near, more / 2))
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in parts])
        found = self.searcher.search(query, 10, count=False)
        return [self.searcher.doc(place)["id"][0] for _, place in found.hits]


def engine(name: str, folder: Path) -> Any:
    kind, _, by = name.partition(", ")
    made = {"shipped": Shipped, "fts5": Fts5, "bm25s": Bm25s, "tantivy": Tantivy}[kind]
    return made(folder, by) if by else made(folder)


def whole(row: dict[str, str]) -> str:
    names = ("study", "label", "question", "subquestion", "items", "answers", "topic")
    return " ".join(row[name] for name in names if row.get(name))


def terms(text: str) -> list[str]:
    """Our words and parts of compounds, in the order of the text."""
    from marginalia.nlp.tokens import lower_words
    from marginalia.tasks.variables.index.terms import terms_of

    return [term for word in lower_words(text) for term, _ in terms_of(word)]


@cache
def grams(term: str) -> tuple[str, ...]:
    """The different groups of four letters of a word, its edges counting as letters."""
    padded = f"^{term}$"
    whole = term.isalpha() and len(term) >= GRAM_LETTERS
    places = range(len(padded) - GRAM_LETTERS + 1) if whole else ()
    return tuple({padded[place : place + GRAM_LETTERS] for place in places})


def plain(text: str) -> list[str]:
    import re

    return re.findall(r"\w+", text.lower())
