"""A page in a real browser, and all that went wrong on it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PICTURES = os.environ.get("MARGINALIA_PICTURES")
EVERYTHING = "everything"
"""A profile of the server of these tests."""
WAIT, READ = 20_000, 120_000
"""Milliseconds until a slow machine is given up, which shows something or reads a document; nothing here waits for a fixed time."""

SELECT = (
    "words => { const walk = document.createTreeWalker(document.querySelector('.document'), 4); while (walk.nextNode()) {"
    "const at = walk.currentNode.data.indexOf(words); if (at >= 0 && walk.currentNode.parentElement.closest('.text')) { const range = document.createRange();"
    "range.setStart(walk.currentNode, at); range.setEnd(walk.currentNode, at + words.length);"
    "getSelection().removeAllRanges(); getSelection().addRange(range); return } } }"
)
"""Selects the first such words of the text."""


class Seen:
    """A page, and all that went wrong on it."""

    def __init__(self, page: Any, served: str) -> None:
        self.page, self.served, self.wrong = page, served, []
        page.set_default_timeout(WAIT)
        page.on("console", lambda m: self.wrong.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def open(self, file: str, audience: str = EVERYTHING) -> None:
        """Upload an example and wait until its notes are made."""
        self.adding(audience)
        self.page.set_input_files("#file", EXAMPLES / file)
        self.done()

    def adding(self, audience: str | None = EVERYTHING) -> None:
        """The library with its dialog in which documents are added."""
        self.page.goto(f"{self.served}/#/")
        self.page.click("#add")
        if audience:
            self.page.select_option("#new-audience", audience)

    def done(self) -> None:
        self.page.wait_for_selector(".state[data-state=done]", state="attached", timeout=READ)

    def menu(self, name: str) -> None:
        """Open a menu of the bar."""
        self.page.click(f"#menu-{name} > summary")

    def speak(self, lang: str) -> None:
        self.menu("look")
        self.page.select_option("#language", lang)

    def counts(self) -> str:
        """What the side panel says of notes that are not shown."""
        return str(self.page.text_content(".counts"))

    def picture(self, name: str) -> None:
        if PICTURES:
            self.page.screenshot(path=Path(PICTURES) / name)

    def paste(self, text: str) -> None:
        self.adding()
        self.page.fill("#paste", text)
        self.page.click("#send")
        self.done()

    def said(self, words: str) -> None:
        """Wait until the page has said so at its bottom."""
        self.page.wait_for_function(
            "words => document.querySelector('.toast')?.textContent.includes(words)", arg=words
        )


def shown(page: Any) -> int:
    return int(re.match(r"[\d.,]+", page.text_content(".state"))[0].replace(",", ""))


def check_axe(page: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    serious = [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in {"serious", "critical"}
    ]
    assert not serious, serious
