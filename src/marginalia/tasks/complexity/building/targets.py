"""Targets for raters, as CompLex chose them, and the question that raters are asked.

Source: overview paper, section 3. Nouns, and pairs of noun and noun or adjective and noun that no noun follows; they
are drawn at random and discarded if the token has five contexts in the genre already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.files import read_text
from marginalia.core.rating import Question
from marginalia.core.table import format_table
from marginalia.nlp.encoder import english
from marginalia.nlp.sentences import sentences
from marginalia.nlp.tagger import NOUNS, Tagged, english_tagger
from marginalia.tasks.complexity.official.data import KINDS, Target, read_targets

BATCH = 64
"""Sentences that the encoder reads at once."""
MIN_LETTERS = 3
POINTS = {
    1.0: "Very easy: I know this word very well",
    2.0: "Easy: I know what it means",
    3.0: "Neutral: neither easy nor difficult",
    4.0: "Difficult: I can only guess it from the sentence",
    5.0: "Very difficult: I have never seen it, or it is very unclear",
}
"""After the overview paper, section 3."""


def pick(
    paths: Sequence[Path], *, words: int, multi: int, per_token: int, seed: int | float
) -> Built:
    """Draw targets from plain text files; each file is a genre, named after the file."""
    if per_token < 1 or words < 0 or multi < 0:
        raise FormatError("words and multi cannot be negative, and a token needs a context")
    wanted = {"words": words, "multi": multi}
    chosen: dict[str, list[Target]] = {kind: [] for kind in KINDS}
    for path in paths:
        found = list(candidates(read_text(path), path.stem))
        for kind, count in wanted.items():
            of_kind = [target for target in found if target.kind == kind]
            Random(f"{seed}:{path.stem}:{kind}").shuffle(of_kind)  # noqa: S311 - a sample
            chosen[kind] += limited(of_kind, per_token)[:count]
    rows = {
        kind: [("id", "corpus", "sentence", "token"), *_rows(kind, targets)]
        for kind, targets in chosen.items()
    }
    genres = Counter(target.corpus for targets in chosen.values() for target in targets)
    return Built(
        {f"lcp_{part}_targets.tsv": format_table(rows[kind]) for kind, part in KINDS.items()},
        {
            "words": len(chosen["words"]),
            "multi": len(chosen["multi"]),
            "tokens": len({t.token.lower() for each in chosen.values() for t in each}),
            "genres": dict(sorted(genres.items())),
        },
    )


def candidates(text: str, corpus: str) -> Iterator[Target]:
    """Every noun and every pattern of two words in the text, with its sentence."""
    each = [" ".join(text[start:end].split()) for start, end in sentences(text, "en")]
    for start in range(0, len(each), BATCH):
        yield from _targets(each[start : start + BATCH], corpus)


def _targets(batch: Sequence[str], corpus: str) -> Iterator[Target]:
    tagger = english_tagger()
    for sentence, tokens in zip(batch, english().tokens(batch, [tagger.layer]), strict=True):
        tagged = tagger.tag(sentence, tokens)
        pairs = [pair for pair in patterns(sentence, tagged) if _is_plain(sentence[slice(*pair)])]
        for start, end in pairs:
            yield Target(corpus, sentence, sentence[start:end], "multi", start)
        for word in tagged:
            inside = any(start <= word.start < end for start, end in pairs)
            if word.tag == "NOUN" and not inside and _is_plain(word.word):
                yield Target(corpus, sentence, word.word, "words", word.start)


def patterns(sentence: str, tagged: Sequence[Tagged]) -> list[tuple[int, int]]:
    """The offsets of each noun or adjective with a common noun after it that no other noun follows.

    Of "heart attack patients" these are the last two words: the first portion of a longer phrase is not taken.
    """
    found = []
    for place, (first, second) in enumerate(pairwise(tagged)):
        if second.tag != "NOUN" or first.tag not in NOUNS | {"ADJ"}:
            continue
        following = tagged[place + 2] if place + 2 < len(tagged) else None
        is_longer = (
            following is not None
            and following.tag in NOUNS
            and sentence[second.end : following.start] == " "
        )
        if sentence[first.end : second.start] == " " and not is_longer:
            found.append((first.start, second.end))
    return found


def _is_plain(token: str) -> bool:
    return token.replace(" ", "").isalpha() and len(token) >= MIN_LETTERS


def limited(targets: Iterable[Target], per_token: int) -> list[Target]:
    """The targets in their order, without those whose token has enough contexts; a sentence shows a token once."""
    seen: Counter[str] = Counter()
    shown: set[tuple[str, str]] = set()
    kept = []
    for target in targets:
        token = target.token.lower()
        if seen[token] < per_token and (target.sentence, token) not in shown:
            seen[token] += 1
            shown.add((target.sentence, token))
            kept.append(target)
    return kept


def _rows(kind: str, targets: Iterable[Target]) -> Iterator[tuple[str, ...]]:
    for number, target in enumerate(targets, start=1):
        yield f"{KINDS[kind]}-{number}", target.corpus, target.sentence, target.token


def questions(path: Path) -> Iterator[Question]:
    """One question for each row of a CompLex file, with or without complexities."""
    for id, item, _ in read_targets(path, "words"):
        yield Question(
            id=id,
            ask="How difficult is the marked word here?",
            kind="scale",
            parts=(("Sentence", item.sentence),),
            mark=item.span(),
            points=POINTS,
        )
