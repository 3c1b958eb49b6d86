"""Draws a page of the PDF on standard input to standard output, in a process of its own under limits."""

from __future__ import annotations

import sys

from marginalia.reader.pdf.child import limit_memory

MAX_HEIGHT_TO_WIDTH = 3


def main() -> None:
    import pypdfium2

    limit_memory(2**30)
    number, pixels = map(int, sys.argv[1:])
    page = pypdfium2.PdfDocument(sys.stdin.buffer.read())[number]
    width, height = page.get_size()
    scale = min(pixels / width, MAX_HEIGHT_TO_WIDTH * pixels / height)
    picture = page.render(scale=scale).to_pil()
    picture.convert("RGB").save(sys.stdout.buffer, format="PNG")


if __name__ == "__main__":
    main()
