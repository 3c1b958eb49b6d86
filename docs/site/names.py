"""The reference of the library: every public name with its signature and docstring."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

import marginalia

DIRECTIVES = {
    "Functions": "autofunction",
    "Objects": "autoclass",
    "Errors": "autoexception",
    "Values": "autodata",
}
OPTIONS = {"autoclass": ("members", "show-inheritance"), "autoexception": ("show-inheritance",)}


def kind(value: object) -> str:
    if inspect.isclass(value):
        return "Errors" if issubclass(value, BaseException) else "Objects"
    return "Functions" if callable(value) else "Values"


def names_page() -> str:
    """Markdown that lets autodoc fill in what each name in ``marginalia.__all__`` is."""
    parts = [
        "# Every public name",
        "What `import marginalia` gives, with signatures and docstrings. The [overview](api.md) shows how the names fit together.",
    ]
    names = [name for name in marginalia.__all__ if not name.startswith("__")]
    for heading, directive in DIRECTIVES.items():
        found = [name for name in names if kind(getattr(marginalia, name)) == heading]
        if found:
            parts += [f"## {heading}", f"```{{eval-rst}}\n{_directives(directive, found)}```"]
    return "\n\n".join(parts) + "\n"


def _directives(directive: str, names: Iterable[str]) -> str:
    options = "".join(f"   :{option}:\n" for option in OPTIONS.get(directive, ()))
    return "\n".join(f".. {directive}:: marginalia.{name}\n{options}" for name in names)
