"""Draws a page of the PDF on standard input to standard output, in a process of its own under limits."""

from __future__ import annotations

import sys

from marginalia.reader.pdf.child import limit_memory

WIDTH = 1400
"""Pixels of a page's picture, whatever its size on paper."""
TALLEST = 4200


def main() -> None:
    import pypdfium2

    limit_memory(2**30)
    page = pypdfium2.PdfDocument(sys.stdin.buffer.read())[int(sys.argv[1])]
    width, height = page.get_size()
    picture = page.render(scale=min(WIDTH / width, TALLEST / height)).to_pil()
    picture.convert("RGB").save(sys.stdout.buffer, format="PNG")


if __name__ == "__main__":
    main()
