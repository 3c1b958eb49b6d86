"""The models of the ``llm`` package: whatever ``llm models`` lists, of any provider, of Ollama, or in a file.

Keys stay in the store of ``llm``. No tools, attachments, fragments or conversations are ever given to a model: the text
of a document is one message, and what comes back is text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marginalia.core.errors import FormatError, MissingError, UnknownNameError, missing_package
from marginalia.nlp.prompting.cache import AnswerCache
from marginalia.nlp.prompting.model import LanguageModel, Limits, Reply
from marginalia.nlp.prompting.prompt import Request


def language_model(
    name: str,
    *,
    options: Mapping[str, Any] | None = None,
    max_tokens: int | None = None,
    at_once: int = 0,
    seconds: float = 120.0,
    cached: bool = True,
) -> LanguageModel:
    """The model of this name or alias, ready to be asked.

    A model on this machine answers one request after the other, others four at a time, unless ``at_once`` says otherwise.
    """
    found = find_model(name)
    limits = Limits(
        max_tokens=max_tokens,
        at_once=at_once or (4 if _is_remote(found) else 1),
        seconds=seconds,
    )
    return LanguageModel(
        found.model_id,
        _Live(found, dict(options or {})),
        options=options,
        cache=AnswerCache() if cached else None,
        limits=limits,
    )


@cache
def find_model(name: str) -> Any:
    """The model as ``llm`` has it."""
    try:
        import llm
    except ImportError as error:
        raise missing_package("Asking a language model", "llm", "llm") from error
    try:
        return llm.get_model(name)
    except llm.UnknownModelError:
        known = [model.model_id for model in llm.get_models()]
        raise UnknownNameError("language model", name, known) from None


def say_where(name: str) -> str:
    """What is sent where, in one sentence."""
    found = find_model(name)
    plugin = type(found).__module__.partition(".")[0]
    place = getattr(found, "api_base", None)
    if not _is_remote(found):
        return f"Passages of the text go to {found.model_id}, by llm's plug-in {plugin}."
    where = f"at {place}" if place else "of its provider"
    return f"Passages of the text are sent to the service of {found.model_id} {where}, by llm's plug-in {plugin}."


def _is_remote(found: Any) -> bool:
    return bool(getattr(found, "needs_key", None) or getattr(found, "api_base", None))


class _Live:
    """Asks a model of ``llm``."""

    def __init__(self, found: Any, options: Mapping[str, Any]) -> None:
        self.found = found
        try:
            self.options = found.Options(**options) and dict(options)
        except ValueError as error:
            names = ", ".join(found.Options.model_fields) or "none"
            raise FormatError(
                f"the options of {found.model_id} are not {sorted(options)}; it knows: {names}"
            ) from error

    def __call__(self, request: Request) -> Reply:
        import llm

        schema = dict(request.schema) if self.found.supports_schema else None
        try:
            response = self.found.prompt(
                request.user, system=request.system, schema=schema, stream=False, **self.options
            )
            text, usage = response.text(), response.usage()
        except llm.NeedsKeyException as error:
            raise MissingError(
                f"{self.found.model_id} needs a key: set it with `llm keys set {self.found.needs_key}`."
            ) from error
        return Reply(text, usage.input, usage.output)
