"""Who may import whom, as the design says; and what a plain import may load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import marginalia

ROOT = Path(marginalia.__file__).parent
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
TASKS = sorted(path.parent.name for path in ROOT.glob("tasks/*/task.py"))

MAY_IMPORT = {
    "core": {"core"},
    "nlp": {"core"},
    "reader": {"core", "nlp", "reader"},
    "bench": {"core", "nlp", "bench"},
    "corpus": {"core", "reader", "corpus"},
    "web": {"core", "reader", "bench", "web"},
    "cli": {"core", "nlp", "reader", "bench", "corpus", "web", "cli"},
}
MODEL_LIBRARIES = (
    "bm25s crfsuite onnxruntime pandas pycrfsuite scipy sklearn tokenizers torch transformers wordfreq"
).split()
FORMAT_LIBRARIES = (
    "cassis docx fastapi lxml markdown_it pyarrow pypdf pypdfium2 rdflib uvicorn".split()
)


def imports(path: Path, *, top_only: bool = False) -> set[str]:
    """The dotted names a module imports; with ``top_only``, those it imports when it is imported."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    nodes = _outside_functions(tree) if top_only else ast.walk(tree)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _outside_functions(node: ast.AST):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child
        yield from _outside_functions(child)


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_each_layer_imports_only_what_it_may(path: Path) -> None:
    layer = path.parts[0]
    own = {
        name.split(".")[1:] and tuple(name.split(".")[1:])
        for name in imports(path)
        if name.startswith("marginalia.")
    }
    for parts in own:
        if parts[0].startswith("__") or len(path.parts) == 1:
            continue
        if layer == "tasks":
            room = path.parts[1]
            allowed = parts[0] in {"core", "nlp"} or parts[:2] == ("tasks", room)
        else:
            allowed = parts[0] in MAY_IMPORT[layer] | ({"nlp"} if layer == "nlp" else set())
        assert allowed, f"{path} may not import marginalia.{'.'.join(parts)}"


@pytest.mark.parametrize("path", [p for p in MODULES if p.parts[0] == "core"], ids=str)
def test_core_needs_only_the_standard_library_and_numpy(path: Path) -> None:
    for name in imports(path):
        top = name.split(".")[0]
        assert top in sys.stdlib_module_names or top in {"numpy", "marginalia"}, name


# A torch network is a class, which no function can hold; only who trains it imports it, in a function.
NETWORKS = {
    Path("nlp/network.py"),
    Path("tasks/clarification/network.py"),
    Path("tasks/measurement/network.py"),
}


@pytest.mark.parametrize("path", [p for p in MODULES if p not in NETWORKS], ids=str)
def test_no_module_loads_a_model_library_when_imported(path: Path) -> None:
    loaded = {name.split(".")[0] for name in imports(path, top_only=True)}
    assert not loaded & set(MODEL_LIBRARIES)


def test_networks_are_imported_only_to_train() -> None:
    names = {f"marginalia.{'.'.join(path.with_suffix('').parts)}" for path in NETWORKS}
    for path in MODULES:
        wanted = {name.rpartition(".")[0] for name in imports(path)}
        assert path.name in {"train.py", "tuning.py"} or not wanted & names, path
        assert not {name.rpartition(".")[0] for name in imports(path, top_only=True)} & names, path


@pytest.mark.parametrize("room", TASKS)
def test_every_room_has_the_same_furniture(room: str) -> None:
    there = {path.name for path in (ROOT / "tasks" / room).iterdir()}
    assert there >= {
        "task.py", "data.py", "score.py", "submission.py", "baselines.py",
        "published.json", "sources.json", "README.md",
    }  # fmt: skip


def test_nothing_in_the_package_is_unpickled() -> None:
    for path in MODULES:
        text = (ROOT / path).read_text(encoding="utf-8").replace("allow_pickle=False", "")
        assert "pickle" not in text and "joblib" not in text, path


@pytest.mark.parametrize(
    "words", [["--help"], ["tasks"], ["bench", "--help"], ["bench", "systems"]]
)
def test_help_and_lists_load_no_model_library(words: list[str]) -> None:
    """Counted in modules, not seconds, so that a busy machine cannot make it fail."""
    code = (
        "import sys; from marginalia.cli.main import cli; cli.main(sys.argv[1:], standalone_mode=False);"
        "print('\\n' + ' '.join(sys.modules), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in result.stderr.split()}
    assert not loaded & {*MODEL_LIBRARIES, *FORMAT_LIBRARIES, "numpy", "asyncio", "http"}
    assert len(result.stderr.split()) < 500


def test_import_marginalia_loads_next_to_nothing() -> None:
    code = "import sys; old = set(sys.modules); import marginalia; print(*set(sys.modules) - old)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert {name for name in result.stdout.split() if name.startswith("marginalia")} == {
        "marginalia"
    }
    foreign = {name.split(".")[0] for name in result.stdout.split()} - set(sys.stdlib_module_names)
    assert foreign == {"marginalia"}
