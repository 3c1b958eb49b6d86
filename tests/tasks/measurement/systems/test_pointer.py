"""The shipped systems: the contract, odd paragraphs, and what the weights promise."""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia import Document, FormatError, MissingError, check_system, get_benchmark
from marginalia.annotators.measurements import document as measured
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import ROLES, Spans, by_set, check_spans
from marginalia.tasks.measurement.systems.inference import (
    CACHED_PARAGRAPHS,
    MAX_ASKED_PER_WINDOW,
    Graphs,
)
from marginalia.tasks.measurement.systems.inputs import PURPOSES, Window
from marginalia.tasks.measurement.systems.pointer import Pointer
from marginalia.tasks.measurement.systems.shipped import WEIGHTS
from tests.tasks.measurement.invented import invented, invented_task

TASK = get_benchmark("measurement")
BEST = Pointer()
FILM = (
    "The films were annealed at 450 °C for 2 h. After cooling, the thickness of the oxide layer was "
    "about 35 ± 2 nm, and 12 samples showed cracks."
)


def read(text: str) -> Spans:
    return BEST.predict({"x": Paragraph("x", "", text)})["x"]


@pytest.mark.parametrize("name", ["pointer", "strict"])
def test_each_system_keeps_the_contract(name: str) -> None:
    check_system(TASK.card(name), invented())


def test_quantities_with_unit_modifiers_and_context() -> None:
    spans = read(FILM)
    quantities = {span.text: span for span in spans if span.type == "Quantity"}
    assert {"450 °C", "2 h", "about 35 ± 2 nm"} <= set(quantities)
    assert quantities["450 °C"].unit == "°C"
    thickness = by_set(spans)[quantities["about 35 ± 2 nm"].set]
    said = {span.type: span.text for span in thickness}
    assert "thickness" in said["MeasuredProperty"]
    assert "oxide layer" in said["MeasuredEntity"]
    assert "IsApproximate" in quantities["about 35 ± 2 nm"].mods


def test_the_entity_leads_to_the_property_where_there_is_one() -> None:
    for members in by_set(read(FILM)).values():
        types = {span.type: span for span in members}
        if "MeasuredEntity" in types:
            wanted = "HasProperty" if "MeasuredProperty" in types else "HasQuantity"
            assert types["MeasuredEntity"].relation is not None
            assert types["MeasuredEntity"].relation[0] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Nothing was counted.",
        "1 2 3 4 5",
        "\u2009\u200a−5\u2009K",
        "x" * 3000,
        "😀 5 km 😀",
        "זה 5 מטר",
        "a\tb\tc\n1\t2\t3\n4\t5\t6",
        "\u0000\u200b 7 m",
    ],
)
def test_odd_paragraphs(text: str) -> None:
    spans = read(text)
    check_spans(spans)
    assert all(text[span.start : span.end] == span.text for span in spans)


@settings(max_examples=25)
@given(st.text(alphabet="0123456789.,–±<∼% kmgsKapt(of)the\n", max_size=200))
def test_every_quote_slices_back_and_no_set_is_repeated(text: str) -> None:
    spans = read(text)
    check_spans(spans)
    assert all(text[span.start : span.end] == span.text for span in spans)
    quantities = [(span.start, span.end) for span in spans if span.type == "Quantity"]
    assert len(quantities) == len(set(quantities)) == len(by_set(spans))


def test_a_very_long_paragraph_is_read_in_windows_without_losing_a_quantity() -> None:
    text = " ".join(f"The length of rod {chr(97 + n % 26)} was {n + 2}.5 mm." for n in range(150))
    quantities = [span for span in read(text) if span.type == "Quantity"]
    assert [span.text for span in quantities] == [f"{n + 2}.5 mm" for n in range(150)]


def test_what_may_be_shown_of_each_set_has_a_confidence() -> None:
    items = {"x": Paragraph("x", "", FILM)}
    system = Pointer(strict=True)
    sets = by_set(system.predict(items)["x"])
    judged = system.contexts(items)["x"]
    assert set(judged) == set(sets)
    for quantity in judged.values():
        for role in ROLES[:2]:
            scores = [span.score for span in quantity.context if span.role == role]
            assert scores == sorted(scores, reverse=True)
        for role, start, end, score in quantity.context:
            assert role in ROLES and 0 <= start < end <= len(FILM) and 0 < score < 1
        assert 0 < quantity.score < 1 and quantity.purpose in PURPOSES
    thickness = next(q for q in judged.values() if FILM[q.start : q.end] == "about 35 ± 2 nm")
    best = {span.role: FILM[span.start : span.end] for span in reversed(thickness.context)}
    assert (best["MeasuredProperty"], best["MeasuredEntity"]) == ("thickness", "oxide layer")


def test_strict_gives_each_number_of_a_list_its_own_set() -> None:
    text = "The strength was 26.2, 22.1 and 20.3 MPa for the three mixes."
    spans = Pointer(strict=True).predict({"x": Paragraph("x", "", text)})["x"]
    quantities = [span for span in spans if span.type == "Quantity"]
    assert [(q.text, q.unit) for q in quantities][:3] == [
        ("26.2", "MPa"),
        ("22.1", "MPa"),
        ("20.3 MPa", "MPa"),
    ]


def test_one_pass_whatever_the_number_of_quantities() -> None:
    system = Pointer()
    encoder, reading = system.graphs.sessions
    passes: list[int] = []

    class Counted:
        def run(self, names: list[str], feed: dict[str, object]) -> object:
            passes.append(1)
            return encoder.run(names, feed)

    system.graphs.__dict__["sessions"] = (Counted(), reading)
    few = "The rod was 5 mm long."
    many = "Rods were " + ", ".join(f"{n} mm" for n in range(2, 60)) + " long and wide."
    for text in (few, many):
        passes.clear()
        assert system.predict({"x": Paragraph("x", "", text)})["x"]
        assert len(passes) == 1


def test_a_document_is_read_once_for_spans_and_alternatives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where it has more paragraphs than the cache holds."""
    system = Pointer()
    read: list[str] = []
    kept = lru_cache(maxsize=CACHED_PARAGRAPHS)(lambda text: read.append(text) or [])
    monkeypatch.setattr(system.graphs, "quantities", kept)
    monkeypatch.setattr(measured, "BENCHMARK", invented_task(lambda: system))
    measured._measure.cache_clear()
    texts = [f"The rod {n} was {n + 2} mm long." for n in range(CACHED_PARAGRAPHS + 6)]
    doc = Document(id="x", text="\n\n".join(texts), meta={"lang": "en"})
    measured.measure(doc, alternatives=True)
    measured._measure.cache_clear()
    assert sorted(read) == sorted(texts)


@pytest.mark.parametrize("piece", ["1, ", "5 kg "])
def test_a_column_of_numbers_is_not_asked_about_one_by_one(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each quantity costs a look at its whole window, so a window asks about a bounded number of them."""
    asked, windows = [], []
    ask, encode = Graphs.ask, Graphs.encode

    def count(
        self: Graphs, window: object, vectors: object, batch: list[object], *more: object
    ) -> object:
        asked.append(len(batch))
        return ask(self, window, vectors, batch, *more)  # type: ignore[arg-type]

    def count_windows(self: Graphs, window: Window, quantities: object) -> object:
        windows.append(window)
        return encode(self, window, quantities)  # type: ignore[arg-type]

    monkeypatch.setattr(Graphs, "ask", count)
    monkeypatch.setattr(Graphs, "encode", count_windows)
    found = Pointer().predict({"a": Paragraph("", "", piece * 700)})["a"]
    assert len(found) >= 500, "none of them is lost"
    assert sum(asked) <= MAX_ASKED_PER_WINDOW * len(windows)


def test_the_network_reads_only_where_a_quantity_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Window] = []
    encode = Graphs.encode
    monkeypatch.setattr(
        Graphs, "encode", lambda self, w, q: (read.append(w), encode(self, w, q))[1]
    )
    system = Pointer()
    assert system.predict({"a": Paragraph("", "", "No number stands in these words.")})["a"] == ()
    assert not read
    long = "It weighed 5 kg at first. " + "Then nothing was weighed for long. " * 200
    found = system.predict({"a": Paragraph("", "", long)})["a"]
    assert [long[s.start : s.end] for s in found if s.type == "Quantity"] == ["5 kg"]
    assert len(read) == 1


def test_fitting_without_torch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingError, match=r"the package torch: pip install 'marginalia\[train\]'"):
        Pointer().fit(invented())


def test_nothing_to_save_before_fitting(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="nothing to save"):
        Pointer().save(tmp_path)


def test_missing_and_damaged_weights_are_named(tmp_path: Path) -> None:
    items = {"x": Paragraph("x", "", FILM)}
    with pytest.raises(MissingError, match="not there"):
        Pointer(tmp_path).predict(items)
    for path in WEIGHTS.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "reading.onnx").write_bytes(b"short")
    with pytest.raises(FormatError, match="damaged"):
        Pointer(tmp_path).predict(items)


def test_the_manifest_names_what_is_there() -> None:
    manifest = json.loads((WEIGHTS / "manifest.json").read_text(encoding="utf-8"))
    assert set(manifest["files"]) == {"encoder.onnx", "reading.onnx"}
    assert sum((WEIGHTS / name).stat().st_size for name in manifest["files"]) < 34e6


def test_strict_spans_make_sense_alone() -> None:
    text = (
        "The gap was 3.5 eV. Wind speed was 3 m s−1; the pressure (of dry air) was 1013 hPa. "
        "Voltages of 5, 10 and 15 kV were applied to the electrodes for 30 min and 20 rods broke."
    )
    system = Pointer(strict=True)
    spans = system.predict({"x": Paragraph("x", "", text)})["x"]
    quantities = [span for span in spans if span.type == "Quantity"]
    for span in spans:
        if span.type != "Quantity":
            own = next(q for q in quantities if q.set == span.set)
            assert not (own.start < span.end and span.start < own.end)
            assert span.text[0].isalnum() or not text[span.start - 1].isalnum()
    for members in by_set(spans).values():
        places = sorted((span.start, span.end) for span in members)
        assert all(a[1] <= b[0] for a, b in pairwise(places))


def test_a_property_that_the_network_overlooks_is_found_by_its_word() -> None:
    text = "The chamber had a pressure of 5 kPa for the whole of the night."
    assert any(s.type == "MeasuredProperty" and "pressure" in s.text for s in read(text))
