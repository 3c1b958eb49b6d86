"""Sections by their headings, and the sections that hold references."""

from __future__ import annotations

from typing import Any

from marginalia.nlp.prose import is_reference_heading


def sections(text: str, regions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """``{title, level, start, end}`` of each section: from its heading to the next that is not below it."""
    heads = [region for region in regions if region["kind"] == "heading"]
    heads.sort(key=lambda region: region["start"])
    found: list[dict[str, Any]] = []
    unfinished: list[dict[str, Any]] = []
    for head in heads:
        while unfinished and unfinished[-1]["level"] >= head["level"]:
            unfinished.pop()["end"] = head["start"]
        title = " ".join(text[head["start"] : head["end"]].split())
        section = {"title": title, "level": head["level"], "start": head["start"], "end": len(text)}
        found.append(section)
        unfinished.append(section)
    for section in found:
        section["end"] = section["start"] + len(text[section["start"] : section["end"]].rstrip())
    return found


def with_references(text: str, regions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The regions, with one for each section that lists references and is not yet marked."""
    known = [region for region in regions if region["kind"] == "references"]
    ends = {region["start"]: region["end"] for region in regions if region["kind"] == "heading"}
    new = []
    for section in sections(text, regions):
        if not is_reference_heading(section["title"]):
            continue
        body = text[ends[section["start"]] : section["end"]]
        start = section["end"] - len(body.lstrip())
        if start < section["end"] and not any(
            one["start"] < section["end"] and start < one["end"] for one in known
        ):
            new.append({"kind": "references", "start": start, "end": section["end"]})
    return sorted([*regions, *new], key=lambda region: (region["start"], -region["end"]))
