"""Who reads decides which annotators write, with which options, and how many of their notes are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

import marginalia
from marginalia import Annotation, Document, FormatError, UnknownNameError, all_annotators, lint
from marginalia.reader.profiles import PROFILES, find_elsewhere, get_profile


@pytest.mark.parametrize(
    ("name", "annotators"),
    [
        ("reader", ["consistency", "statistics", "terms", "words"]),
        ("learner", ["consistency", "statistics", "terms", "words"]),
        ("specialist", ["consistency", "statistics", "terms"]),
        ("writer", ["consistency", "statistics", "style", "unclear"]),
        ("curator", ["measurements", "variables"]),
    ],
)
def test_the_annotators_of_a_profile(tmp_path: Path, name: str, annotators: list[str]) -> None:
    profile = get_profile(name, tmp_path)
    assert [one.name for one in profile.annotators()] == annotators
    assert profile.summary and profile.name == name


def test_every_audience_of_an_annotator_is_a_profile_and_every_profile_has_one() -> None:
    audiences = {name for one in all_annotators() for name in one.audiences}
    assert audiences == set(PROFILES)


def test_options_are_those_that_the_annotators_know() -> None:
    learner = PROFILES["learner"]
    assert learner.own_options(learner.annotators(), {"field": "law"}) == {
        "audience": "learner",
        "field": "law",
    }
    assert learner.own_options(learner.annotators(), {"audience": "reader"}) == {
        "audience": "reader"
    }
    assert learner.own_options(PROFILES["curator"].annotators(), {}) == {}


def settings(folder: Path, text: str) -> Path:
    (folder / ".marginalia.toml").write_text(text)
    return folder / "a.md"


def test_the_reader_is_the_default_and_a_project_may_choose(tmp_path: Path) -> None:
    assert get_profile(None, tmp_path) is PROFILES["reader"]
    beside = settings(tmp_path, 'for = "writer"\n')
    assert get_profile(None, beside) is PROFILES["writer"]
    assert get_profile("curator", beside) is PROFILES["curator"]


REVIEWER = """[profiles.reviewer]
like = "writer"
notes = ["unclear", "consistency"]
per-1000-words = 40
summary = "who reviews"
"""


def test_a_profile_of_the_project(tmp_path: Path) -> None:
    profile = get_profile("reviewer", settings(tmp_path, f'for = "reviewer"\n{REVIEWER}'))
    assert profile == get_profile(None, tmp_path / "b.md")
    assert [one.name for one in profile.annotators()] == ["unclear", "consistency"]
    assert (profile.name, profile.summary, profile.per_1000_words) == (
        "reviewer",
        "who reviews",
        40,
    )


def test_what_a_profile_of_the_project_does_not_say_is_as_in_the_one_it_is_like(
    tmp_path: Path,
) -> None:
    beside = settings(tmp_path, '[profiles.mine]\n[profiles.data]\nlike = "curator"\n')
    mine, data = get_profile("mine", beside), get_profile("data", beside)
    assert mine.annotators() == PROFILES["reader"].annotators()
    assert (mine.per_1000_words, mine.hidden) == (50, PROFILES["reader"].hidden)
    assert mine.options == {"audience": "reader"}
    assert data.annotators() == PROFILES["curator"].annotators()
    assert data.per_1000_words is None, "every note, as for the curator"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("like = 'riter'", "no profile 'riter'. Did you mean 'writer'"),
        ("like = 3", "no profile '3'"),
        ("density = 3", "the unknown setting 'density'; known are like, notes, per-1000-words"),
        ("per-1000-words = -1", "'own' needs a number of notes per-1000-words"),
        ("per-1000-words = 'many'", "'own' needs a number of notes per-1000-words"),
        ("per-1000-words = true", "'own' needs a number of notes per-1000-words"),
        ("per-1000-words = nan", "'own' needs a number of notes per-1000-words"),
        ("notes = 'words'", "the notes of the profile 'own' must be a list of texts"),
        ("notes = [1]", "the notes of the profile 'own' must be a list of texts"),
    ],
)
def test_a_wrong_profile_of_the_project(tmp_path: Path, text: str, said: str) -> None:
    beside = settings(tmp_path, f"[profiles.own]\n{text}\n")
    with pytest.raises((FormatError, UnknownNameError), match=said):
        get_profile("own", beside)


def test_unknown_names(tmp_path: Path) -> None:
    beside = settings(tmp_path, '[profiles.reviewer]\nnotes = ["word"]\n')
    with pytest.raises(UnknownNameError, match=r"no profile 'reviwer'\. Did you mean 'reviewer'"):
        get_profile("reviwer", beside)
    with pytest.raises(UnknownNameError, match=r"no kind of note 'word'\. Did you mean 'words'"):
        get_profile("reviewer", beside).annotators()
    beside.write_text("Text.")
    with pytest.raises(UnknownNameError, match="no profile 'nobody'"):
        marginalia.read(beside, audience="nobody")


def margin(labels: list[str]) -> Document:
    """A hundred words, a note on each of the first ones."""
    notes = [
        Annotation(id=f"n-{n}", task="t", label=label, start=5 * n, end=5 * n + 4, quote=f"w{n:03}")
        for n, label in enumerate(labels)
    ]
    return Document(id="d", text=" ".join(f"w{n:03}" for n in range(1000))).annotate(notes)


def test_how_many_notes_have_room() -> None:
    doc = margin(["x"] * 100)
    shown = {name: len(one.choose(doc).annotations) for name, one in PROFILES.items()}
    assert shown == {"reader": 50, "learner": 80, "specialist": 25, "writer": 80, "curator": 100}
    chosen = PROFILES["reader"].choose(doc, per_1000_words=40)
    assert len(chosen.annotations) == 40 and chosen.meta["left_out"] == {"t": 60}
    assert len(PROFILES["curator"].choose(doc, per_1000_words=40).annotations) == 40


def test_only_a_writer_is_shown_what_is_said_twice() -> None:
    doc = margin(["repetition", "contradiction"])
    for name, one in PROFILES.items():
        labels = [note.label for note in one.choose(doc).annotations]
        hidden = name in ("reader", "learner", "specialist")
        assert labels == (["contradiction"] if hidden else ["repetition", "contradiction"])


def test_what_other_profiles_would_show_is_said() -> None:
    doc = Document(id="d", text="It weighs 3 kg and 4 kg.", meta={"lang": "en"})
    assert find_elsewhere(doc, PROFILES["reader"].annotators()) == [
        "2 measurements: --for curator shows them"
    ]
    assert find_elsewhere(doc, PROFILES["curator"].annotators()) == []


def test_reading_for_a_writer_and_lint_report_the_same_of_style(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("Fold the the sheet. We recieve it, and we recieve it.\n")
    doc = marginalia.read(path, audience="writer", lang="en", cache=False)
    style = [(note.label, note.quote) for note in doc.annotations if note.task == "style"]
    assert style[:2] == [("wording.doubled", "the the"), ("wording.misspelled", "recieve")]
    found = lint(path, notes=["style"], lang="en", cache=False)
    assert [(one.code, one.quote) for one in found] == style
    assert [(one.code, one.quote) for one in lint(path, select=["style"], lang="en")] == style
    assert not lint(path, ignore=["style"], lang="en", cache=False)
    assert {note.task for note in marginalia.read(path, lang="en").annotations} <= {"words"}
