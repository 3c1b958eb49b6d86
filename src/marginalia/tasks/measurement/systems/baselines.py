"""The organisers' two baselines, with a light tagger in place of theirs, and a floor that learns nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Self

from marginalia.core.benchmark import Split
from marginalia.core.errors import ContractError, FormatError
from marginalia.core.files import read_json, require_file, write_files
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.systems.linking import (
    Link,
    by_proximity,
    in_order,
    link_spans,
)
from marginalia.tasks.measurement.systems.tagger import TaggedSpan, Tagger


class Baseline:
    """Tag the four kinds of spans, find units in a list, link the spans; no modifiers.

    The organisers tag with spaCy; here a conditional random field does it.
    """

    link: Callable[[Sequence[TaggedSpan]], list[Link]]

    def __init__(self) -> None:
        self.tagger: Tagger | None = None
        self.units: list[str] = []

    def fit(self, split: Split) -> Self:
        gold = split.require_gold()
        self.tagger = Tagger.fit((split.items[id].text, gold[id]) for id in gold)
        self.units = sorted({span.unit for spans in gold.values() for span in spans if span.unit})
        return self

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        if self.tagger is None:
            raise ContractError(f"{type(self).__name__} must be fitted before it predicts")
        return {id: self._read(item.text, self.tagger) for id, item in items.items()}

    def _read(self, text: str, tagger: Tagger) -> Spans:
        return link_spans(
            tagger.tag(text), text, lambda quote: find_unit(quote, self.units), type(self).link
        )

    def save(self, folder: Path) -> None:
        """``tagger.crfsuite``, and ``baseline.json`` with the units and the hash of the first."""
        if self.tagger is None:
            raise ContractError(f"{type(self).__name__} must be fitted before it is saved")
        data = {"sha256": sha256(self.tagger.model).hexdigest(), "units": self.units}
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        write_files(folder, {"tagger.crfsuite": self.tagger.model, "baseline.json": text})

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What was saved; a damaged model is refused, since crfsuite would crash on it."""
        data = read_json(folder / "baseline.json")
        path = require_file(folder / "tagger.crfsuite")
        model = path.read_bytes()
        if sha256(model).hexdigest() != data["sha256"]:
            raise FormatError(
                "the model is not the one that baseline.json was saved with", path=path
            )
        system = cls()
        system.tagger, system.units = Tagger(model), data["units"]
        return system


class Proximity(Baseline):
    """Baseline 1: each span goes to the nearest one that it can belong to."""

    link = staticmethod(by_proximity)


class InOrder(Baseline):
    """Baseline 2: the first goes to the first, the second to the second."""

    link = staticmethod(in_order)


def find_unit(quote: str, units: Iterable[str]) -> str | None:
    """The longest last match: of the known units in a quantity the one that ends last, then the longest.

    So ``cm`` wins over ``m`` in "22 cm", and ``s`` over ``m`` in "approximately 22 s".
    """
    ends = ((quote.rfind(unit) + len(unit), len(unit), unit) for unit in units if unit in quote)
    return max(ends, default=(0, 0, None))[2]


UNITS = (
    "% ‰ ° °C °F K Å nm μm µm mm cm dm m km ha μg µg ng mg g kg t μl µl ml mL l L μM µM nM mM M mol "
    "μs µs ns ms s min h hours days weeks months years Hz kHz MHz GHz V mV kV A mA W mW kW MW GW J kJ "
    "MJ eV keV MeV Pa hPa kPa MPa GPa bar N kN ppm ppb dB times"
).split()
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_NUMBER = r"[0-9]+(?:[.,][0-9]+)*"
_QUANTITY = re.compile(
    rf"(?<![\w.])[∼~<>≤≥±−]?{_NUMBER}(?:\s?[–±]\s?{_NUMBER})*(?:\s?(?P<unit>{_UNIT})(?!\w))?"
)


class Numbers:
    """Every number is a quantity, with the common unit that follows it; nothing else is said."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        return {id: tuple(_quantities(item.text)) for id, item in items.items()}


def _quantities(text: str) -> Iterator[Span]:
    for number, match in enumerate(_QUANTITY.finditer(text), 1):
        other = {"unit": match["unit"]} if match["unit"] else {}
        yield Span(number, "Quantity", *match.span(), f"T1-{number}", match.group(), other)
