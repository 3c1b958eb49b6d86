"""Annotate a corpus: list, leave out what is done, annotate the rest, commit part by part; and how long that will take."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import uniform
from marginalia.core.errors import FormatError
from marginalia.corpus.settings import Settings, key_of
from marginalia.corpus.sources import Item, check_sources, count_items, list_items, spellings
from marginalia.corpus.store import Inventory, Store
from marginalia.corpus.supervisor import Part, Worker, batches, run_local

BATCH = 16
"""Documents in a part, at most: about a megabyte of rows, and half a minute of work with all notes."""
BATCHES_PER_WORKER = 4
"""With few documents parts are smaller, so that no worker is idle at the end for long."""

Engine = Callable[[Iterable[Sequence[Item]], Settings, str, int], Iterator[Part]]
SAMPLED = 8
"""Documents that are tried; the first one, which loads the models, is tried twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a run is."""

    looked_at: int
    """Documents that this run has annotated or tried to."""
    left_out: int
    """Documents that were there already, skipped without being opened."""
    failed: int
    total: int | None
    """Documents in all, where that is known."""


Progress = Callable[[Standing], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run did, and what is in the corpus now."""

    new: int
    """Documents that were annotated now."""
    same: int
    """Documents that were there, unchanged."""
    failed: int
    """Errors of this run."""
    gone: int
    """Documents that are no longer in their source."""
    documents: int
    errors: int
    reasons: dict[str, int]
    """Kind of error -> documents that failed so."""
    notes: dict[str, int]
    seconds: float
    per_core: float | None
    """Documents for each second of processor time in a worker."""

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def annotate_corpus(
    sources: Sequence[str],
    out: Path,
    settings: Settings,
    *,
    engine: Engine = run_local,
    workers: int = 1,
    sample: int | None = None,
    shard: tuple[int, int] | None = None,
    retry: bool = False,
    again: bool = False,
    progress: Progress | None = None,
) -> Outcome:
    """Annotate what is new in the sources. A run that was interrupted goes on where it stopped.

    ``sample`` takes so many documents, the same ones each time; ``shard`` the k-th of n equal parts, so that n machines can work
    on folders of their own. With ``retry`` documents that failed are tried again.
    """
    begun = time.monotonic()
    settings = settings.check()
    facts = settings.facts()
    check_sources(sources)
    with Store.open_to_write(out, facts, again=again) as store:
        inventory = Inventory.of(store.commits())
        listing = _Listing(inventory, sources, sample=sample, shard=shard, retry=retry)
        total = count_items(sources) if progress and not shard else None
        total = min(total, sample) if total and sample else total
        size = batch_size(total, workers)
        count: Counter[str] = Counter()
        spent = 0.0

        def tell() -> None:
            if progress:
                progress(
                    Standing(
                        looked_at=sum(count.values()),
                        left_out=listing.left_out,
                        failed=count["error"],
                        total=total,
                    )
                )

        tell()
        for part in engine(batches(listing, size), settings, key_of(facts), workers):
            store.commit(part)
            for row in part.documents:
                inventory.add(row)
                count[row["status"]] += 1
                spent += row.get("cpu", 0.0)
            tell()
        gone = [] if sample else listing.gone(shard)
        if gone:
            store.commit(Part(), gone=gone)
        inventory = Inventory.of(store.commits())
        here = inventory.here()
        outcome = Outcome(
            new=count["done"],
            same=count["same"] + listing.left_out,
            failed=count["error"],
            gone=len(gone),
            documents=sum(not known.failed for known in here),
            errors=sum(known.failed for known in here),
            reasons=dict(Counter(known.error for known in here if known.failed).most_common()),
            notes=dict(sorted(inventory.notes(store.commits()).items())),
            seconds=round(time.monotonic() - begun, 2),
            per_core=round(count["done"] / spent, 3) if spent else None,
        )
        kept = {name: getattr(outcome, name) for name in ("documents", "errors", "notes")}
        store.write_manifest(facts, kept)
    return outcome


def batch_size(total: int | None, workers: int) -> int:
    if total is None:
        return BATCH
    return max(1, min(BATCH, math.ceil(total / (BATCHES_PER_WORKER * workers))))


class _Listing:
    """The documents that are to be read, and afterwards those that were not met."""

    def __init__(
        self,
        found: Inventory,
        sources: Sequence[str],
        *,
        sample: int | None,
        shard: tuple[int, int] | None,
        retry: bool,
    ) -> None:
        self.found, self.sources, self.retry = found, sources, retry
        self.sample, self.shard = sample, shard
        self.met: set[str] = set()
        self.left_out = 0

    def __iter__(self) -> Iterator[Item]:
        items: Iterable[Item] = list_items(self.sources)
        if self.shard:
            k, n = self.shard
            items = (item for item in items if is_in_shard(item.name, k, n))
        if self.sample is not None:
            items = choose(items, self.sample)
        for item in items:
            self.met.add(item.name)
            known = self.found.documents.get(item.name)
            if known is None:
                yield item
            elif known.stamp == item.stamp and not known.gone and not (known.failed and self.retry):
                self.left_out += 1
            else:
                old = "" if known.failed else known.sha256
                yield replace(item, known=old, attempt=known.attempt + 1)

    def gone(self, shard: tuple[int, int] | None) -> list[str]:
        """Documents of these sources that are no longer there. Those of other sources are not asked after."""
        sources = {spelt for source in self.sources for spelt in spellings(source)}
        return sorted(
            name
            for name, known in self.found.documents.items()
            if sources & spellings(known.source)
            and name not in self.met
            and not known.gone
            and (shard is None or is_in_shard(name, *shard))
        )


def is_in_shard(name: str, k: int, n: int) -> bool:
    return int(uniform(name) * n) == k - 1


def choose(items: Iterable[Item], count: int) -> list[Item]:
    """So many of the items, drawn by their names: the same ones each time, and few of them in memory."""
    import heapq

    return heapq.nsmallest(count, items, key=lambda item: (uniform(item.name), item.name))


def get_engine(name: str, address: str | None = None) -> Engine:
    if name == "local":
        if address:
            raise FormatError("an address is for the engine ray only")
        return run_local
    from marginalia.corpus.ray_engine import on_ray

    return on_ray(address)


def estimate(sources: Sequence[str], settings: Settings, workers: int) -> dict[str, Any]:
    """Annotates a sample and throws it away. Hours are those of the whole with so many cores to itself."""
    settings = settings.check()
    check_sources(sources)
    items = choose(list_items(sources), SAMPLED)
    with Worker(settings, key_of(settings.facts())) as worker:
        worker.annotate(items[:1])
        part = worker.annotate(items)
    spent = sum(row.get("cpu", 0.0) for row in part.documents)
    each = spent / max(1, len(items))
    size = sum(len(data) for data in part.files.values()) / max(1, len(items))
    total = count_items(sources)
    return {
        "documents": total,
        "sample": len(items),
        "failed": sum(row["status"] == "error" for row in part.documents),
        "seconds_each": round(each, 3),
        "hours": None if total is None else round(total * each / workers / 3600, 3),
        "megabytes": None if total is None else round(total * size / 1e6, 1),
    }
