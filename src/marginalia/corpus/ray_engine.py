"""The same batches on Ray Data: a pool of actors, on a cluster or on this machine.

Each actor has one worker, as each thread of the local engine has. An actor that is lost is replaced by Ray and its batch done
again; a part reaches the driver once, and only the driver commits.
"""

from __future__ import annotations

import json
import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from marginalia.core.errors import MissingError, missing_package
from marginalia.corpus.settings import Settings
from marginalia.corpus.sources import Item
from marginalia.corpus.supervisor import Part, Worker

CONNECT_SECONDS = 10.0


class RayWorker:
    """What runs in an actor: a row is a batch of documents, and becomes a row with its part."""

    def __init__(self, settings: dict[str, Any], key: str) -> None:
        self.worker = Worker(Settings.from_dict(settings), key)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        heads = json.loads(row["items"])
        items = []
        for number, head in enumerate(heads):
            data = row["data"][number]
            items.append(replace(Item(**head), data=None if data is None else bytes(data)))
        part = self.worker.annotate(items)
        head = {"documents": part.documents, "rows": part.rows, "tables": list(part.files)}
        return {"head": json.dumps(head), "files": list(part.files.values()) or [b""]}


def on_ray(address: str | None) -> Callable[..., Iterator[Part]]:
    """The engine on the cluster at this address; without one, on a cluster that it starts and ends."""

    def run_ray(
        batches: Iterable[Sequence[Item]], settings: Settings, key: str, workers: int
    ) -> Iterator[Part]:
        ray = start(address, workers)
        try:
            rows = [
                {
                    "items": json.dumps([item.to_dict() for item in batch]),
                    "data": [item.data for item in batch],
                }
                for batch in batches
            ]
            if not rows:
                return
            data = ray.data.from_items(rows, override_num_blocks=len(rows))
            parts = data.map(
                RayWorker,
                fn_constructor_args=(settings.to_dict(), key),
                compute=ray.data.ActorPoolStrategy(size=workers),
                num_cpus=1,
            )
            for row in parts.iter_rows():
                yield _part(row)
        finally:
            ray.shutdown()

    return run_ray


def start(address: str | None, workers: int) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
    try:
        import ray
        import ray.data
        from ray.job_config import JobConfig
    except ImportError as error:
        raise missing_package("The engine ray", "ray", "ray") from error

    class OwnModules(JobConfig):
        """Workers take no module from the folder one happens to be in, which Ray would add for a job without its own."""

        def _runtime_env_has_working_dir(self) -> bool:
            return True

    options: dict[str, Any] = {
        "job_config": OwnModules(),
        "log_to_driver": False,
        "logging_level": logging.ERROR,
    }
    try:
        if address:
            _reach(address)
            ray.init(address=address, **options)
        else:
            ray.init(
                address="local",  # not one that another program has left its address of
                num_cpus=workers + 1,
                include_dashboard=False,
                object_store_memory=512 * 2**20,
                **options,
            )
    except (OSError, ValueError, RuntimeError) as error:
        failed = f"There is no Ray cluster at {address!r}" if address else "Ray cannot be started"
        raise MissingError(f"{failed}: {error}".splitlines()[0]) from error
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    return ray


def _reach(address: str) -> None:
    """Ray itself waits for minutes where there is no answer."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host:
        with socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS):
            return


def _part(row: dict[str, Any]) -> Part:
    head = json.loads(row["head"])
    files = dict(zip(head["tables"], (bytes(data) for data in row["files"]), strict=False))
    return Part(documents=head["documents"], files=files, rows=head["rows"])
