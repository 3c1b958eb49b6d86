"""``python -m tests.golden``: write the golden notes again and show what has changed."""

from __future__ import annotations

from tests.golden.margins import DOCUMENTS, difference, golden, margin

for path in DOCUMENTS:
    changed = difference(path)
    if changed:
        print(changed)
        golden(path).parent.mkdir(exist_ok=True)
        golden(path).write_text(margin(path), encoding="utf-8")
