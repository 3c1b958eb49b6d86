"""DDI Lifecycle 3.1 to 3.3: variables with the questions, categories, concepts and universes that they point to.

Everything refers to everything else by id, in any order, so a file is read once, what may be pointed to is kept as plain
texts, and the variables come at its end. Both wrappers are read: ``DDIInstance`` and ``FragmentInstance``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import require_file
from marginalia.tasks.variables.catalogue.ddi import joined, local_name, refuse_entities, xml_events
from marginalia.tasks.variables.official.vocabulary import (
    NO_TEXT,
    Notes,
    Variable,
    make_variable,
    plain_text,
)

MAX_BYTES = 2 * 2**30
ROOTS = ("DDIInstance", "FragmentInstance")
_KEPT = frozenset(
    "Variable RepresentedVariable QuestionItem QuestionGrid Category CodeList Concept Universe VariableGroup".split()
)
"""Elements that are read when they end. None of them holds another of them but schemes do, which are walked through."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TITLED = ("StudyUnit", "Group")


@dataclass(slots=True)
class Found:
    """What a file holds, by id."""

    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    """Kind of element -> id -> its text."""
    codes: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Code list -> value and id of its category."""
    represented: dict[str, dict[str, str]] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)
    """Variable -> labels of its groups."""
    variables: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """The number of the study, and what the variable says and points to."""
    studies: list[dict[str, str]] = field(default_factory=lambda: [{}])

    def text(self, kind: str, id: str) -> str:
        return self.texts.get(kind, {}).get(id, "")


def read_lifecycle(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """Each ``Variable``, or ``RepresentedVariable`` where a file has nothing else."""
    from lxml import etree

    require_file(path, max_bytes=MAX_BYTES)
    try:
        parts = _collect(path)
    except etree.XMLSyntaxError as error:
        message = re.sub(r", line \d+, column \d+.*", "", error.msg or "it cannot be parsed")
        raise FormatError(
            f"not well-formed XML: {message}", path=path, line=error.lineno or None
        ) from error
    rows = parts.variables or [(0, row) for row in parts.represented.values()]
    for study, row in rows:
        yield _variable(parts, parts.studies[study] or parts.studies[-1], row, path, notes)


def _variable(
    parts: Found, study: Mapping[str, str], row: Mapping[str, Any], path: Path, notes: Notes
) -> Variable:
    base = parts.represented.get(row.get("represented", ""), {})
    row = {**base, **{name: value for name, value in row.items() if value}}
    codes = [
        (value, parts.text("Category", category))
        for value, category in parts.codes.get(row.get("codes", ""), ())
    ]
    questions = [parts.text("question", id) for id in row.get("questions", ())]
    topics = [parts.text("Concept", row.get("concept", "")), *parts.groups.get(row["id"], ())]
    universe = parts.text("Universe", row.get("universe", ""))
    described = row.get("description", "")
    fields = {
        "name": row.get("name", ""),
        "study": study.get("title", ""),
        "label": row.get("label", ""),
        "question": joined(questions),
        "answers": ";".join(label for _, label in codes if label),
        "topic": ";".join(dict.fromkeys(topic for topic in topics if topic)),
        "notes": " ".join(filter(None, [described, f"Universe: {universe}" if universe else ""])),
    }
    if not (fields["label"] or fields["question"]):
        notes[NO_TEXT] += 1
    id = row["id"]
    # Ids made by machines say nothing to a person who knows the variable by its name.
    if row.get("name") and (_UUID.search(id) or not id):
        id = row["name"]
    return make_variable(id, study.get("id") or path.name.split(".")[0], fields, codes)


def _collect(path: Path) -> Found:
    parts = Found()
    depth = 0
    inside: list[int] = []
    with path.open("rb") as file:
        for event, element in xml_events(file):
            name = local_name(element)
            if event == "start":
                if not depth:
                    refuse_entities(element, path)
                    if name not in ROOTS:
                        raise FormatError("this is not DDI Lifecycle", path=path)
                depth += 1
                if name == "StudyUnit":
                    parts.studies.append({})
                if name in _KEPT or name in ("Citation", "UserID"):
                    inside.append(depth)
                continue
            if inside and inside[-1] == depth:
                inside.pop()
                if not inside:
                    _keep(element, name, parts)
            depth -= 1
            if not inside:
                if name in _TITLED:
                    _name_study(element, parts)
                elif name not in ("Citation", "UserID", "ID", "Agency", "Version", "URN"):
                    element.clear(keep_tail=False)
                    while element.getprevious() is not None and name in _KEPT:
                        del element.getparent()[0]
    return parts


def _keep(element: Any, name: str, parts: Found) -> None:
    id = _id(element)
    if name in ("Variable", "RepresentedVariable"):
        row = _row(element, id)
        if name == "Variable":
            parts.variables.append((len(parts.studies) - 1, row))
        else:
            parts.represented[id] = row
    elif name in ("QuestionItem", "QuestionGrid"):
        texts = [_deep(one, "Text") or _words(one) for one in _children(element, "QuestionText")]
        parts.texts.setdefault("question", {})[id] = joined(texts)
    elif name in ("Category", "Concept", "Universe"):
        said = _labels(element) or joined(
            _deep(one, "Content") or _words(one)
            for kind in ("HumanReadable", "Description", f"{name}Name")
            for one in _children(element, kind)
        )
        parts.texts.setdefault(name, {})[id] = said
    elif name == "CodeList":
        rows = []
        for code in _children(element, "Code"):
            value = next((_words(one) for one in _children(code, "Value")), "")
            category = next((_id(one) for one in _children(code, "CategoryReference")), "")
            rows.append((value, category))
        parts.codes[id] = rows
    elif name == "VariableGroup" and (label := _labels(element)):
        for one in _children(element, "VariableReference"):
            parts.groups.setdefault(_id(one), []).append(label)


def _row(element: Any, id: str) -> dict[str, Any]:
    row: dict[str, Any] = {"id": id, "label": _labels(element), "questions": []}
    for child in element.iter():
        kind = local_name(child)
        if kind in ("VariableName", "RepresentedVariableName", "Name") and "name" not in row:
            row["name"] = _deep(child, "String") or _words(child)
        elif kind == "QuestionReference":
            row["questions"].append(_id(child))
        elif kind == "CodeListReference":
            row.setdefault("codes", _id(child))
        elif kind == "ConceptReference":
            row.setdefault("concept", _id(child))
        elif kind == "UniverseReference":
            row.setdefault("universe", _id(child))
        elif kind == "RepresentedVariableReference":
            row["represented"] = _id(child)
    described = (_deep(one, "Content") for one in _children(element, "Description"))
    row["description"] = joined(described)
    return row


def _name_study(element: Any, parts: Found) -> None:
    """Title and number of a study; of a series only where no study has a title."""
    study = local_name(element) == "StudyUnit"
    if not study and any(one.get("title") for one in parts.studies):
        return
    titles = [
        _deep(title, "String") or _words(title)
        for citation in _children(element, "Citation")
        for title in _children(citation, "Title")
    ]
    numbers = [_words(one) for one in _children(element, "UserID")]
    numbers += [
        _deep(one, "IdentifierContent")
        for citation in _children(element, "Citation")
        for one in _children(citation, "InternationalIdentifier")
    ]
    own = _id(element)
    numbers.append("" if _UUID.search(own) else own)
    parts.studies[-1] = {"title": joined(titles), "id": next(filter(None, numbers), "")}


def _id(element: Any) -> str:
    """The id of an element or of what it points to, from ID, from the URN, or as an attribute."""
    for child in _children(element, "ID"):
        return _words(child)
    for child in _children(element, "URN"):
        parts = _words(child).split(":")
        return parts[-2] if len(parts) > 3 else parts[-1]
    return (element.get("id") or "").strip()


def _labels(element: Any) -> str:
    """Its labels, in as many languages as it has them."""
    return joined(
        text
        for one in _children(element, "Label")
        for text in ([_words(c) for c in _children(one, "Content")] or [_words(one)])
    )


def _children(element: Any, name: str) -> Iterable[Any]:
    return (child for child in element if local_name(child) == name)


def _deep(element: Any, name: str) -> str:
    """The words of all elements of that name inside, one after the other; other languages after a stroke."""
    by_lang: dict[str, list[str]] = {}
    for one in element.iter():
        if local_name(one) == name:
            lang = one.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
            by_lang.setdefault(lang, []).append(_words(one))
    return joined(" ".join(filter(None, texts)) for texts in by_lang.values())


def _words(element: Any) -> str:
    return plain_text(" ".join(element.itertext()))
