"""What a language model says of words that a reader points at. Only words of the document are shown as its words."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.passages import plain
from marginalia.nlp.prompting.prompt import Entry, load_prompt
from marginalia.nlp.prompting.quotes import find_quote
from marginalia.reader.ask import Place, ask

AROUND = 1_500
"""Characters before and after the words that are sent with them."""
MAX_MORE = 6
"""Other sentences with the words."""
_QUOTED = re.compile(r"[“„\"«]([^“”„\"«»]{2,400})[”“\"»]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """``quotes`` stand in the document, at these places; what was given as a quotation and is not there is left out."""

    model: str
    text: str
    quotes: tuple[Place, ...]
    dropped: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def explain(doc: Document, start: int, end: int, model: LanguageModel) -> Explanation:
    """Ask the model about ``doc.text[start:end]``."""
    known = ask(doc, start, end)
    row = {
        "words": known.quote,
        "passage": doc.text[max(0, start - AROUND) : end + AROUND],
        "more": [place.text for place in known.places[:MAX_MORE]],
    }
    prompt = load_prompt(__package__, "explain")
    answers = model.ask(prompt.requests([Entry((str(start),), row, str(start))]))
    if not answers:
        raise FormatError(f"{model.name} gave no valid answer: try again")
    [(_, answer)] = answers
    places = [find_quote(doc.text, plain(quote), near=start) for quote in answer["quotes"]]
    found = list(dict.fromkeys(place for place in places if place is not None))
    dropped = places.count(None)
    model.tally.dropped += dropped
    return Explanation(
        model=model.name,
        text=_unquoted(plain(answer["explanation"]), doc.text),
        quotes=tuple(Place(start=a, end=b, text=" ".join(doc.text[a:b].split())) for a, b in found),
        dropped=dropped,
    )


def _unquoted(said: str, text: str) -> str:
    """Without quotation marks around what is not in the document."""
    return _QUOTED.sub(
        lambda match: match[0] if find_quote(text, match[1].rstrip(" .,;")) else match[1], said
    )
