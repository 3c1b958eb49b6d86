"""What the report tells, asked of the database."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marginalia.corpus.database import Database

GROUPS = 20
"""Sources and properties that are shown, those with most first."""
PROPERTIES = 12
VALUES = 300
"""Points of one plot."""
MIN_VALUES, MIN_DOCUMENTS = 5, 2
"""Of a property that is shown: one paper's table is no distribution."""
CLUSTERS, TEXTS = 25, 3
"""Groups of documents that share passages, and passages shown of each."""
LISTED = 40


_COMPARED = """property_name IS NOT NULL AND si IS NOT NULL AND coalesce(si_low, si_high) IS NOT NULL
    AND (si <> 'dimensionless' OR unit IS NOT NULL)"""
"""Bare numbers of a property are counts of something, scores or indices: they have no scale in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    value: float
    document: str
    page: int | None
    quantity: str
    sentence: str
    conditions: str
    outlier: bool


@dataclass(frozen=True, slots=True)
class Property:
    """One measured property in one unit."""

    name: str
    unit: str
    count: int
    documents: int
    values: tuple[Value, ...]
    left_out: int = 0
    """Values of the same name that have no unit, or one of another dimension."""


def overview(database: Database) -> dict[str, Any]:
    return database.rows(
        """SELECT (SELECT count(*) FROM documents) AS documents, (SELECT coalesce(sum(words), 0) FROM documents) AS words,
        (SELECT count(*) FROM annotations) AS notes, (SELECT count(*) FROM passages) AS passages, (SELECT count(*) FROM errors) AS errors"""
    )[0]


def notes_by_kind(database: Database) -> list[tuple[str, int]]:
    found = database.rows(
        "SELECT task || ': ' || label AS name, count(*) AS n FROM annotations GROUP BY 1 ORDER BY n DESC, name"
    )
    return [(row["name"], row["n"]) for row in found]


def hard_words_by(database: Database, column: str) -> list[tuple[str, float]]:
    """Hard words for each hundred words, by ``group`` or ``year``."""
    order = "name" if column == "year" else "words DESC"
    rows = database.rows(
        f"""WITH hard AS (SELECT key, count(*) AS n FROM annotations WHERE label IN ('hard word', 'hard expression') GROUP BY key)
        SELECT CAST(d."{column}" AS VARCHAR) AS name, sum(coalesce(h.n, 0)) AS n, sum(d.words) AS words
        FROM documents d LEFT JOIN hard h USING (key) WHERE d."{column}" IS NOT NULL AND d.words > 0
        GROUP BY 1 ORDER BY {order} LIMIT {GROUPS * 3 if column == "year" else GROUPS}"""
    )
    if not any(row["n"] for row in rows):
        return []
    return [(row["name"], 100 * row["n"] / row["words"]) for row in rows]


def hardest_words(database: Database) -> list[dict[str, Any]]:
    return database.rows(
        f"""SELECT lower(quote) AS word, count(*) AS times, count(DISTINCT document) AS documents, avg(score) AS score
        FROM annotations WHERE label = 'hard word' GROUP BY 1 ORDER BY documents DESC, times DESC, word LIMIT {LISTED}"""
    )


def properties(database: Database) -> list[Property]:
    """Properties with enough values that can be compared, of more than one document where there is more than one."""
    if "measurements" not in database.tables:
        return []
    few = database.rows("SELECT count(*) AS n FROM documents")[0]["n"] < 2
    heads = database.rows(
        f"""SELECT property_name AS name, si, count(*) AS n, count(DISTINCT document) AS documents FROM measurements
        WHERE {_COMPARED} GROUP BY 1, 2 HAVING n >= {MIN_VALUES} AND documents >= {1 if few else MIN_DOCUMENTS}
        ORDER BY documents DESC, n DESC, name, si LIMIT {PROPERTIES}"""
    )
    listed = []
    for head in heads:
        rows = database.rows(
            f"""SELECT (coalesce(si_low, si_high) + coalesce(si_high, si_low)) / 2 AS value, unit, low, si_low,
            document, page, quantity, coalesce(sentence, statement) AS sentence, conditions FROM measurements WHERE property_name = ? AND si = ? AND {_COMPARED}
            ORDER BY document, start LIMIT {VALUES}""",
            [head["name"], head["si"]],
        )
        scale = shown_scale(rows) or Scale(_plain_unit(head["si"]), 1.0, 0.0)
        numbers = [scale.show(row["value"]) for row in rows]
        far = outliers(numbers)
        values = tuple(
            Value(
                value=number,
                document=row["document"],
                page=row["page"],
                quantity=row["quantity"],
                sentence=row["sentence"] or "",
                conditions=row["conditions"] or "",
                outlier=place in far,
            )
            for place, (row, number) in enumerate(zip(rows, numbers, strict=True))
        )
        every = database.rows(
            "SELECT count(*) AS n FROM measurements WHERE property_name = ?", [head["name"]]
        )
        left_out = every[0]["n"] - head["n"]
        found = Property(head["name"], scale.unit, head["n"], head["documents"], values, left_out)
        listed.append(found)
    return listed


def _plain_unit(si: str) -> str:
    return "" if si == "dimensionless" else si


@dataclass(frozen=True, slots=True)
class Scale:
    """A unit that people wrote: ``si = factor * value + offset``."""

    unit: str
    factor: float
    offset: float

    def show(self, si: float) -> float:
        return (si - self.offset) / self.factor


def shown_scale(rows: Sequence[Mapping[str, Any]]) -> Scale | None:
    """The unit that most values are written in, so that ages are in years: read off two of its values, or one that is not zero."""
    units = Counter(row["unit"] for row in rows if row["unit"])
    if not units:
        return None
    unit, count = units.most_common(1)[0]
    known = sorted(
        {
            (row["low"], row["si_low"])
            for row in rows
            if row["unit"] == unit and row["low"] is not None and row["si_low"] is not None
        }
    )
    if not known or 2 * count < len(rows):
        return None
    (x, a), (y, b) = known[0], known[-1]
    if x != y:
        factor = (b - a) / (y - x)
        offset = a - factor * x
        return (
            Scale(unit, factor, offset if abs(offset) > 1e-6 * abs(b) else 0.0) if factor else None
        )
    return Scale(unit, a / x, 0.0) if x and a and "°" not in unit else None


def outliers(values: Sequence[float]) -> set[int]:
    """Places of values more than three interquartile ranges beyond the quartiles (Tukey's far out ones)."""
    if len(values) < MIN_VALUES:
        return set()
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    reach = 3 * (high - low)
    return {place for place, value in enumerate(values) if not low - reach <= value <= high + reach}


def variables(database: Database) -> list[dict[str, Any]]:
    return database.rows(
        f"""SELECT target, any_value(label) AS label, count(DISTINCT document) AS documents, count(*) AS sentences
        FROM links GROUP BY target ORDER BY documents DESC, sentences DESC, target LIMIT {GROUPS}"""
    )


def used_together(database: Database) -> list[dict[str, Any]]:
    """Pairs of variables that the same documents use, and some of those documents."""
    return database.rows(
        f"""WITH used AS (SELECT DISTINCT document, target, label FROM links)
        SELECT a.target AS a, any_value(a.label) AS label_a, b.target AS b, any_value(b.label) AS label_b,
        count(DISTINCT a.document) AS documents, list_slice(list_sort(list(DISTINCT a.document)), 1, 5) AS users
        FROM used a JOIN used b ON a.document = b.document AND a.target < b.target
        GROUP BY a.target, b.target ORDER BY documents DESC, 1, 3 LIMIT {GROUPS}"""
    )


@dataclass(frozen=True, slots=True)
class Shared:
    """Passages that the same documents share."""

    documents: int
    users: tuple[str, ...]
    """Some of them."""
    count: int
    texts: tuple[str, ...]
    """Some of the passages."""


def repeats(database: Database) -> list[Shared]:
    """By the documents that share them: two versions of one paper share hundreds, and are listed once."""
    if "repeats" not in database.tables:
        return []
    found = database.rows(
        f"""WITH clusters AS (SELECT cluster, any_value(documents) AS documents, min(text) AS text,
        list_sort(list(DISTINCT document)) AS users FROM repeats GROUP BY cluster)
        SELECT documents, users[1:6] AS users, count(*) AS count, list(text ORDER BY cluster)[1:{TEXTS}] AS texts
        FROM clusters GROUP BY documents, clusters.users ORDER BY documents DESC, count DESC, users LIMIT {CLUSTERS}"""
    )
    return [
        Shared(row["documents"], tuple(row["users"]), row["count"], tuple(row["texts"]))
        for row in found
    ]


def contradictions(database: Database) -> list[dict[str, Any]]:
    if "contradictions" not in database.tables:
        return []
    return database.rows(f"SELECT * FROM contradictions LIMIT {LISTED}")


def errors(database: Database) -> list[dict[str, Any]]:
    return database.rows(
        f"SELECT document, kind, reason FROM errors ORDER BY document LIMIT {LISTED}"
    )
