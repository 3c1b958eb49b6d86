"""One invented survey in every format: the same variables come out of each."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marginalia import FormatError, MarginaliaError
from marginalia.tasks.variables.catalogue.formats import READERS, read_catalogue
from tests.tasks.variables.invented import write
from tests.tasks.variables.sources import MADE, STUDY, VARIABLES, lifecycle, make_catalogue

PORTABLE = "SPSS, portable"
CODED = [name for name in MADE if name.startswith(("DDI", "SPSS", "Stata")) and name != PORTABLE]
ASKED = [name for name in MADE if not name.startswith(("SPSS", "Stata"))]


def test_every_ending_that_is_read_has_a_file() -> None:
    assert {suffix for suffix, _ in MADE.values()} == set(READERS)


@pytest.mark.parametrize("format", MADE)
def test_every_format_gives_the_same_variables(format: str, tmp_path: Path) -> None:
    found = read_catalogue([make_catalogue(format, tmp_path)])
    # Portable files have names in capitals.
    assert {one.fields["name"].lower() for one in found} == set(VARIABLES) and len(found) == 4
    for one in found:
        wanted = VARIABLES[one.fields["name"].lower()]
        assert one.survey == "OS1" and one.fields["study"] == STUDY
        assert one.fields.get("label") == wanted["label"]
        if format != PORTABLE:
            assert one.fields.get("answers") == wanted.get("answers")
        if format in ASKED:
            assert one.fields.get("question") == wanted.get("question")
            assert one.fields.get("topic") == wanted.get("topic")
        if format in CODED:
            labels = wanted.get("answers", "").split(";") if "answers" in wanted else []
            assert [label for _, label in one.codes] == labels
            assert all(code for code, _ in one.codes)


def test_translations_and_universes_of_lifecycle(tmp_path: Path) -> None:
    text = lifecycle().replace(
        '<r:Content xml:lang="en">Age</r:Content>',
        '<r:Content xml:lang="en">Age</r:Content><r:Content xml:lang="de">Alter</r:Content>',
    )
    text = text.replace(
        "<l:VariableName><r:String>age",
        "<r:UniverseReference><r:ID>u1</r:ID></r:UniverseReference><l:VariableName><r:String>age",
    ).replace(
        "<l:LogicalProduct>",
        "<l:LogicalProduct><c:Universe><r:ID>u1</r:ID><c:HumanReadable><r:Content>Adults</r:Content>"
        "</c:HumanReadable></c:Universe>",
    )
    found = read_catalogue([write(tmp_path / "a.xml", text)])
    assert found["age"].fields["label"] == "Age / Alter"
    assert found["age"].fields["notes"] == "Universe: Adults"


@pytest.mark.parametrize("first", [102, 103])
def test_old_stata_is_refused_clearly(first: int, tmp_path: Path) -> None:
    (tmp_path / "old.dta").write_bytes(bytes([first]) + b"\1" * 200)
    with pytest.raises(FormatError, match=rf"format {first} \(Stata 1 to 3\) cannot be read"):
        read_catalogue([tmp_path / "old.dta"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"id,label\n"),
        ("a.xml", b"<codeBook/>"),
        ("a.xml", b"<DDIInstance xmlns='ddi:instance:3_2'/>"),
    ],
)
def test_a_catalogue_without_variables_is_an_error(
    name: str, content: bytes, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match="holds no variables"):
        read_catalogue([tmp_path / name])


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), format=st.sampled_from(["DDI Lifecycle 3.2", "XLSX", "SPSS", "Stata"]))
def test_damaged_files_end_in_one_sentence(
    data: st.DataObject, format: str, tmp_path: Path
) -> None:
    path = make_catalogue(format, tmp_path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        read_catalogue([path])
    except MarginaliaError as error:
        assert "\n" not in str(error)
