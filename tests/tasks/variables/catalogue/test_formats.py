"""One survey in every format is one and the same catalogue; ids stay apart; odd tables lose nothing."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError, UnknownNameError
from marginalia.tasks.variables.catalogue.formats import (
    QUALIFIED,
    REPEATED,
    read_catalogue,
    source_files,
    unique_ids,
)
from marginalia.tasks.variables.catalogue.statistics_files import OLD_ENCODING
from marginalia.tasks.variables.catalogue.tables import NOT_UTF8, RAGGED
from marginalia.tasks.variables.official.vocabulary import NO_ID, read_vocabulary
from tests.tasks.variables.invented import write
from tests.tasks.variables.sources import STUDY, VARIABLES, ddi, metadata, table, write_all


@pytest.mark.parametrize("format", ["ddi", "json", "csv", "tsv"])
def test_every_format_gives_the_same_catalogue(tmp_path: Path, format: str) -> None:
    found = read_catalogue([write_all(tmp_path)[format]])
    assert not found.notes
    assert found.ids == tuple(VARIABLES) and found.surveys == {"OS1"}
    for variable in found:
        assert variable.fields == {"name": variable.id, "study": STUDY, **VARIABLES[variable.id]}
        assert variable.text.startswith(STUDY)


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".por", ".dta"])
def test_labels_of_spss_and_stata_files(tmp_path: Path, suffix: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    pandas = pytest.importorskip("pandas")
    path = tmp_path / f"wave1{suffix}"
    frame = pandas.DataFrame({"roses": [1.0, 2.0], "weight": [0.5, 1.5]})
    kind = {".sav": "sav", ".zsav": "sav", ".por": "por", ".dta": "dta"}[suffix]
    options = {} if suffix == ".por" else {"variable_value_labels": {"roses": {1: "Ja", 2: "Nö"}}}
    if suffix == ".zsav":
        options["compress"] = True
    getattr(pyreadstat, f"write_{kind}")(
        frame, str(path), column_labels=["Rosen im Garten", "Design weight"], **options
    )
    found = read_catalogue([path])
    roses = next(v for v in found if v.id.lower() == "roses")
    assert roses.survey == "wave1" and roses.fields["label"] == "Rosen im Garten"
    assert suffix == ".por" or roses.fields["answers"] == "Ja;Nö"
    assert [v.fields["label"] for v in found] == ["Rosen im Garten", "Design weight"]
    assert OLD_ENCODING not in found.notes


def test_a_broken_data_file(tmp_path: Path) -> None:
    pytest.importorskip("pyreadstat")
    for name in ("x.sav", "x.dta", "x.por"):
        path = tmp_path / name
        path.write_bytes(b"no data here")
        with pytest.raises(FormatError, match=f"x{path.suffix}: not a readable {path.suffix} file"):
            read_catalogue([path])


def test_without_pyreadstat_the_error_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    write(tmp_path / "x.sav", "anything")
    with pytest.raises(MissingError, match=r"pip install 'marginalia\[catalogue\]'"):
        read_catalogue([tmp_path / "x.sav"])


def test_the_vocabulary_is_read_as_before(tmp_path: Path) -> None:
    path = write(
        tmp_path / "v.tsv",
        'variable_id\tresearch_data\ttext\nv1\tZA1\t"Left<br/>and ""right"""\nv2\tZA1\tAge\n',
    )
    assert list(read_catalogue([path])) == list(read_vocabulary(path))


def test_the_vocabularies_of_the_data_folder(data: Path) -> None:
    path = data / "sv-ident" / "vocabulary_partial.tsv"
    found = read_catalogue([path])
    texts = {variable.id: variable.text for variable in read_vocabulary(path)}
    assert not found.notes and {variable.id: variable.text for variable in found} == texts
    # Its one text begins with the title of the study, so it can be told apart.
    trust = found["exploredata-ZA4950_VarV13"].fields
    assert trust["study"].endswith("ISSP 2008") and trust["label"] == "People can be trusted"
    trial = read_catalogue([data / "sv-ident" / "trial" / "vocabulary" / "de.tsv"])
    assert len(trial) == 224 and set(trial["v16"].fields) >= {"label", "question", "answers"}


def test_one_id_of_two_surveys_is_qualified_wherever_it_occurs(tmp_path: Path) -> None:
    write(tmp_path / "a.xml", ddi(survey="A"))
    write(tmp_path / "b.xml", ddi({**VARIABLES, "more": {"label": "M"}}, survey="B"))
    found = read_catalogue([tmp_path])
    assert found.ids[:2] == ("A:roses", "A:age") and found.ids[-2:] == ("B:weight", "more")
    assert found.notes == {QUALIFIED: 4}
    again = read_catalogue([tmp_path / "b.xml", tmp_path / "a.xml"])
    assert set(again.ids) == set(found.ids), "whichever comes first"


def test_duplicates_within_a_survey(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.csv", "id,label\nv1,Age\nv1,Age\nv1,Sex\nv1,Weight\ns:v1#2,Odd\n,Nameless\n"
    )
    found = read_catalogue([path])
    assert {v.id: v.fields["label"] for v in found} == {
        "s:v1": "Age",
        "s:v1#3": "Sex",
        "s:v1#4": "Weight",
        "s:v1#2": "Odd",
        "variable-6": "Nameless",
    }
    assert found.notes == {REPEATED: 1, QUALIFIED: 1, NO_ID: 1}


names = st.sampled_from(["a", "b", "A:a", "A:a#2", "B:b"])


@given(st.lists(st.tuples(names, st.sampled_from("AB"), st.integers(0, 2)), max_size=12))
def test_ids_are_unique_and_nothing_is_lost(rows: list[tuple[str, str, int]]) -> None:
    ids = unique_ids(rows, Counter())
    kept = [id for id in ids if id is not None]
    assert len(set(kept)) == len(kept) == len(set(rows))
    for row, id in zip(rows, ids, strict=True):
        assert id is None or id == row[0] or id.startswith(f"{row[1]}:{row[0]}")


def test_tables_from_spreadsheets(tmp_path: Path) -> None:
    """Semicolons, a byte order mark, two encodings, cells too many and too few."""
    path = tmp_path / "s.csv"
    path.write_bytes(
        "\ufeffVariable;Label;Frage\n".encode()
        + "größe;Körpergröße;Wie groß?\n".encode()
        + "alter;Alter;Wie alt für Sie?\n".encode("cp1252")
        + b"\n;;\nmore;A;B;C\nfew;F\n"
    )
    found = read_catalogue([path])
    assert [(v.id, v.fields.get("question")) for v in found] == [
        ("größe", "Wie groß?"),
        ("alter", "Wie alt für Sie?"),
        ("more", "B;C"),
        ("few", None),
    ]
    assert found.notes == {NOT_UTF8: 1, RAGGED: 2}
    path.write_text("id,label\nä,Größe\n", encoding="utf-16")
    assert read_catalogue([path])["ä"].fields["label"] == "Größe"


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", "code,what,label\nv1,Age in years,junk\n")
    found = read_catalogue([path], {"id": "code", "label": "what"})
    assert found["v1"].fields == {"label": "Age in years"}
    with pytest.raises(FormatError, match=r"no column 'nowhere'; found code, what, label"):
        read_catalogue([path], {"label": "nowhere"})
    with pytest.raises(UnknownNameError, match="Did you mean 'label'"):
        read_catalogue([path], {"lable": "what"})


def test_other_shapes_of_json(tmp_path: Path) -> None:
    wanted = read_catalogue([write(tmp_path / "a.json", metadata())])
    flat = write(
        tmp_path / "OS1.json",
        '{"roses": {"label": "R", "topic": ["a", "b"], "answers": {"1": "x"}}}',
    )
    (one,) = read_catalogue([flat])
    assert (one.id, one.survey, one.fields["topic"]) == ("roses", "OS1", "a;b")
    assert one.fields["answers"] == "x"
    lines = write(
        tmp_path / "a.jsonl",
        '{"id": "v", "survey": "S", "question_text": "Wie?", "question_text_en": "How?"}\n\n',
    )
    (one,) = read_catalogue([lines])
    assert one.fields == {"question": "Wie? / How?"} and one.survey == "S"
    listed = write(tmp_path / "l.json", '[{"label": "L"}, {"label": null, "name": "n"}]')
    found = read_catalogue([listed])
    assert found.ids == ("variable-1", "n") and found.notes[NO_ID] == 1
    assert len(wanted) == 4


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", "no column is a label, a question or a text; found none"),
        ("a.csv", "x,y\n1,2\n", r"found x, y; name one with `columns=`, for example label=NAME"),
        ("a.csv", "label,label\n", "names a column twice"),
        ("a.csv", b"label\n\x00\x01\n", "a.csv:2: this is not a text file"),
        ("a.csv", 'label\n"' + "x\n" * 600_000, "broken quoting"),
        ("a.json", "{", "not JSON"),
        ("a.json", "[]", "no variables"),
        ("a.json", "[1]", "a int where the metadata of a variable"),
        ("a.json", '{"S": {"v": {"x": "1"}}}', "no column is a label"),
        ("a.json", '{"S": {"v": {}, "v": {}}}', "the key 'v' is given twice"),
        ("a.jsonl", "{}\nx\n", "a.jsonl"),
        ("a.doc", "x", "the ending does not say the format"),
    ],
)
def test_bad_sources(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FormatError, match=message):
        read_catalogue([path])


def test_sources_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no such file"):
        source_files([tmp_path / "nowhere.xml"])
    with pytest.raises(FormatError, match="the folder has no"):
        source_files([tmp_path])
    write(tmp_path / "b.csv", table())
    write(tmp_path / "notes.md", "no catalogue")
    assert [path.name for path in source_files([tmp_path])] == ["b.csv"]
