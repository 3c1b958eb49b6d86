"""Build the documentation site: ``python docs/site/build.py [FOLDER]``, by default into ``build/site``.

The build is strict: a broken link, a page that no section lists or a docstring that does not parse fails it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from gather import ROOT, gather
from sphinx.cmd.build import main


def build(out: Path) -> int:
    """Write the site below ``out``; the result is Sphinx' exit code."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        gather(source)
        settings = Path(__file__).parent
        cache = Path(folder) / "doctrees"
        words = ["-q", "-W", "--keep-going", "-b", "html", "-c", settings, "-d", cache, source, out]
        return main([str(word) for word in words])


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    if code := build(place):
        sys.exit(code)
    sys.stdout.write(f"file://{(place / 'index.html').resolve()}\n")
