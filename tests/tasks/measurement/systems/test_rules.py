"""Quantities by rule: what is one and what is not, units, modifiers, contexts, and any text at all."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from marginalia import check_system, get_benchmark
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.quantity import Quantity
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import MODIFIERS, by_set, check_spans
from marginalia.tasks.measurement.systems.noun_phrases import find_phrases
from marginalia.tasks.measurement.systems.rules import Rules, read
from tests.tasks.measurement.invented import invented
from tests.work import calls

TASK = get_benchmark("measurement")


def quotes(text: str, language: str = "en") -> list[tuple[str, str | None, tuple[str, ...]]]:
    found = find_quantities(text, language=language)
    return [(text[f.start : f.end], f.unit and text[slice(*f.unit)], f.modifiers) for f in found]


def test_the_system_keeps_the_contract() -> None:
    check_system(TASK.card("rules"), invented())


@pytest.mark.parametrize(
    ("text", "quote", "unit", "mods"),
    [
        ("It was approximately 11.8 m deep.", "approximately 11.8 m", "m", "IsApproximate"),
        ("It covers less than 2% of it.", "less than 2%", "%", "IsRange"),
        ("Grains of between 2 and 20 μm.", "between 2 and 20 μm", "μm", "IsRange"),
        ("It ended ∼33.7 Ma ago.", "∼33.7 Ma", "Ma", "IsApproximate"),
        ("They live within 100 m of it.", "within 100 m", "m", "IsRange"),
        ("It is −4°C cold.", "−4°C", "°C", ""),
        ("It took 2–3 h.", "2–3 h", "h", "IsRange"),
        ("Losses of 9.9%–16.2% occur.", "9.9%–16.2%", "%", "IsRange"),
        ("It fell from 10 ms to 0.1 ms.", "from 10 ms to 0.1 ms", "ms", "IsRange"),
        ("A score of 5 or more is high.", "5 or more", None, "IsRange"),
        ("It is 3.19 ± 0.10 GPa.", "3.19 ± 0.10 GPa", "GPa", "HasTolerance"),
        ("We got (3.2 ± 0.4) × 10−3 s−1.", "(3.2 ± 0.4) × 10−3 s−1", "s−1", "HasTolerance"),
        ("Doses of 1, 5 and 50 μg/L.", "1, 5 and 50 μg/L", "μg/L", "IsList"),
        ("Loads of 1000 and 2000 ppm.", "1000 and 2000 ppm", "ppm", "IsList"),
        ("a mean age of 54.8 years", "54.8 years", "years", "IsMean"),
        ("The median speed is 7.8 m s−1.", "7.8 m s−1", "m s−1", "IsMedian"),
        ("a mean rate of 3.7 ± 0.9 mm", "3.7 ± 0.9 mm", "mm", "IsMeanHasTolerance"),
        ("a mean of 1.2 ± 0.3 ‰", "1.2 ± 0.3 ‰", "‰", "IsMeanHasTolerance"),
        ("mean and SD of 1.2 ± 0.3 ‰", "1.2 ± 0.3 ‰", "‰", "IsMeanHasSD"),
        ("We took three samples.", "three", None, "IsCount"),
        ("We saw 147 patients there.", "147", None, "IsCount"),
        ("Of them, 26 (72%) were old.", "26", None, "IsCount"),
        ("at least two ears", "at least two", None, "IsCount IsRange"),
        ("a sample of 530 participants", "530 participants", "participants", ""),
        ("a rate of 2 mg kg−1 day−1", "2 mg kg−1 day−1", "mg kg−1 day−1", ""),
        ("with 10,000 U/ml penicillin", "10,000 U/ml", "U/ml", ""),
        ("a flux of 7.85mWm−2", "7.85mWm−2", "mWm−2", ""),
        ("It grew 3-fold.", "3-fold", "fold", ""),
        ("a 2-hour test", "2-hour", "hour", ""),
        ("at 10,500× magnification", "10,500×", "×", ""),
        ("plates of 60 × 10 × 3 mm3", "60 × 10 × 3 mm3", "mm3", ""),
        ("It costs $5 million.", "$5 million", "$", ""),
        ("The slope is 1:10 here.", "1:10", None, ""),
        ("(p < 0.001)", "< 0.001", None, "IsRange"),
        ("seen on 26 October 2011", "26 October 2011", None, ""),
        ("seen on 2011-10-26", "2011-10-26", None, ""),
        ("kept at room temperature", "room temperature", None, ""),
    ],
)
def test_a_quantity_with_its_unit_and_modifiers(
    text: str, quote: str, unit: str | None, mods: str
) -> None:
    assert quotes(text)[0] == (quote, unit, tuple(mods.split()))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3\u2009mm and 20\u2009000 people", [("3\u2009mm", "mm"), ("20\u2009000", None)]),
        ("5\u202fkg or 7\u00a0kg", [("5\u202fkg", "kg"), ("7\u00a0kg", "kg")]),
        ("10⁻⁵ m and 5 m s⁻¹, 7 cm²", [("10⁻⁵ m", "m"), ("5 m s⁻¹", "m s⁻¹"), ("7 cm²", "cm²")]),
        ("6.02×10²³ mol⁻¹", [("6.02×10²³ mol⁻¹", "mol⁻¹")]),
        ("1e-5 M, 3 × 10^4 Pa", [("1e-5 M", "M"), ("3 × 10^4 Pa", "Pa")]),
        ("80% and 81%, respectively", [("80%", "%"), ("81%", "%")]),
        ("100 200 300", [("100", None), ("200", None), ("300", None)]),
        ("42", [("42", None)]),
        ("7 mg kg–1 day–1", [("7 mg kg–1 day–1", "mg kg–1 day–1")]),
        ("It grew 5% to 200 kg", [("5%", "%"), ("200 kg", "kg")]),
        ("up 12.5% to $3.4 billion", [("12.5%", "%"), ("$3.4 billion", "$")]),
        ("from 5% to 7%", [("from 5% to 7%", "%")]),
    ],
)
def test_blanks_signs_and_powers(text: str, found: list[tuple[str, str | None]]) -> None:
    assert [quote[:2] for quote in quotes(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "There is nothing to measure here.",
        "It began at 2.15pm, not at 3 p.m. or 14:30.",
        "See Fig. 3, Figs. 4 and 5, Figure 6A and Table 2.",
        "See Section 2.1, Sections 3, 4 and 5, Eq. (4) and Eqs. (5) and (6).",
        "in phases 3, 5, and 7 and on day 14",
        "CO2, H2O, Fe2O3, C60, Ca10(PO4)6(OH)2 and Mg(ClO4)2",
        "14C, 12S rRNA, p53, IL-6, caspase-3, COVID-19 and TRA-1–60",
        "Call +49 221 4567 890, (555) 123-4567 or Tel. 0800-1234567.",
        "pp. 301–305, p. 12, pages 3-9",
        "Journal of Things 12(3), 45–67.",
        "as shown before [12,14], [3], [5–9], (27) and (4,35–38)",
        "Smith et al., 2005; (Jones, 1999a,b); Miller (2010)",
        "HD 209458 and NGC 1068 were seen by Voyager 2",
        "version 3.2.1 of NumPy 1.26.4",
        "https://a.org/12/5 and doi 10.1016/j.x.2020.103445",
        "in 2D and 3D, the 1st and the 5th, a two-dimensional, 12-lead recording",
        "F(1, 3.95) and codes 040301–040304 in core 22/10a-4",
        "one of the most important, and no one else",
    ],
)
def test_what_has_digits_and_is_no_quantity(text: str) -> None:
    assert quotes(text) == []


def test_a_label_does_not_hide_a_quantity() -> None:
    assert quotes("from sample 20 g were taken")[0][:2] == ("20 g", "g")
    assert quotes("In Fig. 10, 350 electrons move.") == [("350", None, ("IsCount",))]


def test_a_table_pasted_as_text_has_no_quantities_but_those_with_units() -> None:
    table = "Sample\tMass (g)\tNote\nA1\t12.5\tdried at 40 °C\nB2\t13.1\t–\n| 4 | 5.5 |\n"
    assert quotes(table) == [("40 °C", "°C", ())]
    cells = find_quantities(table, min_score=0)
    assert [table[f.start : f.end] for f in cells] == ["12.5", "40 °C", "13.1", "4", "5.5"]
    assert cells[0].score < cells[1].score


def test_scores_say_how_sure_we_are() -> None:
    text = "The mass is 5 kg; Voyager 2 saw two moons in 1991."
    scores = {text[f.start : f.end]: f.score for f in find_quantities(text, min_score=0)}
    assert scores["5 kg"] > scores["two"] > scores["1991"] > scores["2"]
    assert [text[f.start : f.end] for f in find_quantities(text)] == ["5 kg", "two", "1991"]


@pytest.mark.parametrize(
    ("text", "quote", "unit", "mods"),
    [
        ("Die Tiefe beträgt etwa 3,5 km.", "etwa 3,5 km", "km", "IsApproximate"),
        ("Das sind rund 20 Prozent.", "rund 20 Prozent", "Prozent", "IsApproximate"),
        ("zwischen 3 und 5 Metern", "zwischen 3 und 5 Metern", "Metern", "IsRange"),
        ("von 10 bis 20 °C", "von 10 bis 20 °C", "°C", "IsRange"),
        ("nach mindestens 10 Stunden", "nach mindestens 10 Stunden", "Stunden", "IsRange"),
        ("bis zu 1.234,5 kg", "bis zu 1.234,5 kg", "kg", "IsRange"),
        ("mit 12,5 ± 0,3 mg", "12,5 ± 0,3 mg", "mg", "HasTolerance"),
        ("höchstens 1.234 Personen", "höchstens 1.234", None, "IsCount IsRange"),
        ("Es gab drei Proben.", "drei", None, "IsCount"),
        ("5 Liter pro Minute", "5 Liter pro Minute", "Liter pro Minute", ""),
        ("ungefähr 2,5 Mio. Euro", "ungefähr 2,5 Mio. Euro", "Euro", "IsApproximate"),
        ("am 3. Mai 2010 um 14 Uhr", "3. Mai 2010", None, ""),
    ],
)
def test_german(text: str, quote: str, unit: str | None, mods: str) -> None:
    assert quotes(text, "de") == [(quote, unit, tuple(mods.split()))]


def test_german_labels_and_the_guessed_language() -> None:
    assert quotes("siehe Abb. 3, Kap. 2.1, Tab. 4 und S. 12", "de") == []
    assert read("Die Masse der Probe ist 1,5 kg.")[0].text == "1,5 kg"


def parts(text: str) -> list[dict[str, str]]:
    return [{span.type: span.text for span in spans} for spans in by_set(read(text)).values()]


@pytest.mark.parametrize(
    ("text", "entity", "property"),
    [
        ("We saw three large clusters there.", "large clusters", None),
        ("A slab with a 50 mm lens was used.", "lens", None),
        ("About 40% of the soil samples were dry.", "soil samples", None),
        ("The density of the epoxy was 1.2 g/m3.", "epoxy", "density"),
        ("The model has a mean temperature of 720 K.", "model", "mean temperature"),
        ("We used 4.8 m long cores.", "cores", "long"),
        ("The cores are 9 m long.", "cores", "long"),
        ("They saw a 10% increase in risk.", "risk", "increase"),
        ("The acid (30%) was added.", "acid", None),
        ("The series at x = 0.07 m is shown.", "series", "x"),
        ("The samples were heated to 40 °C.", "samples", "heated"),
        ("There was 2% perchlorate in the soil.", "soil", "perchlorate"),
    ],
)
def test_what_is_measured(text: str, entity: str, property: str | None) -> None:
    (found,) = parts(text)
    assert (found["MeasuredEntity"], found.get("MeasuredProperty")) == (entity, property)


def test_the_next_of_a_list_measures_the_same() -> None:
    first, second = parts("The lengths of the tubes were 80 cm and 81 cm, respectively.")
    assert (first["Quantity"], second["Quantity"]) == ("80 cm", "81 cm")
    assert first["MeasuredEntity"] == second["MeasuredEntity"] == "tubes"
    assert first["MeasuredProperty"] == second["MeasuredProperty"] == "lengths"


def test_a_condition_qualifies_the_quantity() -> None:
    spans = read("They were seen 2 days after the transplantation, and left.")
    qualifier = next(span for span in spans if span.type == "Qualifier")
    assert (qualifier.text, qualifier.relation) == (
        "after the transplantation",
        ("Qualifies", "T1-1"),
    )


def test_relations_lead_to_the_quantity() -> None:
    quantity, property, entity = read("The density of the epoxy was 1.2 g/m3.")
    assert (property.relation, entity.relation) == (
        ("HasQuantity", quantity.id),
        ("HasProperty", property.id),
    )
    quantity, entity = read("We saw three large clusters there.")
    assert entity.relation == ("HasQuantity", quantity.id)


def test_noun_phrases_end_at_verbs_function_words_and_what_is_taken() -> None:
    text = (
        "The modified epoxy resin was heated to 40 °C by G. Smith, slowly cooling cells survived."
    )
    taken = [(text.index("40"), text.index(" by"))]
    found = find_phrases(text, 0, len(text), taken)
    assert [text[p.start : p.end] for p in found] == [
        "modified epoxy resin",
        "G",
        "Smith",
        "cooling cells",
    ]
    assert text[found[0].head : found[0].end] == "resin"


PIECES = st.sampled_from(
    "5 3.5 .05 1,000 10 kg m s−1 % °C μm ± – - to and or between about < ~ × 10−3 ( ) [ ] , . ; = two one of "
    "the mass Fig. CO2 in 1991 May\u2009\t\n two-thirds ⁻¹ $ pH m/ per each respectively mean Σ 𝟙 é".split(
        " "
    )
)


@given(st.one_of(st.text(), st.lists(PIECES).map(" ".join), st.lists(PIECES).map("".join)))
def test_any_text_is_read_and_every_quote_slices_back(text: str) -> None:
    for language in ("en", "de"):
        found = find_quantities(text, language=language, min_score=0)
        assert all(a.end <= b.start for a, b in pairwise(found))
        for f in found:
            assert isinstance(f, Quantity)
            assert 0 <= f.start < f.end <= len(text) and 0 < f.score <= 1
            assert f.unit is None or f.start <= f.unit[0] < f.unit[1] <= f.end
            assert set(f.modifiers) <= set(MODIFIERS)
        spans = read(text, language)
        check_spans(spans)
        assert all(text[span.start : span.end] == span.text for span in spans)


@given(st.lists(PIECES).map(" ".join))
@example("5 in")  # "measured" in the paragraph before does not make it inches
def test_a_paragraph_is_read_the_same_behind_another(text: str) -> None:
    before = "Nothing is measured here.\n\n"
    alone = [(text[f.start : f.end], f.modifiers) for f in find_quantities(text)]
    both = before + text
    assert [(both[f.start : f.end], f.modifiers) for f in find_quantities(both)] == alone


@pytest.mark.parametrize(
    "piece",
    [
        "1, ",
        "0 ",
        "5 kg and ",
        "two ",
        "(1",
        "1-",
        "12.5\t",
        "The mass of a was 5 kg. ",
        "alpha of ",
    ],
)
def test_work_grows_with_the_length(piece: str) -> None:
    small, large = piece * 200, piece * 800
    read(small)
    assert calls(lambda: read(large)) < 4.4 * calls(lambda: read(small))


@pytest.mark.parametrize("piece", ["a", "1", "1/", "http", "m^-", "1.", "<", "about ", "5mW", "\n"])
def test_a_hundred_thousand_characters_are_read(piece: str) -> None:
    text = piece * (100_000 // len(piece)) + " and then 5 kg of sand"
    assert "5 kg" in [span.text for span in read(text)]


def test_a_long_paragraph_is_read_like_its_sentences() -> None:
    sentence = "The density of the epoxy was 1.2 g/m3 at 20 °C. "
    (long,) = Rules().predict({"x": Paragraph("x", "unknown", sentence * 2000)}).values()
    one = read(sentence)
    assert len(long) == 2000 * len(one)
    assert [span.text for span in long[-len(one) :]] == [span.text for span in one]


@pytest.mark.parametrize(
    ("split", "floors"),
    [
        ("train", {"Quantity": 0.87, "Unit": 0.88, "modifier": 0.69}),
        ("dev", {"Quantity": 0.78, "Unit": 0.88, "modifier": 0.62}),
    ],
)
def test_official_figures(data: Path, split: str, floors: dict[str, float]) -> None:
    loaded = TASK.load(split, data)
    report = TASK.score(loaded, Rules().predict(loaded.items))
    for name, floor in floors.items():
        assert report.scores["class"][name]["f1_overlap"] > floor
    assert report.scores["overall"]["f1_overlap"] > {"train": 0.45, "dev": 0.36}[split]
    assert report.also["repeated_sets_removed"] == report.also["overlapping_sets_removed"] == 0
    assert not report.warnings


def test_circa_is_not_the_end_of_celsius() -> None:
    assert quotes("It was c. 5 m. Then 21 °C. Two rooms were empty.") == [
        ("c. 5 m", "m", ("IsApproximate",)),
        ("21 °C", "°C", ()),
        ("Two", None, ("IsCount",)),
    ]


@pytest.mark.parametrize(
    ("text", "quantity", "unit"),
    [
        ("The flux was 10^45 erg s^-1 at most.", "10^45 erg s^-1", "erg s^-1"),
        ("It spans 100 keV–1 MeV here.", "100 keV–1 MeV", "MeV"),
        ("The rod is 5 m–6 m long.", "5 m–6 m", "m"),
        ("It cost £2.1m.", "£2.1m", "£"),
        ("The fund of €20k was spent.", "€20k", "€"),
    ],
)
def test_exponents_ranges_and_money(text: str, quantity: str, unit: str) -> None:
    assert [(found, of) for found, of, _ in quotes(text)] == [(quantity, unit)]


def test_german_number_words_are_found() -> None:
    assert quotes("Achtzehn Proben und neunzehn Folien rissen.", "de") == [
        ("Achtzehn", None, ("IsCount",)),
        ("neunzehn", None, ("IsCount",)),
    ]
