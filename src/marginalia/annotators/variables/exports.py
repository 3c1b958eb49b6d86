"""Decided links for other programs: a table, RDF, and the layout of SV-Ident's own data."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from marginalia.annotators.variables.review import Candidate
from marginalia.core.table import format_table

TABLE = ("document", "page", "start", "end", "sentence", "variable", "survey", "label")
OFFICIAL = ("sentence", "is_variable", "variable", "research_data", "doc_id", "uuid", "lang")
UNKNOWN = "unk"
"""What SV-Ident writes where a sentence uses a variable that could not be identified."""
NAMESPACE = uuid.UUID("6f1d2f0e-6c3b-5d0e-9d6a-3f6f5a0c7a11")
_PREFIXES = """@prefix oa: <http://www.w3.org/ns/oa#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

"""


def link_table(candidates: Sequence[Candidate]) -> list[dict[str, Any]]:
    """The accepted links, one row each."""
    return [
        {name: getattr(one, name) for name in TABLE} for one in candidates if one.decision == "yes"
    ]


def official(candidates: Sequence[Candidate]) -> str:
    """The decided sentences as ``train.tsv`` has them; undecided ones are left out."""
    together: dict[tuple[str, int, str], list[Candidate]] = {}
    for one in candidates:
        together.setdefault((one.document, one.start, one.sentence), []).append(one)
    rows: list[Sequence[object]] = [OFFICIAL]
    for (document, start, sentence), each in together.items():
        accepted = [one for one in each if one.decision == "yes"]
        none = any(one.decision == "none" for one in each)
        refused = all(one.decision == "no" for one in each)
        if not (accepted or none or refused):
            continue
        variables = ";".join(one.variable for one in accepted) or ("" if none else UNKNOWN)
        surveys = ";".join(dict.fromkeys(one.survey for one in accepted if one.survey))
        id = uuid.uuid5(NAMESPACE, f"{document}\0{start}\0{sentence}")
        rows.append((sentence, int(not none), variables, surveys, document, id, each[0].lang))
    return format_table(rows, quoted=True)


def turtle(candidates: Sequence[Candidate]) -> str:
    """The accepted links as Web Annotations: the sentence by its words and place, the variable as what identifies it."""
    found = [_PREFIXES]
    for one in candidates:
        if one.decision == "yes":
            target = f"urn:marginalia:document:{quote(one.document, safe='')}"
            variable = f"urn:marginalia:variable:{quote(one.survey, safe='')}:{quote(one.variable, safe='')}"
            page = f'; dcterms:isPartOf "page {one.page}"' if one.page else ""
            found.append(
                f"[] a oa:Annotation ;\n  oa:motivatedBy oa:identifying ;\n  oa:hasBody <{variable}> ;\n"
                f"  oa:hasTarget [ oa:hasSource <{target}>{page} ;\n"
                f"    oa:hasSelector [ a oa:TextQuoteSelector ; oa:exact {_literal(one.sentence)} ] ,\n"
                f'      [ a oa:TextPositionSelector ; oa:start "{one.start}"^^xsd:nonNegativeInteger ;'
                f' oa:end "{one.end}"^^xsd:nonNegativeInteger ] ] .\n'
                f"<{variable}> dcterms:title {_literal(one.label)} ; dcterms:isPartOf {_literal(one.survey)} .\n\n"
            )
    return "".join(found)


def _literal(text: str) -> str:
    text = text.encode("utf-8", "replace").decode()
    for sign, written in (
        ("\\", "\\\\"),
        ('"', '\\"'),
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\t", "\\t"),
    ):
        text = text.replace(sign, written)
    return f'"{"".join(c if c >= " " else " " for c in text)}"'
