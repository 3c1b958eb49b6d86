"""Where the weights of this task are, which a distribution of their own brings, and the text of their card."""

from pathlib import Path

from marginalia.core.distributions import require_weights
from marginalia.core.own_weights import own_folder

CARD = Path(__file__).parents[1] / "card.md"


def weights_folder(system: str = "") -> Path:
    """The folder that somebody named for a system, else that of the installed weights."""
    return (own_folder("similarity", system) if system else None) or require_weights("similarity")
