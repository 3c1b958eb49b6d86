"""Which spans, units, modifiers and relations of a submission match those of gold, in one paragraph.

The rules are those of the official program. It is lenient on purpose: spans that touch match, a gold
span may be matched by several, and nothing is assigned one to one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from marginalia.tasks.measurement.official.spans import Span, overlaps

CLASSES = (
    "Quantity",
    "MeasuredEntity",
    "MeasuredProperty",
    "Qualifier",
    "Unit",
    "modifier",
    "HasQuantity",
    "HasProperty",
    "Qualifies",
)
"""The nine components, spelled as the official program spells them."""
RELATION_TYPES = {
    "HasQuantity": (("MeasuredEntity", "MeasuredProperty"), ("Quantity",)),
    "HasProperty": (("MeasuredEntity",), ("MeasuredProperty",)),
    "Qualifies": (("Qualifier",), ("Quantity", "MeasuredEntity", "MeasuredProperty")),
}
"""Relation -> the types it may start from and lead to."""


@dataclass(slots=True)
class Tally:
    """How many rows of each kind, and the sums of the matches' values."""

    matches: int = 0
    submission_only: int = 0
    gold_only: int = 0
    exact: float = 0.0
    overlap: float = 0.0
    unshared: float = 0.0
    """As ``overlap``, but every match keeps its own value."""

    @property
    def rows(self) -> int:
        return self.matches + self.submission_only + self.gold_only

    def add(self, other: Tally) -> None:
        self.matches += other.matches
        self.submission_only += other.submission_only
        self.gold_only += other.gold_only
        self.exact += other.exact
        self.overlap += other.overlap
        self.unshared += other.unshared


def total(tallies: Iterable[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
    return whole


@dataclass(slots=True)
class Matched:
    """What was found in one paragraph."""

    classes: dict[str, Tally] = field(default_factory=dict)
    golds_matched_more_than_once: int = 0
    quantities_matching_several: int = 0
    matches_without_common_character: int = 0


def match(gold: Sequence[Span], pred: Sequence[Span]) -> Matched:
    """Match the spans of one paragraph, quantities first, since they tie its sets to those of gold."""
    partners, tie = _partners(gold, pred)
    result = Matched({name: Tally() for name in CLASSES})
    _match_spans(result.classes, gold, pred, partners)
    units = _match_values(gold, pred, tie, _units, excuse=lambda item: item[0])
    mods = _match_values(gold, pred, tie, _modifiers, excuse=lambda item: item)
    result.classes |= {"Unit": units, "modifier": mods}
    _match_relations(result.classes, gold, pred, partners)
    _count_quantities(result, gold, pred, partners)
    return result


def _partners(gold: Sequence[Span], pred: Sequence[Span]) -> tuple[list[list[int]], dict[int, int]]:
    """For each predicted span the gold spans it matches, and for each of its sets the gold set.

    A set takes the highest gold set that its quantity meets; with several quantities the last decides.
    """
    quantities = [j for j, span in enumerate(gold) if span.type == "Quantity"]
    others: dict[tuple[int | None, str], list[int]] = {}
    for j, span in enumerate(gold):
        others.setdefault((span.set, span.type), []).append(j)
    partners: list[list[int]] = [[] for _ in pred]
    tie: dict[int, int] = {}
    for i, span in enumerate(pred):
        if span.type == "Quantity":
            partners[i] = [j for j in quantities if _meet(span, gold[j])]
            if partners[i]:
                tie[span.set] = max(gold[j].set for j in partners[i])
    for i, span in enumerate(pred):
        if span.type != "Quantity":
            known = others.get((tie.get(span.set), span.type), [])
            partners[i] = [j for j in known if _meet(span, gold[j])]
    return partners, tie


def _meet(a: Span, b: Span) -> bool:
    """Closed intervals: spans that only touch meet."""
    return a.start <= b.end and b.start <= a.end


def token_overlap(pred: Span, gold: Span) -> float:
    """Harmonic mean of the shared tokens' share in both texts, tokens being split at single blanks.

    The shared text is cut from the submission's text column by offsets. Its tokens count whole even
    when cut inside, and an empty text counts as one token.
    """
    start, end = max(pred.start, gold.start), min(pred.end, gold.end)
    shared = _tokens(pred.text[start - pred.start : end - pred.start])
    p, r = shared / _tokens(pred.text), shared / _tokens(gold.text)
    return 2 * p * r / (p + r)


def _tokens(text: str) -> int:
    return text.count(" ") + 1


def _match_spans(
    classes: dict[str, Tally],
    gold: Sequence[Span],
    pred: Sequence[Span],
    partners: list[list[int]],
) -> None:
    own = {
        (i, j): token_overlap(pred[i], gold[j])
        for i, matched in enumerate(partners)
        for j in matched
    }
    best: dict[tuple[str, str], float] = {}
    for (i, _), value in own.items():
        key = pred[i].type, pred[i].id
        best[key] = max(value, best.get(key, 0.0))
    for (i, j), value in own.items():
        span = pred[i]
        tally = classes[span.type]
        tally.matches += 1
        tally.exact += (span.start, span.end) == (gold[j].start, gold[j].end)
        tally.overlap += best[span.type, span.id]
        tally.unshared += value
    for i, span in enumerate(pred):
        classes[span.type].submission_only += not partners[i]
    met = {j for matched in partners for j in matched}
    for j, span in enumerate(gold):
        classes[span.type].gold_only += j not in met


Item = tuple[int | None, str | None]
"""A unit or modifier with the gold set it belongs to; None where there is none."""


def _units(span: Span) -> list[str | None]:
    """An absent or empty unit is none; a null is one that matches nothing."""
    return [span.unit] if span.other.get("unit", "") != "" else []


def _modifiers(span: Span) -> list[str | None]:
    """An empty list is one modifier that matches nothing."""
    return [*span.mods] or [None] if "mods" in span.other else []


def _match_values(
    gold: Sequence[Span],
    pred: Sequence[Span],
    tie: dict[int, int],
    values: Callable[[Span], list[str | None]],
    excuse: Callable[[Item], Hashable],
) -> Tally:
    """Equal values of tied sets match, every pair of them.

    ``excuse`` says what must have matched for an item not to count as wrong: for a unit any unit of
    its gold set, for a modifier one of the same name.
    """
    ours = [(span.set, value) for span in gold for value in values(span) if value is not None]
    theirs = [(tie.get(span.set), value) for span in pred for value in values(span)]
    known: Counter[Item] = Counter(ours)
    found: set[Item] = {item for item in theirs if known[item]}
    excused = {excuse(item) for item in found}
    count = sum(known[item] for item in theirs)
    return Tally(
        matches=count,
        submission_only=sum(excuse(item) not in excused for item in theirs),
        gold_only=sum(item not in found for item in ours),
        exact=count,
        overlap=count,
        unshared=count,
    )


def _relations(spans: Sequence[Span]) -> Iterator[tuple[int, str, int | None]]:
    """Source, relation and target by position; no target where it is unknown or of a wrong type."""
    place = {(span.set, span.id): i for i, span in enumerate(spans)}
    for i, span in enumerate(spans):
        if span.relation is None or span.relation[0] not in RELATION_TYPES:
            continue
        name, id = span.relation
        sources, targets = RELATION_TYPES[name]
        target = place.get((span.set, id))
        fits = target is not None and span.type in sources and spans[target].type in targets
        yield i, name, target if fits else None


def _match_relations(
    classes: dict[str, Tally],
    gold: Sequence[Span],
    pred: Sequence[Span],
    partners: list[list[int]],
) -> None:
    """A relation matches when both its ends matched the ends of the same relation in gold."""
    known = {j: (name, target) for j, name, target in _relations(gold)}
    met: set[int] = set()
    for i, name, target in _relations(pred):
        ends = partners[target] if target is not None else []
        found = [j for j in partners[i] for end in ends if known.get(j) == (name, end)]
        met.update(found)
        classes[name].submission_only += not found
        classes[name].add(
            Tally(len(found), exact=len(found), overlap=len(found), unshared=len(found))
        )
    for j, (name, _) in known.items():
        classes[name].gold_only += j not in met


def _count_quantities(
    result: Matched, gold: Sequence[Span], pred: Sequence[Span], partners: list[list[int]]
) -> None:
    """How far the matching of quantities is from one to one."""
    quantities = [i for i, span in enumerate(pred) if span.type == "Quantity"]
    times = Counter(j for i in quantities for j in partners[i])
    result.golds_matched_more_than_once = sum(count > 1 for count in times.values())
    result.quantities_matching_several = sum(len(partners[i]) > 1 for i in quantities)
    result.matches_without_common_character = sum(
        not overlaps(pred[i], gold[j]) for i in quantities for j in partners[i]
    )
