"""The dictionary: forms lead to entries, expressions are found with their gaps, nothing is written to its file."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from marginalia.annotators.words.build_dictionary import (
    pattern_of,
    read_sources,
    write_dictionary,
)
from marginalia.lexicon.dictionary import Dictionary, SenseVectors, dictionary


def sense(gloss: str, pos: str = "noun", **more: object) -> dict[str, object]:
    given = {
        "easier": None,
        "example": f"An example of {gloss}.",
        "field": "general",
        "register": None,
    }
    return {"pos": pos, "gloss": gloss, **given, "native": 0.9, "learner": 0.4, **more}


def row(
    word: str, *senses: dict[str, object], kind: str = "word", lemma: str | None = None
) -> dict:
    return {"word": word, "kind": [kind], "lemma": lemma, "senses": list(senses)}


ROWS = [
    row("balk", sense("to be unwilling", "verb"), sense("a wooden beam", native=0.3, learner=0.05)),
    row(
        "AIDS", sense("a disease", long="acquired immune deficiency syndrome"), kind="abbreviation"
    ),
    row("aid", sense("help"), sense("to help", "verb")),
    row(
        "take to task",
        sense("to criticise", "verb", pattern="take somebody to task"),
        kind="phrase",
    ),
    row("hazard ratio", sense("one rate divided by another", pattern="hazard ratios"), kind="term"),
    row("let alone", sense("much less", "phrase"), kind="phrase"),
    row("brooding", kind="inflected", lemma="brood"),
    row("brood", sense("to worry for long", "verb")),
    row("london", kind="name"),
    row("leaf", sense("flat green part of a plant")),
    row("leave", sense("to go away", "verb")),
    row("bearing", sense("part on which something turns")),
    row("bear", sense("to carry", "verb")),
]


@pytest.fixture
def words(tmp_path: Path) -> Dictionary:
    path = tmp_path / "en.sqlite"
    write_dictionary(ROWS, path, "en")
    return Dictionary(path)


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("balk", "balk"), ("balked", "balk"), ("Balking", "balk"), ("balks", "balk"),
        ("AIDS", "AIDS"), ("aids", "aid"), ("aided", "aid"), ("brooding", "brood"),
        ("hazard ratio", "hazard ratio"), ("london", None), ("balkan", None), ("", None),
    ],
)  # fmt: skip
def test_any_form_leads_to_its_entry(words: Dictionary, form: str, word: str | None) -> None:
    entry = words.entry(form)
    assert (entry.word if entry else None) == word


def test_an_entry_has_its_senses_in_order_and_the_best_shares(words: Dictionary) -> None:
    entry = words.entry("balk")
    assert entry is not None and [one.gloss for one in entry.senses] == [
        "to be unwilling",
        "a wooden beam",
    ]
    assert (entry.native, entry.learner) == (0.9, 0.4)
    assert words.entry("AIDS").senses[0].long == "acquired immune deficiency syndrome"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("form", "word", "glosses"),
    [
        ("leaves", "leave", {"to go away", "flat green part of a plant"}),
        ("bearing", "bearing", {"part on which something turns", "to carry"}),
    ],
)
def test_a_form_of_two_words_has_the_senses_of_both(
    words: Dictionary, form: str, word: str, glosses: set[str]
) -> None:
    entry = words.entry(form)
    assert entry is not None and entry.word == word
    assert {each.gloss for each in entry.senses} == glosses


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("she took the whole committee to task", ("take to task", 1, 7)),
        ("she took to task", ("take to task", 1, 4)),
        ("she took a very long and winding road to task", None),
        ("two hazard ratios fell", ("hazard ratio", 1, 3)),
        ("he cannot walk let alone run", ("let alone", 3, 5)),
        ("let us go alone", None),
    ],
)
def test_expressions_stand_in_text_in_their_forms(
    words: Dictionary, text: str, found: tuple[str, int, int] | None
) -> None:
    parts = text.split()
    matches = [
        (one.word, start, end)
        for start, part in enumerate(parts)
        for one in words.expressions.get(part, ())
        if (end := one.match(parts, start)) is not None
    ]
    assert matches == ([found] if found else [])


def test_a_pattern_has_a_gap_only_where_it_says_so() -> None:
    assert pattern_of(ROWS[3], "en").split()[1] == "*"
    assert "*" not in pattern_of(ROWS[5], "en")
    put_in = row("put in", sense("to spend time", "verb", pattern="put something in"))
    assert "*" not in pattern_of(put_in, "en"), "one word after it would match too much"


def test_a_later_source_adds_what_it_knows_of_other_fields(tmp_path: Path) -> None:
    general, computing = sense("a grain"), sense("the core of a system", field="computing")
    sources = {
        "words": [row("kernel", general), row("x")],
        "terms": [row("kernel", computing, sense("a seed"), kind="term"), row("x", general)],
    }
    for name, rows in sources.items():
        lines = (json.dumps(one) + "\n" for one in rows)
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    kernel, x = read_sources(tmp_path)
    assert kernel["senses"] == [general, computing] and kernel["kind"] == ["word", "term"]
    assert x["senses"] == [general]


def test_a_name_has_shares_and_no_senses(tmp_path: Path) -> None:
    name = {**row("Jerusalem", kind="name"), "native": 0.97, "learner": 0.9}
    write_dictionary([name, row("Nowhere", kind="name")], tmp_path / "en.sqlite", "en")
    words = Dictionary(tmp_path / "en.sqlite")
    entry = words.entry("Jerusalem")
    assert entry is not None and (entry.native, entry.senses) == (0.97, ())
    assert words.entry("Nowhere") is None


def test_both_spellings_and_genitives_lead_to_an_entry(tmp_path: Path) -> None:
    rows = [row("organize", sense("to plan", "verb")), row("colour", sense("red or blue"))]
    write_dictionary(rows, tmp_path / "en.sqlite", "en")
    words = Dictionary(tmp_path / "en.sqlite")
    forms = ("organised", "organising", "color", "colour's", "Color’s", "rise")
    entries = [words.entry(form) for form in forms]
    assert [entry and entry.word for entry in entries] == [
        "organize", "organize", "colour", "colour", "colour", None,
    ]  # fmt: skip


def test_the_file_is_opened_for_reading_only(words: Dictionary) -> None:
    assert words.entry("balk")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        words._rows.execute("DELETE FROM forms")


def test_the_shipped_dictionary_is_large_and_plain() -> None:
    shipped = dictionary("en")
    assert shipped is not None
    count = shipped._rows.execute
    [forms], [entries], [senses], [expressions] = (
        count(f"SELECT count(*) FROM {table}").fetchone()
        for table in ("forms", "entries", "senses", "expressions")
    )
    assert forms >= 40_000 and entries >= 18_000 and senses >= 24_000 and expressions >= 2_000
    [longest] = count(
        "SELECT max(length(gloss) - length(replace(gloss, ' ', ''))) FROM senses"
    ).fetchone()
    assert longest < 16
    assert shipped.vectors is not None and len(shipped.vectors.senses) == senses


def test_vectors_of_senses_are_near_their_own_sentence() -> None:
    from marginalia.nlp.encoder import english

    shipped = dictionary("en")
    assert shipped is not None and isinstance(shipped.vectors, SenseVectors)
    entry = shipped.entry("kernel")
    assert entry is not None
    seen = shipped.vectors.project(english().vectors([one.example for one in entry.senses]))
    likeness = np.stack([shipped.vectors.likeness(entry.senses, one) for one in seen])
    assert (likeness.argmax(axis=1) == np.arange(len(entry.senses))).all()


def test_a_language_without_a_dictionary() -> None:
    assert dictionary("xx") is None
