"""Papers linked to a catalogue as one HTML page: the text with its notes, then an index of the variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from marginalia.annotators.variables.links import Linked
from marginalia.reader.formats.html import dump

STYLE = """
.index { max-width: 64.5rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; border-top: 1px solid var(--rule) }
.index h2 { font-size: 1.3rem } .index h3 { font-size: 1rem; margin: 1.2rem 0 .2rem }
.index li { margin: .2rem 0 } .index small { color: var(--quiet) }
"""


def page(found: Sequence[Linked]) -> str:
    """The reader's page with an index at its end."""
    html = dump([one.doc for one in found]).replace("</style>", f"{STYLE}</style>", 1)
    head, _, tail = html.rpartition("</body>")
    return f"{head}{''.join(_index(one) for one in found)}</body>{tail}"


def _index(one: Linked) -> str:
    rows = one.index()
    if not rows:
        return ""
    title = escape(f"Variables in {one.doc.meta.get('title') or one.doc.id}")
    return f'<div class="index"><h2>{title}</h2>{"".join(map(_variable, rows))}</div>'


def _variable(row: Any) -> str:
    same = f" <small>and {len(row['same'])} alike</small>" if row["same"] else ""
    uses = "".join(_uses(row["sentences"]))
    return f"<h3>{escape(row['id'])} {escape(row['label'])}{same}</h3><ul>{uses}</ul>"


def _uses(sentences: Sequence[Any]) -> Iterator[str]:
    for use in sentences:
        where = f"p. {use['page']}, " if use["page"] else ""
        quote = escape(" ".join(use["quote"].split()))
        text = f"<b>{quote}</b>" if use["central"] else quote
        yield f"<li>{text} <small>{where}{use['kind']}, {use['score']:.2f}</small></li>"
