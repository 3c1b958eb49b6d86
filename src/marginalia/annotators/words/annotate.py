"""Words and expressions that will stop the reader become notes: each once, at its first use, with what it means there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.words.annotator import ANNOTATOR
from marginalia.annotators.words.candidates import Candidate, Sentence, sentences_of
from marginalia.annotators.words.senses import Choice, choose_senses, fields_of, topics
from marginalia.annotators.words.stopping import LEARNER, NATIVE, judge
from marginalia.core.document import Annotation, Document
from marginalia.core.long_work import pause
from marginalia.lang import language
from marginalia.lexicon.dictionary import Dictionary, Sense, dictionary
from marginalia.nlp.encoder import for_language
from marginalia.nlp.frequency import one_in, zipf
from marginalia.nlp.own_words import own_words
from marginalia.nlp.stems import stem
from marginalia.nlp.syllables import syllables

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

AGAIN = "hard word again"
"""The label of later uses: they are underlined, and neither listed nor linted."""
FIRST_SENTENCES, SENTENCES = 12, 48
"""Sentences that are judged at a time: few at first, so that the first notes are there soon."""
MIN_STOPS = {"reader": 0.25, "learner": 0.15, "specialist": 0.35}
"""Words that stop fewer than this are no candidates for the margin, however much room it has: in marked texts that were left out, three in five of what is
left were marked."""
MIN_UNKNOWN = {"reader": 0.35, "learner": 0.45, "specialist": 0.5}
"""The same where no model reads the language: the share of such people who do not know the word."""
MIN_CONFIDENCE = 0.6
"""A sense that is less sure than this is not shown: another one is as likely."""
LABELS = {"abbreviation": "abbreviation", "term": "term", "phrase": "expression"}
MIN_TERM_NATIVE = 0.35
"""A technical sense that fewer native speakers know is a term."""


def annotate(
    doc: Document,
    *,
    audience: str = "reader",
    field: str = "",
    known: str = "",
    llm: LanguageModel | None = None,
) -> Iterator[Annotation]:
    """Notes on what may stop such readers, as they are found; not on what they know (``known``, one a line) nor on words
    of their ``field``. A language model (``llm``) says whether their meanings fit, and adds some."""
    found = _annotate(doc, audience, field, known)
    if llm is None:
        return found
    from marginalia.annotators.words.asked import review

    return review(doc, found, llm, audience)


def _annotate(doc: Document, audience: str, field: str, known: str) -> Iterator[Annotation]:
    lang = language(str(doc.meta.get("lang"))).code
    words = dictionary(lang)
    if words is None:
        return
    reader = LEARNER if audience == "learner" else NATIVE
    least = (MIN_STOPS if lang == "en" else MIN_UNKNOWN)[audience]
    easy = {stem(word, lang) for word in known.split()}
    own_meanings = {}
    for own in own_words(doc, lang):
        if own.kind == "abbreviation":
            own_meanings[own.word] = own.meaning
        else:
            easy |= {stem(part, lang) for part in own.word.split()}
    sentences = list(sentences_of(doc, lang, words))
    places = _places(sentences, lang)
    fields = fields_of(sentences)
    numbers, seen = count(1), set(easy)
    for block in _blocks(sentences):
        chances, choices = (
            judge(words, block, fields) if lang == "en" else _by_shares(words, block, fields)
        )
        row = 0
        for sentence in block:
            for one in sentence.candidates:
                chance, choice, key = float(chances[row, reader]), choices[row], one.key(lang)
                row += 1
                if one.form in own_meanings:
                    choice = _same_long_form(one, own_meanings[one.form], lang)
                if choice is None or chance < least or key in seen or _is_name(one):
                    continue
                if choice.confidence < MIN_CONFIDENCE or choice.sense.field == field:
                    continue
                seen.add(key)
                id = f"words-{next(numbers)}"
                yield _note(sentence, one, choice, chance, id, lang)
                for start, end in places.get(key, ()):
                    if start > sentence.start + one.start:
                        yield _mark(doc, start, end, f"words-{next(numbers)}", id)
        pause()


def _blocks(sentences: Sequence[Sentence]) -> Iterator[Sequence[Sentence]]:
    yield sentences[:FIRST_SENTENCES]
    for start in range(FIRST_SENTENCES, len(sentences), SENTENCES):
        yield sentences[start : start + SENTENCES]


def _is_name(one: Candidate) -> bool:
    """Whether it has a capital inside a sentence that its entry does not have."""
    named = one.form[:1].isupper() and not one.opens
    return named and one.entry is not None and one.entry.word[:1].islower() and len(one.parts) == 1


def _same_long_form(one: Candidate, long: str, lang: str) -> Choice | None:
    """The sense of an abbreviation that stands for what the document says it does: a long form alone explains little."""
    stems = [stem(word, lang) for word in long.lower().split()]
    for sense in one.entry.senses if one.entry else ():
        if [stem(word, lang) for word in sense.long.lower().split()] == stems:
            return Choice(sense, 1.0, sense.native, sense.learner)
    return None


def _places(sentences: Sequence[Sentence], lang: str) -> dict[str, list[tuple[int, int]]]:
    """Where each word and expression of the dictionary stands."""
    found: dict[str, list[tuple[int, int]]] = {}
    for sentence in sentences:
        for one in sentence.candidates:
            if one.entry is not None:
                span = sentence.start + one.start, sentence.start + one.end
                found.setdefault(one.key(lang), []).append(span)
    return found


def _by_shares(
    words: Dictionary, block: Sequence[Sentence], fields: Mapping[str, float]
) -> tuple[NDArray[np.float32], list[Choice | None]]:
    """Where no model reads the language: how many people do not know the word, in the sense that it has here."""
    encoder = for_language(words.lang)
    unsure = [
        number
        for number, sentence in enumerate(block)
        if any(one.entry and len(one.entry.senses) > 1 for one in sentence.candidates)
    ]
    texts = [block[number].text for number in unsure]
    tokens = dict(zip(unsure, encoder.tokens(texts, [encoder.last]), strict=True))
    around = topics(words, block, tokens, fields)
    choices = [
        one
        for number, sentence in enumerate(block)
        for one in choose_senses(words, sentence, tokens.get(number), around[number])
    ]
    rows = [(1 - one.native, 1 - one.learner) if one else (0.0, 0.0) for one in choices]
    return np.array(rows, dtype=np.float32).reshape(-1, 2), choices


def _note(
    sentence: Sentence, one: Candidate, choice: Choice, chance: float, id: str, lang: str
) -> Annotation:
    sense = choice.sense
    meaning = _said(sense)
    if choice.other is not None:
        meaning = language(lang).say("notes", "either", first=meaning, second=_said(choice.other))
    easier = sense.easier if _fits(one.form, sense.example) else ""
    attrs = {
        "why": f"{meaning} · {language(lang).say('notes', 'easier', word=easier)}"
        if easier
        else meaning,
        "meaning": meaning,
        "easier": [easier] if easier else [],
        "confidence": round(choice.confidence, 3),
        "details": details(one.form, lang),
    }
    start = sentence.start + one.start
    return Annotation(
        id=id,
        task=ANNOTATOR.name,
        label=_label(one, choice),
        start=start,
        end=start + len(one.form),
        quote=one.form,
        score=round(chance, 3),
        attrs=attrs,
        system="dictionary",
    )


def _said(sense: Sense) -> str:
    """The gloss, behind the long form of an abbreviation."""
    return (
        f"{sense.long}: {sense.gloss}"
        if sense.long and sense.long not in sense.gloss
        else sense.gloss
    )


def _label(one: Candidate, choice: Choice) -> str:
    kinds = one.entry.kinds if one.entry else frozenset()
    named = next((label for kind, label in LABELS.items() if kind in kinds), None)
    technical = choice.sense.field != "general" and choice.sense.native < MIN_TERM_NATIVE
    return named or ("term" if technical else "hard word")


def _fits(form: str, example: str) -> bool:
    """Whether the example has the word in this form, for which the easier one was written."""
    return f" {form.lower()}" in f" {example.lower()}"


def _mark(doc: Document, start: int, end: int, id: str, first: str) -> Annotation:
    return Annotation(
        id=id,
        task=ANNOTATOR.name,
        label=AGAIN,
        start=start,
        end=end,
        quote=doc.text[start:end],
        attrs={"part_of": [first]},
        system="dictionary",
    )


def details(word: str, lang: str) -> str:
    """How rare and how long it is, for those who want to know."""
    own = language(lang)
    return own.say(
        "notes", "details", rarity=one_in(zipf(word, lang), lang), syllables=syllables(word, lang)
    )
