"""Catalogues: text without mark-up, parts by survey, and the vocabulary of the data folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.tasks.variables.official.vocabulary import Catalogue, plain_text, read_vocabulary
from tests.tasks.variables.invented import catalogue, write


def test_line_breaks_become_blanks_and_the_raw_text_is_kept(tmp_path: Path) -> None:
    path = write(
        tmp_path / "v.tsv",
        'variable_id\tresearch_data\ttext\nv1\tZA1\t"Left<br/>and<BR />  ""right"" <R>"\n',
    )
    variable = read_vocabulary(path)["v1"]
    assert variable.text == 'Left and "right" <R>', "other angle brackets are words of the question"
    assert variable.raw == 'Left<br/>and<BR />  "right" <R>'
    assert plain_text(variable.text) == variable.text


def test_the_same_surveys_give_the_same_object() -> None:
    whole = catalogue()
    part = whole.within(["ZA2", "ZA2", "ZA0"])
    assert part.ids == ("ZA2_vote", "ZA2_alter")
    assert part is whole.within(("ZA0", "ZA2"))
    assert part != Catalogue(part) and part.surveys == {"ZA2"}
    assert len(whole.within([])) == 0 and not whole.within([])
    assert "ZA1_age" in whole and "ZA1_age" not in part
    assert repr(whole) == "Catalogue(5 variables of 2 surveys)"


def test_an_id_given_twice_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "v.tsv", "variable_id\tresearch_data\ttext\nv1\tA\tx\nv1\tB\ty\n")
    with pytest.raises(FormatError, match=r"v\.tsv: the variable v1 is given twice"):
        read_vocabulary(path)


def test_the_vocabulary_of_the_data_folder(data: Path) -> None:
    whole = read_vocabulary(data / "sv-ident" / "vocabulary_partial.tsv")
    assert len(whole) == 1360
    first, middle, last = (whole[whole.ids[place]] for place in (0, 680, -1))
    assert first.id == "exploredata-ZA1919_Varv108" and first.survey == "ZA1919"
    assert first.text.startswith("Wahlstudie 1990 (Panelstudie) Links-Rechts: SPD F.I-28 Es gibt")
    assert middle.text.startswith("EVS - European Values Study 1990")
    assert last.id == "exploredata-ZA6644_Varqd9_2"
    assert not any("<br/>" in variable.text for variable in whole)
