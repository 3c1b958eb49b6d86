"""Where the weights of this task are, which a distribution of their own brings, and the text of their card."""

from pathlib import Path

from marginalia.core.distributions import require_weights

CARD = Path(__file__).parents[1] / "card.md"


def weights_folder() -> Path:
    """The folder of the installed weights."""
    return require_weights("similarity")
