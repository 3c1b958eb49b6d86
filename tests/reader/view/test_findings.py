"""Which notes are findings, where comments silence them, and what the formats look like."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from marginalia import Annotation, Document, FormatError
from marginalia.reader.formats.registry import get_format
from marginalia.reader.read import read_data
from marginalia.reader.view.findings import Finding, Rules, find_noted
from marginalia.reader.view.places import Places


def doc_of(source: str, *labels: str) -> Document:
    """Each "hard" of the text is a hard word, each "5" a count."""
    notes = []
    for word, task, label in (
        ("hard", "words", "hard word"), ("big deal", "words", "expression"),
        ("5", "measurements", "count"),
    ):  # fmt: skip
        places = [p for p in range(len(source)) if source.startswith(word, p)]
        notes += [
            Annotation(
                id=f"{task}-{label}-{place}",
                task=task,
                label=label,
                start=place,
                end=place + len(word),
                quote=word,
                score=0.5,
                attrs={"why": "rare"},
            )
            for place in places
        ]
    meta = {"format": "markdown", "path": "a b.md"}
    return Document(id="a", text=source, meta=meta).annotate(notes)


def find(doc: Document, source: str, rules: Rules) -> list[Finding]:
    return [finding for finding, _ in find_noted(doc, Places(source, doc.text), rules)]


ON = ("words",)
"""Its findings must be asked for."""


def codes(source: str, **rules: object) -> list[tuple[int, str]]:
    asked = Rules(**{"also": ON, **rules})
    return [(one.line, one.code) for one in find(doc_of(source), source, asked)]


WORD, EXPRESSION = "words.hard-word", "words.expression"


def test_only_what_a_task_calls_a_finding_is_reported() -> None:
    assert codes("hard 5\nbig deal") == [(1, WORD), (2, EXPRESSION)]
    assert codes("5", severity={"count": "warning"}) == [(1, "measurements.count")]


def test_what_is_off_by_itself_is_on_if_asked_for() -> None:
    assert codes("hard", also=()) == []
    assert codes("hard", also=(), select=("words",)) == [(1, WORD)]
    assert codes("hard", also=(), severity={"hard-word": "warning"}) == [(1, WORD)]
    assert codes("hard", ignore=("hard-word",)) == []


def test_a_mark_that_belongs_to_another_note_is_no_finding() -> None:
    doc = doc_of("hard and hard")
    first, again = doc.annotations
    mark = replace(again, label="hard word again", attrs={"part_of": [first.id]})
    doc = Document(id="a", text=doc.text, meta=doc.meta).annotate([first, mark])
    found = find(doc, doc.text, Rules(select=("words",)))
    assert [one.column for one in found] == [1]


def test_rules_select_ignore_and_weigh() -> None:
    text = "hard 5\nbig deal"
    assert codes(text, select=("measurements.count",)) == [(1, "measurements.count")]
    assert codes(text, select=("measurements", "hard-word")) == [
        (1, WORD),
        (1, "measurements.count"),
    ]
    assert codes(text, ignore=("*.expr*",)) == [(1, WORD)]
    assert codes(text, ignore=("words",)) == []
    assert codes(text, least="warning") == []
    assert codes(text, least="warning", severity={"hard-word": "error"}) == [(1, WORD)]
    with pytest.raises(FormatError, match="'grave' is none of note, warning, error"):
        Rules(severity={"hard-word": "grave"})


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("hard <!-- marginalia: ignore -->\nhard", [2]),
        ("<!-- marginalia: ignore -->\n\nhard\nhard\n\nhard", [6]),
        ("<!-- MARGINALIA: ignore hard-word, x -->\nhard", []),
        ("<!-- marginalia: ignore measurements -->\nhard", [2]),
        ("hard\n<!-- marginalia: off -->\nhard\n\nhard\n<!-- marginalia: on -->\nhard", [1, 7]),
        ("hard\n<!-- marginalia: off -->\nhard\n\nhard", [1]),
        ("<!-- a comment: ignore -->\nhard", [2]),
    ],
)
def test_comments_silence(text: str, lines: list[int]) -> None:
    assert [line for line, code in codes(text) if code == WORD] == lines


def test_a_comment_silences_an_annotator_whose_codes_have_families() -> None:
    note = replace(doc_of("hard").annotations[0], task="style", label="spelling.case")
    for names, found in (("style", 0), ("spelling", 0), ("words", 1)):
        source = f"hard <!-- marginalia: ignore {names} -->"
        doc = Document(id="a", text=source, meta={"format": "markdown"}).annotate([note])
        assert len(find(doc, source, Rules(select=("style",)))) == found


def test_the_line_for_people() -> None:
    found = find(doc_of("so hard"), "so hard", Rules(also=ON))
    text = get_format("text", "write_findings").write_findings(found)
    assert text == "a b.md:1:4: note: hard: rare [words.hard-word]\n"


def test_sarif_has_what_its_schema_asks_for() -> None:
    found = find(doc_of("so hard, big deal"), "so hard, big deal", Rules(also=ON))
    data = json.loads(get_format("sarif", "write_findings").write_findings(found))
    assert data["version"] == "2.1.0" and data["$schema"]
    (run,) = data["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == [EXPRESSION, WORD]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"note", "warning", "error"} and result["message"]["text"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.md"
    assert place["region"] == {"startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 8}


def test_github_cannot_be_given_other_commands() -> None:
    doc = doc_of("so hard")
    evil = "x\n::set-env name=A::b"
    note = doc.annotations[0]
    doc = Document(id="a", text=doc.text, meta={"format": "text", "path": "a,b:c.md"}).annotate(
        [Annotation(**{**note.to_dict(), "links": {}, "attrs": {"why": evil}})]
    )
    text = get_format("github", "write_findings").write_findings(
        find(doc, doc.text, Rules(also=ON))
    )
    assert text.count("\n") == 1 and text.startswith("::notice file=a%2Cb%3Ac.md,line=1,")


def test_json_is_data() -> None:
    found = find(doc_of("so hard"), "so hard", Rules(also=ON))
    (one,) = json.loads(get_format("json", "write_findings").write_findings(found))
    assert (one["line"], one["column"], one["quote"], one["severity"]) == (1, 4, "hard", "note")


def test_a_pdf_has_no_lines() -> None:
    doc = Document(id="a", text="hard", meta={"format": "pdf", "path": "a.pdf"})
    with pytest.raises(FormatError, match=r"a\.pdf.*no lines to point to"):
        find(doc, "", Rules())


def test_restructured_text_has_lines() -> None:
    source = "Title\n=====\n\nA ``code`` and\nsomething *hard* here.\n\n.. note:: It is hard.\n"
    doc = read_data(source.encode(), Path("a.rst"))
    notes = [note for note in doc_of(doc.text).annotations if note.quote == "hard"]
    found = find(doc.annotate(notes), source, Rules(also=ON))
    assert [(one.line, one.column) for one in found] == [(5, 12), (7, 17)]


def test_what_two_places_share_is_one_finding() -> None:
    text = "Wash it. Dry it. Wash it."
    pair = [
        Annotation(
            id=id, task="consistency", label="repetition", start=start, end=start + 8,
            quote="Wash it.", links={"same-as": (other,)},
        )
        for id, start, other in (("a", 0, "b"), ("b", 17, "a"))
    ]  # fmt: skip
    doc = Document(id="a", text=text, meta={"format": "text", "path": "a.txt"}).annotate(pair)
    assert [one.column for one in find(doc, text, Rules())] == [1]
