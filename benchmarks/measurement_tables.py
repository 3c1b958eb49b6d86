"""The tables of measurement.py, from its results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from measurement_data import TASK
from pages import ROOT, markdown

COMPONENTS = (
    "Quantity",
    "Unit",
    "modifier",
    "MeasuredEntity",
    "MeasuredProperty",
    "Qualifier",
    "HasQuantity",
    "HasProperty",
    "Qualifies",
)
"""First what a quantity is, what it is of, how that is related."""
SPANS = {"Quantity": ("Quantity",), "Unit": ("Unit",)}
"""What a peer that knows quantities and units can be measured by."""


def tables(results: Mapping[str, Any]) -> dict[tuple[Path, str], str]:
    """The tables of the parts that were measured."""
    page = ROOT / "src" / "marginalia" / "tasks" / "measurement" / "README.md"
    makers = {
        "quality": quality_table,
        "components": components_table,
        "peers": peers_table,
        "relations": relations_table,
        "speed": speed_table,
        "growth": growth_table,
        "torch": torch_table,
        "tried": tried_table,
        "agreement": agreement_table,
    }
    needs = {"components": "quality", "growth": "speed"}
    return {
        (page, f"measurement:{name}"): make(results)
        for name, make in makers.items()
        if needs.get(name, name) in results
    }


def cell(value: Mapping[str, float]) -> str:
    return f"{value['f1_overlap']:.3f} [{value['low']:.3f}, {value['high']:.3f}]"


def quality_table(results: Mapping[str, Any]) -> str:
    """With the worst fold of each system, once all were measured fold by fold."""
    systems = ordered(results["quality"])
    by_fold = all("folds" in value for _, value in systems)
    rows = [
        [
            f"`{name}`",
            value["held_out"],
            cell(value["components"]["overall"]),
            *([f"{min(value['folds']):.3f}"] if by_fold else []),
            cell(value["dev"]["overall"]),
            f"{value['without_repeated_sets']:.3f}",
            f"{value['without_overlapping_sets']:.3f}",
        ]
        for name, value in systems
    ]
    columns = (
        "system",
        "held out",
        "overall.f1_overlap",
        *(["worst fold"] if by_fold else []),
        "of it dev",
        "without repeated sets",
        "without overlapping sets",
    )
    return markdown(columns, rows)


def components_table(results: Mapping[str, Any]) -> str:
    """A row for each component; last, what two people reach."""
    systems = ordered(results["quality"])
    people = results.get("agreement", {}).get("scores")
    rows = [
        [
            component,
            *(cell(value["components"][component]) for _, value in systems),
            *([cell(people[component])] if people else []),
        ]
        for component in ("overall", *COMPONENTS)
    ]
    names = [f"`{name}`" for name, _ in systems]
    return markdown(("f1_overlap", *names, *(["two annotators"] if people else [])), rows)


def peers_table(results: Mapping[str, Any]) -> str:
    rows = [
        [
            name if name.startswith("quantulum3") else f"`{name}`",
            value["held_out"],
            *(
                text
                for part in SPANS
                for text in (cell(value[part]), rates(value[part]), cell(value["dev"][part]))
            ),
            f"{value['paragraphs_per_second']:,.0f}",
            f"{value['ratio']:.1f}×",
        ]
        for name, value in results["peers"].items()
    ]
    parts = (name for part in SPANS for name in (part, "P / R", f"{part} on dev"))
    columns = ("system", "held out", *parts, "paragraphs / CPU s", "ratio")
    return markdown(columns, rows)


def rates(value: Mapping[str, float]) -> str:
    return f"{value['precision']:.2f} / {value['recall']:.2f}"


def relations_table(results: Mapping[str, Any]) -> str:
    names = list(next(iter(results["relations"].values())))
    rows = [
        [f"`{system}`", *(cell(value[name]) for name in names)]
        for system, value in results["relations"].items()
    ]
    return markdown(("given gold spans", *names), rows)


def speed_table(results: Mapping[str, Any]) -> str:
    rows = [
        [
            f"`{name}`",
            f"{value['paragraphs'] / value['cpu_s']:,.1f}",
            f"{value['paragraphs'] / value['wall_s']:,.1f}",
            f"{value['cold_start_s']:.2f}",
            f"{value['peak_memory_mb']:.0f}",
        ]
        for name, value in ordered(results["speed"])
    ]
    columns = (
        "system, one thread",
        "paragraphs / CPU s",
        "paragraphs / s",
        "cold start s",
        "peak MB",
    )
    return markdown(columns, rows)


def torch_table(results: Mapping[str, Any]) -> str:
    found = results["torch"]
    rows = [
        ["the same network in torch (fp32)", f"{found['torch']:.1f}", "1.00×"],
        ["`pointer`, onnxruntime (int8)", f"{found['onnx']:.1f}", f"{found['ratio']:.2f}×"],
    ]
    return markdown(("one thread", "paragraphs / CPU s", "ratio"), rows)


def tried_table(results: Mapping[str, Any]) -> str:
    """What exploratory runs gave; written into the results by hand."""
    return markdown(("what was tried", "overall, one or all folds"), results["tried"]["rows"])


def growth_table(results: Mapping[str, Any]) -> str:
    """Milliseconds, so that the growth of fast systems shows too."""
    rows = []
    for name, value in ordered(results["speed"]):
        for what, steps in value["growth"].items():
            shown = " → ".join(f"{step['size']:,}: {1000 * step['cpu_s']:,.1f}" for step in steps)
            rows.append([f"`{name}`", what, shown])
    return markdown(("system", "CPU ms by", "size: ms"), rows)


def agreement_table(results: Mapping[str, Any]) -> str:
    shown = ("exact_match", "f_measure", "kappa", "annotator1_with_gold", "annotator2_with_gold")
    scores = results["agreement"]["scores"]
    rows = [
        [name, cell(scores[name]), *(number(scores[name][figure]) for figure in shown)]
        for name in ("overall", *COMPONENTS)
    ]
    columns = ("", "f1_overlap", "exact", "F1 of matches", "kappa", "1 with gold", "2 with gold")
    return markdown(columns, rows)


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def ordered(found: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Systems as the task lists them; others, from files of predictions, after them."""
    known = [card.name for card in TASK.systems]
    return sorted(found.items(), key=lambda row: known.index(row[0]) if row[0] in known else 99)
