"""UIMA CAS as XMI, for INCEpTION and other UIMA tools: one ``.xmi`` file per document, and its type system.

A note is an annotation of the type ``webanno.custom.Marginalia``, whose features are its fields;
attributes and links are JSON. UIMA counts UTF-16 units, which cassis turns into characters and back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_text
from marginalia.core.report import plain
from marginalia.reader.formats.brat import file_names
from marginalia.reader.formats.format import Extra, Format
from marginalia.reader.view.caption import caption

TYPE = "webanno.custom.Marginalia"
SYSTEM = "TypeSystem.xml"

_FEATURES = {
    "identifier": "uima.cas.String",
    "task": "uima.cas.String",
    "label": "uima.cas.String",
    "said": "uima.cas.String",
    "score": "uima.cas.Double",
    "system": "uima.cas.String",
    "attrs": "uima.cas.String",
    "links": "uima.cas.String",
}
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""XML has no way to write these; one sign stands for one, so that offsets hold."""


def dump(docs: Sequence[Document]) -> dict[str, str]:
    """One file per document, named by its id, and the type system they share."""
    import cassis

    types = _types(cassis)
    files = {SYSTEM: types.to_xml()}
    for name, doc in zip(file_names(docs), docs, strict=True):
        files[f"{name}.xmi"] = _cas(cassis, types, doc).to_xmi()
    return files


def restore(path: Path) -> list[Document]:
    """The document of an ``.xmi`` file that ``dump`` wrote, or all of a folder; its id is the file's name."""
    import cassis

    files = sorted(path.glob("*.xmi")) if path.is_dir() else [path]
    if not files:
        raise FormatError("the folder has no .xmi file", path=path)
    return [_document(cassis, file) for file in files]


def _types(cassis: Any) -> Any:
    types = cassis.TypeSystem()
    note = types.create_type(name=TYPE, supertypeName="uima.tcas.Annotation")
    for name, kind in _FEATURES.items():
        types.create_feature(domainType=note, name=name, rangeType=kind)
    return types


def _cas(cassis: Any, types: Any, doc: Document) -> Any:
    cas = cassis.Cas(types)
    cas.sofa_string = _FORBIDDEN.sub("\ufffd", doc.text)
    cas.sofa_mime = "text/plain"
    make = types.get_type(TYPE)
    for note in doc.annotations:
        data = plain(note.to_dict())
        cas.add(
            make(
                begin=note.start,
                end=note.end,
                identifier=_safe(note.id),
                task=_safe(note.task),
                label=_safe(note.label),
                said=_safe(caption(note)),
                score=data["score"],
                system=_safe(note.system),
                attrs=json.dumps(data["attrs"]),
                links=json.dumps(data["links"]),
            )
        )
    return cas


def _safe(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)


def _document(cassis: Any, path: Path) -> Document:
    text = read_text(path)
    if "<!DOCTYPE" in text:
        raise FormatError("the XMI declares a document type, which is not read", path=path)
    try:
        cas = cassis.load_cas_from_xmi(text, typesystem=_types(cassis), lenient=True)
        features = list(cas.select(TYPE))
        body = cas.sofa_string or ""
    except Exception as error:
        # The package raises what its parts raise: lxml's errors, KeyError, ValueError and its own.
        raise FormatError("not XMI that can be read", path=path) from error
    notes = []
    for one in features:
        data = {
            "id": one.identifier or "",
            "task": one.task or "",
            "label": one.label or "",
            "score": None if one.score is None else float(one.score),
            "system": one.system or "",
            "attrs": parse_json(one.attrs or "{}", path),
            "links": parse_json(one.links or "{}", path),
            "start": one.begin,
            "end": one.end,
            "quote": body[one.begin : one.end],
        }
        notes.append(Annotation.from_dict(data))
    try:
        meta = {"path": str(path), "format": "xmi"}
        return Document(id=path.stem, text=body, meta=meta).annotate(notes)
    except FormatError as error:
        raise error.at(path) from None


XMI = Format(
    name="xmi",
    suffixes=(".xmi",),
    media="application/vnd.xmi+xml",
    several=(".xmi",),
    extra=Extra(name="xmi", package="dkpro-cassis", module="cassis", actions=("write", "read")),
    write_files=dump,
    read=restore,
)
