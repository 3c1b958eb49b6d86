"""Where the weights that ship with this task are, and the text of their card."""

from pathlib import Path

WEIGHTS = Path(__file__).parents[1] / "weights"
CARD = Path(__file__).parents[1] / "card.md"
