"""The codes that can be named: those of the rules, and those of the tasks' findings."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from marginalia.core.annotator import Annotator
from marginalia.core.errors import UnknownNameError
from marginalia.core.registry import ANNOTATORS, all_annotators
from marginalia.reader.lint.registry import all_rules
from marginalia.reader.view.findings import Rules, matches


def finding_codes(annotator: Annotator) -> list[str]:
    return [f"{annotator.name}.{label.replace(' ', '-')}" for label in annotator.kinds]


def all_codes() -> list[str]:
    """Those of the rules, then those that the tasks report."""
    return [
        *all_rules(),
        *(code for annotator in all_annotators() for code in finding_codes(annotator)),
    ]


def check_codes(codes: Iterable[str]) -> None:
    """A misspelled one would report nothing, as if all were well."""
    for code in codes:
        family, dot, _ = code.partition(".")
        if dot and family in ANNOTATORS.names():
            continue  # a task may have notes that are no findings, and they can be asked for
        known = all_codes()
        if any(matches(one, (code,)) for one in known) or code in ANNOTATORS.names():
            continue
        families = dict.fromkeys([*(one.partition(".")[0] for one in known), *ANNOTATORS.names()])
        if dot and family not in families and not set("*?[") & set(family):
            raise UnknownNameError("task", family, families)
        raise UnknownNameError("code", code, [*families, *known])


def is_wanted(annotator: Annotator, rules: Rules) -> bool:
    """Whether a task may report something under these rules."""
    own = zip(finding_codes(annotator), annotator.kinds.values(), strict=True)
    if any(rules.judge(code, severity) for code, severity in own):
        return True
    if not rules.select:
        return False
    for pattern in rules.select:
        family, dot, _ = pattern.partition(".")
        if family == annotator.name or (
            dot and set("*?[") & set(family) and fnmatchcase(annotator.name, family)
        ):
            return True
    return False
