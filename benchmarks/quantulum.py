"""quantulum3 from PyPI as a system of the measurement task: its quantities and units as official spans.

    pip install 'marginalia[bench]'

Its own offsets are taken, its own ranges ("between 3 and 9 km" is one quantity), ± and spelled-out numbers. It
names units ("kilometre"), the task wants them as written, so its own regular expression is asked again which
part of the quote is the unit; a number that takes its unit from the next ("3 and 5 km") gets the same
text. It calls every number a quantity, citations and figure numbers too; ``bare=False`` leaves out those
without a unit, as a user would. ``sentences=True`` gives it one sentence at a time: it is then faster, and a number
in words no longer shifts what it makes of later ranges.

Its classifier chooses between units that are written alike. The file it ships needs scikit-learn 1.8.0, so
``train_classifier`` makes it anew with the package's own function and texts. Without the classifier it
breaks ties by the order of a set: the third digit changes from run to run.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marginalia.nlp.sentences import sentences
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span, Spans

DIMENSIONLESS = "dimensionless"


class Quantulum:
    """``seconds`` adds up what the package itself takes, without the adapting."""

    def __init__(
        self, *, sentences: bool = False, classifier: Path | None = None, bare: bool = True
    ) -> None:
        self.sentences, self.classifier, self.bare = sentences, classifier, bare
        self.seconds = 0.0

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        return {id: self._read(item.text) for id, item in items.items()}

    def parse(self, text: str) -> list[Any]:
        from quantulum3 import classifier, parser

        classifier.USE_CLF = self.classifier is not None
        path = None if self.classifier is None else str(self.classifier)
        start = time.process_time()
        try:
            return list(parser.parse(text, classifier_path=path))
        finally:
            self.seconds += time.process_time() - start

    def _read(self, text: str) -> Spans:
        spans: list[Span] = []
        unit: str | None = None
        parts = [*sentences(text, "en")] if self.sentences else [(0, len(text))]
        parsed = [(a, quantity) for a, b in parts for quantity in self.parse(text[a:b])]
        for offset, quantity in reversed(parsed):
            start, end = (offset + place for place in quantity.span)
            if quantity.span[0] < 0:  # it looks for "between" in small letters only
                start = text.lower().rfind("between", offset, end)
            named = quantity.unit.name != DIMENSIONLESS
            unit = unit_text(text[start:end]) or unit if named else None
            if start < end and (unit or self.bare):
                other = {"unit": unit} if unit else {}
                spans.append(Span(0, "Quantity", start, end, "", text[start:end], other))
        return tuple(
            Span(number, span.type, span.start, span.end, f"T1-{number}", span.text, span.other)
            for number, span in enumerate(reversed(spans), 1)
        )


def unit_text(quote: str) -> str | None:
    """The unit in a quantity's quote as the package's own expression reads it; None without one."""
    from quantulum3 import parser, regex

    clean = parser.clean_text(quote)
    digits, _ = parser.substitute_values(clean, parser.extract_spellout_values(clean))
    found = None
    for match in regex.units_regex().finditer(digits):
        groups = [name for name in ("prefix", "unit1", "unit2", "unit3", "unit4") if match[name]]
        if groups:
            start, end = match.start(groups[0]), match.end(groups[-1])
            # Counted from the end: a number in words before it has another length in digits.
            found = quote[len(quote) - (len(digits) - start) : len(quote) - (len(digits) - end)]
    return found.strip() or None if found is not None else None


def train_classifier(folder: Path) -> Path:
    """The package's classifier, made anew for the installed scikit-learn."""
    from quantulum3.classifier import train_classifier

    path = folder / "clf.joblib"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        train_classifier(n_jobs=1, output_path=path)
    return path
