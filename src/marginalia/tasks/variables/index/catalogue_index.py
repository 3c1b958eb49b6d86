"""An index over a catalogue, in memory or memory-mapped: it gives a sentence its candidates.

Scores are of groups: variables that ask the same question share theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError, MissingError, UnknownNameError
from marginalia.core.files import read_json
from marginalia.tasks.variables.catalogue.groups import hash64
from marginalia.tasks.variables.index import latent
from marginalia.tasks.variables.index.assembly import Arrays, Assembly
from marginalia.tasks.variables.index.chunks import make_chunk
from marginalia.tasks.variables.index.lexicon import Lexicon
from marginalia.tasks.variables.index.records import Records
from marginalia.tasks.variables.index.strings import Strings
from marginalia.tasks.variables.official.vocabulary import Catalogue, Notes, Variable

VERSION = 1
MANIFEST = "manifest.json"
RETRIEVERS = ("words", "letters", "meaning", "latent")
"""BM25; the same with words that look alike; vectors of the encoder, or the catalogue's own where it has
no others; the catalogue's own where it has both."""
COSINES = ("meaning", "latent")
WEIGHTS = {"words": 1.0, "letters": 2.0, "latent": 0.5, "dense": 4.0}
"""What each counts when they are put together: chosen on half the sentences of SV-Ident's train split."""

Floats = NDArray[np.float32]
Candidate = tuple[Variable, dict[str, float]]


class CatalogueIndex:
    """What ``build`` made. ``variables`` is a sequence; a variable is read when it is asked for."""

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        variables: Sequence[Variable],
        manifest: Mapping[str, Any],
    ) -> None:
        self.arrays, self.variables, self.manifest = arrays, variables, manifest
        self.surveys: tuple[str, ...] = tuple(manifest["surveys"])
        self.lexicon = Lexicon(arrays, len(variables))
        self.members, self.starts = arrays["members"], arrays["group_starts"]

    def __len__(self) -> int:
        return len(self.variables)

    @property
    def notes(self) -> Mapping[str, int]:
        return dict(self.manifest.get("notes", {}))

    @property
    def retrievers(self) -> tuple[str, ...]:
        """Those of RETRIEVERS that this index can answer by."""
        vectors = [name for name in ("dense", "latent") if name in self.arrays]
        vectors = [name for name in vectors if self.arrays[name].size]
        return RETRIEVERS[: 2 + len(vectors)]

    def candidates(
        self, sentence: str, k: int = 100, surveys: Iterable[str] | None = None
    ) -> list[Candidate]:
        """The best ``k`` groups, each by its first variable in these surveys, with a score per retriever."""
        surveys = None if surveys is None else tuple(surveys)
        scores = self.scores(sentence, surveys=surveys)
        order = self.best(self.fuse(scores), k)
        mask = self.mask(surveys)
        return [
            (self.variables[self.speaker(g, mask)], {n: float(s[g]) for n, s in scores.items()})
            for g in order
        ]

    def scores(
        self,
        sentence: str,
        names: Sequence[str] | None = None,
        surveys: Iterable[str] | None = None,
    ) -> dict[str, Floats]:
        """Per retriever one score for each group; 0 for groups without a variable in these surveys."""
        mask = self.mask(surveys)
        found = {}
        for name in names or self.retrievers:
            if name == "words":
                found[name] = self._by_group(self.lexicon.by_words(sentence), mask)
            elif name == "letters":
                found[name] = self._by_group(self.lexicon.by_letters(sentence), mask)
            elif name == "meaning" and "dense" in self.arrays:
                found[name] = self._allowed(self._by_encoder(sentence), mask)
            else:
                found[name] = self._allowed(self._by_latent(self.latent_vector(sentence)), mask)
        return found

    def fuse(self, scores: Mapping[str, Floats]) -> Floats:
        """One score from 0 to 1 for each group."""
        meaning = WEIGHTS["dense" if "dense" in self.arrays else "latent"]
        return fuse(scores, {**WEIGHTS, "meaning": meaning})

    def best(self, scores: Floats, k: int) -> list[int]:
        """The groups with the highest scores above 0, equal ones in the order of the catalogue."""
        k = min(k, len(scores))
        if not k:
            return []
        floor = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = np.flatnonzero((scores >= floor) & (scores > 0))
        order = np.argsort(-scores[places], kind="stable")[:k]
        return [int(place) for place in places[order]]

    def group_of(self, row: int) -> int:
        return int(self.arrays["group"][row])

    def rows(self, group: int) -> NDArray[np.int32]:
        """The rows of a group's variables."""
        found: NDArray[np.int32] = self.members[self.starts[group] : self.starts[group + 1]]
        return found

    def speaker(self, group: int, mask: NDArray[np.bool_] | None = None) -> int:
        """The first row of a group, among those of the mask."""
        rows = self.rows(group)
        if mask is not None:
            rows = rows[mask[rows]]
        return int(rows[0])

    def group_surveys(self, group: int) -> list[str]:
        """The surveys that have a variable of this group, in the order of the catalogue."""
        numbers = dict.fromkeys(int(n) for n in self.arrays["survey"][self.rows(group)])
        return [self.surveys[number] for number in numbers]

    def mask(self, surveys: Iterable[str] | None) -> NDArray[np.bool_] | None:
        """Which rows belong to these surveys; None for all."""
        if surveys is None:
            return None
        known = {survey: number for number, survey in enumerate(self.surveys)}
        numbers = []
        for survey in surveys:
            if survey not in known:
                raise UnknownNameError("survey in this catalogue", survey, self.surveys[:20])
            numbers.append(known[survey])
        found: NDArray[np.bool_] = np.isin(self.arrays["survey"], numbers)
        return found

    def find(self, id: str) -> int:
        """The row of a variable by its id, also when it is qualified with its survey without need."""
        survey, colon, rest = id.partition(":")
        for wanted in (id, rest) if colon else (id,):
            row = self._find(wanted)
            if row >= 0 and (wanted == id or self.variables[row].survey == survey):
                return row
        raise UnknownNameError("variable in this catalogue", id, self._like(id))

    def _find(self, id: str) -> int:
        hashes = self.arrays["id_hashes"]
        wanted = np.uint64(hash64(id))
        place = int(np.searchsorted(hashes, wanted))
        while place < len(hashes) and hashes[place] == wanted:
            row = int(self.arrays["id_rows"][place])
            if self.ids[row] == id:
                return row
            place += 1
        return -1

    def _like(self, id: str) -> list[str]:
        """Ids to offer where one is not there: those that end alike, or the first few."""
        ids = [self.ids[row] for row in range(min(len(self), 5000))]
        return [one for one in ids if one.endswith(f":{id}")][:9] or ids[:9]

    @cached_property
    def ids(self) -> Strings:
        return Strings(self.arrays["id_text"], self.arrays["id_starts"])

    def latent_vector(self, sentence: str) -> Floats:
        """The sum of what is known of its words."""
        line, vectors = self.arrays["latent_line"], self.arrays["latent_terms"]
        found = np.zeros(vectors.shape[1], dtype=np.float32)
        for place, count in self.lexicon.known(sentence).items():
            if line[place] >= 0:
                weight = np.log1p(count) * self.lexicon.idf(place)
                np.add(found, np.float32(weight) * vectors[line[place]], out=found)
        return found

    def _by_latent(self, query: Floats) -> Floats:
        return latent.cosines(self.arrays["latent"], self.arrays["latent_lengths"], query)

    def _by_encoder(self, sentence: str) -> Floats:
        from marginalia.tasks.variables.index.dense import encode

        query = encode([sentence])[0]
        return latent.cosines(self.arrays["dense"], self.arrays["dense_lengths"], query)

    def _by_group(self, scores: Floats, mask: NDArray[np.bool_] | None) -> Floats:
        """The best of each group's variables."""
        if not len(scores):
            return scores
        if mask is not None:
            scores = scores * mask
        best: Floats = np.maximum.reduceat(scores[self.members], self.starts[:-1])
        return best

    def _allowed(self, scores: Floats, mask: NDArray[np.bool_] | None) -> Floats:
        scores = np.maximum(scores, 0)
        if mask is None or not len(scores):
            return scores
        allowed: Floats = scores * np.logical_or.reduceat(mask[self.members], self.starts[:-1])
        return allowed


def fuse(scores: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The weighted mean of the retrievers' scores, each as a share of its best.

    Of a cosine only what is above the mean counts: those of an encoder are high for any two texts.
    """
    total = np.zeros(len(next(iter(scores.values()))), dtype=np.float32)
    for name, found in scores.items():
        there = found > 0
        floor = float(found.mean(where=there)) if name in COSINES and there.any() else 0.0
        peak = float(found.max(initial=0))
        if peak > floor:
            total += np.maximum(found - np.float32(floor), 0) * np.float32(
                weights[name] / (peak - floor)
            )
    return total / np.float32(sum(weights[name] for name in scores))


def index_catalogue(catalogue: Catalogue) -> CatalogueIndex:
    """An index in memory, for a small catalogue."""
    variables = list(catalogue)
    arrays = Arrays()
    notes: Notes = Counter(catalogue.notes)
    counts = Assembly([make_chunk(variables)], arrays, notes, lambda *_: None).run(vectors=True)
    return CatalogueIndex(arrays, variables, {**counts, "notes": dict(catalogue.notes)})


def open_index(path: str | Path) -> CatalogueIndex:
    """The index in a folder that ``build_catalogue`` made; nothing but its manifest is loaded."""
    folder = Path(path)
    if not (folder / MANIFEST).exists():
        raise MissingError(
            f"{folder} is not a finished catalogue: build it with `build_catalogue(sources, folder)`"
        )
    manifest = read_json(folder / MANIFEST)
    if not isinstance(manifest, dict) or manifest.get("version") != VERSION:
        raise FormatError(
            f"this is no catalogue of version {VERSION}; build it again", path=folder / MANIFEST
        )
    arrays = {
        name: _load(folder / f"{name}.npy", shape) for name, shape in manifest["arrays"].items()
    }
    ids = Strings(arrays["id_text"], arrays["id_starts"])
    records = Records(arrays["records"], arrays["record_places"], ids)
    return CatalogueIndex(arrays, records, manifest)


def _load(path: Path, shape: list[int]) -> NDArray[Any]:
    try:
        found: NDArray[Any]
        # An empty array cannot be mapped, and need not be.
        found = np.load(path, mmap_mode="r" if 0 not in shape else None, allow_pickle=False)
        # A plain view of the mapped file: numpy's class for it is slow at single numbers.
        found = found.view(np.ndarray)
    except FileNotFoundError:
        raise MissingError(f"{path}: a file of the catalogue is missing; build it again") from None
    except (ValueError, EOFError, OSError) as error:
        raise FormatError(f"not an array of a catalogue: {error}", path=path) from error
    if list(found.shape) != shape:
        raise FormatError("this array is not whole; build the catalogue again", path=path)
    return found
