"""What ``marginalia similar`` found as one HTML page. No script, no network."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from html import escape
from importlib.resources import files
from typing import Any

from marginalia.annotators.consistency.commands.view import by_cluster, marks, place, summary
from marginalia.core.page import whole_page
from marginalia.nlp.tokens import lower_words, words

MAX_ENTRIES = 500
"""Clusters or passages on a page; more would be slow to open, and JSON holds them all."""
STYLE = """
main { max-width: 64.5rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem }
mark.same { --c: var(--c2) } mark.near { --c: var(--c1) } mark.alone { --c: var(--c5) }
mark.differs { --c: var(--c4); font-weight: 600 }
.pair { display: grid; grid-template-columns: 1fr 1fr; column-gap: 2.5rem }
.where { color: var(--quiet); font: .8125rem/1.4 system-ui, sans-serif }
.score { font-weight: 600 } .differing { color: var(--c4) }
td, th { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0 }
h2 { font-size: 1.15rem; margin: 1.6rem 0 .3rem } li { margin-bottom: .4rem }
@media (max-width: 50rem) { .pair { display: block } }
"""


def page(kind: str, data: Mapping[str, Any]) -> str:
    parts = {
        "sentences": _sentences,
        "records": _records,
        "documents": _documents,
        "lookup": _lookup,
        "passages": _passages,
    }
    style = files("marginalia.reader.formats").joinpath("page.css").read_text(encoding="utf-8")
    body = "\n".join(parts[kind](data))
    return whole_page("What says the same", f"<main>\n{body}\n</main>", style=f"{style}{STYLE}")


def _sentences(data: Mapping[str, Any]) -> Iterable[str]:
    yield _score(data)
    yield '<div class="pair">'
    for side in ("left", "right"):
        yield f"<p>{marked(data[side], marks(data, side))}</p>"
    yield "</div>"
    yield f"<ul>{''.join(f'<li>{escape(why)}</li>' for why in data['why'])}</ul>"
    yield (
        '<p class="where"><mark class="same">on both sides</mark> <mark class="near">near in meaning</mark> '
        '<mark class="alone">on one side only</mark> <mark class="differs">disagrees</mark></p>'
    )


def _records(data: Mapping[str, Any]) -> Iterable[str]:
    yield f"<p>general: {escape(data['meaning'])}</p>"
    rows = (
        f"<tr><td>{escape(name)}</td><td>{score:.2f}</td>"
        f"<td>{'<br>'.join(escape(why) for why in data['why'][name])}</td></tr>"
        for name, score in data["scores"].items()
    )
    head = "<tr><th>similarity</th><th>score</th><th>evidence</th></tr>"
    yield f"<table>{head}{''.join(rows)}</table>"


def _documents(data: Mapping[str, Any]) -> Iterable[str]:
    yield _score(data)
    names = data["names"]
    for side, other in (("left", "right"), ("right", "left")):
        share = f"{data['said'][side]:.0%}"
        yield (
            f"<h2>{escape(names[side])}: {share} of its sentences are also in {escape(names[other])}</h2>"
        )
        for one in data[side][:MAX_ENTRIES]:
            yield _pair(one)
        if len(data[side]) > MAX_ENTRIES:
            yield f"<p>and {len(data[side]) - MAX_ENTRIES:,} more</p>"


def _lookup(data: Mapping[str, Any]) -> Iterable[str]:
    yield f"<p>most like “{escape(data['sentence'])}”</p><ol>"
    for one in data["passages"]:
        yield f'<li><span class="score">{one["score"]:.2f}</span> {_passage(one["other"])}</li>'
    yield "</ol>"


def _passages(data: Mapping[str, Any]) -> Iterable[str]:
    yield f"<p>{escape(summary(data))}</p>"
    if data["sentences"] and not data["clusters"]:
        yield "<p>Nothing is said twice.</p>"
    scores, differs = by_cluster(data["matches"])
    for number, cluster in enumerate(data["clusters"][:MAX_ENTRIES], 1):
        members = cluster["passages"]
        yield f"<h2>{number}. {len(members)} passages, score {scores[number]:.2f}</h2><ul>"
        known = [set(lower_words(passage["text"])) for passage in members[:2]]
        for turn, passage in enumerate(members[:MAX_ENTRIES]):
            yield f"<li>{_passage(passage, known[0] if turn else known[-1])}</li>"
        yield "</ul>"
        if differs[number]:
            yield f'<p class="differing">{escape("; ".join(differs[number][:10]))}</p>'
    if len(data["clusters"]) > MAX_ENTRIES:
        yield f"<p>and {len(data['clusters']) - MAX_ENTRIES:,} more</p>"


def _pair(one: Mapping[str, Any]) -> str:
    differs = escape("; ".join(one["differs"]))
    return (
        f'<div class="pair"><p><span class="score">{one["score"]:.2f}</span> '
        f"{_passage(one['passage'])}</p><p>{_passage(one['other'])} "
        f'<span class="differing">{differs}</span></p></div>'
    )


def _passage(passage: Mapping[str, Any], known: Collection[str] | None = None) -> str:
    """A passage with its place; words that are not ``known`` are marked."""
    spans = [
        (*match.span(), "alone")
        for match in words(passage["text"])
        if known is not None and match.group().lower() not in known
    ]
    where = f"{place(passage)}, {passage['start']}–{passage['end']}".removeprefix(", ")
    return f'{marked(passage["text"], spans)} <span class="where">{escape(where)}</span>'


def marked(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """The text as HTML with the spans marked; of two that overlap only the first."""
    parts, last = [], 0
    for start, end, what in spans:
        if start < last:
            continue
        parts.append(escape(text[last:start]))
        parts.append(f'<mark class="{what}">{escape(text[start:end])}</mark>')
        last = end
    return "".join(parts) + escape(text[last:])


def _score(data: Mapping[str, Any]) -> str:
    return f'<p><span class="score">{data["score"]:.2f} of 5</span>: {escape(data["meaning"])}</p>'
