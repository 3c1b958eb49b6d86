"""What a system says about one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marginalia.core.errors import FormatError

Ranking = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """The answers to both sub-tasks; None where the system does not answer one.

    ``ranking`` holds variables with their scores, best first: its order counts, also among equal scores.
    """

    is_variable: int | None = None
    ranking: Ranking | None = None

    def __post_init__(self) -> None:
        ids = [variable for variable, _ in self.ranking or ()]
        if len(set(ids)) < len(ids):
            twice = next(id for place, id in enumerate(ids) if id in ids[:place])
            raise FormatError(
                f"the variable {twice} is ranked twice, each copy would count as a hit"
            )


def encode(pred: Mention) -> dict[str, Any]:
    """A prediction as JSON data."""
    ranking = None if pred.ranking is None else [list(pair) for pair in pred.ranking]
    return {"is_variable": pred.is_variable, "ranking": ranking}


def decode(data: Mapping[str, Any]) -> Mention:
    """... and back."""
    try:
        label, ranking = data["is_variable"], data["ranking"]
        pairs = None if ranking is None else tuple((str(id), float(s)) for id, s in ranking)
        return Mention(None if label is None else int(label), pairs)
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"not a prediction for variables: {error!r}") from error
