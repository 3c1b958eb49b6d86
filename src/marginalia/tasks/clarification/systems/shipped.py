"""Where the weights of this task are, which a distribution of their own brings, and the text of their card."""

from pathlib import Path

from marginalia.core.distributions import require_weights
from marginalia.core.own_weights import own_folder

CARD = Path(__file__).parents[1] / "card.md"


def weights_folder() -> Path:
    """The folder that somebody named, else that of the installed weights."""
    return own_folder("clarification", "rater") or require_weights("clarification")
