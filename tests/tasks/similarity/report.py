"""An invented report that repeats itself, contradicts itself, and sets things side by side that only look alike."""

from __future__ import annotations

from marginalia import Document

PARTS = (
    ("heading", "1 Summary"),
    ("", "The water content of the films fell to 12 % within three days."),
    ("", "Films that were dried slowly did not crack."),
    ("", "We levelled each plate with three screws before the solution was poured."),
    ("heading", "2 Method"),
    ("", "Group A was dried for 2 days at a relative humidity of 40 %."),
    ("", "Group B was dried for 6 days at a relative humidity of 60 %."),
    ("", "Before the solution was poured, we levelled each plate with three screws."),
    ("caption", "Figure 2: The films after drying, with cracks at the edges of the plate."),
    ("heading", "3 Results"),
    ("", "Within three days the water content of the films fell to 15 %."),
    ("", "Each film was weighed twice a day on the same balance."),
    ("", "Films that were dried slowly did crack."),
    ("", "Each film was weighed twice a day on the same balance."),
    ("heading", "References"),
    ("", "Ames, B. and Bell, C. (1998) The drying of gelatin films in a closed chamber."),
    ("", "Ames, B. and Bell, C. (1999) The drying of gelatin films in a closed chamber."),
)


def document(parts: tuple[tuple[str, str], ...] = PARTS, lang: str = "en") -> Document:
    """The parts as paragraphs, with their regions."""
    text, regions = "", []
    for kind, part in parts:
        text += "\n\n" if text else ""
        if kind:
            level = {"level": 2} if kind == "heading" else {}
            regions.append(
                {"kind": kind, "start": len(text), "end": len(text) + len(part), **level}
            )
        text += part
    return Document(id="report", text=text, meta={"lang": lang, "regions": regions})
