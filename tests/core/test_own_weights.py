"""Weights that somebody trained, taken in place of the shipped ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from marginalia import FormatError, MissingError, get_annotator, get_benchmark
from marginalia.bench.provenance import environment
from marginalia.cli.bench.run import run_command
from marginalia.cli.read import read_command
from marginalia.core import own_weights as own_weights_module
from marginalia.core.own_weights import (
    WEIGHTS_VARIABLE,
    own_digest,
    own_folder,
    own_weights,
    use_weights,
    using_weights,
)
from marginalia.core.resolution import choose_system, system_for_documents
from marginalia.corpus.settings import Settings, key_of
from marginalia.nlp.weights import write_weights
from marginalia.reader.cache import version
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems import WEIGHTS

COMPLEXITY = get_benchmark("complexity")
ITEMS = {"a": Target("bible", "He plays the guitar.", "guitar", "words")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One head of complexity, as ``marginalia train`` would write it."""
    head = (WEIGHTS / "boosted_features.onnx").read_bytes()
    out = tmp_path / "own"
    write_weights(
        out,
        {"boosted_features.onnx": head},
        task="complexity",
        systems=["features"],
        trained_on=["train", "dev"],
    )
    return out


@pytest.fixture(autouse=True)
def _no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WEIGHTS_VARIABLE, raising=False)
    monkeypatch.setattr(
        own_weights_module, "_chosen", None
    )  # so that what a test sets is taken back


def test_the_trained_system_is_the_default_and_reads_the_folder(folder: Path) -> None:
    shipped = choose_system(COMPLEXITY)
    assert (shipped.name, shipped.own, own_weights("complexity")) == ("ensemble", "", None)
    with using_weights(folder):
        card = choose_system(COMPLEXITY)
        assert (card.name, card.trained_on, card.trains) == ("features", ("train", "dev"), False)
        assert card.own == own_digest("complexity")
        assert system_for_documents(COMPLEXITY, language="en").name == "features"
        assert card.make().folder == folder  # type: ignore[attr-defined]
        assert card.make().predict(ITEMS) == COMPLEXITY.system("features").predict(ITEMS)
        assert own_folder("complexity", "ensemble") is None
        assert choose_system(COMPLEXITY, "ensemble").own == ""
        assert choose_system(get_benchmark("similarity")).own == ""
    assert choose_system(COMPLEXITY) == shipped


def test_weights_that_make_no_notes_leave_documents_alone(folder: Path) -> None:
    write_weights(folder, {}, documents=False)
    with using_weights(folder):
        assert choose_system(COMPLEXITY).name == "features"
        assert system_for_documents(COMPLEXITY, language="en").name == "ensemble"


def test_whatever_is_kept_knows_the_weights(folder: Path) -> None:
    def kept() -> object:
        return environment(COMPLEXITY)["weights"]

    before = kept()
    with using_weights(folder):
        with_own = kept()
    write_weights(folder, {}, seed=1)
    with using_weights(folder):
        others = kept()
    assert len({before, with_own, others}) == 3
    assert kept() == before


def test_notes_are_kept_by_the_weights_that_made_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def kept() -> tuple[str, str]:
        return version(get_annotator("measurements")), key_of(
            Settings(notes=("measurements",)).facts()
        )

    before = kept()
    for module in ("marginalia.reader.cache", "marginalia.corpus.settings"):
        monkeypatch.setattr(f"{module}.own_digest", lambda name: f"another {name}")
    assert all(one != two for one, two in zip(before, kept(), strict=True))


def test_a_damaged_file_is_told_when_the_system_is_used(folder: Path) -> None:
    (folder / "boosted_features.onnx").write_bytes(b"other")
    with using_weights(folder), pytest.raises(FormatError, match="damaged: its SHA-256"):
        COMPLEXITY.system("features").predict(ITEMS)


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (None, "has no manifest.json"),
        ("[]", "not weights that a training wrote"),
        ('{"files": {}}', "not weights that a training wrote"),
        ('{"task": "complexity", "systems": [], "trained_on": ["train"]}', "names no task"),
        ("{", "not JSON"),
    ],
)
def test_a_folder_that_is_not_one(tmp_path: Path, manifest: str | None, said: str) -> None:
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest, encoding="utf-8")
    with pytest.raises((FormatError, MissingError), match=said):
        use_weights([tmp_path])


def test_two_folders_for_one_task(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = folder.with_name("other")
    shutil.copytree(folder, other)
    use_weights([folder, other])
    with pytest.raises(FormatError, match="two folders have weights of complexity"):
        choose_system(COMPLEXITY)


def test_weights_of_another_task(folder: Path) -> None:
    with pytest.raises(FormatError, match="of complexity, not of similarity"):
        use_weights([folder], "similarity")
    result = CliRunner().invoke(run_command, ["similarity", "--weights", str(folder)])
    assert isinstance(result.exception, FormatError)
    assert "these weights are of complexity, not of similarity" in str(result.exception)


def test_the_option_of_a_reading(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("The physician auscultated the thorax.\n", encoding="utf-8")
    words = [str(page), "--weights", str(folder), "--notes", "words", "--format", "json"]
    result = CliRunner().invoke(read_command, words, catch_exceptions=False)
    systems = {note["system"] for note in json.loads(result.stdout)["annotations"]}
    assert systems == {"dictionary"}  # what weights of the benchmark do not change
    missing = CliRunner().invoke(read_command, [str(page), "--weights", str(tmp_path / "none")])
    assert isinstance(missing.exception, MissingError)
