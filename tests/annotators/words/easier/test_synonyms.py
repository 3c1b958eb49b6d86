"""Easier words from WordNet: how they are chosen, stored, read and inflected."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError
from marginalia.annotators.words.easier import build as build_synonyms
from marginalia.annotators.words.easier import synonyms
from marginalia.annotators.words.easier.synonyms import candidates
from marginalia.nlp.inflection import inflect, lemmas

# A WordNet of a few synsets, as its files write them. Offsets are names: only equality counts.
DATA = {
    "data.noun": """\
  1 A licence stands here.
00000001 03 n 01 entity 0 000 | all
00000002 03 n 01 thing 0 001 @ 00000001 n 0000 | x
00000003 03 n 01 object 0 001 @ 00000002 n 0000 | x
00000004 03 n 01 whole 0 001 @ 00000003 n 0000 | x
00000005 03 n 01 artifact 0 001 @ 00000004 n 0000 | x
00000006 06 n 01 building 0 001 @ 00000005 n 0000 | x
00000007 06 n 04 abode 0 home 0 dwelling 0 domicile 0 001 @ 00000006 n 0000 | where one lives
00000008 06 n 02 colour 0 color 0 001 @ 00000004 n 0000 | x
00000009 06 n 02 Abode 0 house 0 001 @ 00000006 n 0000 | a name
00000010 06 n 02 hypertension 0 high_blood_pressure 0 001 @ 00000004 n 0000 | x
""",
    "index.noun": """\
  1 A licence stands here.
abode n 2 1 @ 2 0 00000009 00000007
building n 1 1 @ 1 0 00000006
color n 1 1 @ 1 0 00000008
colour n 1 1 @ 1 0 00000008
domicile n 1 1 @ 1 0 00000007
dwelling n 1 1 @ 1 0 00000007
high_blood_pressure n 1 1 @ 1 0 00000010
home n 1 1 @ 1 0 00000007
house n 1 1 @ 1 0 00000009
hypertension n 1 1 @ 1 0 00000010
""",
    "data.verb": """\
00000001 41 v 04 bestow 0 give 0 damn 0 can 0 000 01 + 08 00 | x
00000002 38 v 01 walk 0 000 01 + 08 00 | x
00000003 38 v 01 saunter 0 001 @ 00000002 v 0000 01 + 08 00 | x
""",
    "index.verb": """\
bestow v 1 1 @ 1 0 00000001
can v 1 1 @ 1 0 00000001
damn v 1 1 @ 1 0 00000001
give v 1 1 @ 1 0 00000001
saunter v 1 1 @ 1 0 00000003
walk v 1 1 @ 1 0 00000002
""",
    "data.adj": """\
00000001 00 a 01 large 0 000 | x
00000002 00 s 02 colossal 0 prodigious(p) 0 001 & 00000001 a 0000 | x
""",
    "index.adj": """\
colossal a 1 1 & 1 0 00000002
large a 1 1 & 1 0 00000001
prodigious a 1 1 & 1 0 00000002
""",
    "data.adv": "",
    "index.adv": "",
    "noun.exc": "abodi abode\nmen man\n",
    "verb.exc": "bestowedest bestow\n",
    "adj.exc": "",
}


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for name, text in DATA.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def rows_of(data: bytes) -> dict[str, str]:
    lines = gzip.decompress(data).decode().splitlines()
    assert lines[0].startswith("# From WordNet 3.0, Copyright 2006 by Princeton University")
    return dict(line.rsplit("\t", 1) for line in lines[1:])


def test_the_file_holds_clearly_more_frequent_words(wordnet: Path) -> None:
    rows = rows_of(build_synonyms.build(wordnet))
    # The first sense is a name and is left out; the building stands above the second.
    assert rows["abode\tn"] == "home,dwelling,+building"
    assert rows["domicile\tn"] == "home,dwelling,+building"
    assert rows["hypertension\tn"] == "high blood pressure"
    assert rows["saunter\tv"] == "+walk"
    assert rows["colossal\ta"] == "+large"
    # Neither the rude word nor the word of grammar.
    assert rows["bestow\tv"] == "give"
    assert rows["abodi\txn"] == "abode"
    # Common words, other spellings and irregular forms of unknown lemmas have no row.
    assert not {"home\tn", "colour\tn", "men\txn", "building\tn"} & rows.keys()


def test_the_file_is_the_same_each_time(wordnet: Path) -> None:
    assert build_synonyms.build(wordnet) == build_synonyms.build(wordnet)


def test_the_command_writes_the_file_and_keeps_the_rest_of_the_manifest(
    wordnet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "weights" / synonyms.NAME
    out.parent.mkdir()
    old = {"seed": 0, "files": {"other.onnx": "12"}}
    (out.parent / "manifest.json").write_text(json.dumps(old), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["x", "--wordnet", str(wordnet), "--out", str(out)])
    build_synonyms.main()
    manifest = json.loads((out.parent / "manifest.json").read_text(encoding="utf-8"))
    assert manifest == {
        "seed": 0,
        "files": {
            "other.onnx": "12",
            synonyms.NAME: hashlib.sha256(out.read_bytes()).hexdigest(),
        },
    }


@pytest.mark.parametrize("name", ["data.verb", "index.verb", "verb.exc"])
def test_a_bad_line_of_wordnet_is_named(wordnet: Path, name: str) -> None:
    (wordnet / name).write_text("x\n", encoding="utf-8")
    with pytest.raises(FormatError, match=rf"{name}:1: "):
        build_synonyms.build(wordnet)


def folder_with(folder: Path, text: str | bytes) -> Path:
    """A weights folder whose only file is the synonyms."""
    data = text if isinstance(text, bytes) else gzip.compress(text.encode())
    (folder / synonyms.NAME).write_bytes(data)
    files = {synonyms.NAME: hashlib.sha256(data).hexdigest()}
    (folder / "manifest.json").write_text(json.dumps({"files": files}), encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_with(
        tmp_path,
        "# licence\n"
        "abode\tn\thome,address,+housing\n"
        "bestow\tv\tgive,set apart,stop\n"
        "colossal\ta\t+large,expensive\n"
        "lofty\ta\tnoble,+high\n"
        "locus\tn\tplace\n"
        "loci\txn\tlocus\n"
        "smite\tv\thit\n"
        "smitten\txv\tsmite\n"
        "mountain ash\tn\ttree\n"
        "cast lots\tv\tchoose\n",
    )


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("abode", ["home", "address", "housing"]),
        ("abodes", ["homes", "addresses", "housing"]),  # a mass noun stays as it is
        ("Abodes", ["Homes", "Addresses", "Housing"]),
        ("ABODE", ["HOME", "ADDRESS", "HOUSING"]),
        ("bestows", ["gives", "sets apart", "stops"]),
        ("bestowed", ["gave", "set apart", "stopped"]),
        ("bestowing", ["giving", "setting apart", "stopping"]),
        ("loftier", ["nobler", "higher"]),
        ("loftiest", ["noblest", "highest"]),
        ("loci", ["places"]),
        ("smitten", ["hit"]),
        ("mountain ashes", ["trees"]),
        ("casting lots", ["choosing"]),
        ("cathedral", []),
    ],
)
def test_candidates_have_the_form_of_the_word(folder: Path, word: str, found: list[str]) -> None:
    assert [item.word for item in candidates(word, folder=folder)] == found


def test_kinds_and_tags_are_told(folder: Path) -> None:
    found = candidates("abode", "NOUN", folder=folder)
    assert [item.kind for item in found] == ["same meaning", "same meaning", "more general"]
    assert {item.tag for item in found} == {"NOUN"}
    assert candidates("abode", "VERB", folder=folder) == []
    assert candidates("abode", "PROPN", folder=folder) == []


def test_a_participle_is_told_apart(folder: Path) -> None:
    assert candidates("bestowed", "VERB", participle=True, folder=folder)[0].word == "given"
    assert candidates("bestowed", "ADJ", folder=folder)[0].word == "given"


@pytest.mark.parametrize(
    ("phrase", "tag", "form", "made"),
    [
        ("city", "n", "s", "cities"),
        ("day", "n", "s", "days"),
        ("church", "n", "s", "churches"),
        ("child", "n", "s", "children"),
        ("businessman", "n", "s", "businessmen"),
        ("hero", "n", "s", "heroes"),
        ("piece of cloth", "n", "s", "pieces of cloth"),
        ("carry", "v", "s", "carries"),
        ("carry", "v", "ed", "carried"),
        ("carry", "v", "ing", "carrying"),
        ("plan", "v", "ed", "planned"),
        ("offer", "v", "ed", "offered"),
        ("refer", "v", "ing", "referring"),
        ("lie", "v", "ing", "lying"),
        ("agree", "v", "ing", "agreeing"),
        ("use", "v", "ed", "used"),
        ("go on", "v", "ed", "went on"),
        ("big", "a", "er", "bigger"),
        ("good", "a", "est", "best"),
        ("careful", "a", "er", "more careful"),
    ],
)
def test_forms_are_made(phrase: str, tag: str, form: str, made: str) -> None:
    assert inflect(phrase, tag, form) == made


@pytest.mark.parametrize(
    ("made", "tag", "lemma"),
    [
        ("cities", "n", "city"), ("wolves", "n", "wolf"), ("planned", "v", "plan"),
        ("using", "v", "use"), ("carried", "v", "carry"), ("bigger", "a", "big"),
    ],
)  # fmt: skip
def test_forms_are_undone(made: str, tag: str, lemma: str) -> None:
    assert lemma in {found for found, _ in lemmas(made, tag)}
    assert (made, "") in set(lemmas(made, tag))


@pytest.mark.parametrize(
    "word", ["", " ", "🙂", "שלום", "abode" * 2000, "\x00", "a\tn", "null", "'s"]
)
def test_what_is_no_word_has_no_candidates(folder: Path, word: str) -> None:
    assert candidates(word, folder=folder) == []


@given(st.text(max_size=20))
def test_the_shipped_file_takes_any_text(word: str) -> None:
    for item in candidates(word):
        assert item.word and item.kind in {"same meaning", "more general"}


def test_shipped_words() -> None:
    assert [item.word for item in candidates("physicians", "NOUN")] == ["doctors"]
    assert "high blood pressure" in {item.word for item in candidates("hypertension")}
    assert "Began" in {item.word for item in candidates("Commenced", "VERB")}
    assert (synonyms.WEIGHTS / synonyms.NAME).stat().st_size < 700_000
    licence = (synonyms.WEIGHTS / "WORDNET-LICENSE.txt").read_text(encoding="utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in licence


def test_a_damaged_or_foreign_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="reinstall"):
        candidates("abode", folder=tmp_path)
    (tmp_path / "manifest.json").write_text('{"files": {}}', encoding="utf-8")
    with pytest.raises(MissingError, match="does not name"):
        candidates("abode", folder=tmp_path)
    folder_with(tmp_path, b"not gzip")
    with pytest.raises(FormatError, match="cannot be unpacked"):
        candidates("abode", folder=tmp_path)
    folder_with(tmp_path, gzip.compress(b"abode\tn\thome\n")[:-4])
    with pytest.raises(FormatError, match="cannot be unpacked"):
        candidates("abode", folder=tmp_path)
    folder_with(tmp_path, "abode\thome\n")
    with pytest.raises(FormatError, match=r"gz:1: expected lemma"):
        candidates("abode", folder=tmp_path)
    (tmp_path / synonyms.NAME).write_bytes(b"changed")
    with pytest.raises(FormatError, match="damaged"):
        candidates("abode", folder=tmp_path)


def test_a_file_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synonyms, "MAX_BYTES", 100)
    folder_with(tmp_path, "x" * 200)
    with pytest.raises(FormatError, match="unpacks to more than 100 bytes"):
        candidates("abode", folder=tmp_path)
