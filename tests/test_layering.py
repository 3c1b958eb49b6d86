"""Who may import whom, as the design says; which files every task has; and what a plain import may load."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import marginalia

ROOT = Path(marginalia.__file__).parent
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
TASKS = sorted(path.parent.name for path in ROOT.glob("tasks/*/benchmark.py"))
ANNOTATORS = sorted(path.parent.name for path in ROOT.glob("annotators/*/annotator.py"))

BELOW_TASKS = {"core", "lang", "lexicon", "quantities", "nlp"}
MAY_IMPORT = {
    "core": {"core"},
    "lang": {"core", "lang"},
    "lexicon": {"core", "lexicon"},
    "quantities": {"core", "lang", "quantities"},
    "nlp": {"core", "lang", "nlp"},
    "tasks": BELOW_TASKS,
    "annotators": BELOW_TASKS | {"tasks"},
    "reader": {"core", "lang", "nlp", "reader"},
    "bench": {"core", "lang", "nlp", "bench"},
    "corpus": {"core", "reader", "corpus"},
    "web": {"core", "reader", "bench", "web"},
    "integrations": {"core", "nlp", "reader", "integrations"},
    "cli": {"core", "lang", "nlp", "reader", "bench", "corpus", "web", "integrations", "cli"},
}
"""Layer -> the layers that it may import; a task and an annotator also import their own folder."""
COMMANDS_ALSO_IMPORT = {"cli", "reader"}
"""An annotator's commands read files and print."""
NOT_FOR_NOTES = {"building", "train"}
"""The packages of a task that make its data and its weights: no annotator imports them."""
PACKAGES = {
    "official": 0,
    # What a task's systems speak of: packages named after their subject.
    "catalogue": 1, "gaps": 1,
    "index": 2,
    "systems": 3,
    "search": 4, "building": 4,
}  # fmt: skip
"""The packages of a task: each imports itself and what has a smaller number, never upwards."""

MODEL_LIBRARIES = (
    "bm25s crfsuite onnxruntime pandas pycrfsuite scipy sklearn tokenizers torch transformers wordfreq"
).split()
FORMAT_LIBRARIES = "cassis docutils fastapi lxml markdown_it pyarrow pylatexenc pypdf pypdfium2 rdflib uvicorn".split()


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


def own_imports(path: Path) -> list[tuple[str, ...]]:
    """What a module imports of the package, without its first word; the public names are anybody's."""
    dotted = (name.split(".")[1:] for name in imports(path) if name.startswith("marginalia."))
    return sorted(
        tuple(parts) for parts in dotted if len(parts) > 1 and not parts[0].startswith("__")
    )


def in_annotator(path: Path) -> bool:
    return path.parts[0] == "annotators" and len(path.parts) > 2


def is_command(path: Path) -> bool:
    return in_annotator(path) and path.parts[2] == "commands"


@pytest.mark.parametrize("path", [p for p in MODULES if len(p.parts) > 1], ids=str)
def test_each_layer_imports_only_what_it_may(path: Path) -> None:
    layers = MAY_IMPORT[path.parts[0]] | (COMMANDS_ALSO_IMPORT if is_command(path) else set())
    own = path.parts[:2] if path.parts[0] in {"tasks", "annotators"} else path.parts[:1]
    for parts in own_imports(path):
        allowed = parts[0] in layers or parts[: len(own)] == own
        assert allowed, f"{path} may not import marginalia.{'.'.join(parts)}"


@pytest.mark.parametrize("path", [p for p in MODULES if in_annotator(p)], ids=str)
def test_an_annotator_uses_what_a_task_ships(path: Path) -> None:
    for parts in own_imports(path):
        name = ".".join(parts)
        makes = parts[0] == "tasks" and NOT_FOR_NOTES & set(parts[2:])
        assert not makes, f"{path} imports marginalia.{name}, which makes data or weights"
        command = parts[0] == "annotators" and parts[2] == "commands"
        assert not command or is_command(path), f"{path} imports a command"


@pytest.mark.parametrize(
    "path", [p for p in MODULES if p.parts[0] == "tasks" and len(p.parts) > 3], ids=str
)
def test_the_packages_of_a_task_point_downwards(path: Path) -> None:
    task, package = path.parts[1], path.parts[2]
    for parts in own_imports(path):
        name = ".".join(parts)
        if package == "official":
            own = parts[:3] == ("tasks", task, "official")
            assert own or parts[0] == "core", f"{path} is official and imports marginalia.{name}"
        elif parts[:2] == ("tasks", task) and parts[2] != "benchmark":
            assert PACKAGES[parts[2]] <= PACKAGES[package], (
                f"{path} is below marginalia.{name} and may not import it"
            )


@pytest.mark.parametrize(
    "path", [p for p in MODULES if p.parts[0] in {"tasks", "annotators"}], ids=str
)
def test_there_is_one_way_to_the_system_of_a_task(path: Path) -> None:
    """``core.resolution`` resolves the name and refuses what must be trained; ``loaded()`` of its card is shared."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked = {"card", "system", "systems", "preferred"}
            asks = node.value.id in {"BENCHMARK", "TASK"} and node.attr in asked
            assert not asks, f"{path}:{node.lineno} asks {node.value.id}.{node.attr}"


@pytest.mark.parametrize("path", [p for p in MODULES if p.parts[0] == "core"], ids=str)
def test_core_needs_only_the_standard_library_and_numpy(path: Path) -> None:
    for name in imports(path):
        top = name.split(".")[0]
        assert top in sys.stdlib_module_names or top in {"numpy", "marginalia"}, name


# A torch network is a class, which no function can hold; only who trains it imports it, in a function.
NETWORKS = {
    Path("annotators/unclear/train/network.py"),
    Path("nlp/training/network.py"),
    Path("tasks/clarification/systems/train/adapted_network.py"),
    Path("tasks/clarification/systems/train/network.py"),
    Path("tasks/measurement/systems/train/network.py"),
}


@pytest.mark.parametrize("path", [p for p in MODULES if p not in NETWORKS], ids=str)
def test_no_module_loads_a_model_library_when_imported(path: Path) -> None:
    loaded = {name.split(".")[0] for name in imports(path, top_only=True)}
    assert not loaded & set(MODEL_LIBRARIES)


def test_networks_are_imported_only_to_train() -> None:
    names = {f"marginalia.{'.'.join(path.with_suffix('').parts)}" for path in NETWORKS}
    for path in MODULES:
        wanted = {name.rpartition(".")[0] for name in imports(path)}
        assert {"train", "training"} & set(path.parts) or not wanted & names, path
        assert not {name.rpartition(".")[0] for name in imports(path, top_only=True)} & names, path


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_the_same_files(task: str) -> None:
    here = ROOT / "tasks" / task
    wanted = {
        "": ("benchmark.py", "published.json", "sources.json", "card.md", "README.md"),
        "official": ("data.py", "score.py", "submission.py"),
        "systems": ("baselines.py",),
        "systems/train": ("recipe.py",),
        "building": ("builder.py",),
    }
    for folder, names in wanted.items():
        for name in names:
            assert (here / folder / name).is_file(), f"{task}/{folder}/{name}"
    top = {path.stem for path in here.glob("*.py")}
    assert top == {"__init__", "benchmark"}, "code is in one of the packages"
    packages = {path.parent.name for path in here.glob("*/__init__.py")}
    assert packages <= set(PACKAGES), packages - set(PACKAGES)


@pytest.mark.parametrize("annotator", ANNOTATORS)
def test_every_annotator_has_a_card_and_what_writes_its_notes(annotator: str) -> None:
    here = ROOT / "annotators" / annotator
    for name in ("annotator.py", "annotate.py"):
        assert (here / name).is_file(), f"{annotator}/{name}"


def test_every_folder_with_code_is_a_package() -> None:
    """Type checkers and builders of wheels pass over folders without ``__init__.py``."""
    for folder in sorted({path.parent for path in MODULES}):
        assert (ROOT / folder / "__init__.py").is_file(), folder


def test_no_two_modules_of_a_folder_differ_by_an_ending() -> None:
    """mention and mentions, linked and linking: a reader cannot know which is which."""
    folders: dict[Path, list[str]] = {}
    for path in MODULES:
        if path.stem not in {"__init__", "__main__"}:
            folders.setdefault(path.parent, []).append(path.stem)
    for folder, names in folders.items():
        for one in names:
            for other in names:
                if one < other and other.startswith(one.rstrip("e")):
                    rest = other.removeprefix(one.rstrip("e"))
                    assert rest not in {"s", "es", "ed", "er", "ing", "d"}, (folder, one, other)


def test_no_two_classes_of_a_package_have_one_name() -> None:
    packages: dict[tuple[str, ...], dict[str, Path]] = {}
    for path in MODULES:
        package = path.parts[:2] if path.parts[0] in {"tasks", "annotators"} else path.parts[:1]
        for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                other = packages.setdefault(package, {}).setdefault(node.name, path)
                assert other == path, f"{node.name} is in {other} and in {path}"


def test_every_module_is_used() -> None:
    """A module is imported somewhere, named by a card, an entry point, a table, or run by itself."""
    texts = [(ROOT / path).read_text(encoding="utf-8") for path in MODULES]
    project = (ROOT.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    imported = {name for path in MODULES for name in imports(path)}
    imported |= {name.rpartition(".")[0] for name in imported}
    for path in MODULES:
        name = "marginalia." + ".".join(path.with_suffix("").parts)
        text = (ROOT / path).read_text(encoding="utf-8")
        if path.name in {"__init__.py", "__main__.py"} or name in imported or name in project:
            continue
        short = ".".join(path.with_suffix("").parts)
        lazily = re.compile(rf'"({re.escape(name)}|{re.escape(short)})"|[".]{path.stem}[.]\w+"')
        named = any(lazily.search(other) for other in texts)
        assert named or '__name__ == "__main__"' in text, f"nobody uses {path}"


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
