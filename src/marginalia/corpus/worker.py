"""The process that annotates: one inference thread, models loaded once, limits on memory.

It reads documents from standard input, one at a time, and answers each with its rows; a message is a JSON head and
bytes. A document that cannot be read or annotated is answered with the reason; the supervisor handles one that ends the
process.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from marginalia.core.errors import MarginaliaError
from marginalia.core.own_weights import use_weights
from marginalia.corpus.document_rows import load, make_rows
from marginalia.corpus.settings import Settings, document_key
from marginalia.corpus.sources import Item
from marginalia.corpus.tables import arrow, make_table, to_ipc
from marginalia.reader.pdf.child import limit_memory

_SIZES = struct.Struct("!IQ")


def send(stream: IO[bytes], head: dict[str, Any], data: bytes = b"") -> None:
    text = json.dumps(head).encode()
    stream.write(_SIZES.pack(len(text), len(data)))
    stream.write(text)
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """The next message; None where the other side has ended, if need be in the middle of one."""
    sizes = stream.read(_SIZES.size)
    if len(sizes) < _SIZES.size:
        return None
    text_size, data_size = _SIZES.unpack(sizes)
    text, data = stream.read(text_size), stream.read(data_size)
    if len(text) < text_size or len(data) < data_size:
        return None
    return json.loads(text), data


def main() -> None:
    # What a library prints must not get between the messages.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    first = receive(sys.stdin.buffer)
    if first is None:
        return
    settings, key = Settings.from_dict(first[0]["settings"]), first[0]["key"]
    if settings.weights:
        use_weights(settings.weights)
    arrow().set_cpu_count(1)
    limit_memory(_size() + settings.memory)
    send(answers, {"status": "ready"})
    while (message := receive(sys.stdin.buffer)) is not None:
        head, data = message
        item = Item(**head["item"])
        answer(answers, replace(item, data=data if head["inline"] else None), settings, key)


def answer(answers: IO[bytes], item: Item, settings: Settings, key: str) -> None:
    begun, used = time.perf_counter(), time.process_time()
    own = document_key(item.name, item.stamp, key, item.attempt)
    head: dict[str, Any] = {"status": "error", "sha256": "", "key": own}
    made: dict[str, bytes] = {}
    try:
        data = load(item)
        head["sha256"] = hashlib.sha256(data).hexdigest()
        head["key"] = document_key(item.name, head["sha256"], key, item.attempt)
        if head["sha256"] == item.known:
            head["status"] = "same"
        else:
            rows = make_rows(item, data, head["key"], settings)
            made = {table: to_ipc(make_table(table, found)) for table, found in rows.items()}
            head |= {"status": "done", "notes": Counter(map(_name, rows["annotations"]))}
            head["rows"] = {table: len(found) for table, found in rows.items()}
    except MarginaliaError as error:
        head |= {"kind": "unreadable", "reason": str(error)}
    except MemoryError:
        limit = f"{settings.memory / 2**20:,.0f} MB"
        head |= {"kind": "memory", "reason": f"it needs more memory than the limit of {limit}"}
    except RecursionError:
        head |= {"kind": "unreadable", "reason": "it is nested too deeply"}
    except OSError as error:
        head |= {"kind": "unreadable", "reason": f"it cannot be opened: {error.strerror or error}"}
    except Exception as error:  # one document must not stop the others, whatever a task does
        head |= {"kind": _kind(error), "reason": f"{type(error).__name__}: {error}"[:500]}
    head |= {"seconds": time.perf_counter() - begun, "cpu": time.process_time() - used}
    head["tables"] = {table: len(data) for table, data in made.items()}
    send(answers, head, b"".join(made.values()))


def _name(row: dict[str, Any]) -> str:
    return f"{row['task']}: {row['label']}"


def _kind(error: Exception) -> str:
    """onnxruntime has no class of its own for memory that it did not get."""
    said = str(error).lower()
    return "memory" if "bad_alloc" in said or "failed to allocate" in said else "failed"


def _size() -> int:
    """Bytes of address space that the process has."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return 2 * 2**30
    return int(status.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
