"""Sections by their headings."""

from __future__ import annotations

from typing import Any


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
    # A heading within a heading leaves nothing for the outer one.
    return [section for section in found if section["start"] < section["end"]]
