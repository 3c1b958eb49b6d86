"""Two documents: what one says that the other contradicts or says in other words."""

from __future__ import annotations

from marginalia import Document
from marginalia.annotators.consistency.across import across

OLD = """The valve of the old boiler must be closed before the test.

The trial lasted 12 weeks and had 40 patients in total.

The committee approved the new budget for the schools on Monday."""
NEW = """The valve of the old boiler must be open before the test.

The trial lasted 16 weeks and had 40 patients in total.

The new budget for the schools was approved by the committee on Monday.

Nothing here is like anything in the other document at all."""


def doc(text: str) -> Document:
    return Document(id="d", text=text, meta={"lang": "en"})


def test_contradictions_and_repetitions_between_two_documents() -> None:
    found = list(across(doc(OLD), doc(NEW)))
    [one] = [each for each in found if each.kind == "contradiction"]
    assert OLD[one.old_start : one.old_end].startswith("The valve")
    assert one.why == "closed against open"
    [two] = [each for each in found if each.kind == "repetition"]
    assert OLD[two.old_start : two.old_end].startswith("The committee")
    assert NEW[two.new_start : two.new_end].startswith("The new budget")


def test_what_both_have_word_for_word_is_no_news() -> None:
    assert list(across(doc(OLD), doc(OLD))) == []
