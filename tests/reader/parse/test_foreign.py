"""Paragraphs in another language than their document."""

from __future__ import annotations

from pathlib import Path

from marginalia.reader.parse.plain import read_text
from marginalia.reader.parse.regions import is_noise, with_foreign
from marginalia.reader.read import read, read_data

ENGLISH = (
    "The ferry leaves the island at noon and takes about forty minutes. Most of the passengers stand on the upper deck "
    "and watch the gulls that follow the boat, because the cabin below is warm and smells of diesel."
)
FRENCH = (
    "La barque quitte le port à midi et met environ une heure. Les voyageurs restent debout sur le pont et regardent "
    "les oiseaux qui suivent le bateau, car la cabine est chaude et sent le gazole."
)
GERMAN = (
    "Die Fähre verlässt die Insel am Mittag und braucht etwa vierzig Minuten. Die meisten Fahrgäste stehen auf dem "
    "oberen Deck und sehen den Möwen zu, weil es in der Kabine warm ist und nach Diesel riecht."
)


def test_a_paragraph_in_another_language_is_a_region() -> None:
    doc = read_text(f"{ENGLISH}\n\n{FRENCH}\n\n{ENGLISH}\n\n{GERMAN}\n\n{FRENCH[:60]}")
    assert doc.meta["lang"] == "en"
    found = [(one["kind"], one["lang"], doc.text[one["start"] : one["end"]]) for one in doc.meta["regions"]]  # fmt: skip
    assert found == [("foreign", "fr", FRENCH), ("foreign", "de", GERMAN)]


def test_names_code_and_tables_are_in_no_language() -> None:
    names = "Kowalczyk, Ferreira da Silva, Lindqvist, Abdelrahman, van den Heuvel, Castellanos, Papadopoulos, Nakamura, Öztürk"
    figures = "12,4 ± 0,3 | 18,9 ± 1,1 | 22,0 ± 0,8 | n.s. | 14,1 ± 0,2 | 19,7 ± 0,9 | 21,5 ± 0,4 | p < 0,01 | 13,3 ± 0,6 |"
    text = f"{ENGLISH}\n\n{ENGLISH}\n\n{names}\n\n{figures}\n\n{FRENCH}"
    assert [one["lang"] for one in with_foreign(text, [], "en")] == ["fr"]
    start = text.index(FRENCH)
    code = [{"kind": "code", "start": start, "end": len(text)}]
    assert with_foreign(text, code, "en") == code


def test_files_declare_their_language(tmp_path: Path) -> None:
    page = f'<html lang="{{}}"><title>x</title><body><p>{FRENCH}</p></body></html>'
    said = {tag: read_data(page.format(tag).encode(), Path("x.html")).meta["lang"] for tag in ("fr-CA", "en", "")}  # fmt: skip
    assert said == {"fr-CA": "fr", "en": "en", "": "fr"}, (
        "so short a text does not overrule its file"
    )
    path = tmp_path / "x.txt"
    path.write_text(FRENCH, encoding="utf-8")
    assert read(path).meta["lang"] == "fr"
    assert read(path, lang="de").meta["lang"] == "de"


def test_text_in_no_language_is_noise() -> None:
    import codecs

    plain = (
        "The plasma potential was measured with an emissive probe at several places above the target, and the "
        "electric field was derived from it, which shows how the charged particles move within the chamber."
    )
    short = (
        "These observations are consistent with the more limited results in [66, 65] showing it between +6 and +6.0 V in the pulse, "
        "4 cm from the target, for a variation in the working pressure of the gas."
    )
    text = f"{plain}\n\n{codecs.encode(plain, 'rot13')}\n\n{'QmFzZTY0' * 30}\n\n{short}\n\n{codecs.encode(short, 'rot13')}"
    found = [one for one in with_foreign(text, [], "en") if one["kind"] == "noise"]
    assert [text[one["start"] : one["end"]][:8] for one in found] == [
        "Gur cynf",
        "QmFzZTY0",
        "Gurfr bo",
    ]


def test_enciphered_text_with_short_words_is_noise() -> None:
    """Many short strings are in lists of words: half of these are, though rarely used."""
    import codecs

    plain = (
        "In all of the runs it was set to 5 Pa, as is usual for an arc of this kind, and the gas was let in at the top "
        "end. A fan of 40 W had to be put on if the air in the lab was hot; it is not in use in any of the later runs."
    )
    assert is_noise(codecs.encode(plain, "rot13"), "en")
    assert not is_noise(plain, "en")


def test_a_language_without_a_list_of_words_is_no_noise() -> None:
    korean = "감염병의 예방 및 관리에 관한 법률에 의하면 제일급 감염병이란 생물테러감염병 또는 치명률이 높은 감염병을 말한다. "
    assert with_foreign(korean * 4, [], "ko") == []
