"""The document a sentence stands in.

Annotators saw whole documents, and the task allows systems to. What a paper is about shows in all its
sentences: a concept named in passing is defined elsewhere, and a survey question is quoted once.
"""

from __future__ import annotations

from collections.abc import Iterable


class Paper:
    """The different sentences of a document, in no certain order, and its language.

    A paper equals only itself, so that what was computed for it can be kept and found again.
    """

    def __init__(self, sentences: Iterable[str] = (), lang: str = "en") -> None:
        self.sentences = tuple(dict.fromkeys(sentences))
        self.lang = lang
        self._places = {sentence: place for place, sentence in enumerate(self.sentences)}
        self._longer: dict[str, Paper] = {}

    def __len__(self) -> int:
        return len(self.sentences)

    def __contains__(self, sentence: object) -> bool:
        return sentence in self._places

    def __repr__(self) -> str:
        return f"Paper({len(self)} sentences)"

    def place(self, sentence: str) -> int:
        return self._places[sentence]

    def having(self, sentence: str) -> Paper:
        """The paper itself, or a longer one where the sentence is not in it."""
        if sentence in self:
            return self
        if sentence not in self._longer:
            self._longer = {sentence: Paper((*self.sentences, sentence), self.lang)}
        return self._longer[sentence]
