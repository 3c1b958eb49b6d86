"""Weights for Marginalia that may not be used commercially, because of the data they were trained on.

There is no code here. Marginalia finds the folders through the entry point group ``marginalia.weights``;
``marginalia tasks --licences`` says what they allow.
"""

from pathlib import Path

__version__ = "0.1.0"

CLARIFICATION = Path(__file__).parent / "clarification"
"""Trained on CLAIRE (SemEval-2022 Task 7)."""
SIMILARITY = Path(__file__).parent / "similarity"
"""Trained on STS 2012 (SemEval-2012 Task 6)."""
WORDS = Path(__file__).parent / "words"
"""Trained on CWI 2018, which states no licence, and on marks of ours."""
