"""DDI Codebook, any version from 1.2 to 2.6: read as a stream, so that its size does not matter.

Nothing outside the file is looked at: no DTD, no entities, no network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html.entities import name2codepoint
from pathlib import Path
from typing import IO, Any

from marginalia.core.errors import FormatError
from marginalia.core.files import require_file
from marginalia.tasks.variables.official.vocabulary import (
    NO_ID,
    NO_TEXT,
    Notes,
    Variable,
    make_variable,
    plain_text,
)

MAX_BYTES = 8 * 2**30
NO_STUDY = "codebooks do not name their study; the file's name stands for it"
UNKNOWN_ENTITY = "references to unknown entities are left as they are written"

_KEPT = frozenset(("var", "varGrp", "stdyDscr"))
"""Elements that are read when they end; until then what is in them stays in memory."""
MAX_TAG_BYTES = 100
"""Bytes of a tag's name with its prefix, at most."""
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_LIFECYCLE = re.compile(rb"<(?:[\w.-]+:)?(?:DDIInstance|FragmentInstance)[\s>]")
HEAD_BYTES = 20_000
_GROUP = re.compile(rb"<(?:[\w.-]+:)?varGrp[\s>]")
_VARIABLE = re.compile(rb"<(?:[\w.-]+:)?var[\s>]")


def read_ddi(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """Each ``var`` with its labels, question, answer categories and topics; DDI Lifecycle goes to its own reader."""
    from lxml import etree

    require_file(path, max_bytes=MAX_BYTES)
    if _LIFECYCLE.search(_head(path)):
        from marginalia.tasks.variables.catalogue.lifecycle import read_lifecycle

        yield from read_lifecycle(path, notes, columns)
        return
    try:
        book = Codebook(path, notes)
        # By the schema groups come first; where they do not, they are read on their own before.
        if _groups_come_late(path):
            for _ in _elements(path, book, wanted=("varGrp",)):
                pass
            book.place = 0
        for element in _elements(path, book, wanted=("stdyDscr", "varGrp", "var")):
            if local_name(element) == "var":
                yield book.variable(element)
    except etree.XMLSyntaxError as error:
        message = re.sub(r", line \d+, column \d+.*", "", error.msg or "it cannot be parsed")
        raise FormatError(
            f"not well-formed XML: {message}", path=path, line=error.lineno or None
        ) from error


@dataclass(frozen=True, slots=True)
class Group:
    """A ``varGrp``: what it is called, and the ids of its variables and of the groups in it."""

    labels: list[str]
    variables: list[str]
    groups: list[str]


class Codebook:
    """What is known of the study and its groups when a variable is read."""

    def __init__(self, path: Path, notes: Notes) -> None:
        self.path, self.notes = path, notes
        self.number = 0
        self.place = 0
        """The place of the codebook in the file."""
        self.groups: dict[int, dict[str, Group]] = {}
        self.topics: dict[int, dict[str, list[str]]] = {}
        """Place of a codebook -> id of a variable -> labels of its groups and of those above them."""

    def start(self, element: Any) -> None:
        """A codebook begins; a file may hold several."""
        self.place += 1
        self.survey = (element.get("ID") or "").strip() or self.path.name.split(".")[0]
        self.study = ""
        self.named = False

    def read_study(self, element: Any) -> None:
        title = next(element.iter("{*}titlStmt"), element)
        self.study = joined(self.text(one) for one in title.iter("{*}titl"))
        ids = [self.text(one) for one in title.iter("{*}IDNo")]
        self.survey = next((id for id in ids if id), self.survey)
        self.named = bool(self.study or any(ids))

    def read_group(self, element: Any) -> None:
        labels = [self.text(one) for one in element if local_name(one) in ("labl", "concept")]
        known = self.groups.setdefault(self.place, {})
        id = element.get("ID") or f"#{len(known)}"
        inner = [(element.get(name) or "").split() for name in ("var", "varGrp")]
        known[id] = Group([label for label in labels if label], *inner)
        self.topics.pop(self.place, None)

    def topics_of(self, id: str) -> list[str]:
        if self.place not in self.topics:
            found: dict[str, list[str]] = {}
            groups = self.groups.get(self.place, {})
            for name, group in groups.items():
                seen, inside = {name}, [group]
                while inside:  # groups within groups, which may name each other in a circle
                    one = inside.pop()
                    for variable in one.variables:
                        found.setdefault(variable, []).extend(group.labels)
                    new = [name for name in one.groups if name in groups and name not in seen]
                    seen.update(new)
                    inside += [groups[name] for name in new]
            self.topics[self.place] = found
        return list(self.topics[self.place].get(id, ()))

    def variable(self, element: Any) -> Variable:
        self.number += 1
        if not self.named:
            self.notes[NO_STUDY] += 1
            self.named = True
        name = (element.get("name") or "").strip()
        id = (element.get("ID") or name).strip()
        topics = self.topics_of(id)
        if not id:
            self.notes[NO_ID] += 1
            id = f"variable-{self.number}"
        parts: dict[str, list[str]] = {}
        codes: list[tuple[str, str]] = []
        for child in element:
            kind = local_name(child)
            if kind == "labl":
                parts.setdefault("label", []).append(self.text(child))
            elif kind == "qstn":
                self._question(child, parts)
            elif kind == "catgry":
                labels = joined(self.text(one) for one in child if local_name(one) == "labl")
                parts.setdefault("answers", []).append(labels)
                value = joined(self.text(one) for one in child if local_name(one) == "catValu")
                codes.append((value, labels))
            elif kind == "concept":
                topics.append(self.text(child))
            elif kind == "txt":
                parts.setdefault("notes", []).append(self.text(child))
            elif kind == "universe":
                parts.setdefault("notes", []).append(f"Universe: {self.text(child)}")
        fields = {kind: joined(values) for kind, values in parts.items()}
        fields |= {
            "name": name,
            "study": self.study,
            "answers": ";".join(label for label in parts.get("answers", ()) if label),
            "topic": ";".join(dict.fromkeys(topic for topic in topics if topic)),
        }
        if not any(fields.get(kind) for kind in ("label", "question")):
            self.notes[NO_TEXT] += 1
        return make_variable(id, self.survey, fields, codes)

    def _question(self, element: Any, parts: dict[str, list[str]]) -> None:
        """Its literal wording with what is said before and after it; old files have the text bare."""
        asked: dict[str, list[str]] = {}
        for child in element:
            kind = local_name(child)
            if kind in ("preQTxt", "qstnLit", "postQTxt"):
                # One text per language, each with its own introduction.
                asked.setdefault(child.get(_LANG) or "", []).append(self.text(child))
            elif kind == "ivuInstr":
                parts.setdefault("instructions", []).append(self.text(child))
        texts = [" ".join(part for part in said if part) for said in asked.values()]
        bare = " ".join([element.text or "", *(child.tail or "" for child in element)])
        parts.setdefault("question", []).extend([*texts, bare])

    def text(self, element: Any) -> str:
        """The words in the element and in mark-up inside it."""
        pieces = [element.text or ""]
        for inner in element.iterdescendants():
            if isinstance(inner.tag, str):
                pieces.append(" " + (inner.text or ""))
            elif (named := getattr(inner, "name", None)) and inner.text == f"&{named};":
                pieces.append(self._entity(named))
            pieces.append(inner.tail or "")
        return plain_text("".join(pieces))

    def _entity(self, name: str) -> str:
        """Files that were made with the DTD of version 2.1 may use the names of HTML."""
        if name in name2codepoint:
            return chr(name2codepoint[name])
        self.notes[UNKNOWN_ENTITY] += 1
        return f"&{name};"


def xml_events(file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """Starts and ends of elements as they come, with nothing fetched or expanded."""
    from lxml import etree

    yield from etree.iterparse(
        file,
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _elements(path: Path, book: Codebook, wanted: tuple[str, ...]) -> Iterator[Any]:
    """The elements of ``_KEPT`` as they end; everything is forgotten as soon as it has been seen."""
    found = False
    inside = 0
    with path.open("rb") as file:
        for event, element in xml_events(file):
            name = local_name(element)
            if event == "start":
                if not found:
                    refuse_entities(element, path)
                if name == "codeBook":
                    found = True
                    book.start(element)
                inside += name in _KEPT
                continue
            if name in _KEPT:
                inside -= 1
                if found and not inside and name in wanted:
                    if name == "stdyDscr":
                        book.read_study(element)
                    elif name == "varGrp":
                        book.read_group(element)
                    yield element
            if not inside:
                element.clear(keep_tail=False)
                while element.getprevious() is not None:
                    del element.getparent()[0]
    if not found:
        raise FormatError("this is not DDI: it has no element codeBook", path=path)


def refuse_entities(element: Any, path: Path) -> None:
    """Entities of a file's own are how a small file becomes a huge one, or reads others."""
    dtd = element.getroottree().docinfo.internalDTD
    declared = [one.name for one in dtd.entities()] if dtd is not None else []
    if declared:
        raise FormatError(
            f"the XML declares entities of its own ({declared[0]}), which are not read", path=path
        )


def _head(path: Path) -> bytes:
    """Where the outermost element is; in UTF-16 every second byte says nothing of it."""
    with path.open("rb") as file:
        return file.read(HEAD_BYTES).replace(b"\0", b"")


def _groups_come_late(path: Path) -> bool:
    """Whether some group stands after a variable. Reading bytes is quick next to parsing them."""
    seen = False
    tail = b""
    with path.open("rb") as file:
        while block := file.read(2**20):
            data = tail + block  # a tag may begin in one block and end in the next
            start = 0
            if not seen and (match := _VARIABLE.search(data)):
                seen, start = True, match.end()
            if seen and _GROUP.search(data, start):
                return True
            tail = data[max(start, len(data) - MAX_TAG_BYTES) :]
    return False


def local_name(element: Any) -> str:
    """The name of an element without its namespace; empty for a comment."""
    tag = element.tag
    return _local(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=1000)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def joined(texts: Iterable[str]) -> str:
    """Different texts in a row: the same thing in several languages."""
    return " / ".join(dict.fromkeys(text for text in map(plain_text, texts) if text))
