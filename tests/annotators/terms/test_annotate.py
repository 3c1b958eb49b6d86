"""The document's own terms and short forms: where a note says again what they mean, and the glossary."""

from __future__ import annotations

from marginalia import Document
from marginalia.annotators.terms.annotate import annotate, summary

FILLER = "The boy went down to the river and sat in the sun until it was time to go home again. "
FILLER_DE = "Der Junge ging am Abend zum Fluss und setzte sich in die Sonne, bis es Zeit war. "


def doc(text: str, lang: str = "en") -> Document:
    return Document(id="x", text=text, meta={"lang": lang})


def heads(document: Document) -> dict[str, str]:
    return {note.quote: note.attrs["why"] for note in annotate(document)}


def test_what_the_document_explains_is_said_far_away_from_there() -> None:
    text = (
        "We use the finite element method (FEM) for all of it. "
        "Heat lowers the turbidity, that is, the cloudiness of the water, in the tank.\n\n"
        + FILLER * 40
        + "\n\nIn the end the FEM was too slow, and the turbidity was too high for the fish."
    )
    found = heads(doc(text))
    assert found == {
        "FEM": "short for finite element method",
        "turbidity": "the document says: the cloudiness of the water",
    }
    near = text.replace(FILLER * 40, FILLER)
    assert heads(doc(near)) == {}
    assert {e["term"] for e in summary(doc(near))["glossary"]} == {"FEM", "turbidity"}


def test_a_long_form_in_another_form_nearby_is_said_again() -> None:
    text = (
        "Zuerst lernt man die erweiterten regulären Ausdrücke (ERA) kennen. "
        + FILLER_DE * 40
        + "Später hilft das. "
    )
    assert list(heads(doc(text + "Mit ERA geht es dann leichter.", "de"))) == ["ERA"]
    again = "Bei erweitertem regulärem Ausdruck (auch: ERA) hilft ERA nicht weiter."
    assert heads(doc(text + again, "de")) == {}


def test_initials_of_authors_are_no_short_forms() -> None:
    text = (
        "We use immunohistochemistry (IHC) for all of it. "
        + FILLER * 40
        + "\n\nYHT performed the tests. IHC designed the study and wrote the manuscript."
    )
    assert "IHC" not in heads(doc(text))


def test_short_forms_are_explained_in_the_language_of_the_document() -> None:
    text = (
        "Das Bundesministerium für Bildung und Forschung (BMBF) zahlt alles. "
        + FILLER_DE * 40
        + "Am Ende hat das BMBF nicht gezahlt und auch nicht mehr geantwortet. "
    )
    [note] = annotate(doc(text, "de"))
    assert (note.id, note.task, note.label) == ("terms-1", "terms", "abbreviation")
    assert note.attrs["why"] == "kurz für Bundesministerium für Bildung und Forschung"
    assert text[note.start :].startswith("BMBF nicht gezahlt")
    assert summary(doc(text, "de"))["said"] == "1 Begriff erklärt das Dokument selbst"
    assert summary(doc(FILLER_DE, "de")) == {}
