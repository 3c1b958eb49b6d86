"""Files with pieces cut out, doubled, moved, overwritten or made odd; the same seed makes the same file."""

from __future__ import annotations

import random

ODD = (
    b"\0",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    "\u2028".encode(),
    "\u202e".encode(),
    b"NaN",
    b"Infinity",
    b"-1",
    b"9" * 400,
    b"1e999",
    b"null",
    b"\r",
    b"\n",
    b"\t",
    b'"',
    b"{" * 60,
    b"[" * 60,
    b"]]>",
    b"<!--",
    b"&#xD800;",
    b"\\ud800",
    b"\x1b[31m",
    b"../../x",
)
"""What has broken a parser somewhere."""


def mutate(data: bytes, seed: int) -> bytes:
    """One to five changes, each at a random place."""
    rng = random.Random(seed)
    out = bytearray(data)
    for _ in range(rng.randint(1, 5)):
        if not out:
            break
        start = rng.randrange(len(out))
        end = min(len(out), start + rng.randrange(80))
        match rng.randrange(7):
            case 0:
                del out[start:end]
            case 1:
                out[start:start] = out[start:end] * rng.randint(1, 3)
            case 2:
                out[start:end] = rng.randbytes(rng.randrange(12))
            case 3:
                out[start] ^= 1 << rng.randrange(8)
            case 4:
                del out[start:]
            case 5:
                out[start:end] = rng.choice(ODD)
            case _:
                place = rng.randrange(len(out))
                out[place:place] = out[start:end]
    return bytes(out)
