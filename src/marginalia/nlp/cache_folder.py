"""Where things are kept that can be made again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """MARGINALIA_CACHE, or the user's cache folder."""
    from platformdirs import user_cache_path

    named = os.environ.get("MARGINALIA_CACHE")
    return Path(named) if named else user_cache_path("marginalia", appauthor=False)
