"""Decisions as data: they can be written down and read back, and bad files get one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from marginalia import Annotation, Document, FormatError
from marginalia.bench.decisions import score_decisions, threshold, wilson
from marginalia.core.decisions import Decision, decide, dump_decisions, read_decisions

TEXT = "The kinase perturbs homeostasis. The flask weighed 12.5 kg."


def note(
    quote: str, *, score: float | None = None, label: str = "hard word", **attrs: object
) -> Annotation:
    start = TEXT.index(quote)
    return Annotation(
        id=f"n-{quote}", task="complexity", label=label, start=start, end=start + len(quote),
        quote=quote, score=score, attrs=attrs,
    )  # fmt: skip


def test_a_decision_quotes_its_note_its_parts_and_the_text_around() -> None:
    part = note("flask", part_of=["n-12.5 kg"])
    doc = Document(id="lab", text=TEXT).annotate([note("12.5 kg"), part])
    one = decide(doc, note("12.5 kg"), "accepted", id="1", who="anna", when="2026-01-01T00:00:00Z")
    assert one.before.endswith("weighed ") and one.after == "." and one.parts == (part,)
    assert Decision.from_dict(one.to_dict()) == one


def test_files_of_several_readers_can_be_put_together(tmp_path: Path) -> None:
    doc = Document(id="lab", text=TEXT).annotate([note("kinase")])
    first = decide(doc, note("kinase"), "accepted", id="1", who="anna")
    changed = replace(first, verdict="rejected")
    other = replace(first, who="ben")
    path = tmp_path / "all.jsonl"
    path.write_text(dump_decisions([first, other]) + dump_decisions([changed]), encoding="utf-8")
    assert sorted((one.who, one.verdict) for one in read_decisions(path)) == [
        ("anna", "rejected"),
        ("ben", "accepted"),
    ], "the last word of each counts"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "not JSON"),
        ("[]", "no JSON object"),
        ("{}", "must have a 'note'"),
        ('{"verdict": 3, "note": {}}', "'verdict'"),
        ('{"verdict": "perhaps", "note": {"id": "1", "task": "t", "label": "l", "start": 0, "end": 1, "quote": "x"}}', "perhaps"),
        ('{"verdict": "edited", "note": {"id": "1", "task": "t", "label": "l", "start": 0, "end": 1, "quote": "x"}}', "without a new note"),
    ],
)  # fmt: skip
def test_a_bad_file_gets_a_sentence_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"bad\.jsonl:2: ") as error:
        read_decisions(path)
    assert said in str(error.value) and "\n" not in str(error.value)


def made(score: float | None, verdict: str) -> Decision:
    return Decision(
        id=f"{score}{verdict}", document="d", verdict=verdict, note=note("kinase", score=score),
        edited=note("kinase") if verdict == "edited" else None,
    )  # fmt: skip


def test_the_precision_of_each_kind() -> None:
    decisions = (
        [made(0.5, "accepted")] * 6 + [made(0.5, "edited")] * 2 + [made(0.5, "rejected")] * 2
    )
    decisions += [replace(made(0.5, "accepted"), note=note("kinase", label="count"))]
    decisions += [made(None, "added")]
    first, second = score_decisions(decisions)
    assert (first.kind, first.accepted, first.edited, first.rejected) == (
        "complexity.hard-word",
        6,
        2,
        2,
    )
    assert first.precision == 0.8 and first.low < 0.8 < first.high
    assert (
        second.kind == "complexity.count" and second.precision == 1.0 and second.threshold is None
    )


def test_wilson_agrees_with_published_values() -> None:
    """Newcombe (1998), table I: 81 of 263 and 15 of 148, method 3."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20)[0] == 0.0 and wilson(20, 20)[1] == 1.0


def test_the_threshold_is_the_lowest_score_that_keeps_its_promise() -> None:
    scored = [(0.9, True)] * 12 + [(0.6, True), (0.6, False)] * 2 + [(0.3, False)] * 10
    decisions = [made(score, "accepted" if kept else "rejected") for score, kept in scored]
    assert threshold(decisions, 0.8) == 0.6, "14 of 16 with 0.6 or more were kept"
    assert threshold(decisions, 0.9) == 0.9
    assert threshold(decisions, 0.5) == 0.3
    assert threshold(decisions[:9], 0.8) is None, "nine decisions say nothing"
    shown = next(iter(score_decisions(decisions))).shown
    assert shown == pytest.approx(16 / 26)
