"""From a score to the share of raters who would call the word difficult.

CompLex publishes the mean of its raters' five steps, not the ratings. If a rater's step is drawn as four coin tosses with that
mean (a binomial, the plainest distribution on five steps with a given mean), the share who say "difficult" or "very
difficult" is the chance of three heads or more. A logistic line from the ensemble's score to that share was fitted on
predictions for words of the train split that were cross-validated by token; ``benchmarks/complexity.py calibration`` fits and checks it.
"""

from __future__ import annotations

import math

INTERCEPT, SLOPE = -4.860, 8.369


def share_of_raters(score: float) -> float:
    """The share for a word with this score of the system ``ensemble``."""
    return 1 / (1 + math.exp(-(INTERCEPT + SLOPE * score)))


def share_at_mean(mean: float) -> float:
    """The share at a mean rating: three heads or more of four tosses."""
    return 4 * mean**3 * (1 - mean) + mean**4
