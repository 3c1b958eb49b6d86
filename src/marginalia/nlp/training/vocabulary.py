"""The pieces of a large vocabulary that texts of chosen languages use.

A multilingual tokenizer spends most of its pieces on other languages. Who reads English and German alone
needs about a quarter of them, and in a small encoder the vectors of the pieces are most of the weights.
A text whose own pieces are all kept is cut exactly as before, since the best cut is still there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

COMMONEST = 200_000
"""Words of a language that are looked at; of capitals alone a quarter as many."""

AT_ONCE = 2000


def used_pieces(tokenizer: bytes, languages: Iterable[str]) -> list[int]:
    """The ids to keep, in order: what the commonest words need, and what any text may need.

    The latter are single characters (so that nothing becomes unknown), pieces without a letter (numbers
    and marks), and what a list of words in small letters cannot show: ß and capitals inside a word.
    """
    from tokenizers import Tokenizer

    cutter = Tokenizer.from_str(tokenizer.decode())
    kept = {token for token, piece in cutter.get_added_tokens_decoder().items()}
    kept |= {token for piece, token in cutter.get_vocab().items() if always(piece)}
    for lang in languages:
        for encoding in cutter.encode_batch(list(samples(lang)), add_special_tokens=False):
            kept.update(encoding.ids)
    return sorted(kept)


def always(piece: str) -> bool:
    """Whether a piece is kept whatever the language."""
    bare = piece.lstrip("▁")
    return (
        len(piece) == 1
        or not any(letter.isalpha() for letter in piece)
        or "ß" in piece
        or (bare.isascii() and bare not in (bare.lower(), bare.upper(), bare.capitalize()))
    )


def samples(lang: str) -> Iterator[str]:
    """The commonest words of a language as texts stand: small, with a capital, in capitals, after a mark."""
    import wordfreq

    words: Sequence[str] = wordfreq.top_n_list(lang, COMMONEST, wordlist="best")
    capital = [word[:1].upper() + word[1:] for word in words]
    capitals = [word.upper() for word in words[: COMMONEST // 4]]
    for written in (words, capital, capitals):
        for start in range(0, len(written), AT_ONCE):
            part = written[start : start + AT_ONCE]
            yield " ".join(part)
            yield " ".join(f"({word}" for word in part)


def keep_pieces(tokenizer: bytes, ids: Sequence[int]) -> bytes:
    """The ``tokenizer.json`` of a Unigram model with these pieces alone; the id is now the place in ``ids``."""
    whole: dict[str, Any] = json.loads(tokenizer)
    new = {old: place for place, old in enumerate(ids)}
    model = whole["model"]
    model["vocab"] = [model["vocab"][old] for old in ids]
    model["unk_id"] = new[model["unk_id"]]
    for token in whole["added_tokens"]:
        token["id"] = new[token["id"]]
    for mark in whole["post_processor"]["special_tokens"].values():
        mark["ids"] = [new[old] for old in mark["ids"]]
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
