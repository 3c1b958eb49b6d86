"""The tables of ``docs/explanation/scale.md`` that come from ``results/corpus.json``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import synthetic
from pages import ROOT, markdown

PAGE = ROOT / "docs/explanation/scale.md"


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    made: dict[tuple[Path, str], str] = {}
    if "kinds" in results:
        rows = [
            [
                name,
                f"{row['cpu_s_each']:.2f} s",
                f"{3600 / row['cpu_s_each']:,.0f}",
                f"{row['encoder_s_each'] / row['cpu_s_each']:.0%}",
            ]
            for name, row in results["kinds"].items()
        ]
        columns = [
            "notes",
            "a document of 2,000 words",
            "documents an hour and core",
            "in the encoder",
        ]
        made[PAGE, "corpus:kinds"] = markdown(columns, rows)
    if "all-notes" in results:
        rows = []
        for workers in (1, 2):
            row = results["all-notes"][f"workers_{workers}"]
            rows.append(
                [
                    str(workers),
                    f"{row['documents']:,}",
                    _rate(row),
                    f"{row['cpu_s_each']:.2f} s",
                    f"{row['worker_peak_mb']:,} MB",
                    f"{row['driver_peak_mb']:,} MB",
                    str(row["model_starts"]),
                    str(row["most_starts_of_one"]),
                ]
            )
        columns = [
            "workers",
            "documents",
            "an hour, by the clock",
            "processor time each",
            "peak of a worker",
            "of the driver",
            "models started",
            "one model in one worker",
        ]
        made[PAGE, "corpus:all-notes"] = markdown(columns, rows)
    if "fast" in results:
        rows = [
            [
                f"{int(size):,}",
                _rate(row),
                f"{row['cpu_s_each'] * 1000:.0f} ms",
                f"{row['worker_peak_mb']:,} MB",
                f"{row['driver_peak_mb']:,} MB",
                f"{row['bytes_each'] / 1000:.1f} kB",
            ]
            for size, row in results["fast"]["sizes"].items()
        ]
        columns = [
            "documents",
            "an hour, by the clock",
            "processor time each",
            "peak of a worker",
            "of the driver",
            "on disk each",
        ]
        made[PAGE, "corpus:fast"] = markdown(columns, rows)
    if "query" in results:
        rows = [[name, f"{value:.2f} s"] for name, value in results["query"]["cpu_s"].items()]
        made[PAGE, "corpus:query"] = markdown(
            ["query over 1,000,000 annotations", "processor time"], rows
        )
    if {"all-notes", "fast"} <= results.keys():
        made[PAGE, "corpus:scaling"] = _scaling(results)
    if {"kinds", "all-notes", "fast", "plan"} <= results.keys():
        made[PAGE, "corpus:plan"] = plan(results)
        made[PAGE, "corpus:prices"] = _prices(results["plan"])
    if "broken" in results:
        row = results["broken"]
        rows = [[str(row["documents"]), str(row["errors"]), str(row["exit"])]]
        made[PAGE, "corpus:broken"] = markdown(["annotated", "error rows", "exit code"], rows)
    return made


def _rate(row: dict[str, Any]) -> str:
    """Documents an hour, where somebody saw to it that the machine had nothing else to do."""
    return f"{3600 * row['documents_per_s']:,.0f}" if "documents_per_s" in row else "–"


def _scaling(results: dict[str, Any]) -> str:
    """Two workers against one, in a sentence; by the clock only where both were measured one after the other."""
    told = []
    for part, name in (("all-notes", "with all notes"), ("fast", "with the fast system")):
        row = results[part]
        by_clock = f", {row['scaling_wall']:.2f} by the clock" if "scaling_wall" in row else ""
        told.append(f"{name} {row['scaling']:.2f} times what one does by processor time{by_clock}")
    return f"Two workers do {', and '.join(told)}.\n"


def _prices(plan: dict[str, Any]) -> str:
    words, core, gigabyte = (
        plan[name] for name in ("paper_words", "core_hour_dollars", "gigabyte_month_dollars")
    )
    return (
        f"Assumed, not looked up: papers of {words:,} words, {core:g} $ for an hour of a virtual core and {gigabyte:g} $ for a month of a gigabyte. "
        f"Put in your own: `python benchmarks/corpus.py plan --core-hour {core:g} --gigabyte-month {gigabyte:g} --paper-words {words}`.\n"
    )


def plan(results: dict[str, Any]) -> str:
    """Hours, storage and money for corpora and cores, from what a document costs here."""
    assumed = results["plan"]
    longer = assumed["paper_words"] / synthetic.WORDS_PER_DOCUMENT
    fast = results["fast"]
    each = results["kinds"]["all"]["cpu_s_each"] * longer
    quick = results["kinds"]["measurement (rules)"]["cpu_s_each"] * longer
    size = results["all-notes"]["workers_2"]["bytes_each"] * longer
    small = list(fast["sizes"].values())[-1]["bytes_each"] * assumed["paper_words"] / fast["words"]
    rows = []
    for documents in (1_000, 120_000, 200_000_000):
        for name, cost, kept in (("all notes", each, size), ("measurements by rule", quick, small)):
            hours = documents * cost / 3600
            stored = documents * kept / 1e9
            rows.append(
                [
                    f"{documents:,}",
                    name,
                    *(_hours(hours / cores) for cores in (1, 100, 10_000)),
                    f"{stored:,.1f} GB" if stored < 10_000 else f"{stored / 1000:,.0f} TB",
                    f"{hours * assumed['core_hour_dollars']:,.0f} $",
                    f"{stored * assumed['gigabyte_month_dollars']:,.0f} $ a month",
                ]
            )
    columns = [
        "papers",
        "notes",
        "1 core",
        "100 cores",
        "10,000 cores",
        "storage",
        "computing",
        "keeping",
    ]
    return markdown(columns, rows)


def _hours(hours: float) -> str:
    if hours < 1 / 60:
        return f"{hours * 3600:,.0f} s"
    if hours < 1:
        return f"{hours * 60:,.1f} min"
    return f"{hours:,.0f} h" if hours < 72 else f"{hours / 24:,.0f} days"
