"""Data files that ship inside the package."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def read_resource(package: str, name: str) -> Any:
    """A JSON file that lies beside a package's modules."""
    return json.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
