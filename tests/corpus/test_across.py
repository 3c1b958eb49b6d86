"""What documents have in common, found through the index on disk; and the report that tells of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from marginalia.cli.main import cli
from marginalia.corpus.across import compare
from marginalia.corpus.database import connect
from marginalia.corpus.index import PassageIndex
from marginalia.corpus.report.facts import outliers, properties, shown_scale
from marginalia.corpus.report.page import make_report
from marginalia.corpus.store import Store
from tests.corpus.rows import put

WIDTH = 384
FACTS = {"made": "by hand"}


def vector(*directions: int) -> Any:
    made = np.zeros(WIDTH, dtype=np.float16)
    made[list(directions)] = 1 / len(directions) ** 0.5
    return made


def passage(document: str, text: str, vector: Any, start: int = 0) -> dict[str, Any]:
    place = {"number": 1, "start": start, "end": start + len(text)}
    return {"document": document, "text": text, "encoder": "english", "vector": vector, **place}


def measured(document: str, mineral: str, value: float, **more: Any) -> dict[str, Any]:
    sentence = f"The melting point of {mineral} was {value:g} K."
    si = {"si": "kelvin", "si_low": value, "si_high": value, "qualifiers": []}
    parts = {
        "property": "melting point",
        "property_name": "melting point",
        "entity": mineral,
    }
    row = {
        "document": document,
        "id": "m1",
        "start": 25,
        "quantity": f"{value:g} K",
        "sentence": sentence,
    }
    return {**row, **si, **parts, **more}


def papers(numbers: range) -> dict[str, list[dict[str, Any]]]:
    """Documents that all quote one sentence, each with one of its own, and some with a melting point."""
    tables: dict[str, list[dict[str, Any]]] = {
        "documents": [],
        "passages": [],
        "annotations": [],
        "links": [],
    }
    tables["measurements"] = []
    for number in numbers:
        name = f"papers/{number}.txt"
        tables["documents"].append(
            {
                "document": name,
                "words": 100,
                "year": 2000 + number % 20,
                "group": f"g{number % 2}",
                "text": "x",
                "meta": {},
            }
        )
        tables["passages"].append(
            passage(name, "All procedures were approved by the committee.", vector(0), 100)
        )
        tables["passages"].append(
            passage(
                name,
                f"Only paper {number} says <this> & that.",
                vector(10 + number % 300, 320 + number // 300),
                200,
            )
        )
        tables["annotations"].append(
            {
                "document": name,
                "id": "c",
                "task": "words",
                "label": "hard word",
                "quote": "corundum",
                "score": 0.6,
            }
        )
        for target in ("V1", "V2"):
            tables["links"].append(
                {"document": name, "annotation": "v", "target": target, "label": "Trust"}
            )
        value = 2345.0 if number else 2045.0
        row = measured(name, "corundum", value)
        tables["passages"].append(passage(name, row["sentence"], vector(1, 2), 0))
        tables["measurements"].append(row)
    return tables


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("across") / "corpus"
    with Store.open_to_write(folder, FACTS) as store:
        put(store, papers(range(500)))
        compare(store)  # the index is there and is extended
        put(store, papers(range(500, 1000)))
        put(
            store,
            {
                "errors": [
                    {"document": "papers/bad.pdf", "kind": "crash", "reason": "<b>signal</b>"}
                ]
            },
        )
        compare(store)
    return folder


def rows(folder: Path, sql: str) -> list[dict[str, Any]]:
    with connect(Store.open(folder)) as database:
        return database.rows(sql)


def test_passages_that_repeat(corpus: Path) -> None:
    found = rows(corpus, "SELECT DISTINCT documents, text FROM repeats ORDER BY text")
    assert found[0] == {"documents": 1000, "text": "All procedures were approved by the committee."}
    assert all("Only paper" not in row["text"] for row in found)


def test_numbers_that_contradict_each_other(corpus: Path) -> None:
    found = rows(
        corpus,
        "SELECT property, quantity_a, quantity_b, document_a, document_b FROM contradictions",
    )
    assert {frozenset((row["quantity_a"], row["quantity_b"])) for row in found} == {
        frozenset(("2345 K", "2045 K"))
    }
    assert {row["property"] for row in found} == {"melting point of corundum"}
    assert all("papers/0.txt" in (row["document_a"], row["document_b"]) for row in found)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("a rounding", {"si_low": 2340.0, "si_high": 2340.0}),
        ("within the uncertainty", {"si_low": 2045.0, "si_high": 2045.0, "si_uncertainty": 320.0}),
        ("an open bound", {"si_low": 2000.0, "si_high": None}),
        ("another unit", {"si": "pascal", "si_low": 1.0, "si_high": 1.0}),
        (
            "another condition",
            {"si_low": 9.0, "si_high": 9.0, "qualifiers": [{"quote": "under pressure"}]},
        ),
        ("no entity", {"si_low": 9.0, "si_high": 9.0, "entity": None}),
        ("an entity of each paper's own", {"si_low": 9.0, "si_high": 9.0, "entity": "the sample"}),
    ],
)
def test_what_does_not_contradict(tmp_path: Path, name: str, more: dict[str, Any]) -> None:
    own = measured("b", "corundum", 2345.0, **more)
    entity = own["entity"] if name.startswith("an entity") else "corundum"
    others = [measured("a", entity, 2345.0), own]
    same = vector(1, 2)
    with Store.open_to_write(tmp_path / "c", FACTS) as store:
        put(
            store,
            {
                "measurements": others,
                "passages": [passage(row["document"], row["sentence"], same) for row in others],
            },
        )
        compare(store)
    assert not rows(tmp_path / "c", "FROM contradictions")


def pair(tmp_path: Path, *sentences: str, **more: Any) -> list[dict[str, Any]]:
    """What is found between two documents with a sentence each, whose numbers are kilometres."""
    found = []
    for name, sentence in zip("ab", sentences, strict=True):
        quantity = next(f"{word} km" for word in sentence.split() if word.isdigit())
        metres = {
            "si": "meter",
            "si_low": 1000.0 * int(quantity[:-3]),
            "si_high": 1000.0 * int(quantity[:-3]),
        }
        start = {"start": sentence.index(quantity), "sentence": sentence, "quantity": quantity}
        found.append({"document": name, "id": "m1", "qualifiers": [], **metres, **start, **more})
    with Store.open_to_write(tmp_path / "c", FACTS) as store:
        texts = [passage(row["document"], row["sentence"], vector(1, 2)) for row in found]
        put(store, {"measurements": found, "passages": texts})
        compare(store)
    return rows(tmp_path / "c", "FROM contradictions")


@pytest.mark.parametrize(
    "sentence",
    [
        "The tunnel between Aosta and Chamonix is {} km long and was opened in the summer.",
        "We walked {} km through the tunnel between Aosta and Chamonix in the summer.",
    ],
)
def test_sentences_that_differ_in_a_number_alone_contradict_nothing(
    tmp_path: Path, sentence: str
) -> None:
    """Without property and entity nobody knows that they speak of the same thing."""
    assert not pair(tmp_path, sentence.format(12), sentence.format(21))


def test_an_index_that_grew_finds_what_a_new_one_finds(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)
    vectors = chance.standard_normal((60, WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    answers = []
    for name, sizes in (("grown", (20, 20, 20)), ("new", (60,))):
        with Store.open_to_write(tmp_path / name, FACTS) as store:
            begun = 0
            index = PassageIndex(store, "english")
            for size in sizes:
                block = vectors[begun : begun + size]
                put(
                    store,
                    {
                        "passages": [
                            passage(f"d{begun + n}", f"text {begun + n}", one)
                            for n, one in enumerate(block)
                        ]
                    },
                )
                begun += size
                assert len(index.update()) == 1
            assert index.update() == []
            ids, _ = index.neighbours(vectors, 3)
            part, row = np.divmod(ids, 1 << 24)
            answers.append((part - 1) * sizes[0] + row)
    assert (answers[0] == answers[1]).all() and (answers[0][:, 0] == np.arange(60)).all()


def test_an_index_that_was_not_finished_is_made_anew(corpus: Path) -> None:
    store = Store.open(corpus)
    index = PassageIndex(store, "english")
    before, _ = index.neighbours(vector(0)[None].astype(np.float32), 6)
    index.facts.unlink()
    assert len(index.update()) == 2
    after, _ = index.neighbours(vector(0)[None].astype(np.float32), 6)
    assert sorted(before[0]) == sorted(after[0])


def test_far_out_values_are_outliers() -> None:
    assert outliers([1, 2, 3, 2, 1, 100]) == {5}
    assert outliers([1, 1, 100]) == set()


def test_values_are_shown_in_the_unit_that_people_write() -> None:
    def row(unit: str, low: float, si_low: float) -> dict[str, Any]:
        return {"unit": unit, "low": low, "si_low": si_low}

    year = 31_557_600.0
    ages = shown_scale(
        [row("years", 30, 30 * year), row("years", 40, 40 * year), row("days", 1, 86_400)]
    )
    assert ages is not None and ages.unit == "years" and ages.show(2 * year) == pytest.approx(2)
    celsius = shown_scale([row("°C", 0, 273.15), row("°C", 100, 373.15)])
    assert celsius is not None and celsius.show(293.15) == pytest.approx(20)
    assert shown_scale([row("°C", 20, 293.15)]) is None, "one value does not tell the offset"
    assert shown_scale([row("m", 1, 1), row("cm", 1, 0.01), row("mm", 1, 0.001)]) is None, (
        "no unit of most"
    )


def test_properties_are_of_several_documents(tmp_path: Path) -> None:
    spread = [
        measured(f"d{n % 3}", "corundum", 2000.0 + n, property_name="melting point")
        for n in range(6)
    ]
    alone = [measured("d1", "halite", 1000.0 + n, property_name="boiling point") for n in range(9)]
    bare = [measured(f"d{n}", "x", n, property_name="score", si="dimensionless") for n in range(9)]
    bare.append(measured("d1", "corundum", 7.0, property_name="melting point", si=None))
    names = [{"document": f"d{n}", "text": "x", "meta": {}} for n in range(9)]
    with Store.open_to_write(tmp_path / "c", FACTS) as store:
        put(store, {"documents": names, "measurements": [*spread, *alone, *bare]})
    with connect(Store.open(tmp_path / "c")) as database:
        found = properties(database)
    assert [(one.name, one.unit, one.count, one.documents, one.left_out) for one in found] == [
        ("melting point", "kelvin", 6, 3, 1)
    ]


def test_queries_in_every_format(corpus: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    sql = "SELECT document, text FROM passages WHERE text LIKE 'Only paper 3 %'"
    text = "Only paper 3 says <this> & that."
    assert json.loads(run(cli, ["corpus", "query", str(corpus), sql, "--json"]).stdout) == [
        {"document": "papers/3.txt", "text": text}
    ]
    assert run(cli, ["corpus", "query", str(corpus), sql, "--format", "csv"]).stdout == (
        f"document,text\npapers/3.txt,{text}\n"
    )
    assert text in run(cli, ["corpus", "query", str(corpus), sql]).stdout
    made = tmp_path / "rows.parquet"
    written = run(cli, ["corpus", "query", str(corpus), sql, "-o", str(made)])
    assert written.exit_code == 0 and written.stderr == f"written: {made}\n"
    from pyarrow import parquet

    assert parquet.read_table(made).to_pylist() == [{"document": "papers/3.txt", "text": text}]
    wrong = run(cli, ["corpus", "query", str(corpus), "SELECT nonsense FROM annotations"])
    assert wrong.exit_code != 0 and "cannot be run" in str(wrong.exception)
    unknown = run(cli, ["corpus", "query", str(corpus), "FROM measurments"])
    assert 'Did you mean "measurements"?' in str(unknown.exception)
    assert "empty" in str(run(cli, ["corpus", "query", str(corpus), " "]).exception)
    assert "is no corpus" in str(run(cli, ["corpus", "query", str(tmp_path), "SELECT 1"]).exception)


def test_the_report_escapes_and_tells_all(corpus: Path) -> None:
    page = make_report(Store.open(corpus))
    assert "&lt;b&gt;signal&lt;/b&gt;" in page and "<b>signal" not in page
    assert "All procedures were approved" in page and "2045 K" in page
    assert "<td>corundum</td>" in page, "the hard words themselves are listed"
    assert "http" not in page.replace("http-equiv", ""), "nothing comes from outside"


def test_the_report_in_a_browser(corpus: Path, browser: Any, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    done = CliRunner().invoke(cli, ["corpus", "report", str(corpus), "-o", str(out)])
    assert done.exit_code == 0, done.output
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "request",
        lambda request: problems.append(request.url) if "file:" not in request.url else None,
    )
    page.goto(out.as_uri())
    assert page.locator("h2").all_text_contents()[:2] == ["Notes", "Hard words"]
    assert page.locator("svg").count() >= 4
    # A point of the plot leads to its sentence, which is shown.
    page.locator("svg a").last.click(force=True)
    page.wait_for_function("document.querySelector(':target') !== null")
    assert (
        page.locator(":target").is_visible()
        and "melting point" in page.locator(":target").inner_text()
    )
    assert problems == []
    page.close()
