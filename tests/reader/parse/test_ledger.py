"""What is left out is counted, and much of it is a problem."""

from __future__ import annotations

from marginalia.reader.parse.ledger import MAX_PARTS, Ledger


def test_menus_are_no_problem() -> None:
    ledger = Ledger()
    ledger.leave_out("menu", "Home  Products", 0)
    assert ledger.meta("x" * 88) == {
        "not_read": {
            "share": 0.12,
            "parts": [{"kind": "menu", "start": 0, "characters": 12, "text": "Home Products"}],
        }
    }
    assert Ledger().meta("text") == {}


def test_lost_prose_is_a_problem_from_a_share_or_a_run_on() -> None:
    few = Ledger()
    few.leave_out("text", "a" * 20, 5)
    assert "problems" not in few.meta("x" * 2000)
    assert few.meta("x" * 500)["problems"] == [
        "4% of the text was left out: 20 characters, such as “" + "a" * 20 + "”"
    ]
    run = Ledger()
    run.leave_out("text", "a" * 201, 5)
    assert "problems" in run.meta("x" * 100_000)


def test_many_parts_are_counted_but_not_kept() -> None:
    ledger = Ledger()
    for _ in range(MAX_PARTS + 50):
        ledger.leave_out("running", "head", 0)
    assert len(ledger.parts) == MAX_PARTS and ledger.characters == 4 * (MAX_PARTS + 50)
