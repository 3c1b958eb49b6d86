"""The public names: all of them documented, typed, and with results that can be written down."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import shutil
import types
import typing
from pathlib import Path

import pytest

import marginalia
from marginalia import Benchmark, Document, Table

ROOT = Path(__file__).parent.parent
FUNCTIONS = sorted(
    name
    for name in marginalia.__all__
    if not name.startswith("_") and inspect.isfunction(inspect.unwrap(getattr(marginalia, name)))
)
PLAIN = {
    "lazy",
    "all_annotators",
    "get_annotator",
    "check_annotator",
    "all_benchmarks",
    "get_benchmark",
    "check_benchmark",
    "check_system",
    "write",
    "restore",
    "check_submission",
    "new_system",
    "new_task",
}
"""Functions that register, check or convert, and give no result of their own."""


def test_every_name_has_a_home_and_a_type_for_checkers() -> None:
    """``mypy`` sees the imports under TYPE_CHECKING, Python the table."""
    tree = ast.parse(Path(marginalia.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.name: (node.module or "").removeprefix("marginalia.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == marginalia._HOME
    assert set(marginalia.__all__) == {"__version__", *seen}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_typed_and_documented(name: str) -> None:
    function = inspect.unwrap(getattr(marginalia, name))
    signature = inspect.signature(function)
    assert function.__doc__ and len(function.__doc__) > 30
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty, parameter
        assert "Callable[..., Any]" not in str(parameter.annotation)
    by_place = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert len(by_place) <= 4, "options are given by name"


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - PLAIN))
def test_results_can_be_written_down(name: str) -> None:
    function = inspect.unwrap(getattr(marginalia, name))
    module = inspect.getmodule(function)
    result = typing.get_type_hints(function, vars(module))["return"]
    several = typing.get_origin(result) in (list, types.UnionType)
    for kind in typing.get_args(result) if several else (result,):
        if kind is types.NoneType:
            continue  # nothing was found
        made = typing.get_origin(kind) or kind
        assert made is str or hasattr(made, "to_dict") or hasattr(made, "info"), made
        if made is Table:
            (row,) = typing.get_args(kind)
            assert hasattr(row, "to_dict"), row


def test_every_public_function_stands_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    for name in set(FUNCTIONS) - {"lazy"}:
        assert f"`{name}(" in page, name


def test_the_reference_names_every_argument() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    for name, listed in re.findall(r"`(\w+)\((.*?)\)", page):
        if "…" in listed or not page.partition(f"| `{name}({listed})")[1]:
            continue  # an example, or one that refers to another row
        named = [word.strip(" *") for word in listed.split(",") if word.strip() != "*"]
        assert named == list(inspect.signature(getattr(marginalia, name)).parameters), name


@pytest.mark.slow
def test_the_examples_of_docstrings_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"paper.pdf": "article.pdf", "survey.xml": "survey.ddi.xml"}
    for name in ("paper.pdf", "survey.xml", "guide.md", "report.md"):
        shutil.copy(ROOT / "examples" / here.get(name, name), tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.print", lambda *said: None)
    ran = 0
    for name in FUNCTIONS:
        known = {one: getattr(marginalia, one) for one in marginalia.__all__}
        told = inspect.unwrap(getattr(marginalia, name)).__doc__ or ""
        for example in doctest.DocTestParser().get_examples(told):
            if example.want:
                assert repr(eval(example.source, known)) == example.want.strip()  # noqa: S307
            else:
                exec(example.source, known)  # noqa: S102
            ran += 1
    assert ran > 12


def test_nothing_in_the_documentation_is_a_dictionary_of_functions() -> None:
    for page in (*ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/README.md"), ROOT / "README.md"):
        assert ".tools" not in page.read_text(encoding="utf-8"), page
    assert "tools" not in Benchmark.__dataclass_fields__


def test_notes_as_a_frame_and_as_data() -> None:
    doc = Document(id="d", text="An egg.").annotate(
        [marginalia.Annotation(id="n", task="t", label="l", start=3, end=6, quote="egg", score=0.5)]
    )
    assert Document.from_dict(doc.to_dict()) == doc
    frame = pytest.importorskip("pandas") and doc.to_frame()
    assert list(frame["quote"]) == ["egg"] and list(frame["document"]) == ["d"]
