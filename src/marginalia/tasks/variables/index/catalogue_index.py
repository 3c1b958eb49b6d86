"""A catalogue that is searched, in memory or in a folder: it gives a sentence its candidates.

Scores are of groups: variables that ask the same question share theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.tasks.variables.catalogue.groups import Titles, group_key
from marginalia.tasks.variables.index import vectors as encoding
from marginalia.tasks.variables.index.engine import Engine, Writer
from marginalia.tasks.variables.index.folder import (
    AGAIN,
    SURVEYS,
    VECTORS,
    WORDS,
    check_files,
    read_manifest,
)
from marginalia.tasks.variables.index.terms import query_terms
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable

RETRIEVERS = ("words", "letters", "meaning")
"""BM25; the same with words of the same stem or a letter away; vectors of the encoder, where there are any."""
WEIGHTS = {"words": 1.0, "letters": 1.0, "meaning": 2.0}
"""What each counts when they are put together."""
POOL = 200
"""Groups of each retriever that are looked at."""
MAX_LIVE_GROUPS = 300
"""Up to so many groups a source in memory is encoded when it is searched by meaning: that takes seconds."""

Scores = dict[int, float]
Candidate = tuple[Variable, dict[str, float]]


class CatalogueIndex:
    """What ``build`` made, or ``index_catalogue`` in memory. A variable is read when it is asked for."""

    def __init__(
        self,
        engine: Engine,
        manifest: Mapping[str, Any],
        pairs: NDArray[np.int32],
        vectors: NDArray[Any] | None = None,
    ) -> None:
        self.engine, self.manifest, self.pairs, self._vectors = engine, manifest, pairs, vectors
        self.surveys: tuple[str, ...] = tuple(manifest["surveys"])
        self.titles: Mapping[str, str] = manifest["titles"]
        self.groups: int = manifest["groups"]
        self.width: int = manifest["width"]

    def __len__(self) -> int:
        return int(self.manifest["variables"])

    def __iter__(self) -> Iterator[Variable]:
        """All variables, group by group."""
        return (one for group in range(self.groups) for one in self.members(group))

    @property
    def notes(self) -> Mapping[str, int]:
        return dict(self.manifest["notes"])

    @property
    def retrievers(self) -> tuple[str, ...]:
        """Those of RETRIEVERS that this catalogue can answer by."""
        return RETRIEVERS if self.width or self._live else RETRIEVERS[:2]

    @property
    def _live(self) -> bool:
        return "files" not in self.manifest and 0 < self.groups <= MAX_LIVE_GROUPS

    @cached_property
    def vectors(self) -> NDArray[Any]:
        if self._vectors is not None:
            return self._vectors
        texts = [encoding.encoded_text(self.members(group)[0]) for group in range(self.groups)]
        return encoding.pack(encoding.encode(texts))

    def candidates(
        self, sentence: str, k: int = 100, surveys: Iterable[str] | None = None
    ) -> list[Candidate]:
        """The best ``k`` groups, each by its first variable in these surveys, with a score per retriever."""
        wanted = self.known_surveys(surveys)
        scores = self.scores(sentence, surveys=wanted)
        order = best(fuse(scores), k)
        return [
            (self.speaker(g, wanted), {n: s[g] for n, s in scores.items() if g in s}) for g in order
        ]

    def scores(
        self,
        sentence: str,
        names: Sequence[str] | None = None,
        surveys: Iterable[str] | None = None,
        k: int = POOL,
    ) -> dict[str, Scores]:
        """Per retriever its best ``k`` groups with their scores."""
        wanted = self.known_surveys(surveys)
        by_retriever = {}
        for name in names or self.retrievers:
            if name == "meaning":
                by_retriever[name] = self._by_meaning(sentence, k, wanted)
            else:
                fuzzy = name == "letters"
                by_retriever[name] = self.engine.search(sentence, k, fuzzy=fuzzy, surveys=wanted)
        return by_retriever

    def _by_meaning(self, sentence: str, k: int, surveys: Sequence[str] | None) -> Scores:
        """Cosines above the mean: those of an encoder are high for any two texts."""
        if not query_terms(sentence):
            return {}
        found = encoding.cosines(self.vectors, encoding.encode([sentence])[0])
        allowed = np.arange(self.groups) if surveys is None else self._groups_of(surveys)
        if not len(allowed):
            return {}
        near = found[allowed]
        floor = max(float(near.mean()), 0.0) if len(near) > 2 else 0.0
        order = np.argsort(-near, kind="stable")[:k]
        return {int(allowed[i]): float(near[i]) for i in order if near[i] > floor}

    def _groups_of(self, surveys: Sequence[str]) -> NDArray[np.int64]:
        numbers = [self.surveys.index(survey) for survey in surveys]
        found: NDArray[np.int64] = np.unique(self.pairs[np.isin(self.pairs[:, 1], numbers), 0])
        return found

    def members(self, group: int) -> tuple[Variable, ...]:
        """The variables of a group, in the order of the catalogue."""
        return self.engine.group(group)

    def speaker(self, group: int, surveys: Sequence[str] | None = None) -> Variable:
        """The first variable of a group, among those of these surveys."""
        members = self.members(group)
        return next((v for v in members if surveys is None or v.survey in surveys), members[0])

    def group_surveys(self, group: int) -> list[str]:
        """The surveys that have a variable of this group."""
        return list(dict.fromkeys(one.survey for one in self.members(group)))

    def known_surveys(self, surveys: Iterable[str] | None) -> tuple[str, ...] | None:
        """These surveys; one that the catalogue lacks is an error."""
        if surveys is None:
            return None
        wanted = tuple(surveys)
        for survey in wanted:
            if survey not in self.manifest["surveys"]:
                raise UnknownNameError("survey in this catalogue", survey, self.surveys[:20])
        return wanted

    def find(self, id: str) -> tuple[int, Variable]:
        """A variable by its id, with its group; also where the id is qualified with its survey without need."""
        survey, colon, rest = id.partition(":")
        for wanted in (id, rest) if colon else (id,):
            group = self.engine.find(wanted)
            if group is not None:
                for one in self.members(group):
                    if one.id == wanted and (wanted == id or one.survey == survey):
                        return group, one
        raise UnknownNameError("variable in this catalogue", id, self._like(id), all=False)

    def _like(self, id: str) -> list[str]:
        """Ids to offer where one is not there: those qualified with a survey, or the first few."""
        qualified = [f"{survey}:{id}" for survey in self.surveys[:2000]]
        there = [one for one in qualified if self.engine.find(one) is not None]
        return there[:9] or [one.id for _, one in zip(range(9), self, strict=False)]


def fuse(scores: Mapping[str, Scores]) -> Scores:
    """The weighted mean of the retrievers' scores, each as a share of its best."""
    total: Scores = {}
    whole = sum(WEIGHTS[name] for name in scores)
    for name, found in scores.items():
        peak = max(found.values(), default=0.0)
        floor = min(found.values(), default=0.0) if name == "meaning" and len(found) > 1 else 0.0
        for group, score in found.items():
            if peak > floor:
                share = WEIGHTS[name] / whole * (score - floor) / (peak - floor)
                total[group] = total.get(group, 0.0) + share
    return total


def best(scores: Scores, k: int | None = None) -> list[int]:
    """The groups with the highest scores, equal ones in the order of the catalogue."""
    return sorted(scores, key=lambda group: (-round(scores[group], 6), group))[:k]


def index_catalogue(catalogue: Catalogue) -> CatalogueIndex:
    """An index in memory, for a small catalogue."""
    together: dict[str, list[Variable]] = {}
    for variable in catalogue:
        together.setdefault(group_key(variable), []).append(variable)
    surveys = Counter(variable.survey for variable in catalogue)
    places = {survey: place for place, survey in enumerate(surveys)}
    writer = Writer()
    pairs = []
    for number, members in enumerate(together.values()):
        writer.add(number, members)
        pairs += [(number, places[name]) for name in dict.fromkeys(v.survey for v in members)]
    titles = Titles(catalogue)
    manifest = {
        "variables": len(catalogue),
        "groups": len(together),
        "width": 0,
        "surveys": dict(surveys),
        "titles": {name: titles.of(name) for name in surveys},
        "notes": dict(catalogue.notes),
    }
    return CatalogueIndex(writer.finish(), manifest, np.array(pairs, np.int32).reshape(-1, 2))


def open_index(path: str | Path) -> CatalogueIndex:
    """The catalogue in a folder that ``build_catalogue`` made, after every file was found to be as it was written."""
    folder = Path(path)
    manifest = read_manifest(folder)
    check_files(folder, manifest)
    try:
        engine = Engine.open(folder / WORDS)
        pairs = np.load(folder / SURVEYS, allow_pickle=False)
        vectors = _open_vectors(folder, manifest)
        sound = len(engine) == manifest["groups"] and pairs.ndim == 2
    except (ValueError, OSError, KeyError) as error:
        raise FormatError(f"the catalogue is damaged ({error}); {AGAIN}", path=folder) from error
    if not sound or (vectors is not None and len(vectors) != manifest["groups"]):
        raise FormatError(f"the manifest does not fit the catalogue; {AGAIN}", path=folder)
    return CatalogueIndex(engine, manifest, pairs, vectors)


def _open_vectors(folder: Path, manifest: Mapping[str, Any]) -> NDArray[Any] | None:
    if not manifest["width"]:
        return None
    kind = encoding.row_type(manifest["width"])
    # A plain view of the mapped file: numpy's class for it is slow at single numbers.
    return np.memmap(folder / VECTORS, dtype=kind, mode="r").view(np.ndarray)
