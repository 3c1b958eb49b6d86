"""What predicts: the organisers' baselines and our systems; and where their weights are."""

from pathlib import Path

from marginalia.core.own_weights import own_folder

WEIGHTS = Path(__file__).parents[1] / "weights"
CARD = Path(__file__).parents[1] / "card.md"


def weights_folder(system: str) -> Path:
    """The folder that the user named for a system, else the one that ships."""
    return own_folder("complexity", system) or WEIGHTS
