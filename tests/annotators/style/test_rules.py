"""Each rule reports its bad example and not its good one; what is no prose is never reported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from marginalia import UnknownNameError, lang
from marginalia.annotators.style.annotator import ANNOTATOR
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Example, Rule
from marginalia.annotators.style.rulebook import RULES
from marginalia.reader.lint.check import lint, look
from marginalia.reader.lint.wanted import (
    GENRES,
    all_codes,
    check_codes,
    choose_wanted,
    get_genre,
    wanted_labels,
)
from marginalia.reader.read import read_data
from marginalia.reader.view.findings import SEVERITIES, Rules

ROOT = Path(__file__).parent.parent.parent.parent
USUALLY = {code for code, severity in ANNOTATOR.kinds.items() if severity != "off"}
EXAMPLES = [(rule, example) for rule in RULES.values() for example in rule.examples]


def reported(rule: Rule, text: str, lang: str = "en", suffix: str = ".md") -> list[str]:
    doc = read_data(f"{text}\n".encode(), Path(f"draft{suffix}"), lang=lang)
    return [doc.text[issue.start : issue.end] for issue in rule.check(Draft(doc))]


def quotes(code: str, text: str, lang: str = "en", suffix: str = ".md") -> list[str]:
    return reported(RULES[code], text, lang, suffix)


@pytest.mark.parametrize(
    ("rule", "example"), EXAMPLES, ids=lambda one: getattr(one, "code", getattr(one, "lang", ""))
)
def test_the_bad_example_is_reported_and_the_good_one_is_not(rule: Rule, example: Example) -> None:
    assert reported(rule, example.bad, example.lang)
    assert not reported(rule, example.good, example.lang)


@pytest.mark.parametrize(
    ("rule", "example"), EXAMPLES, ids=lambda one: getattr(one, "code", getattr(one, "lang", ""))
)
def test_a_good_example_is_good_to_every_rule(rule: Rule, example: Example) -> None:
    for other in RULES.values():
        if other.code in USUALLY and other.code != "spelling.name":
            assert not reported(other, example.good, example.lang), other.code


def test_a_rule_is_described() -> None:
    for code, rule in RULES.items():
        assert ANNOTATOR.kinds[code] in {*SEVERITIES, "off"} and rule.summary and rule.reason
        assert code == rule.code and code.count(".") == 1
        assert rule.examples or code.startswith("vocabulary.")
        assert any(issue.edits for issue in _issues(rule)) == (rule.fixes and bool(rule.examples))


def _issues(rule: Rule):
    for example in rule.examples:
        doc = read_data(example.bad.encode(), Path("draft.md"), lang=example.lang)
        yield from rule.check(Draft(doc))


def test_the_page_of_the_rules_is_up_to_date(monkeypatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs" / "site")
    import rules

    assert rules.PAGE.read_text(encoding="utf-8") == rules.page(), "run python docs/site/rules.py"


SLIPS = "the the data set, a error, recieve Github"
"""Prose with slips that many rules report."""


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".md", "---\ntitle: {}\n---\n\nA dataset.\n"),
        (".md", "A dataset.\n\n```text\n{}\n```\n"),
        (".md", "A dataset, and `{}` in a line.\n"),
        (".md", "A dataset, see {{ref}}`{}`.\n"),
        (".md", "A dataset.\n\n> {}\n"),
        (".md", "A dataset.\n\n<!-- {} -->\n"),
        (".md", "A dataset.\n\n## License\n\n{}\n"),
        (".md", "A dataset.\n\nPermission is hereby granted, {}.\n"),
        (".md", "A dataset.\n\n| a | b |\n|---|---|\n| {} | b |\n"),
        (".rst", "A dataset, see :func:`{}`.\n"),
        (".rst", "A dataset::\n\n    {}\n"),
        (".html", "<p>A dataset.</p><pre>{}</pre>"),
        (".html", '<p>A dataset.</p><img alt="{}">'),
        (".txt", "A dataset, see \\cite{{{}}}.\n"),
        (".md", "A dataset at http://example.org/the/the/data-set?a=error and data_set.csv.\n"),
    ],
)
def test_what_is_no_prose_is_never_linted(suffix: str, text: str) -> None:
    doc = read_data(text.format(SLIPS).encode(), Path(f"draft{suffix}"), lang="en")
    draft = Draft(doc)
    for rule in RULES.values():
        if rule.code in USUALLY:
            assert not list(rule.check(draft)), rule.code


def test_the_same_slips_in_prose_are_reported() -> None:
    found = {
        rule.code for rule in RULES.values() if reported(rule, f"A dataset.\n\nHere are {SLIPS}.")
    }
    wanted = {
        "spelling.variants",
        "spelling.name",
        "wording.doubled",
        "wording.article",
        "wording.misspelled",
    }
    assert wanted <= found


def test_terms_that_grammar_divides_are_left_alone() -> None:
    text = "Log in with your login. Set up the setup every day; an everyday thing. Real-time data in real time. Some time, sometime."
    assert quotes("spelling.variants", text) == []
    assert quotes("spelling.variants", "A website is no web site. Re-sign it or resign.") == [
        "web site"
    ]
    assert quotes("spelling.variants", "Das läßt sich machen, das lässt sich machen.", "de") == [
        "lässt"
    ]
    assert quotes("spelling.variants", "In Maßen und in Massen.", "de") == []


def test_what_is_a_name_in_code_is_one_in_prose() -> None:
    text = "Pass a bytearray, which is a byte array."
    assert quotes("spelling.variants", text) == ["byte array"]
    assert quotes("spelling.variants", f"{text}\n\n```\nbytearray(b'')\n```\n") == []


def test_quotations_and_references_make_no_sentence_long() -> None:
    rule, own = (
        RULES["sentences.long"],
        "The miller said of the boards and of the press that " + "they are old and " * 11,
    )
    assert reported(rule, own + "heavy.")
    half = own[: len(own) // 2]
    assert not reported(rule, f"{half}he wrote “{own}heavy” in the end [Letters, p. 12].")
    assert not reported(rule, f"He wrote “{own}heavy. {own}dear” in the end.")
    assert not reported(rule, f"4711 the press\n4712 {own}dear\n4713 the oil.", suffix=".txt")


def test_one_variety_of_english_must_prevail() -> None:
    assert quotes("spelling.variety", "The colour of the harbour, the favour, and the center.") == [
        "center"
    ]
    assert quotes("spelling.variety", "The colour of the center.") == []  # neither prevails
    assert (
        quotes(
            "spelling.variety", "The colour of the harbour, the favour, and the Rockefeller Center."
        )
        == []
    )
    assert quotes(
        "spelling.variety", "We organise, realise and normalise what others optimize."
    ) == ["optimize"]
    assert (
        quotes(
            "spelling.variety", "Advertise the exercise, promise a size, and supervise the prize."
        )
        == []
    )


def test_others_spell_as_they_like() -> None:
    own = "The colour of the harbour, the favour, and"
    assert quotes("spelling.variety", f"{own} she wrote of the center.") == ["center"]
    assert quotes("spelling.variety", f'{own} she wrote: "It is the center of all."') == []
    assert quotes("spelling.variants", "A website. “I have no web site at all,” she said.") == []


def test_what_everybody_knows_needs_no_long_form() -> None:
    text = "A bone folder (BF), a sewing frame (SF) and a paper press (PP) do. The {0} is new. A {0} is good. Use a {0} here."
    assert quotes("abbreviations.undefined", text.format("QZX")) == ["QZX"]
    for known in ("HTML", "USA", "DNA", "PDF", "XIV", "GCA", "NOTE"):
        assert quotes("abbreviations.undefined", text.format(known)) == []
    assert (
        quotes("abbreviations.undefined", text.format("QZX") + " See quick zebra xylophone.") == []
    )
    assert (
        quotes(
            "abbreviations.undefined",
            "A bone folder (BF), a sewing frame (SF) and a paper press (PP). He said NOW! Do it now. NOW or never. NOW.",
        )
        == []
    )


def test_numbers_that_name_something_are_no_quantities() -> None:
    assert quotes("numbers.grouping", "There are 10,000 pages since 2019 on port 65000.") == []
    assert (
        quotes("numbers.decimal", "Es sind 2,5 cm, siehe Abschnitt 3.5 und den 3.5.2020.", "de")
        == []
    )
    assert quotes("numbers.spacing", "It has 5% fat, 10 km of it, 4K and a 5G modem.") == []


def test_a_bracket_is_lost_only_if_it_is_the_only_one() -> None:
    assert quotes("marks.brackets", "Do a) this, b) that, and 1) the rest :) or (see 2018).") == []
    assert quotes("marks.brackets", "Use a colon (:) or (=) and the header(s).") == []
    assert quotes("marks.brackets", "It was closed) here.") == [")"]


def test_the_first_word_of_a_name_is_no_article() -> None:
    assert (
        quotes("wording.article", "If a and b are equal, a against b is an lvalue, an hour, a UFO.")
        == []
    )
    assert quotes("wording.article", "A user has a unique, an unusual, a European idea.") == []
    assert (
        quotes("wording.article", "It is an useful tool and an university.") == []
    )  # not sure of every u


def test_a_language_without_rules_is_silent() -> None:
    text = "Le jeu de données est ici. Le le jeu. " * 5
    doc = read_data(text.encode(), Path("a.txt"), lang="fr")
    for rule in RULES.values():
        if rule.languages:
            assert "fr" not in rule.languages
    assert doc.meta["lang"] == "fr"


def test_the_card_has_a_severity_for_each_rule() -> None:
    assert set(ANNOTATOR.kinds) == set(RULES)


def test_genres_add_rules_and_bounds(tmp_path: Path) -> None:
    assert set(wanted_labels(ANNOTATOR, Rules())) == USUALLY
    for genre in GENRES.values():
        more = set(wanted_labels(ANNOTATOR, Rules(also=genre.also)))
        assert more == USUALLY | set(genre.also) & set(RULES)
        assert set(genre.also) <= set(all_codes())
    for code in lang.known_languages():
        limits = lang.language(code).table("style", "limits")
        assert set(limits) <= set(GENRES)
        assert {rule for each in limits.values() for rule in each} <= set(RULES)
    (tmp_path / "a.md").write_text(
        "Press it for some time, " + "and then press it " * 7 + "again.\n"
    )
    own = {"select": ["sentences", "wording.vague"]}
    assert [f.code for f in lint(tmp_path / "a.md", **own)] == ["wording.vague"]
    found = lint(tmp_path / "a.md", genre="manual", **own)
    assert [f.code for f in found] == ["sentences.long", "wording.vague"]
    with pytest.raises(UnknownNameError, match="Did you mean 'manual'"):
        get_genre("manuel")


def test_a_rule_that_is_off_can_be_asked_for() -> None:
    chosen = set(wanted_labels(ANNOTATOR, Rules(select=("marks",))))
    assert chosen == {"marks.brackets", "marks.repeated", "marks.quotes"}
    chosen = set(wanted_labels(ANNOTATOR, Rules(select=("marks",), ignore=("quotes",))))
    assert chosen == {"marks.brackets", "marks.repeated"}
    check_codes(["spelling", "variants", "spelling.*", "measurements.count", "hard-word", "words"])
    for wrong in ("spellin", "spelling.varients", "wrds.hard-word", "sp*lling.x"):
        with pytest.raises(UnknownNameError):
            check_codes([wrong])


def test_comments_silence_rules_and_their_fixes(tmp_path: Path) -> None:
    path = tmp_path / "a.rst"
    path.write_text("A the the mill.\n\n.. marginalia: ignore wording\n\nThe of of mill.\n")
    linted = look(path, choose_wanted(path, select=["wording.doubled"]))
    assert [one.quote for one in linted.findings] == ["the the"]
    assert "of of" in linted.fixed and "the the" not in linted.fixed


def test_rules_load_no_model() -> None:
    code = (
        "import sys; from marginalia import lint\n"
        "assert lint(sys.argv[1], select=['spelling', 'wording', 'sentences', 'marks', 'numbers', 'abbreviations', 'text'])\n"
        "print([name for name in ('onnxruntime', 'tokenizers', 'sklearn', 'torch', 'wordfreq') if name in sys.modules])"
    )
    path = ROOT / "tests" / "golden" / "documents" / "slips.md"
    result = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert result.stdout == "[]\n", result.stderr


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "a-",
        "a.",
        "a/",
        ":",
        "::a",
        "\n",
        "(",
        "`",
        "{",
        "$",
        "\\\\a{",
        "1.",
        "1 km ",
        "a) ",
        "A ",
        "<a ",
        "“",
        "the ",
        "AB",
        "a@",
        "_",
    ],
)
def test_a_hostile_text_takes_time_in_proportion(piece: str) -> None:
    """A rule that took the square of the time would not come back from this."""
    doc = read_data((piece * (60_000 // len(piece))).encode(), Path("a.txt"), lang="en")
    draft = Draft(doc)
    for rule in RULES.values():
        list(rule.check(draft))
