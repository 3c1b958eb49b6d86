"""Messages between the process that asks and the one that annotates: a JSON head and bytes."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

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
