"""Draws a page of the PDF on standard input to standard output, in a process of its own under limits."""

from __future__ import annotations

import sys

from marginalia.reader.pdf.child import limit_memory

PICTURE_WIDTH = 1400
"""Pixels of a page's picture, whatever its size on paper."""
MAX_PICTURE_HEIGHT = 4200


def main() -> None:
    import pypdfium2

    limit_memory(2**30)
    page = pypdfium2.PdfDocument(sys.stdin.buffer.read())[int(sys.argv[1])]
    width, height = page.get_size()
    picture = page.render(scale=min(PICTURE_WIDTH / width, MAX_PICTURE_HEIGHT / height)).to_pil()
    picture.convert("RGB").save(sys.stdout.buffer, format="PNG")


if __name__ == "__main__":
    main()
