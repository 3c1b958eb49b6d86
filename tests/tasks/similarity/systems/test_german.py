"""German pairs, and English-German ones, on the scale of English ones."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from marginalia import Document, FormatError, get_benchmark
from marginalia.tasks.similarity.official.data import Pair
from marginalia.tasks.similarity.search.search import find_repeated
from marginalia.tasks.similarity.systems.inputs import (
    BETWEEN_LANGUAGES,
    line,
    rescaled,
    shipped_scales,
)
from marginalia.tasks.similarity.systems.languages import (
    encoder_language,
    kind_of,
    sentence_language,
)
from marginalia.tasks.similarity.systems.meaning import NAMES
from marginalia.tasks.similarity.systems.train.anchors import (
    PAIRS_PER_KIND,
    Dictionary,
    learn_scales,
    read_dictionary,
    unrelated,
)

TASK = get_benchmark("similarity")
RATED = Path(__file__).with_name("german_pairs.tsv")


@pytest.fixture(scope="module")
def rated() -> list[dict[str, str]]:
    with RATED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def scores(rated: list[dict[str, str]]) -> list[float]:
    items = {str(n): Pair(row["left"], row["right"], "own") for n, row in enumerate(rated)}
    return [one.score for one in TASK.system("learned").predict(items).values()]


def chosen(
    rated: Sequence[dict[str, str]], scores: Sequence[float], kind: str, gold: str
) -> list[float]:
    return [s for row, s in zip(rated, scores, strict=True) if (row["kind"], row["score"]) == (kind, gold)]  # fmt: skip


def test_translations_say_the_same(rated: list[dict[str, str]], scores: list[float]) -> None:
    same = chosen(rated, scores, "mixed", "5")
    assert len(same) == 12 and min(same) > 3.5 and np.mean(same) > 4.7
    assert max(chosen(rated, scores, "mixed", "0")) < 1
    assert np.mean(chosen(rated, scores, "german", "5")) > 4.4
    assert max(chosen(rated, scores, "german", "0")) < 0.2


@pytest.mark.parametrize(("kind", "least", "most"), [("mixed", 0.9, 0.62), ("german", 0.85, 0.6)])
def test_they_follow_our_ratings(
    rated: list[dict[str, str]], scores: list[float], kind: str, least: float, most: float
) -> None:
    rows = [(float(r["score"]), s) for r, s in zip(rated, scores, strict=True) if r["kind"] == kind]
    gold, pred = np.array(rows).T
    assert np.corrcoef(gold, pred)[0, 1] > least
    assert np.abs(gold - pred).mean() < most


def test_either_way_and_alone(rated: list[dict[str, str]], scores: list[float]) -> None:
    for place in (0, 60):
        turned = {"x": Pair(rated[place]["right"], rated[place]["left"], "own")}
        assert TASK.system("learned").predict(turned)["x"].score == scores[place]
    assert all(0 <= score <= 5 for score in scores)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Die Regierung hat die Steuern erhöht.", "de"),  # no small word votes here
        ("Italien hat viele große Künstler hervorgebracht.", "de"),
        ("Nato soldier dies in Afghanistan", "en"),
        ("32 die in Bangladesh protest", "en"),
        ("Voters in den Haag turn away", "en"),
        ("The man is here.", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_sentence(text: str, lang: str) -> None:
    assert sentence_language(text) == lang


def test_the_kind_of_a_pair() -> None:
    assert kind_of("The man is here.", "Der Mann ist da.") == "mixed"
    assert kind_of("Der Mann ist da.", "Die Fluggesellschaft strich vierzig Flüge.") == "de"
    assert encoder_language("The man is here.", "Der Mann ist da.") == "de"
    assert encoder_language("Voters in den Haag turn away", "Turnout low in The Hague") == "en"


def test_measures_are_moved_by_the_line_of_their_kind() -> None:
    measured = dict.fromkeys((*BETWEEN_LANGUAGES, "words 1"), 0.5)
    scales = {"mixed": {"cosine": line(0.4, 0.6, 0.2, 0.8)}, "de": {"matched": (4.0, 0.0)}}
    assert rescaled(measured, "en", scales) == measured
    mixed = rescaled(measured, "mixed", scales)
    assert mixed["cosine"] == pytest.approx(0.5) and "words 1" not in mixed
    assert rescaled(measured, "de", scales) == measured | {"matched": 1.0}


def test_the_shipped_lines_stretch() -> None:
    scales = shipped_scales("multilingual")
    assert scales.keys() == {"de", "mixed"} and not shipped_scales("english")
    for lines in scales.values():
        assert lines.keys() == set(NAMES)
        assert all(factor > 1 and shift < 0 for factor, shift in lines.values())


class Fixed:
    """Stands in for the measures: the share of the letters of both texts that are the same."""

    def of(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
        return [
            dict.fromkeys(NAMES, len({*a} & {*b}) / len({*a} | {*b})) for a, b in pairs
        ]  # fmt: skip


def test_the_anchors_of_a_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    lines = [
        "# a comment :: that is no entry",
        "Haus {n} [arch.] | Häuser {pl} :: house | houses",
        "Er geht heute früh ins Bett.; Heute geht er zeitig schlafen. :: He goes to bed early.",
        "Das ist mir [ugs.] ganz gleich. | Sie kommt erst am Montag. :: I do not mind at all. | She only comes on Monday.",
        "Wir haben leider kein Brot mehr. :: We have no more bread.; There is no bread left.",
        "Er kommt; sie kommt :: he comes / she comes",
        "Heute ist es draußen kalt.; Es ist heute draußen kalt. :: It is cold outside today.; Outside it is cold today.",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = read_dictionary(path)
    assert set(found.translations) == {
        ("Das ist mir ganz gleich.", "I do not mind at all."),
        ("Sie kommt erst am Montag.", "She only comes on Monday."),
    }
    assert len(found.alike["de"]) == len(found.alike["en"]) == 2 <= PAIRS_PER_KIND
    assert ("We have no more bread.", "There is no bread left.") in found.alike["en"]
    assert found == read_dictionary(path)
    empty = tmp_path / "empty.txt"
    empty.write_text("Haus :: house\n", encoding="utf-8")
    with pytest.raises(FormatError, match="no sentences with translations"):
        read_dictionary(empty)


def test_the_ends_land_where_they_are_in_english() -> None:
    couples = [("abcd", "abce"), ("fghi", "fghj"), ("klmn", "klmo")]
    both = Dictionary(couples, {"de": [("abcd", "abxy")], "en": [("abcd", "abcx")]})
    scales = learn_scales(both, Fixed(), dict.fromkeys(NAMES, 0.9))  # type: ignore[arg-type]
    for name in NAMES:
        factor, shift = scales["mixed"][name]
        assert factor * 0.6 + shift == pytest.approx(0.9)  # translations
        assert shift == pytest.approx(0)  # what has nothing in common has nothing in English too
        factor, shift = scales["de"][name]
        assert factor * 2 / 6 + shift == pytest.approx(0.6)  # in other words
    assert unrelated(couples, 0, 1) == [("abcd", "fghj"), ("fghi", "klmo"), ("klmn", "abce")]


def test_a_search_finds_translations() -> None:
    docs = [
        Document(id="a", text="The samples were dried at 60 °C for two hours. The shop sells shoes and some bags."),
        Document(id="b", text="Der Satellit umkreist die ganze Erde. Die Proben wurden zwei Stunden lang bei 60 °C getrocknet."),
    ]  # fmt: skip
    found = find_repeated(docs, across=True)
    [match] = found.matches
    texts = [found.passages[place].text for place in (match.left, match.right)]
    assert texts[0].startswith("The samples") and texts[1].startswith("Die Proben")
    assert match.score > 4 and match.kind == "alike"
