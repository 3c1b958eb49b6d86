"""Scanned pages: their text is recognised by OCRmyPDF, where it is installed, and then read like any other.

It writes the words under the picture, each at its place, so notes stand where the words are. It is started only
when it is asked for, since it takes seconds a page.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from marginalia.core.errors import FormatError, MissingError

COMMAND = "ocrmypdf"
MAX_SECONDS = 1_800
LANGUAGES = {"de": "deu", "en": "eng", "es": "spa", "fr": "fra", "it": "ita", "nl": "nld"}
"""Our codes of languages -> those of Tesseract."""
NO_TEXT = "the PDF holds no text: its pages may be scans, whose text `--ocr` recognises"
MISSING = (
    "The text of scanned pages is recognised by OCRmyPDF, which is not installed: "
    "see https://ocrmypdf.readthedocs.io (Debian: apt install ocrmypdf)."
)


def scan_of(message: str) -> str:
    """What to do about an error: ``offer`` if it is a scan that can be recognised here, ``missing`` if the program is not installed."""
    if NO_TEXT not in message and MISSING not in message:
        return ""
    return "offer" if shutil.which(COMMAND) else "missing"


def recognise(data: bytes, path: Path, lang: str | None = None) -> bytes:
    """The PDF with the text of its scanned pages; pages that have text stay as they are."""
    program = shutil.which(COMMAND)
    if program is None:
        raise MissingError(MISSING)
    words = [program, "--quiet", "--skip-text", "--output-type", "pdf", "--optimize", "0"]
    words += ["--language", LANGUAGES.get(lang or "en", "eng"), "-", "-"]
    try:
        result = subprocess.run(  # noqa: S603 - a fixed program, the file comes on its standard input
            words, input=data, capture_output=True, timeout=MAX_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise FormatError(
            f"recognising the text took longer than {MAX_SECONDS} s", path=path
        ) from None
    if result.returncode or not result.stdout.startswith(b"%PDF"):
        said = result.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise FormatError(f"the text could not be recognised: {said[-1][:200]}", path=path)
    return result.stdout
