"""Concepts: variables of several waves and papers that measure the same."""

from __future__ import annotations

from marginalia import Document
from marginalia.annotators.variables.concepts import concepts
from marginalia.annotators.variables.links import Linked
from marginalia.core.document import Annotation


def linked(id: str, *uses: tuple[str, str, str, tuple[str, ...]]) -> Linked:
    text = ""
    notes = []
    for number, (sentence, variable, label, same) in enumerate(uses, 1):
        start = len(text)
        text += sentence + " "
        entry = {"id": variable, "survey": variable.split("_")[0], "label": label, "score": 0.6, "same": list(same)}  # fmt: skip
        notes.append(
            Annotation(
                id=f"variables-{number}", task="variables", label="survey variable",
                start=start, end=start + len(sentence), quote=sentence, score=0.9,
                attrs={"why": "", "variables": [entry], "candidates": []},
            )
        )  # fmt: skip
    return Linked(Document(id=id, text=text, meta={"lang": "en"}).annotate(notes))


def test_waves_languages_and_papers_are_one_concept() -> None:
    papers = [
        linked("one", ("Trust in parliament fell.", "ZA1_v1", "Trust in parliament", ("ZA2_v1",)),
               ("Roses are grown.", "ZA1_v2", "Roses in the garden", ())),
        linked("two", ("They trusted the parliament.", "ZA2_v1", "Trust in parliament 2008", ()),
               ("Parliament is trusted.", "ZA3_v7", "Trust in the parliament", ())),
    ]  # fmt: skip
    first, second = concepts(papers)
    assert set(first.variables) == {"ZA1_v1", "ZA2_v1", "ZA3_v7"}
    assert first.documents == ("one", "two") and len(first.uses) == 3
    assert second.label == "Roses in the garden" and second.documents == ("one",)
    assert first.to_dict()["uses"][0]["quote"] == "Trust in parliament fell."


def test_no_links_no_concepts() -> None:
    assert concepts([]) == [] and concepts([linked("empty")]) == []
