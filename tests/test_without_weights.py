"""``marginalia`` alone, without the distribution of weights that may not be used commercially."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marginalia import Document, MissingError, check_benchmark, get_annotator, get_benchmark
from marginalia.cli.main import cli
from marginalia.core.resolution import (
    choose_system,
    find_context,
    missing_for_defaults,
    resolve,
    system_for_documents,
)
from marginalia.reader.annotate import annotate
from marginalia.reader.cache import version
from marginalia.tasks.similarity.search.explain import explain

pytestmark = pytest.mark.usefixtures("without_weights")
INSTALL = "pip install marginalia-noncommercial"
GUIDE = Path(__file__).parent.parent / "examples" / "guide.md"
SAME = "A man plays a guitar.", "A man is playing the guitar."
GERMAN = "Ein Mann spielt Gitarre.", "Ein Mann spielt auf der Gitarre."
OTHER = "The parliament rejected the budget."


def run(*words: str) -> Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return CliRunner().invoke(cli, words, catch_exceptions=False)


def test_another_system_takes_over_and_says_so_once() -> None:
    task = get_benchmark("clarification")
    assert task.preferred["bench"] == ("rater-lm", "rater", "related")
    with pytest.warns(UserWarning, match=f"{INSTALL}.* the system 'related' takes over") as said:
        assert choose_system(task).name == choose_system(task).name == "related"
    assert len(said) == 1 and str(said[0].message).count(".") == 1
    assert not task.missing("related") and INSTALL in task.missing("rater")


def test_the_default_takes_over_where_documents_would_have_another() -> None:
    task = get_benchmark("similarity")
    with pytest.warns(UserWarning, match=f"{INSTALL}.* the system 'encoder' takes over") as said:
        assert choose_system(task).name == "encoder"
        languages = ("en", "de", "en")
        assert {system_for_documents(task, language=lang).name for lang in languages} == {"encoder"}
    assert len(said) == 1
    assert INSTALL in task.missing("learned") and INSTALL in missing_for_defaults(task)


def test_what_has_its_own_weights_is_as_before() -> None:
    for name in ("complexity", "measurement", "variables"):
        task = get_benchmark(name)
        taken = resolve(task, replace(find_context(task), extras=frozenset()))
        best = next(one for one in task.preferred["bench"] if not task.card(one).needs)
        assert (taken.card.name, taken.instead_of) == (best, None) and not task.missing(best)


@pytest.mark.parametrize(
    ("name", "system"), [("clarification", "rater"), ("similarity", "learned")]
)
def test_a_named_system_that_lacks_its_weights_says_what_to_install(name: str, system: str) -> None:
    task = get_benchmark(name)
    item = {
        "clarification": lambda: next(iter(_items().values())),
        "similarity": lambda: _pair(*SAME),
    }[name]()
    with pytest.raises(MissingError, match=INSTALL):
        task.system(system).predict({"1": item})


@pytest.mark.filterwarnings("ignore:The trained weights")
def test_sentences_are_compared_and_explained() -> None:
    one, german, other = explain(*SAME), explain(*GERMAN), explain(SAME[0], OTHER)
    assert {one.system, german.system} == {"encoder"}
    assert one.score > 3.5 and german.score > 3.5 and other.score < 1
    assert any(link.kind == "near" or link.score for link in one.alignment.links)


@pytest.mark.filterwarnings("ignore:The trained weights")
def test_repeated_sentences_are_noted() -> None:
    again = (
        "A man plays an old guitar in the quiet park behind the town hall, where nobody ever stops to listen "
        "for longer than a minute. He began there when the factory closed its gates in the spring of that year. "
        "People say that he knows more songs than anybody else in the valley, and that he never plays one twice "
        "on the same day, whatever the weather may be."
    )
    text = f"{again} Nothing else happened that day, as far as anybody knows.\n\n{again}\n"
    notes = annotate(Document(id="d", text=text, meta={"lang": "en"}), ["consistency"]).annotations
    assert {note.label for note in notes} == {"repetition"}
    assert {note.system for note in notes} == {"encoder"}


def test_the_untrained_rater_prefers_what_the_guide_mentions() -> None:
    pred = get_benchmark("clarification").system("related").predict(_items())
    assert max(pred, key=lambda id: pred[id].score) == "1_1"
    assert all(1 <= rating.score <= 5 for rating in pred.values())


def test_the_tasks_and_their_licences_say_what_is_missing() -> None:
    for words in (("tasks",), ("tasks", "--licences")):
        result = run(*words)
        assert result.exit_code == 0 and result.stderr.count(INSTALL) == 2
    assert '"default": "encoder"' in run("tasks", "--json").stdout
    assert INSTALL in run("tasks", "--licences", "--json").stdout
    assert INSTALL in run("bench", "systems", "similarity", "--json").stdout


def test_notes_made_without_the_weights_are_not_those_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from marginalia.core import distributions

    annotator = get_annotator("consistency")
    without = version(annotator)
    monkeypatch.undo()
    distributions.find_weights.cache_clear()
    assert version(annotator) != without


def test_the_contract_holds_with_a_fallback(data: Path) -> None:
    task = get_benchmark("clarification")
    check_benchmark(task, task.load("dev", data).take(["1_1", "1_2"]))


def _pair(left: str, right: str) -> object:
    from marginalia.tasks.similarity.official.data import Pair

    return Pair(left, right, "toy")


def _items() -> dict[str, object]:
    from marginalia.tasks.clarification.official.data import Item

    fillers = ("the dough", "the parliament", "a bicycle")
    return {
        f"1_{place + 1}": Item(
            title="How to Bake Bread",
            header="Steps",
            previous="Mix flour and water. Knead the dough.",
            sentence="Put ______ into the oven.",
            followup="Bake the dough for an hour.",
            pattern="IMPLICIT REFERENCE",
            filler=filler,
            others=fillers[:place] + fillers[place + 1 :],
        )
        for place, filler in enumerate(fillers)
    }
