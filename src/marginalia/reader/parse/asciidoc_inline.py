"""The inline mark-up of AsciiDoc: emphasis, code, links, notes, attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from marginalia.reader.parse.content import Builder
from marginalia.reader.parse.scripts import shifted

_PIECE = re.compile(
    r"""
    (?P<code>``[^`]{1,500}``|`[^`\s](?:[^`]{0,500}[^`\s])?`)
  | \+\+\+(?P<raw>[^+]{0,500})\+\+\+
  | (?P<maths>(?:stem|latexmath|asciimath):\[(?P<formula>[^\[\]]{0,500}+)\])
  | (?:kbd|btn|menu):\S{0,50}\[(?P<key>[^\[\]]{0,500}+)\]
  | (?:image|icon|indexterm2?|anchor):[^\s\[]{0,500}\[[^\[\]]{0,500}+\]
  | footnote(?:ref)?:[^\s\[]{0,50}\[(?P<note>(?:[^\[\]]|\[[^\[\]]{0,200}+\]){0,500}+)\]
  | (?:link|xref|mailto):[^\s\[]{1,500}\[(?P<link>[^\[\]]{0,500}+)\]
  | (?P<url>(?:https?|ftp|irc)://[^\s\[\]<>]+)(?:\[(?P<label>[^\[\]]{0,500}+)\])?
  | <<[^,<>]{0,200}+(?:,(?P<cross>[^<>]{0,500}+))?>>
  | \[\[[^\[\]]{0,200}+\]\]
  | \(\(\([^()]{0,200}+\)\)\)
  | \[[^\]\s]{0,100}\](?=[\#*_`])
  | \^(?P<sup>[^\s^]{1,100})\^
  | ~(?P<sub>[^\s~]{1,100})~
  | \{(?P<name>[\w-]{1,100})\}
  | (?P<mark>\*\*|__|\#\#|(?<!\w)[*_\#](?=\S)|(?<=\S)[*_\#](?!\w))
    """,
    re.VERBOSE,
)
"""One piece of mark-up. What may repeat is bounded, so that an unclosed one costs little."""
_NAMED = {
    "amp": "&", "apos": "'", "asterisk": "*", "backtick": "`", "deg": "°", "empty": "", "gt": ">", "lt": "<",
    "nbsp": "\u00a0", "plus": "+", "sp": " ", "zwsp": "", "vbar": "|", "startsb": "[", "endsb": "]",
}  # fmt: skip


def add_inline(builder: Builder, text: str, attributes: Mapping[str, str]) -> list[str]:
    """Add the text of a line without its mark-up; the footnotes in it."""
    position, notes = 0, []
    for found in _PIECE.finditer(text):
        builder.flow(text[position : found.start()])
        position = found.end()
        _add(builder, found, attributes)
        notes += [found["note"]] if found["note"] else []
    builder.flow(text[position:])
    return notes


def _add(builder: Builder, found: re.Match[str], attributes: Mapping[str, str]) -> None:
    if found["code"] or found["maths"] or found["key"]:
        builder.open("formula" if found["maths"] else "code", inline=True)
        builder.flow(found["formula"] or found["key"] or (found["code"] or "").strip("`+"))
        builder.close()
    elif found["sup"] or found["sub"]:
        script = "sup" if found["sup"] else "sub"
        builder.add(shifted(found[script], script))
    elif found["url"]:
        builder.flow((found["label"] or "").split("^")[0] or found["url"])
    elif found["name"]:
        name = found["name"]
        builder.flow(attributes.get(name, _NAMED.get(name, "")))
    else:
        builder.flow(found["raw"] or (found["link"] or "").rstrip("^") or found["cross"] or "")
