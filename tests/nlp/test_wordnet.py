"""WordNet's files, as wndb(5) describes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.nlp.wordnet import (
    Synset,
    compressed,
    is_plain,
    read_irregular,
    read_synsets,
)

DATA = """  1 This is the licence.
00001740 29 v 02 pour 0 spill_out 1 002 @ 00002000 v 0000 ~ 00003000 v 0000 02 + 08 00 + 02 01 | let flow; "pour water"; "pour tea"
00002000 00 s 01 fluid(p) 0 001 & 00001740 a 0000 | of a cluster
"""


def test_a_synset_has_words_keys_pointers_and_frames(tmp_path: Path) -> None:
    path = tmp_path / "data.verb"
    path.write_text(DATA, encoding="utf-8")
    found = read_synsets(path)
    assert found[1740] == Synset(
        kind="v",
        field=29,
        words=("pour", "spill out"),
        keys=("pour%2:29:00::", "spill_out%2:29:01::"),
        pointers=(("@", 2000), ("~", 3000)),
        frames=((8, 0), (2, 1)),
        gloss="let flow",
        examples=("pour water", "pour tea"),
    )
    assert found[1740].pointed("@") == (2000,)
    assert found[2000].words == ("fluid",), "without the mark of where it may stand"


def test_irregular_forms(tmp_path: Path) -> None:
    forms = tmp_path / "noun.exc"
    forms.write_text("mice mouse\n", encoding="utf-8")
    assert read_irregular(forms) == [("mice", "mouse")]


@pytest.mark.parametrize(("read", "text"), [(read_synsets, "1 2 v"), (read_irregular, "mice")])
def test_a_line_that_is_none_is_named(tmp_path: Path, read, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(
        f"  licence of it\n{text}\n" if read is not read_irregular else text, encoding="utf-8"
    )
    with pytest.raises(FormatError, match="line"):
        read(path)


def test_plain_words_and_compression() -> None:
    assert is_plain("fish tank") and not is_plain("Fish tank") and not is_plain("b2b")
    assert compressed("a" * 99) == compressed("a" * 99)
