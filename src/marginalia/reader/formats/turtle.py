"""Annotations as RDF in the W3C Web Annotation vocabulary, written as Turtle.

Each annotation has a target with a text quote selector and a text position selector, and its label as
a tag. Score, system, attributes and links are properties of our own vocabulary.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import ContractError
from marginalia.core.registry import find_annotator
from marginalia.core.report import plain
from marginalia.reader.formats.format import Extra, Format

OA = "http://www.w3.org/ns/oa#"
VOCABULARY = "urn:marginalia:vocabulary#"
DOCUMENT = "urn:marginalia:document:"
CONTEXT = 32
"""Characters of the text before and after a quote, to find it again in a changed document."""

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>\"{}|^`\\]+")


def dump(docs: Sequence[Document]) -> str:
    import rdflib

    graph = rdflib.Graph()
    graph.namespace_manager = _names(graph)
    graph.bind("oa", OA)
    graph.bind("dcterms", rdflib.DCTERMS)
    graph.bind("m", VOCABULARY)
    graph.bind("qudt", "http://qudt.org/schema/qudt/")  # other common ones rdflib knows itself
    for doc in docs:
        _Writer(graph, doc).write()
    return str(graph.serialize(format="turtle"))


def dump_triples(doc: Document) -> str:
    """The same of one document as N-Triples, a line each, so that many documents can be written one after another."""
    import rdflib

    graph = rdflib.Graph()
    _Writer(graph, doc).write()
    lines = graph.serialize(format="nt").splitlines()
    return "".join(f"{line}\n" for line in sorted(line for line in lines if line))


def document_iri(doc: Document) -> str:
    return f"{DOCUMENT}{quote(doc.id, safe='')}"


def _names(graph: Any) -> Any:
    """The prefixes of a graph, of which documents and their parts have none.

    rdflib would look for one all the same, and for that keeps a list of almost every part it has met
    (``#char=12,`` passes for a namespace), so that the time would grow with the square of the notes.
    """
    from rdflib.namespace import NamespaceManager

    class Names(NamespaceManager):
        def compute_qname(self, uri: str, generate: bool = True) -> tuple[str, Any, str]:
            if uri.startswith(DOCUMENT):
                raise KeyError(uri)  # the serializer then writes it in full
            return super().compute_qname(uri, generate)

    return Names(graph)


class _Writer:
    """The triples of one document."""

    def __init__(self, graph: Any, doc: Document) -> None:
        import rdflib

        self.rdf, self.oa = rdflib, rdflib.Namespace(OA)
        self.graph, self.doc = graph, doc
        self.source = rdflib.URIRef(document_iri(doc))
        self.ids = {note.id for note in doc.annotations}
        self.blanks = 0

    def write(self) -> None:
        terms = self.rdf.DCTERMS
        self.add(self.source, terms.identifier, self.rdf.Literal(self.doc.id))
        for term, key in ((terms.title, "title"), (terms.language, "lang")):
            if self.doc.meta.get(key):
                self.add(self.source, term, self.rdf.Literal(self.doc.meta[key]))
        for note in self.doc.annotations:
            self.annotation(note)
        for name in sorted({note.task for note in self.doc.annotations}):
            annotator = find_annotator(name)
            for triple in annotator.triples(self.doc) if annotator and annotator.triples else ():
                self.supplied(name, *triple)

    def annotation(self, note: Annotation) -> None:
        oa, rdf = self.oa, self.rdf.RDF
        node, body, target = self.note(note.id), self.blank(), self.blank()
        self.add(node, rdf.type, oa.Annotation)
        self.add(node, oa.motivatedBy, oa.tagging)
        self.add(node, oa.hasBody, body)
        self.add(body, rdf.type, oa.TextualBody)
        self.add(body, rdf.value, self.rdf.Literal(note.label))
        self.add(body, oa.hasPurpose, oa.tagging)
        self.add(node, oa.hasTarget, target)
        self.add(target, rdf.type, oa.SpecificResource)
        self.add(target, oa.hasSource, self.source)
        text = self.doc.text
        self.selector(
            target,
            oa.TextQuoteSelector,
            exact=note.quote,
            prefix=text[max(0, note.start - CONTEXT) : note.start],
            suffix=text[note.end : note.end + CONTEXT],
        )
        self.selector(target, oa.TextPositionSelector, start=note.start, end=note.end)
        self.fields(node, note)

    def selector(self, target: Any, kind: Any, **values: str | int) -> None:
        node = self.blank()
        self.add(target, self.oa.hasSelector, node)
        self.add(node, self.rdf.RDF.type, kind)
        for name, value in values.items():
            literal = self.literal(value)
            if isinstance(value, int):
                literal = self.rdf.Literal(value, datatype=self.rdf.XSD.nonNegativeInteger)
            self.add(node, self.oa[name], literal)

    def fields(self, node: Any, note: Annotation) -> None:
        fixed: dict[str, Any] = {"task": note.task, "system": note.system or None}
        fixed |= {"score": note.score, "page": self.doc.page(note.start)}
        for name, value in (*fixed.items(), *note.attrs.items()):
            if value is not None:
                self.add(node, self.own(name), self.literal(value))
        for role, ids in note.links.items():
            for id in ids:
                self.add(node, self.own(role), self.thing(id))

    def supplied(self, task: str, subject: str, predicate: str, value: Any) -> None:
        """A triple of a task, whose parts are plain strings."""
        if not _IRI.fullmatch(predicate):
            raise ContractError(f"{task}: the predicate {predicate!r} is not an absolute IRI")
        node = self.thing(subject)
        if isinstance(node, self.rdf.Literal):
            raise ContractError(f"{task}: {subject!r} is no annotation, IRI or blank node")
        is_thing = isinstance(value, Mapping) and set(value) == {"@id"}
        term = self.thing(value["@id"]) if is_thing else self.literal(value)
        self.add(node, self.rdf.URIRef(predicate), term)

    def thing(self, id: str) -> Any:
        """An annotation of the document, a part of it ``#name``, an IRI or a blank node; else a string."""
        if id in self.ids:
            return self.note(id)
        if id.startswith("#"):
            return self.rdf.URIRef(f"{self.source}#{quote(id[1:], safe='=,-')}")
        if id.startswith("_:"):
            return self.rdf.BNode(_plain_name(f"{self.doc.id}-{id[2:]}"))
        return self.rdf.URIRef(id) if _IRI.fullmatch(id) else self.rdf.Literal(id)

    def literal(self, value: Any) -> Any:
        value = plain(value)
        if isinstance(value, (dict, list)) or value is None:
            text = json.dumps(value, ensure_ascii=False)
            return self.rdf.Literal(text, datatype=self.rdf.RDF.JSON)
        if isinstance(value, float) and math.isfinite(value):
            return self.rdf.Literal(repr(value), datatype=self.rdf.XSD.double)
        return self.rdf.Literal(value)

    def blank(self) -> Any:
        """A node without a name outside. Within, names are counted, so that the file never varies."""
        self.blanks += 1
        return self.rdf.BNode(f"{_plain_name(self.doc.id)}-{self.blanks:08}")

    def note(self, id: str) -> Any:
        return self.rdf.URIRef(f"{self.source}#{quote(id, safe='')}")

    def own(self, name: str) -> Any:
        return self.rdf.URIRef(VOCABULARY + quote(name, safe=""))

    def add(self, *triple: Any) -> None:
        self.graph.add(triple)


def _plain_name(text: str) -> str:
    """A name for a blank node: letters, digits and what Turtle allows between them."""
    return "n" + quote(text, safe="").replace("%", "_").replace("~", "_7E").replace(".", "_2E")


TURTLE = Format(
    name="ttl",
    suffixes=(".ttl",),
    media="text/turtle",
    extra=Extra(name="rdf", package="rdflib", module="rdflib", actions=("write",)),
    write=dump,
)
