"""As much of protobuf's wire format as it takes to change a few messages of a large file and leave the rest alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
FIXED = {FIXED64: 8, FIXED32: 4}
MOST_BITS = 63


class WireError(ValueError):
    """These bytes are no message."""


class Field(NamedTuple):
    """A field of a message: its number, its number or content, and the bytes from ``begin`` to ``end`` with its key."""

    number: int
    value: int
    """Of a varint; 0 of the others."""
    content: memoryview
    """Of all but a varint, whose content is empty."""
    begin: int
    end: int

    @property
    def text(self) -> str:
        return bytes(self.content).decode("utf-8", "replace")


def fields(message: memoryview) -> Iterator[Field]:
    """The fields of a message in their order; nothing is copied."""
    at = 0
    while at < len(message):
        begin = at
        key, at = _varint(message, at)
        number, wire = key >> 3, key & 7
        value = 0
        if wire == VARINT:
            value, at = _varint(message, at)
            content = message[at:at]
        else:
            if wire == BYTES:
                size, at = _varint(message, at)
            elif wire in FIXED:
                size = FIXED[wire]
            else:
                raise WireError(f"there is no wire type {wire}")
            if size > len(message) - at:
                raise WireError("a field is longer than its message")
            content = message[at : at + size]
            at += size
        yield Field(number, value, content, begin, at)


def numbers(packed: memoryview) -> Iterator[int]:
    """The numbers of a field that holds many."""
    at = 0
    while at < len(packed):
        value, at = _varint(packed, at)
        yield value


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = 0
    for shift in range(0, MOST_BITS, 7):
        if at >= len(message):
            raise WireError("a number is cut off")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    # A negative number takes ten bytes; none of the fields that are looked at has one.
    while at < len(message) and message[at] >= 0x80:
        at += 1
    return -1, at + 1


def number(field: int, value: int) -> bytes:
    """A field that holds a number."""
    return _as_varint(field << 3 | VARINT) + _as_varint(value)


def key(field: int, size: int) -> bytes:
    """What stands before ``size`` bytes of content."""
    return _as_varint(field << 3 | BYTES) + _as_varint(size)


def content(field: int, value: bytes | str) -> bytes:
    """A field that holds bytes, a text or a message."""
    value = value.encode() if isinstance(value, str) else value
    return key(field, len(value)) + value


def _as_varint(value: int) -> bytes:
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)
