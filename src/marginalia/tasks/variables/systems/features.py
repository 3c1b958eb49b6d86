"""What the heads see of a sentence and of a candidate variable, besides words and vectors.

Features of a sentence are relative to its paper, but for counts of cue words. Features of a candidate say
how well it fits the sentence, what the whole paper says about it, and what kind of variable it is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.frequency import zipf
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import words
from marginalia.tasks.variables.index.terms import stems
from marginalia.tasks.variables.systems.evidence import Evidence, cosines, standard

Floats = NDArray[np.float64]

CUES = {
    "people": r"respondent|befragte|interviewt|participants?\b|individuals?\b|personen\b|citizens|bürger|people\b",
    "asking": r"\bask|question|\bfrage|item|\bantwort|answer|gefragt|wording|formulierung|statement|aussage",
    "measuring": r"scale|skala|likert|\bindex|measure|operationali|gemess|erfass|indicator|indikator"
    r"|code[ds]?\b|recode|dummy|variable|categor|kategori",
    "data": r"data|daten|survey|umfrage|studie|wave|welle|allbus|issp|eurobarometer|politbarometer|evs\b"
    r"|sample|stichprobe",
    "percent": r"\d\s?%|percent|prozent|per cent",
    "digit": r"\d",
    "citation": r"\(\s*(?:vgl\.|cf\.|see|siehe)?[^()]*\b(?:19|20)\d\d|\[\d+",
    "table": r"\btab(?:le|elle|\.)|figure|fig\.|abbildung|abb\.|model\b|modell",
    "effect": r"effect|effekt|influence|einflu|correlat|korrel|association|zusammenhang|impact|regress"
    r"|signifi|coeffic|koeffizi|likel|wahrscheinlich",
    "attitude": r"attitud|einstellung|support|unterstütz|trust|vertrau|satisf|zufried|opinion|meinung|agree"
    r"|zustimm|prefer|believe|perce|wahrnehm|important|wichtig|identi",
    "person": r"\bage\b|alter\b|gender|geschlecht|educat|bildung|income|einkommen|religio|occupation|beruf"
    r"|marital|famil|sex\b|employ|erwerb",
    "hypothesis": r"\bH\d|hypothes",
    "quotation": r"[\"“„»]",
    "question": r"\?",
    "we": r"\bwe\b|\bour\b|\bwir\b|unser",
}
RELATIVE_FEATURES = (
    "length", "key_best", "key_mean", "key_three", "common_best", "common_three", "common_all",
    "known", "known_share", "known_weight", "label", "label_share", "known_common", "label_common",
    *(f"{name}_{how}" for name in ("words", "label_words", "meaning", "fused")
      for how in ("best", "three", "mean")),
    "centre", "company", "paper_variables",
)  # fmt: skip
SENTENCE_FEATURES = (*(f"cue_{name}" for name in CUES), "german", *RELATIVE_FEATURES)
"""The features of a sentence, in their order."""

KINDS = {
    "one country": r"country specific|\b(?:region|family income|party|education|religion)\s*:\s*[A-Z]",
    "fieldwork": r"gewicht|weight|interview|version|studiennummer|\bid\b|datum|\bdate\b|anwesend|archive"
    r"|case number|duration|dauer",
}
"""Kinds of variables that papers seldom speak of, by words of their label."""
CANDIDATE_FEATURES = (
    *("fused", "label_meaning", "best", "share", "usual", "study", "language", "alike"),
    *KINDS,
    "size",
)
"""The features of a candidate, in their order. The size of the catalogue only tells how sure one can be."""
MAX_DEVIATIONS = 4.0


@cache
def _cues() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(cue, re.IGNORECASE) for name, cue in CUES.items()}


@cache
def _kinds() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(kind, re.IGNORECASE) for name, kind in KINDS.items()}


@lru_cache(maxsize=48)
def sentence_features(found: Evidence) -> Floats:
    """One row per sentence of the paper."""
    sentences = found.paper.sentences
    rows = np.array([cue_counts(sentence, found.paper.lang) for sentence in sentences])
    columns = _relative(found)
    relative = [
        standard(columns[name]).clip(-MAX_DEVIATIONS, MAX_DEVIATIONS) for name in RELATIVE_FEATURES
    ]
    return np.column_stack([rows, *relative])


def cue_counts(sentence: str, lang: str) -> list[float]:
    counts = [math.log1p(len(cue.findall(sentence))) for cue in _cues().values()]
    return [*counts, float(lang == "de")]


def _relative(found: Evidence) -> dict[str, Floats]:
    sentences, total = found.paper.sentences, len(found.paper)
    sets = [set(stems(sentence)) for sentence in sentences]
    counts = Counter(stem for each in sets for stem in each)
    keys = key_words(found)
    known, weights = set(), {}
    if found.catalogue:
        in_cores = Counter(stem for text in found.cores for stem in set(stems(text)))
        known = set(in_cores)
        weights = {stem: math.log1p(len(found.cores) / n) for stem, n in in_cores.items()}
    in_labels = {stem for text in found.labels for stem in stems(text)}
    rows: dict[str, list[float]] = {name: [] for name in RELATIVE_FEATURES}

    def add(**values: float) -> None:
        for name, value in values.items():
            rows[name].append(value)

    for sentence, own in zip(sentences, sets, strict=True):
        keyness = sorted((keys[stem] for stem in own), reverse=True) or [0.0]
        common = sorted((counts[stem] / total for stem in own), reverse=True) or [0.0]
        size = max(1, len(own))
        add(
            length=math.log1p(len(sentence.split())),
            key_best=keyness[0],
            key_mean=sum(keyness) / len(keyness),
            key_three=sum(keyness[:3]) / 3,
            common_best=common[0],
            common_three=sum(common[:3]) / 3,
            common_all=sum(common),
            known=len(own & known),
            known_share=len(own & known) / size,
            # In the order of the text: sums of floats depend on it, and sets have none.
            known_weight=sum(weights[stem] for stem in sorted(own & known)),
            label=len(own & in_labels),
            label_share=len(own & in_labels) / size,
            known_common=sum(counts[stem] for stem in own & known) / total,
            label_common=sum(counts[stem] for stem in own & in_labels) / total,
        )
    found_columns: dict[str, Any] = {name: np.array(values) for name, values in rows.items()}
    for name in ("words", "label_words", "meaning", "fused"):
        ordered = np.sort(getattr(found, name), axis=1)[:, ::-1]
        empty = not found.catalogue
        found_columns[f"{name}_best"] = np.zeros(total) if empty else ordered[:, 0]
        found_columns[f"{name}_three"] = np.zeros(total) if empty else ordered[:, :3].mean(axis=1)
        found_columns[f"{name}_mean"] = np.zeros(total) if empty else ordered.mean(axis=1)
    centre = found.vectors.mean(axis=0)
    found_columns["centre"] = found.vectors @ centre
    near = np.sort(found.vectors @ found.vectors.T, axis=1)[:, -6:-1]
    found_columns["company"] = near.mean(axis=1) if near.shape[1] else np.zeros(total)
    pull = np.exp(found.best + found.share - found.alike)
    found_columns["paper_variables"] = (
        found.fused @ (pull / pull.sum()) if found.catalogue else np.zeros(total)
    )
    return found_columns


def key_words(found: Evidence) -> dict[str, float]:
    """Stem -> how much oftener the paper has it than the language at large, in powers of ten."""
    paper = found.paper
    usual: dict[str, float] = {}
    counts: Counter[str] = Counter()
    for sentence in paper.sentences:
        for match in words(sentence.lower()):
            for piece in match.group().split("-"):
                key = stem(piece)
                usual[key] = max(usual.get(key, 0.0), zipf(piece, paper.lang))
        counts.update(set(stems(sentence)))
    # A sentence has about ten words that count; Zipf is the power of ten in a thousand million.
    return {
        key: math.log10(n / len(paper) / 10) + 9 - usual.get(key, 3.0) if n > 1 else 0.0
        for key, n in counts.items()
    }


@lru_cache(maxsize=48)
def candidate_features(found: Evidence) -> Floats:
    """One row per sentence, one column per variable, and its features behind."""
    kinds = [
        np.array([float(bool(kind.search(text))) for text in found.labels])
        for kind in _kinds().values()
    ]
    size = np.full(found.shape[1], math.log(max(1, found.shape[1])))
    best, share = found.best * found.belief, found.share * found.belief
    # That a label is near to any sentence counts against it; that it is near to none says nothing for it.
    usual = found.usual.clip(min=0.0) * found.belief
    study, language = found.studies * np.stack([found.study, found.language])
    whole = (best, share, usual, study, language, found.alike, *kinds, size)
    each = [np.broadcast_to(row, found.shape) for row in whole]
    return np.stack([found.fused, standard(found.label_meaning), *each], axis=-1)


@lru_cache(maxsize=48)
def neighbour_shares(found: Evidence, most: int) -> Floats:
    """For each sentence the shares that its most similar sentences have in its company."""
    sentences = found.paper.sentences
    near = cosines(sentences, sentences)
    np.fill_diagonal(near, 0.0)
    if near.shape[1] > most:
        edge = np.sort(near, axis=1)[:, -most][:, None]
        near[near < edge] = 0.0
    shares: Floats = near / np.maximum(near.sum(axis=1, keepdims=True), 1e-9)
    return shares
