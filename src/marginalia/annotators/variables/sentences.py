"""The sentences of a document that mention a survey variable, each with its probability.

A document that does not speak of surveys has none: the detector was trained on papers that do, and finds its
share of sentences in any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from marginalia.core.document import SILENT, Document
from marginalia.core.long_work import pause
from marginalia.core.resolution import system_for_documents
from marginalia.nlp.language import document_language
from marginalia.nlp.prose import prose_sentences
from marginalia.tasks.variables.benchmark import BENCHMARK
from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.evidence import VECTORS
from marginalia.tasks.variables.systems.reader import Reader

SURVEY = re.compile(
    r"respondent|questionnaire|\bsurvey(?:s|ed)?\b|interviewee|barometer|allbus|\bissp\b|likert|\bZA ?\d{4}\b"
    r"|\bopinion polls?\b|\bpolled\b|befragt|befragung|umfrage|fragebogen|\binterviewt",
    re.IGNORECASE,
)
ASKS_PEOPLE = re.compile(
    r"respondent|questionnaire|interviewee|barometer|allbus|\bissp\b|\bgles\b|\bsoep\b|\bpiaac\b|likert|\bZA ?\d{4}\b"
    r"|\bopinion polls?\b|\b(?:polled|surveyed)\b|befragt|befragung|umfrage|fragebogen|\binterviewt"
    r"|\b(?:social|values?|panel|household|population|opinion|election|national|european) (?:surveys?|study|panel)\b"
    r"|\bsurvey (?:data|questions?|items?|waves?|participants?|programme?|research)\b",
    re.IGNORECASE,
)
"""A survey of people. Of the literature, the sky or a river there are surveys too, and news are full of interviews and polls."""
MIN_SURVEY_SENTENCES = 2
"""Sentences that must speak of a survey, one of them of asking people, or the document is not read."""
MIN_SURVEY_SHARE = 0.01
"""And their share: a handbook of 6,000 sentences that names a questionnaire is about something else."""
MIN_SENTENCE_CHARACTERS, MAX_SENTENCE_CHARACTERS = 20, 1000
"""Shorter ones are headings, longer ones no sentences."""
MAX_HEADING_WORDS = 14
"""So many words without a full stop or the like are a heading that the format does not tell from a paragraph."""
_ENDS = re.compile(r"[.?!…:;][\"'”’“‘»«)\]\d]*$")
SENTENCES_PER_PAPER = 1000
"""Sentences that are read as one paper; a book is read as several, since their cost grows with the square."""
SENTENCES_PER_STEP = 32
MIN_PROBABILITY = 0.5
"""No sentence is marked below it, though the paper's own threshold may be lower."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document with its offsets; ``text`` is on one line."""

    start: int
    end: int
    text: str


def papers(doc: Document) -> Iterator[tuple[Sentence, ...]]:
    """The sentences of a document that speaks of surveys, as many at a time as a paper may have; else none."""
    found = tuple(_prose(doc))
    if not speaks_of_survey([one.text for one in found]):
        return
    count = -(-len(found) // SENTENCES_PER_PAPER)
    for part in range(count):
        yield found[part * len(found) // count : (part + 1) * len(found) // count]


def speaks_of_survey(sentences: Sequence[str]) -> bool:
    """Whether these sentences are of a document that uses a survey of people."""
    some = [one for one in sentences if SURVEY.search(one) or ASKS_PEOPLE.search(one)]
    enough = len(some) >= max(MIN_SURVEY_SENTENCES, MIN_SURVEY_SHARE * len(sentences))
    return enough and any(ASKS_PEOPLE.search(one) for one in some)


def paper_of(doc: Document, sentences: Sequence[Sentence]) -> Paper:
    """These sentences as the paper that the systems read; evidence is cached by this object, so make it once."""
    lang = "de" if document_language(doc) == "de" else "en"  # the two that the systems have seen
    return Paper((one.text for one in sentences), lang)


def shipped_reader() -> Reader:
    """The best system of the task, loaded once in a process."""
    return cast(Reader, system_for_documents(BENCHMARK).loaded())


def detect(
    sentences: Sequence[Sentence], paper: Paper, catalogue: Catalogue
) -> Iterator[tuple[Sentence, float]]:
    """The sentences that mention a variable, each with its probability."""
    # The vectors first, a few at a time: the detector asks for all at once.
    for begin in range(0, len(paper), SENTENCES_PER_STEP):
        VECTORS(paper.sentences[begin : begin + SENTENCES_PER_STEP])
        pause()
    chances, threshold = shipped_reader().detector.chances(paper, catalogue)
    for one in sentences:
        chance = float(chances[paper.place(one.text)])
        if chance >= max(threshold, MIN_PROBABILITY):
            yield one, chance


def _prose(doc: Document) -> Iterator[Sentence]:
    """Sentences of prose: neither headings, code, formulas nor tables."""
    without = {*SILENT, "heading", "table"}
    for start, end in prose_sentences(doc, without=without, lang=document_language(doc)):
        text = " ".join(doc.text[start:end].split())
        if MIN_SENTENCE_CHARACTERS <= end - start <= MAX_SENTENCE_CHARACTERS and not _heading(text):
            yield Sentence(start, end, text)


def _heading(text: str) -> bool:
    return text.count(" ") < MAX_HEADING_WORDS and not _ENDS.search(text)
