"""A difference for people: lines for a terminal, and a page with both documents side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from marginalia.core.page import whole_page
from marginalia.reader.diff.alignment import Row, changed_words
from marginalia.reader.diff.difference import Change, Difference
from marginalia.reader.view.caption import shorten, without_controls

_STYLE = """
:root { color-scheme: light dark; --ins: #d9f2d9; --del: #fadcd9; --line: #8885 }
@media (prefers-color-scheme: dark) { :root { --ins: #1d4023; --del: #55201d } }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 80rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
border-bottom: 1px solid var(--line) } td.n { text-align: right; font-variant-numeric: tabular-nums }
table.text td { width: 50%; overflow-wrap: anywhere } tr.same td { opacity: .65 }
ins { background: var(--ins); text-decoration: none } del { background: var(--del); text-decoration: none }
"""


def as_text(difference: Difference) -> str:
    return without_controls("\n".join(_lines(difference))) + "\n"


def summary(difference: Difference) -> str:
    counts = ", ".join(f"{count} {kind}" for kind, count in difference.paragraphs.items())
    return f"paragraphs: {counts}"


def describe(change: Change) -> str:
    """The words of a change: what was and what is."""
    quotes = [shorten(one.quote, 60) for one in (change.old, change.new) if one is not None]
    return " → ".join(quotes)


def _lines(difference: Difference) -> Iterator[str]:
    yield f"{_name(difference, 'old')} → {_name(difference, 'new')}"
    yield summary(difference)
    for title, changes in _by_label(difference):
        yield ""
        yield title
        for change in changes:
            why = change.note.attrs.get("why")
            reason = f"  ({shorten(str(why), 80)})" if why and change.kind != "gone" else ""
            yield f"  {change.kind:8}{describe(change)}{_page(difference, change)}{reason}"
    for kind in ("contradiction", "repetition"):
        pairs = [pair for pair in difference.across if pair.kind == kind]
        if pairs:
            yield ""
            yield {"contradiction": "contradicted", "repetition": "said in other words"}[kind]
        for pair in pairs:
            yield f"  - {shorten(difference.old.text[pair.old_start : pair.old_end], 160)}"
            yield f"  + {shorten(difference.new.text[pair.new_start : pair.new_end], 160)}"
    if difference.numbers:
        yield ""
        yield "numbers"
        yield from (f"  {each.name}: {each.old:g} → {each.new:g}" for each in difference.numbers)


def _by_label(difference: Difference) -> Iterator[tuple[str, list[Change]]]:
    by_label: dict[tuple[str, str], list[Change]] = {}
    for change in difference.changes:
        by_label.setdefault((change.note.task, change.note.label), []).append(change)
    for annotator, label in sorted(by_label):
        yield f"{annotator}: {label}", by_label[annotator, label]


def _page(difference: Difference, change: Change) -> str:
    doc = difference.new if change.new else difference.old
    page = doc.page(change.note.start)
    return f", p. {page}" if page else ""


def _name(difference: Difference, side: str) -> str:
    doc = difference.old if side == "old" else difference.new
    return str(doc.meta.get("path") or doc.id)


def as_page(difference: Difference) -> str:
    """One HTML page without script or network."""
    names = [escape(_name(difference, side)) for side in ("old", "new")]
    title = " → ".join(_name(difference, side) for side in ("old", "new"))
    changes = "".join(
        f"<tr><td>{escape(one.note.task)}: {escape(one.note.label)}</td><td>{one.kind}</td>"
        f"<td>{_quote(one.old, 'del', one)}</td><td>{_quote(one.new, 'ins', one)}</td>"
        f"<td>{escape(shorten(str(one.note.attrs.get('why') or ''), 160))}</td></tr>"
        for one in difference.changes
    )
    across = "".join(
        f"<tr><td>{escape(one.kind)}</td><td>{escape(difference.old.text[one.old_start : one.old_end])}</td>"
        f"<td>{escape(difference.new.text[one.new_start : one.new_end])}</td><td>{escape(one.why)}</td></tr>"
        for one in difference.across
    )
    numbers = "".join(
        f'<tr><td>{escape(one.name)}</td><td class="n">{one.old:g}</td><td class="n">{one.new:g}</td></tr>'
        for one in difference.numbers
    )
    parts = [
        _table("Notes", ("kind", "", names[0], names[1], "why"), changes),
        _table("Contradicted, or said in other words", ("", names[0], names[1], "why"), across),
        _table("Numbers", ("", names[0], names[1]), numbers),
        _table("Text", names, "".join(_row(difference, row) for row in difference.rows), "text"),
    ]
    head = f"<h1>{escape(title)}</h1>\n<p>{escape(summary(difference))}</p>"
    return whole_page(title, f"{head}\n{''.join(parts)}", style=_STYLE)


def _table(title: str, columns: tuple[str, ...] | list[str], body: str, kind: str = "") -> str:
    if not body:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in columns)
    return (
        f'<h2>{title}</h2>\n<table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>\n"
    )


def _quote(note: object, tag: str, change: Change) -> str:
    if note is None:
        return ""
    quote = escape(shorten(str(getattr(note, "quote", "")), 160))
    return f"<{tag}>{quote}</{tag}>" if change.kind == "changed" else quote


def _row(difference: Difference, row: Row) -> str:
    old = difference.old.text[row.old.start : row.old.end] if row.old else ""
    new = difference.new.text[row.new.start : row.new.end] if row.new else ""
    if row.kind == "changed":
        sides = changed_words(old, new)
        cells = _marked(sides[0], "del"), _marked(sides[1], "ins")
    else:
        cells = (
            f"<del>{escape(old)}</del>" if row.kind == "gone" else escape(old),
            f"<ins>{escape(new)}</ins>" if row.kind == "new" else escape(new),
        )
    return f'<tr class="{row.kind}"><td>{cells[0]}</td><td>{cells[1]}</td></tr>'


def _marked(pieces: Iterable[tuple[str, bool]], tag: str) -> str:
    return "".join(
        f"<{tag}>{escape(text)}</{tag}>" if changed else escape(text) for text, changed in pieces
    )
