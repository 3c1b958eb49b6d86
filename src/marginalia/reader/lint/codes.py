"""The codes that can be named in ``select`` and ``ignore``: those of all kinds of notes that a writer should look at."""

from __future__ import annotations

from collections.abc import Iterable

from marginalia.core.annotator import Annotator
from marginalia.core.errors import UnknownNameError
from marginalia.core.registry import ANNOTATORS, all_annotators
from marginalia.reader.view.findings import Rules, kind_code, matches


def codes_of(annotator: Annotator) -> dict[str, str]:
    """The codes of its findings, each with its label."""
    findings = (label for label, severity in annotator.kinds.items() if severity)
    return {kind_code(annotator.name, label): label for label in findings}


def all_codes() -> dict[str, Annotator]:
    """Every code with its annotator."""
    return {code: annotator for annotator in all_annotators() for code in codes_of(annotator)}


def check_codes(codes: Iterable[str]) -> None:
    """A misspelled one would report nothing, as if all were well."""
    known, names = all_codes(), ANNOTATORS.names()
    families = dict.fromkeys([*(one.partition(".")[0] for one in known), *names])
    for code in codes:
        family, dot, _ = code.partition(".")
        # An annotator may have notes that are no findings, and they can be asked for.
        if (
            code in names
            or (dot and family in names)
            or any(matches(one, (code,)) for one in known)
        ):
            continue
        if dot and family not in families and not set("*?[") & set(family):
            raise UnknownNameError("family of codes", family, families)
        raise UnknownNameError("code", code, [*families, *known])


def wanted_labels(annotator: Annotator, rules: Rules) -> list[str]:
    """The kinds of its notes that may be reported under these rules."""
    return [
        label
        for label, severity in annotator.kinds.items()
        if rules.judge(kind_code(annotator.name, label), severity, annotator.name)
    ]
