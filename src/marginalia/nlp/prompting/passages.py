"""A document as it is sent to a model: one passage a request, so that no passage can change what is said of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from marginalia.core.document import SILENT, Annotation, Document
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.prompt import Entry, Prompt
from marginalia.nlp.prompting.quotes import Place, find_quote
from marginalia.nlp.prose import paragraphs, spans_of
from marginalia.nlp.sentences import sentences

MAX_CHARACTERS = 3_000
"""A longer paragraph is divided between sentences."""
MIN_WORDS = 4
"""Fewer are a heading or a label."""
MODEL, VERDICT = "model", "verdict"
"""The attributes of a note that a model has seen: its name; and whether it is new, or was kept or corrected."""
KEPT, CORRECTED, NEW = "kept", "corrected", "new"


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of the text; ``text[start:end]`` of the document is ``text``."""

    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def entry(self, **row: Any) -> Entry:
        """A line of its own request."""
        return Entry((str(self.start),), {"passage": self.text, **row}, str(self.start))

    def find(self, quote: str, model: LanguageModel) -> Place | None:
        """Where the passage has a quotation, in the offsets of the document; one that it has not is counted."""
        place = find_quote(self.text, quote)
        if place is None:
            model.tally.dropped += 1
            return None
        return self.start + place[0], self.start + place[1]


def passages(doc: Document) -> Iterator[Passage]:
    """The prose of a document."""
    silent = spans_of(doc, {*SILENT, "heading", "title", "table"}, inline=False)
    for start, end in paragraphs(doc.text):
        if not silent.cover(start, end) and len(doc.text[start:end].split()) >= MIN_WORDS:
            for first, last in _divided(doc.text, start, end):
                yield Passage(first, doc.text[first:last])


def _divided(text: str, start: int, end: int) -> Iterator[Place]:
    if end - start <= MAX_CHARACTERS:
        yield start, end
        return
    begin = last = start
    for _, stop in sentences(text[start:end]):
        if start + stop - begin > MAX_CHARACTERS and last > begin:
            yield begin, last
            begin = last
        last = start + stop
    yield begin, end


def ask_each(
    model: LanguageModel, prompt: Prompt, rows: Mapping[Passage, Mapping[str, Any]]
) -> dict[Passage, Mapping[str, Any]]:
    """The answer on each passage that has one."""
    known = {str(passage.start): passage for passage in rows}
    entries = [passage.entry(**row) for passage, row in rows.items()]
    asked = model.ask(prompt.requests(entries))
    return {known[entry.ids[0]]: answer for entry, answer in asked}


def plain(text: str) -> str:
    """What a model wrote, on one line and without signs that steer a terminal."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def seen(note: Annotation, model: LanguageModel, verdict: str, **attrs: Any) -> Annotation:
    """The note with the name of the model and what it said of it."""
    told = {**note.attrs, **attrs, MODEL: model.name, VERDICT: verdict}
    system = model.name if verdict == NEW else f"{note.system} + {model.name}"
    return replace(note, attrs=told, system=system)
