"""Survey variables by a language model of the user's choice, alone and blended with the shipped system.

It says whether a sentence mentions a variable, and which of the candidates that an untrained search found it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.prompt import Entry, Request, load_prompt
from marginalia.nlp.prompting.system import Prompted
from marginalia.tasks.variables.catalogue.parts import core, parts_of
from marginalia.tasks.variables.official.data import Mention, Ranking, Statement
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.baselines import Linker
from marginalia.tasks.variables.systems.reader import Reader

CANDIDATES = 12
"""How many variables the search shows to the model; it is untrained, so no label is in a prompt."""
MAX_TEXT, MAX_STUDY = 180, 60
"""Characters of a variable's label and question, and of its study's title, in a prompt."""
SHARE = 0.5
"""What the model's answer counts in the blend: the best of four on the sample of ``benchmarks/prompted.py``."""


@dataclass(frozen=True, slots=True)
class Judged:
    """How far a probability lies above what makes a sentence a mention, and the ranking."""

    above: float
    ranking: Ranking | None


def make_prompted() -> Prompted:
    return Prompted(requests, read, Reader)


def make_combined() -> Prompted:
    return Prompted(requests, judge, Margins, blend=blend, alone=mention_of)


def requests(items: Mapping[str, Statement], per_request: int = 0) -> Iterator[Request]:
    """Sentences of one publication together."""
    entries = []
    for id, shown in _candidates(items).items():
        item = items[id]
        row = {"sentence": item.sentence, "candidates": _texts(shown, item.catalogue)}
        entries.append(Entry((id,), row, item.doc_id))
    entries.sort(key=lambda entry: entry.apart)
    return load_prompt(__package__, "variables").requests(entries, per_request)


def _candidates(items: Mapping[str, Statement]) -> dict[str, list[str]]:
    """The variables that the search finds for each sentence, best first; none where there is no catalogue."""
    found = _search().rankings({id: item for id, item in items.items() if item.catalogue})
    return {id: [variable for variable, _ in found.get(id, ())[:CANDIDATES]] for id in items}


@cache
def _search() -> Linker:
    """One, which keeps the index of each catalogue."""
    return Linker("fused")


def _texts(shown: Iterable[str], catalogue: Catalogue) -> dict[str, str]:
    """What each says, by its number; the study is named where there are several."""
    parts = parts_of(catalogue)
    shown = list(shown)
    several = len({parts[id].get("study") for id in shown}) > 1
    texts = {}
    for n, id in enumerate(shown, start=1):
        study = f" ({parts[id].get('study', '')[:MAX_STUDY]})" if several else ""
        texts[str(n)] = core(parts[id])[:MAX_TEXT] + study
    return texts


def ask_candidates(
    asked: Mapping[str, tuple[str, list[str]]], catalogue: Catalogue, model: LanguageModel
) -> dict[str, tuple[float, list[str]]]:
    """For sentences of a document with candidates: how probably each is a mention, and the candidates chosen. One a request."""
    entries = [
        Entry((id,), {"sentence": sentence, "candidates": _texts(shown, catalogue)}, id)
        for id, (sentence, shown) in asked.items()
    ]
    found = {}
    for entry, answer in model.ask(load_prompt(__package__, "variables").requests(entries)):
        (id,) = entry.ids
        shown = asked[id][1]
        known = [n for n in dict.fromkeys(answer["variables"]) if 1 <= n <= len(shown)]
        found[id] = float(answer["mention"]), [shown[n - 1] for n in known]
    return found


def judge(
    items: Mapping[str, Statement], entry: Entry, answer: Mapping[str, Any], model: LanguageModel
) -> dict[str, Judged]:
    """The candidates that the model chose, best first; a number that no candidate has is dropped and counted."""
    (id,) = entry.ids
    shown = _candidates({id: items[id]})[id]
    chosen = list(dict.fromkeys(answer["variables"]))
    known = [n for n in chosen if 1 <= n <= len(shown)]
    model.tally.dropped += len(chosen) - len(known)
    ranking = tuple((shown[n - 1], 1 / place) for place, n in enumerate(known, start=1))
    return {id: Judged(answer["mention"] - 0.5, ranking if items[id].catalogue else None)}


def read(
    items: Mapping[str, Statement], entry: Entry, answer: Mapping[str, Any], model: LanguageModel
) -> dict[str, Mention]:
    """What it chose, then the other candidates in the order of the search."""
    found = {}
    for id, judged in judge(items, entry, answer, model).items():
        ranking = judged.ranking
        if ranking is not None:
            chosen = {variable for variable, _ in ranking}
            rest = (one for one in _candidates({id: items[id]})[id] if one not in chosen)
            ranking = (*ranking, *((variable, 0.0) for variable in rest))
        found[id] = Mention(int(judged.above >= 0), ranking)
    return found


class Margins:
    """The shipped system with how sure it is."""

    def __init__(self, reader: Reader | None = None) -> None:
        self.reader = reader or Reader()

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Judged]:
        pred = self.reader.predict(items)
        found = {}
        for id, item in items.items():
            chance, threshold = self.reader.detector.chance(item)
            found[id] = Judged(chance - threshold, pred[id].ranking)
        return found


def blend(prompted: Judged, shipped: Judged, share: float = SHARE) -> Mention:
    """Both margins, and for each variable both scores: a probability, and one by the place that the model gave it."""
    above = share * prompted.above + (1 - share) * shipped.above
    if shipped.ranking is None:
        return Mention(int(above >= 0), prompted.ranking)
    own = dict(prompted.ranking or ())
    scores = [(id, share * own.get(id, 0.0) + (1 - share) * score) for id, score in shipped.ranking]
    return Mention(int(above >= 0), tuple(sorted(scores, key=lambda pair: -pair[1])))


def mention_of(shipped: Judged) -> Mention:
    return Mention(int(shipped.above >= 0), shipped.ranking)
