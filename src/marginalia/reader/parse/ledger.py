"""The ledger of a file: what of its visible text reached neither the text of the document nor one of its regions.

``meta["not_read"]`` is ``{share, parts}``: the share of the visible characters, and of each part ``{kind, start, characters,
text}``: what it is, where in the text it would stand, how long it is, and how it begins. Menus, running heads and text that is
turned are left out on purpose. What is of kind ``text`` was lost: much of it is a problem of the document.
"""

from __future__ import annotations

from typing import Any

MAX_LOST = 0.02
"""A larger share of lost prose is reported."""
MAX_RUN = 200
"""As long a piece of lost prose is reported."""
MAX_PARTS = 200
"""More of them are counted, but not kept one by one."""
SHOWN = 80
TEXT = "text"


class Ledger:
    """What is left out of one file while it is read."""

    def __init__(self) -> None:
        self.parts: list[dict[str, Any]] = []
        self.characters = self.lost = self.longest = 0

    def leave_out(self, kind: str, text: str, start: int) -> None:
        text = " ".join(text.split())
        count = len(text.replace(" ", ""))
        if not count:
            return
        self.characters += count
        if kind == TEXT:
            self.lost += count
            self.longest = max(self.longest, count)
        if len(self.parts) < MAX_PARTS:
            part = {"kind": kind, "start": start, "characters": count, "text": text[:SHOWN]}
            self.parts.append(part)

    def meta(self, text: str) -> dict[str, Any]:
        """What a document says of it: ``not_read``, and ``problems`` if prose was lost."""
        if not self.parts:
            return {}
        kept = len("".join(text.split()))
        left = {"share": round(self.characters / (self.characters + kept), 4), "parts": self.parts}
        if self.lost <= MAX_LOST * (kept + self.lost) and self.longest <= MAX_RUN:
            return {"not_read": left}
        longest = max((p for p in self.parts if p["kind"] == TEXT), key=lambda p: p["characters"])
        share = self.lost / (kept + self.lost)
        problem = f"{share:.0%} of the text was left out: {self.lost:,} characters, such as “{longest['text']}”"
        return {"not_read": left, "problems": [problem]}
