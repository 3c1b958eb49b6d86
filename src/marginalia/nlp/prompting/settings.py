"""What a project says about language models: ``[llm]`` in its settings file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from marginalia.core.errors import FormatError

KINDS: Mapping[str, tuple[type, str]] = {
    "model": (str, "a text"),
    "max-tokens": (int, "a whole number"),
    "at-once": (int, "a whole number"),
    "seconds": (int, "a whole number"),
    "options": (dict, "a table"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSettings:
    model: str = ""
    """Which model ``--llm project`` is; alone it is never asked."""
    max_tokens: int | None = None
    at_once: int = 0
    seconds: float = 120.0
    options: Mapping[str, Any] = field(default_factory=dict)


def read_llm_settings(said: Mapping[str, Any]) -> LlmSettings:
    """The table ``[llm]``, checked."""
    for name, value in said.items():
        if name not in KINDS:
            raise FormatError(
                f"[llm] has the unknown setting {name!r}; known are {', '.join(KINDS)}"
            )
        kind, what = KINDS[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise FormatError(f"the setting {name!r} of [llm] must be {what}")
        if isinstance(value, int) and value < 1:
            raise FormatError(f"the setting {name!r} of [llm] must be at least 1")
    return LlmSettings(**{name.replace("-", "_"): value for name, value in said.items()})
