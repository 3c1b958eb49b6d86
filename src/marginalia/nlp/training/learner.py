"""One step of a network's training after the other, and the running mean of its weights; needs torch."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, TypeVar

from marginalia.core.training_log import Course

T = TypeVar("T")


def warmed(total: int, share: float) -> Callable[[int], float]:
    """A factor of the rate that rises over this share of all steps and falls from then on, never below a fiftieth."""
    return lambda step: min(1.0, (step + 1) / (share * total)) * max(0.02, 1 - step / total)


class Learner:
    """Adam with a rate that ``factor`` changes step by step. ``mean`` is steadier than the last weights.

    With a ``course`` its steps are logged and its state is saved there, and a second call goes on from it.
    """

    def __init__(
        self,
        network: Any,
        groups: Sequence[dict[str, Any]],
        factor: Callable[[int], float],
        *,
        course: Course | None = None,
        stage: str = "network",
        total: int = 0,
    ) -> None:
        import torch

        self.network, self.mean = network, copy.deepcopy(network).eval()
        self.optimiser = torch.optim.AdamW(groups)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimiser, factor)
        self.step = self.passed = 0
        self.course, self.stage, self.total = course, stage, total
        self.saved = time.monotonic()
        if course is not None:
            from marginalia.nlp.training.checkpoint import restore

            restore(course.checkpoint / "state", self)
            course.forget_after(stage, self.step)

    def due(self, parts: Iterable[T]) -> Iterator[T]:
        """The parts that are still to be learned from: those before the state that was restored are passed over."""
        for part in parts:
            self.passed += 1
            if self.passed > self.step:
                yield part

    def finish(self) -> Any:
        """The running mean of the weights. It is saved, in case that what comes after the training fails."""
        if self.course is not None:
            self._save(self.course)
        return self.mean

    def learn(self, loss: Any) -> float:
        """Change the weights by the gradient of a loss, of which this gives the value."""
        import torch

        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        self.schedule.step()
        self.step += 1
        with torch.no_grad():
            weights = zip(self.mean.parameters(), self.network.parameters(), strict=True)
            for kept, new in weights:
                kept.lerp_(new, 1 - min(0.99, self.step / (self.step + 20)))
        value = float(loss.item())
        if self.course is not None:
            self._keep(self.course, value)
        return value

    def _keep(self, course: Course, loss: float) -> None:
        course.tell(self.stage, self.step, self.total, {"loss": loss})
        if time.monotonic() - self.saved >= course.save_seconds:
            self._save(course)

    def _save(self, course: Course) -> None:
        from marginalia.nlp.training.checkpoint import save

        save(course.checkpoint / "state", self)
        self.saved = time.monotonic()


def mixed(
    examples: Iterable[T], size: Callable[[T], int], *, count: int, mix: float, random: Random
) -> list[list[T]]:
    """One epoch: ``count`` examples of about the same size together, in random order.

    The larger ``mix``, the less their size decides who comes together.
    """
    ordered = sorted(examples, key=lambda one: size(one) + mix * random.random())
    parts = [ordered[begin : begin + count] for begin in range(0, len(ordered), count)]
    random.shuffle(parts)
    return parts
