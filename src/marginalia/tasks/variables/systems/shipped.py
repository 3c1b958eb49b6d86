"""Where the weights that ship with this task are, and the text of their card."""

from pathlib import Path

from marginalia.core.own_weights import own_folder

WEIGHTS = Path(__file__).parents[1] / "weights"
CARD = Path(__file__).parents[1] / "card.md"


def weights_folder() -> Path:
    """The folder that somebody named, else the one that ships."""
    return own_folder("variables", "reader") or WEIGHTS
