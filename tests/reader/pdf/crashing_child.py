"""Stands for ``pdf_child`` in tests: it opens the document and crashes at the first page."""

import os
import sys

sys.stdin.buffer.read()
print('{"pages": 9, "title": ""}', flush=True)
os._exit(139)
