"""One step of a network's training after the other, and the running mean of its weights; needs torch."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class Learner:
    """Adam with a rate that ``factor`` changes step by step. ``mean`` is steadier than the last weights."""

    def __init__(
        self, network: Any, groups: Sequence[dict[str, Any]], factor: Callable[[int], float]
    ) -> None:
        import torch

        self.network, self.mean = network, copy.deepcopy(network).eval()
        self.optimiser = torch.optim.AdamW(groups)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimiser, factor)
        self.step = 0

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
        return float(loss.item())


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
