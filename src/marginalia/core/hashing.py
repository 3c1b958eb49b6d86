"""Chance that is the same in every run."""

from __future__ import annotations

import hashlib


def uniform(key: str) -> float:
    """A number from 0 to 1 (1 excluded) that depends on the key only."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big") / 2**48
