"""One pure decision for which system is taken, whoever asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from marginalia import Benchmark, MissingError, SystemCard, UnknownNameError
from marginalia.core import resolution
from marginalia.core.own_weights import OwnWeights
from marginalia.core.resolution import Context, choose_system, resolve, system_for_documents
from tests.sixth import sixth_task


def card(name: str, **more: object) -> SystemCard:
    return SystemCard(name=name, make=lambda: name, summary="", **more)


def task(*cards: SystemCard, **preferred: tuple[str, ...]) -> Benchmark:
    by_use = {use.replace("_", ":"): names for use, names in preferred.items()}
    return replace(sixth_task(), systems=cards, preferred=by_use)


BOARD, MARGIN, PLAIN = card("board", needs="lm"), card("margin"), card("plain")
HEAVY = card("heavy", weights="marginalia-noncommercial")


def test_the_first_preferred_one_that_is_installed_is_taken() -> None:
    both = task(BOARD, PLAIN, bench=("board", "plain"))
    assert resolve(both, Context()).card is PLAIN
    assert resolve(both, Context(extras=frozenset({"lm"}))).card is BOARD
    assert resolve(both, Context(system="board")).card is BOARD, "what is named is taken"
    with pytest.raises(UnknownNameError, match="no system for acronyms 'bord'"):
        resolve(both, Context(system="bord"))


def test_documents_have_a_choice_of_their_own_by_language() -> None:
    own = task(BOARD, MARGIN, PLAIN, bench=("plain",), documents_de=("margin",))
    found = [resolve(own, Context(documents=True, language=lang)).card for lang in ("de", "en", "")]
    assert found == [MARGIN, PLAIN, PLAIN]
    assert resolve(own, Context(language="de")).card is PLAIN


def test_weights_that_are_not_installed_are_named() -> None:
    heavy = task(HEAVY, PLAIN, bench=("heavy", "plain"))
    assert resolve(heavy, Context()).instead_of is HEAVY
    assert resolve(heavy, Context(weights=True)).card is HEAVY
    lacking_extra = task(BOARD, PLAIN, bench=("board", "plain"))
    assert resolve(lacking_extra, Context()).instead_of is None, "an extra is nobody's default"


def test_the_system_fits_the_split() -> None:
    special, best = card("special", splits=("test",)), card("best", splits=("dev",))
    two = task(best, special, bench=("best",))
    assert resolve(two, Context()).card is resolve(two, Context(split="dev")).card is best
    assert resolve(two, Context(split="test")).card is special


def test_weights_of_the_user_come_first_and_are_known_by_their_digest() -> None:
    three = task(BOARD, MARGIN, PLAIN, bench=("plain",), documents=("margin",))
    own = OwnWeights(Path("w"), "acronyms", ("board",), ("train",), "digest")
    taken = resolve(three, Context(own=own)).card
    assert (taken.name, taken.own, taken.needs, taken.trained_on) == (
        "board", "digest", "", ("train",),
    )  # fmt: skip
    assert resolve(three, Context(own=own, documents=True)).card.name == "board"
    bench_only = replace(own, documents=False)
    assert resolve(three, Context(own=bench_only, documents=True)).card is MARGIN


def test_what_must_be_trained_reads_no_documents_and_a_system_is_made_once() -> None:
    made: list[str] = []
    kept = SystemCard(name="kept", make=lambda: made.append("x") or "kept", summary="")
    two = task(kept, card("learner", trains=True), bench=("kept",))
    assert system_for_documents(two).loaded() is system_for_documents(two, "kept").loaded()
    assert made == ["x"]
    with pytest.raises(MissingError, match=r"'learner' must be trained.*ready are kept\."):
        system_for_documents(two, "learner")


def test_a_missing_default_costs_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    resolution.warn_once.cache_clear()
    monkeypatch.setattr(resolution, "find_weights", lambda name: None)
    heavy = task(HEAVY, PLAIN, bench=("heavy", "plain"))
    with pytest.warns(UserWarning, match="pip install .*the system 'plain' takes over") as seen:
        assert choose_system(heavy).name == choose_system(heavy).name == "plain"
    assert len(seen) == 1
