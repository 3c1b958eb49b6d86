"""Stands for ``pdf_child`` in tests: it has three pages, and the second one never ends."""

import json
import sys
import threading

sys.stdin.buffer.read()
print('{"pages": 3, "title": ""}', flush=True)
for page in range(int(sys.argv[1]) + 1, 4):
    if page == 2:
        threading.Event().wait()
    run = [f"page {page}", 100, 0, 1000, 900, 1020, [100, 150, 200, 250, 300, 350, 400]]
    print(json.dumps({"page": page, "width": 6120, "height": 7920, "runs": [run]}), flush=True)
