"""Numbers of tables: what their heads say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from marginalia import Document, extract_measurements, read
from marginalia.annotators.measurements.table_labels import read_label


def table(*rows: str, heads: int = 1, before: str = "The parts were weighed.\n\n") -> Document:
    """A document with one table; cells have bars between them, the first rows are heads."""
    text, grid = before, []
    for number, row in enumerate(rows):
        cells = []
        for cell in row.split("|"):
            cells.append({"start": len(text), "end": len(text) + len(cell), "head": number < heads})
            text += cell + "\t"
        grid.append(cells)
        text = text[:-1] + "\n"
    place = {"start": len(before), "end": len(text) - 1}
    return Document(
        id="x",
        text=text,
        meta={
            "lang": "en",
            "regions": [{**place, "kind": "table"}],
            "tables": [{**place, "rows": grid, "caption": None}],
        },
    )


def rows(doc: Document) -> dict[str, dict[str, Any]]:
    return {row["quantity"]: row for row in extract_measurements(doc, system="rules").rows}


def test_the_head_of_a_column_gives_property_and_unit_and_that_of_a_row_the_thing() -> None:
    found = rows(table("Part|Mass (g)|Temp., °C", "Bolt|250|20 ± 3", "Nut|1900|<5"))
    bolt = found["250"]
    assert (bolt["property"], bolt["entity"], bolt["unit"]) == ("Mass", "Bolt", "g")
    assert (bolt["si_low"], bolt["si"]) == (0.25, "kilogram")
    assert bolt["property_confidence"] > 0.6 < bolt["entity_confidence"]
    assert bolt["statement"] == "Mass of Bolt: 250 g"
    assert found["1900"]["si_low"] == 1.9, "below a head with a unit it is no year"
    assert (found["20 ± 3"]["uncertainty"], found["20 ± 3"]["si_low"]) == (3, 293.15)
    assert (found["<5"]["high"], found["<5"]["si_high"]) == (5, 278.15)


def test_second_numbers_are_what_the_head_says() -> None:
    doc = table("Group|n (%)|RR (95% CI)|Dose, mean (SD)", "A|23 (45.1)|0.81 (0.70–0.94)|5 (1.5)")
    found = rows(doc)
    assert found["23"]["unit"] is None and found["23"]["label"] == "count"
    assert (found["45.1"]["ucum"], found["45.1"]["si_low"]) == ("%", 0.451)
    ratio = found["0.81"]
    assert (ratio["interval_low"], ratio["interval_high"]) == (0.7, 0.94)
    assert (ratio["interval_kind"], ratio["interval_level"]) == ("CI", 95)
    assert (found["5"]["uncertainty"], found["5"]["uncertainty_kind"]) == (1.5, "SD")
    assert "95%" not in found, "a head measures nothing"


def test_rows_that_name_the_unit_are_the_property() -> None:
    found = rows(table("|Model A|Model B", "Weight (kg)|5|7", "Number of parts|12|14"))
    assert (found["7"]["property"], found["7"]["entity"]) == ("Weight", "Model B")
    assert found["7"]["si_low"] == 7 and found["12"]["label"] == "count"


def test_what_the_heads_do_not_explain_is_left_out() -> None:
    uneven = table("Data|Train|Dev", "A|78.5|60.4|8.8", "B|1.5|2.5|3.5")
    assert not rows(uneven), "the rows are longer than their heads"
    numbered = rows(table("Part|No.|Year|Mass (g)", "Bolt|17|2001|250", "Ratio|3|2002|1.2"))
    assert "17" not in numbered and numbered["250"]["entity"] == "Bolt"
    ratio = numbered["1.2"]
    assert (ratio["property"], ratio["entity"], ratio["unit"]) == ("Ratio", "Mass", None)


def test_a_unit_of_its_own_comes_before_that_of_the_head() -> None:
    found = rows(table("Part|Length (m)", "Bolt|12 mm", "Rod|3"))
    assert found["12 mm"]["si_low"] == 0.012 and found["12 mm"]["property"] == "Length"
    assert found["3"]["si_low"] == 3


@pytest.mark.parametrize(
    ("head", "name", "unit"),
    [
        ("Mass (kg)", "Mass", "kg"),
        ("Temp., °C", "Temp.", "°C"),
        ("Länge in mm", "Länge", "mm"),
        ("T / K", "T", "K"),
        ("Dosage (g/kg)", "Dosage", "g/kg"),
        ("% female", "female", "%"),
        ("Cost [€]", "Cost", "€"),
        ("Time (min)", "Time", "min"),
        ("Value (a)", "Value (a)", None),
        ("Model B", "Model B", None),
        ("Charge (N)", "Charge (N)", None),
        ("mg/kg", "", "mg/kg"),
    ],
)
def test_names_and_units_of_heads(head: str, name: str, unit: str | None) -> None:
    found = read_label(head, 0, len(head))
    assert found is not None
    assert head[found.start : found.end] == name
    assert (head[slice(*found.unit)] if found.unit else None) == unit


def test_areas_under_a_curve_leave_open_what_the_dot_means() -> None:
    found = rows(table("Drug|AUC (μg/ml·min)", "C|36", "D|40"))
    assert found["36"]["si_low"] is None


YIELDS = """<html><body><p>Results of the trial.</p><table>
<thead><tr><th rowspan="2">Variable</th><th colspan="2">2019</th><th colspan="2">2020</th></tr>
<tr><th>Control</th><th>Limed</th><th>Control</th><th>Limed</th></tr></thead>
<tbody><tr><td colspan="5">DM yield, kg ha<sup>−1</sup></td></tr>
<tr><td>Spring</td><td>2,310a</td><td>2,840b</td><td>2,105<sup>a</sup></td><td>2,960 ± 110</td></tr>
<tr><td>Autumn</td><td>1,150</td><td>1,300*</td><td>990</td><td>1,420</td></tr>
<tr><td>Crude protein (g/kg)</td><td>152 (12)</td><td>160</td></tr></tbody></table>"""


def test_headings_within_a_table_name_the_measure_of_the_rows_below(tmp_path: Path) -> None:
    """Of ten cells of such a table three were found."""
    path = tmp_path / "trial.html"
    path.write_text(
        YIELDS.replace("</td></tr></tbody>", "</td><td>149</td><td>166</td></tr></tbody>")
    )
    found = rows(read(path, notes=[]))
    assert len(found) == 12
    first = found["2,310"]
    assert (first["low"], first["unit"], first["property"]) == (2310, "kg ha⁻¹", "DM yield")
    assert first["entity"] == "Control"
    assert [one["quote"] for one in first["qualifiers"]] == ["2019", "Spring"]
    assert found["2,960 ± 110"]["uncertainty"] == 110 and found["1,300"]["entity"] == "Limed"
    protein = found["152"]
    assert (protein["property"], protein["unit"], protein["low"]) == ("Crude protein", "g/kg", 152)
    assert [one["quote"] for one in protein["qualifiers"]] == ["2019"]


def test_a_column_of_units_belongs_to_its_rows() -> None:
    found = rows(table("Parameter|Unit|Inlet|Outlet", "Flow|m3/h|12.5|12.1", "pH||7.2|6.9"))
    assert (found["12.5"]["property"], found["12.5"]["entity"]) == ("Flow", "Inlet")
    assert found["12.5"]["ucum"] == "m3.h-1" and found["6.9"]["property"] == "pH"


def test_a_label_of_a_row_says_what_its_brackets_are() -> None:
    doc = table(
        "Characteristic|Drug|Placebo",
        "Age, mean (SD), y|54.2 (8.1)|53.9 (7.7)",
        "Female, n (%)|22 (55.0)|20 (48.8)",
    )
    found = rows(doc)
    age = found["54.2"]
    assert (age["property"], age["entity"], age["unit"]) == ("Age", "Drug", "y")
    assert (age["uncertainty"], age["uncertainty_kind"]) == (8.1, "SD")
    assert (found["48.8"]["unit"], found["48.8"]["property"]) == ("%", "Female")


def test_heads_in_the_middle_of_a_table_hold_from_there_on() -> None:
    found = rows(
        table(
            "|Model A|Model B",
            "Failures|74|44",
            "Covariate|RR (95% CI)|RR (95% CI)",
            "Age|1.2 (0.9, 1.6)|1.4 (1.1, 1.9)",
        )
    )
    assert (found["1.4"]["interval_low"], found["1.4"]["interval_high"]) == (1.1, 1.9)
    assert found["74"]["entity"] == "Failures"


def test_estimates_are_of_what_their_row_names_even_if_that_is_a_quantity() -> None:
    doc = table(
        "||Estimate ± SE|Pr(>|z|)".replace("|z|", "z"),
        "|(Intercept)|4.007 ± 0.052|<0.001",
        "Temperature (°C)|Warm|−0.285 ± 0.014|<0.002",
        "|Hot|−0.189 ± 0.020|<0.003",
        "Number of crows|0.005 ± 0.002|0.009",
    )
    found = rows(doc)
    hot = found["−0.189 ± 0.020"]
    assert (hot["property"], hot["entity"], hot["unit"]) == ("Estimate", "Hot", None)
    assert [one["quote"] for one in hot["qualifiers"]] == [], "the unit is that of another number"
    assert found["0.005 ± 0.002"]["entity"] == "Number of crows"
    assert found["<0.002"]["high"] == 0.002 and found["0.009"]["property"].startswith("Pr")


def test_an_empty_label_is_the_one_above_it() -> None:
    found = rows(table("||Yield (kg)", "Season|Spring|5", "|Autumn|7"))
    assert [one["quote"] for one in found["7"]["qualifiers"]] == ["Season"]


def test_columns_of_deviations_and_intervals_belong_to_the_number_before_them() -> None:
    doc = table(
        "Group|Mass (g)|SD|OR|95% CI|Lower|Upper",
        "A|5.1|0.4|1.2|(0.9–1.6)|0.8|1.7",
        "B|6.3|0.5|0.7|1.4, 1.9|0.5|0.9",
    )
    found = rows(doc)
    assert set(found) == {"5.1", "1.2", "6.3", "0.7"}
    assert (found["5.1"]["uncertainty"], found["5.1"]["uncertainty_kind"]) == (0.4, "SD")
    assert found["0.7"]["doubt"] is None, "the columns Lower and Upper hold the value"
    assert (found["1.2"]["interval_low"], found["1.2"]["interval_high"]) == (0.8, 1.7)


def test_several_results_of_a_test_in_one_cell() -> None:
    found = rows(table("|Residents|Visitors", "Rare|W = 585,130 P < 0.001|W = 7331 P = 0.219"))
    first = found["585,130"]
    assert (first["property"], first["entity"], first["low"]) == ("W", "Rare", 585130)
    assert [one["quote"] for one in first["qualifiers"]] == ["Residents"]
    assert (found["< 0.001"]["property"], found["< 0.001"]["high"]) == ("P", 0.001)


def test_a_number_for_several_rows_is_a_condition_of_the_others(tmp_path: Path) -> None:
    path = tmp_path / "doses.html"
    path.write_text(
        "<p>Doses.</p><table><caption>Table 3. Levels of the drug in blood. Means.</caption>"
        "<tr><th>Drug</th><th>Dose (g/kg)</th><th>Level (mg/l)</th></tr>"
        "<tr><td>C</td><td rowspan=2>0.2</td><td>0.47</td></tr><tr><td>D</td><td>5.96</td></tr></table>"
    )
    every = extract_measurements(read(path, notes=[]), system="rules").rows
    assert [row["quantity"] for row in every] == ["0.2", "0.47", "5.96"]
    last = every[2]
    assert last["qualifiers"] == [
        {
            "quote": "0.2",
            "start": every[0]["start"],
            "end": every[0]["end"],
            "name": "Dose (g/kg)",
        }
    ]
    assert last["caption"] == "Levels of the drug in blood"
    assert last["statement"].endswith("Dose (g/kg) 0.2 (Levels of the drug in blood)")


def test_the_caption_names_the_property_where_no_label_does() -> None:
    caption = "Table 1: Number of questions in each data set.\n\n"
    doc = table("Dataset|Train|Test", "A|79,168|3,610", "B|78,785|11,313", before=caption)
    place = {"start": 0, "end": len(caption) - 2}
    tables = [{**doc.meta["tables"][0], "caption": place}]
    found = rows(Document(id="x", text=doc.text, meta={**doc.meta, "tables": tables}))
    cell = found["3,610"]
    assert (cell["property"], cell["entity"]) == ("Number of questions", "A")
    assert [one["quote"] for one in cell["qualifiers"]] == ["Test"] and cell["label"] == "count"


FORMATS = {
    "md": "| Part | Mass (g) | p |\n|---|---|---|\n| Bolt | 250 ± 3 | 0.04 |\n| Nut | 90 | <0.01 |\n",
    "tex": r"\documentclass{article}\begin{document}Parts.\begin{tabular}{lrr}Part & Mass (g) & p \\ \hline"
    r" Bolt & $250 \pm 3$ & 0.04 \\ Nut & 90 & $<0.01$ \\ \end{tabular}\end{document}",
    "html": "<p>Parts.</p><table><tr><th>Part<th>Mass (g)<th>p<tr><td>Bolt<td>250 ± 3<td>0.04<tr><td>Nut<td>90<td>&lt;0.01</table>",
}


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_table_gives_the_same_rows_from_each_format(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"parts.{suffix}"
    path.write_text(FORMATS[suffix], encoding="utf-8")
    every = extract_measurements(read(path, notes=[], lang="en"), system="rules").rows
    said = [(row["property"], row["entity"], row["low"], row["high"], row["unit"]) for row in every]
    assert said == [
        ("Mass", "Bolt", 250, 250, "g"),
        ("p", "Bolt", 0.04, 0.04, None),
        ("Mass", "Nut", 90, 90, "g"),
        ("p", "Nut", None, 0.01, None),
    ]
