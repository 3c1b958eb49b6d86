"""Systems that ask a language model: alone, or blended with the shipped system of the task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from marginalia.core.benchmark import System
from marginalia.core.errors import MissingError
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.prompt import Entry, Request

Requests = Callable[[Mapping[str, Any], int], Iterable[Request]]
"""``requests(items, per_request)``"""
Read = Callable[[Mapping[str, Any], Entry, Mapping[str, Any], LanguageModel], Mapping[str, Any]]
"""``read(items, entry, answer, model)`` -> predictions by id; what it does not answer is left out"""
Blend = Callable[[Any, Any], Any]
"""``blend(prompted, shipped)`` -> the prediction of both for one item; ``alone(shipped)`` where there is no answer"""


class Prompted:
    """What a model answers; where it gives no valid answer, the shipped system does."""

    def __init__(
        self,
        requests: Requests,
        read: Read,
        shipped: Callable[[], System],
        *,
        blend: Blend | None = None,
        alone: Callable[[Any], Any] = lambda pred: pred,
        model: LanguageModel | None = None,
        per_request: int = 0,
    ) -> None:
        self.make_requests, self.read, self.shipped = requests, read, shipped
        self.blend, self.alone = blend, alone
        self.model, self.per_request = model, per_request

    def asking(self, model: LanguageModel, per_request: int = 0) -> Self:
        """The same system with a model to ask."""
        return type(self)(
            self.make_requests,
            self.read,
            self.shipped,
            blend=self.blend,
            alone=self.alone,
            model=model,
            per_request=per_request,
        )

    def requests(self, items: Mapping[str, Any]) -> list[Request]:
        """What is asked about these items."""
        return list(self.make_requests(items, self.per_request))

    def predict(self, items: Mapping[str, Any]) -> dict[str, Any]:
        if not items:
            return {}
        if self.model is None:
            raise MissingError("This system asks a language model: name one with `llm=`.")
        answered: dict[str, Any] = {}
        for entry, answer in self.model.ask(self.requests(items)):
            answered |= self.read(items, entry, answer, self.model)
        left = {id: item for id, item in items.items() if id not in answered}
        self.model.tally.fallback += len(left)
        shipped = (
            self.shipped().predict(items if self.blend else left) if self.blend or left else {}
        )
        if self.blend is None:
            return {id: answered.get(id, shipped.get(id)) for id in items}
        return {
            id: self.blend(answered[id], shipped[id]) if id in answered else self.alone(shipped[id])
            for id in items
        }
