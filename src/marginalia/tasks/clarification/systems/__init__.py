"""What predicts: the organisers' baselines and our systems; and where their weights are."""

from pathlib import Path

from marginalia.core.distributions import require_weights
from marginalia.core.own_weights import own_folder

CARD = Path(__file__).parents[1] / "card.md"


def weights_folder() -> Path:
    """The folder that the user named, else that of the installed weights."""
    return own_folder("clarification", "rater") or require_weights("clarification")
