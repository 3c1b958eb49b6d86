"""What ``marginalia similar`` found, in the terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from marginalia.cli.output import console, print_table

MAX_CLUSTERS = 20
"""Clusters that are shown; a file holds them all."""
MAX_MEMBERS = 6
MAX_BEST = 10

STYLES = {"same": "green", "near": "cyan", "differs": "bold red", "alone": "yellow"}
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def show(kind: str, data: Mapping[str, Any]) -> None:
    views = {
        "sentences": _sentences,
        "records": _records,
        "documents": _documents,
        "lookup": _lookup,
        "passages": _passages,
    }
    views[kind](data, console())


def marks(data: Mapping[str, Any], side: str) -> list[tuple[int, int, str]]:
    """Spans of one of two sentences with what they are: ``same``, ``near``, ``differs`` or ``alone``."""
    found = []
    for link in data["aligned"]:
        what = "near" if link["kind"] == "near" else "same"
        found.append((link[side]["start"], link[side]["end"], what))
    found += [(word["start"], word["end"], "alone") for word in data[f"only_{side}"]]
    differing = [one[side] for one in data["differences"] if one[side]]
    spans = [(one["start"], one["end"], "differs") for one in differing]
    kept = [mark for mark in found if not any(mark[0] < e and s < mark[1] for s, e, _ in spans)]
    return sorted(kept + spans)


def place(passage: Mapping[str, Any]) -> str:
    """Where a passage stands: document, page and heading."""
    parts = [passage["document"]]
    if passage["page"]:
        parts.append(f"p. {passage['page']}")
    if passage["section"]:
        parts.append(f"“{passage['section']}”")
    return ", ".join(part for part in parts if part)


def summary(data: Mapping[str, Any]) -> str:
    """How the passages were sought, in a sentence."""
    if not data["sentences"]:
        return "no sentence is long enough to compare"
    documents = "1 document" if data["documents"] == 1 else f"{data['documents']:,} documents"
    how = (
        "by meaning: all were compared"
        if data["by"] == "meaning"
        else f"by words: the {data['encoded']:,} that share rare words were compared by meaning"
    )
    return f"{data['sentences']:,} sentences in {documents}, {data['distinct']:,} of them distinct; {how}"


def _sentences(data: Mapping[str, Any], screen: Console) -> None:
    screen.print(_score(data))
    for side in ("left", "right"):
        text = Text(_safe(data[side]))
        for start, end, what in marks(data, side):
            text.stylize(STYLES[what], start, end)
        screen.print(Padding(text, (1, 0, 0, 2)))
    screen.print()
    for why in data["why"]:
        screen.print(Text(_safe(f"- {why}")))
    near = [link for link in data["aligned"] if link["kind"] == "near"]
    if near:
        pairs = (f"{link['left']['text']} ~ {link['right']['text']}" for link in near)
        screen.print(Text(_safe(f"- near in meaning: {', '.join(pairs)}")))
    legend = Text()
    for what, said in (
        ("same", "on both sides"),
        ("near", "near in meaning"),
        ("alone", "on one side only"),
        ("differs", "disagrees"),
    ):
        legend.append(said, style=STYLES[what]).append("  ")
    if screen.is_terminal:
        screen.print()
        screen.print(legend)


def _records(data: Mapping[str, Any], _: Console) -> None:
    rows = [(name, score, "; ".join(data["why"][name])) for name, score in data["scores"].items()]
    columns = ("similarity", "score", "evidence")
    print_table(f"general: {data['meaning']}", columns, _safe_rows(rows))


def _documents(data: Mapping[str, Any], screen: Console) -> None:
    screen.print(_score(data))
    names = data["names"]
    for side, other in (("left", "right"), ("right", "left")):
        said = (
            f"{data['said'][side]:.0%} of the sentences of {names[side]} are in {names[other]} too"
        )
        screen.print(Text(_safe(said)))
    same = [one for one in data["left"] if one["passage"]["text"] == one["other"]["text"]]
    screen.print(Text(f"{len(same)} of {len(data['left'])} are identical"))
    others = [one for one in data["left"] if one["passage"]["text"] != one["other"]["text"]]
    rows = [
        (one["score"], one["passage"]["text"], one["other"]["text"], "; ".join(one["differs"]))
        for one in sorted(others, key=lambda one: -one["score"])[:MAX_BEST]
    ]
    if rows:
        columns = ("score", names["left"], names["right"], "differs")
        note = _more(len(others), len(rows))
        print_table("paraphrased, best first", columns, _safe_rows(rows), note=note)


def _lookup(data: Mapping[str, Any], _: Console) -> None:
    rows = [
        (one["score"], place(one["other"]), one["other"]["text"], "; ".join(one["differs"]))
        for one in data["passages"]
    ]
    print_table(
        _safe(f"most like “{data['sentence']}”"),
        ("score", "where", "passage", "differs"),
        _safe_rows(rows),
    )


def _passages(data: Mapping[str, Any], screen: Console) -> None:
    screen.print(Text(summary(data)))
    if not data["complete"]:
        screen.print(Text("there are more pairs than the limit: raise --limit or --min"))
    if not data["clusters"]:
        if data["sentences"]:
            screen.print(Text("no repeated passages"))
        return
    scores, differs = by_cluster(data["matches"])
    for number, cluster in enumerate(data["clusters"][:MAX_CLUSTERS], 1):
        members = cluster["passages"]
        screen.print()
        head = f"{number}. {len(members)} passages, score {scores[number]:.2f}"
        screen.print(Text(head, style="bold"))
        for passage in members[:MAX_MEMBERS]:
            line = Text().append(_safe(f"{place(passage)}: "), style="cyan")
            screen.print(Padding(line.append(_safe(passage["text"])), (0, 0, 0, 3)))
        if len(members) > MAX_MEMBERS:
            screen.print(Text(f"   and {len(members) - MAX_MEMBERS} more"))
        for said in differs[number][:MAX_MEMBERS]:
            screen.print(Padding(Text(_safe(said), style="red"), (0, 0, 0, 3)))
    screen.print()
    screen.print(
        Text(_more(len(data["clusters"]), MAX_CLUSTERS) or "--json shows every pair.", "dim")
    )


def by_cluster(
    matches: Sequence[Mapping[str, Any]],
) -> tuple[dict[int, float], dict[int, list[str]]]:
    """The highest score in each cluster, and what differs in it."""
    scores: dict[int, float] = {}
    differs: dict[int, list[str]] = {}
    for match in matches:
        number = match["cluster"]
        scores[number] = max(scores.get(number, 0.0), match["score"])
        known = differs.setdefault(number, [])
        known += [said for said in match["differs"] if said not in known]
    return scores, differs


def _score(data: Mapping[str, Any]) -> Text:
    return Text().append(f"{data['score']:.2f}", style="bold").append(f" of 5: {data['meaning']}")


def _more(count: int, shown: int) -> str:
    return f"{count - shown:,} more with --json or -o FILE" if count > shown else ""


def _safe_rows(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[_safe(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]


def _safe(text: str) -> str:
    """A document must not be able to send commands to the terminal. One sign for one, so offsets hold."""
    return _CONTROL.sub("\ufffd", text).replace("\n", " ")
