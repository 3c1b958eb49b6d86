"""Complete rows from mined revisions: the filler that was inserted and four others that differ in meaning; and the question
of CLAIRE.

Source: overview paper, section 4.2. Candidates that are no noun or have no letters are dropped; of the others, k-means
with k = 4 and the one nearest to each centre. Candidates here are nouns of the context, fillers of the same phenomenon
in other rows, and words of a list; a language model (``marginalia[lm]``), where one is named, adds its own and ranks them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines
from marginalia.core.rating import Question, read_ratings
from marginalia.core.table import format_table, read_table
from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.filler import distinct, vectors
from marginalia.tasks.clarification.gaps.lexicon import singular
from marginalia.tasks.clarification.gaps.places import Word, tag
from marginalia.tasks.clarification.official.data import COLUMNS, PHENOMENA, Item, read_items
from marginalia.tasks.clarification.official.ratings import (
    format_labels,
    format_scores,
    mean_ratings,
)
from marginalia.tasks.clarification.systems.language_model import LanguageModel, Suggestions

OTHERS = 4
TOP = 100
"""Candidates that are clustered, the likeliest where a language model ranks them."""
REFERENCE = "IMPLICIT REFERENCE"
COMPOUND = "ADDED COMPOUND"
POINTS = {
    1.0: "1: makes no sense",
    2.0: "2",
    3.0: "3",
    4.0: "4",
    5.0: "5: makes perfect sense",
}


def complete(paths: Sequence[Path], *, words: str, model: str) -> Built:
    """Fill the four empty fillers of each row of what ``clarify mine -o FILE.tsv`` wrote.

    A row with fewer than four candidates is left out, as the organisers did.
    """
    rows = [item for path in paths for item in _mined(path)]
    given = [text.strip() for _, text in read_lines(Path(words))] if words else []
    language_model = LanguageModel(model) if model else None
    table: list[tuple[str, ...]] = [COLUMNS]
    left_out = 0
    for item in rows:
        same = [other.filler for other in rows if other.pattern == item.pattern]
        own = written(item, language_model) if language_model else ()
        found = list(suitable(item, [*_context(item), *same, *given, *own]))
        if language_model is not None:
            found = _ranked(language_model, item, found)
        if len(found) < OTHERS:
            left_out += 1
            continue
        found = found[:TOP]
        chosen = [found[i] for i in distinct(vectors(found), OTHERS)]
        chosen += [text for text in found if text not in chosen][: OTHERS - len(chosen)]
        context = (item.title, item.header, item.previous, item.sentence, item.followup)
        cells = (str(len(table)), item.pattern, *context, item.filler, *chosen)
        table.append(tuple(" ".join(cell.split()) for cell in cells))
    return Built(
        {"data.tsv": format_table(table)},
        {"rows": len(table) - 1, "left_out_for_too_few_candidates": left_out},
    )


def _mined(path: Path) -> Iterator[Item]:
    for line, row in read_table(path, COLUMNS):
        pattern = row["Resolved pattern"]
        if pattern not in PHENOMENA or not row["Filler1"]:
            raise FormatError(
                "a row of `clarify mine -o FILE.tsv` was expected", path=path, line=line
            )
        yield Item(
            pattern=pattern,
            title=row["Article title"],
            header=row["Section header"],
            previous=row["Previous context"],
            sentence=row["Sentence"],
            followup=row["Follow-up context"],
            filler=row["Filler1"],
            others=(),
        )


def written(item: Item, model: LanguageModel) -> list[str]:
    """The words that a language model would write in the gap, with the article that an implicit reference needs."""
    words = Suggestions(model).likely(item, TOP)
    return [f"the {word}" for word in words] if item.pattern == REFERENCE else words


def _context(item: Item) -> list[str]:
    """The nouns around the gap, with the article that an implicit reference needs."""
    texts = [item.previous, item.sentence, item.followup, item.title]
    nouns = [word.lower for words in tag(texts) for word in words if word.tag == "NOUN"]
    return [f"the {noun}" for noun in nouns] if item.pattern == REFERENCE else nouns


def suitable(item: Item, candidates: Sequence[str]) -> Iterator[str]:
    """The candidates that are nouns in this gap, each once, without the filler itself."""
    distinct_texts = list(dict.fromkeys(" ".join(text.split()) for text in candidates))
    filled = [replace(item, filler=text) for text in distinct_texts if text]
    seen = {_name(item.filler)}
    for each, words in zip(filled, tag(one.filled for one in filled), strict=True):
        low, high = each.span
        own = [word for word in words if low <= word.start < high]
        name = _name(each.filler)
        if name not in seen and _fits(item.pattern, own):
            seen.add(name)
            yield each.filler


def _fits(pattern: str, own: Sequence[Word]) -> bool:
    """A noun with letters; before a verb's gap perhaps with a determiner, in a compound no plural."""
    if not own or own[-1].tag not in NOUNS or not own[-1].text.isalpha():
        return False
    if pattern == REFERENCE:
        return len(own) <= 2
    return len(own) == 1 and (pattern != COMPOUND or singular(own[0].lower) == own[0].lower)


def _name(text: str) -> str:
    return singular(text.lower().rpartition(" ")[2])


def _ranked(model: LanguageModel, item: Item, found: Sequence[str]) -> list[str]:
    likely = dict(zip(found, model.likelihoods(item, found), strict=True)) if found else {}
    return sorted(found, key=lambda text: -(likely[text].filler + likely[text].after))


def gold(paths: Sequence[Path]) -> Built:
    """Official labels and scores from a table of ratings from 1 to 5.

    Source: overview paper, section 4.3: up to 2.5 IMPLAUSIBLE, from 4 PLAUSIBLE, else NEUTRAL.
    """
    [table] = paths
    ratings = read_ratings(table, low=1, high=5)
    given = {
        id: {rater: value for rater, value in each.items() if value is not None}
        for id, each in ratings.items()
    }
    made = mean_ratings(given)
    counts = {
        name: sum(rating.label == name for rating in made.values())
        for name in ("IMPLAUSIBLE", "NEUTRAL", "PLAUSIBLE")
    }
    return Built({"labels.tsv": format_labels(made), "scores.tsv": format_scores(made)}, counts)


def questions(path: Path) -> Iterator[Question]:
    """One question for each filler of a data file."""
    for id, item in read_items(path).items():
        context = " ".join(part for part in (item.previous,) if part)
        parts = [
            (name, text) for name, text in (("Guide", item.title), ("Before", context)) if text
        ]
        yield Question(
            id=id,
            ask="Does the marked text make sense in this guide?",
            kind="scale",
            parts=(*parts, ("Sentence", item.filled)),
            mark=item.span,
            points=POINTS,
        )
