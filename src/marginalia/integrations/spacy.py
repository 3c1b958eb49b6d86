"""A component for spaCy: ``nlp.add_pipe("marginalia")``.

Each kind of note becomes a span group of its name (``doc.spans["complexity"]``), each span has its note in
``span._.note``, and ``doc._.marginalia`` is the annotated document.
"""

from __future__ import annotations

from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from marginalia.core.errors import FormatError
from marginalia.reader.annotate import annotate, choose_annotators
from marginalia.reader.parse.plain import read_text


@Language.factory(
    "marginalia",
    default_config={"notes": None, "options": {}},
    assigns=["doc.spans", "doc._.marginalia"],
)
def make_pipe(nlp: Language, name: str, notes: list[str] | None, options: dict[str, str]) -> Any:
    """``notes`` are the kinds to make (all if None), ``options`` those of the notes."""
    choose_annotators(
        notes
    )  # a wrong name is an error of the configuration, not of the first document
    if not Doc.has_extension("marginalia"):
        Doc.set_extension("marginalia", default=None)
        Span.set_extension("note", default=None)
    return Pipe(nlp.lang or "", notes, options)


class Pipe:
    """Adds notes to a spaCy document. A span covers the tokens that its note touches."""

    def __init__(self, lang: str, notes: list[str] | None, options: dict[str, str]) -> None:
        self.lang, self.notes, self.options = lang, notes, options

    def __call__(self, doc: Doc) -> Doc:
        groups: dict[str, list[Span]] = {
            annotator.name: [] for annotator in choose_annotators(self.notes)
        }
        if doc.text.strip():
            try:
                # "xx" is spaCy's name for texts in any language.
                read = read_text(doc.text, lang=None if self.lang in ("", "xx") else self.lang)
                doc._.marginalia = annotate(read, self.notes, options=self.options)
            except FormatError as error:
                raise ValueError(str(error)) from error
            for note in doc._.marginalia.annotations:
                span = doc.char_span(
                    note.start, note.end, label=note.label, alignment_mode="expand"
                )
                if span is not None:
                    span._.note = note
                    groups[note.task].append(span)
        for name, spans in groups.items():
            doc.spans[name] = spans
        return doc
