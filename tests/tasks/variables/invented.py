"""A tiny invented survey world for the tests of this folder."""

from __future__ import annotations

from pathlib import Path

from marginalia import Split
from marginalia.tasks.variables.official.data import Label, Paper, Statement, group_name
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable

TEXTS = {
    "ZA1_trust": ("ZA1", "Garden Survey 1999 TRUST: how much do you trust your neighbours?"),
    "ZA1_roses": ("ZA1", "Garden Survey 1999 ROSES: do you grow roses in your garden?"),
    "ZA1_age": ("ZA1", "Garden Survey 1999 AGE: what is your age in years?"),
    "ZA2_vote": ("ZA2", "Wahlstudie 2001 WAHL: Welche Partei haben Sie gewählt?"),
    "ZA2_alter": ("ZA2", "Wahlstudie 2001 ALTER: Wie alt sind Sie in Jahren?"),
}
ROWS = [
    ("e1", "Most respondents trust their neighbours.", "en", "d1", 1, ("ZA1_trust",), "explicit"),
    ("e2", "Roses in the garden were grown by half.", "en", "d1", 1, ("ZA1_roses",), "implicit"),
    ("e3", "The next section describes the method.", "en", "d1", 0, (), ""),
    (
        "e4",
        "Age in years was asked, and trust too.",
        "en",
        "d2",
        1,
        ("ZA1_age", "ZA1_trust"),
        "mixed",
    ),
    ("e5", "We thank the editors.", "en", "d2", 0, (), ""),
    (
        "g1",
        "Die gewählte Partei wurde erfragt.",
        "de",
        "d3",
        1,
        ("ZA2_vote", "ZA2_gone"),
        "explicit",
    ),
    ("g2", "Das Alter in Jahren spielt keine Rolle.", "de", "d3", 1, (), ""),
    ("g3", "Im Folgenden wird der Aufbau beschrieben.", "de", "d3", 0, (), ""),
    ("g4", "Dieser Satz steht in einem englischen Text.", "de", "d1", 0, (), ""),
]  # g2 is positive with an unknown variable only; ZA2_gone is in no vocabulary
SURVEYS = {"d1": ("ZA1",), "d2": ("ZA1",), "d3": ("ZA2",)}


def catalogue() -> Catalogue:
    return Catalogue(
        Variable(id=id, survey=survey, text=text, raw=text) for id, (survey, text) in TEXTS.items()
    )


def invented(name: str = "dev", *, kinds: bool = False) -> Split:
    whole = catalogue()
    papers = {
        doc: Paper((text for _, text, _, in_doc, *_ in ROWS if in_doc == doc), lang)
        for doc, lang in (("d1", "en"), ("d2", "en"), ("d3", "de"))
    }
    items = {
        id: Statement(text, lang, doc, SURVEYS[doc], whole.within(SURVEYS[doc]), papers[doc])
        for id, text, lang, doc, *_ in ROWS
    }
    return Split(
        name=name,
        items=items,
        gold={
            id: Label(positive, ids, kind if kinds else "")
            for id, _, _, _, positive, ids, kind in ROWS
        },
        group={id: group_name(item.lang, item.doc_id) for id, item in items.items()},
    )


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path
