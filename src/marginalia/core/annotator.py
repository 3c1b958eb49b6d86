"""What writes notes: an annotator is composed of functions, never inherited from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from marginalia.core.errors import FormatError
from marginalia.core.look import Look

if TYPE_CHECKING:
    from marginalia.core.document import Annotation, Document
    from marginalia.core.extraction import Across, Extraction

Triple = tuple[str, str, Any]
"""Subject, predicate and object. The subject is the id of an annotation, a part ``#name`` of the document, an
absolute IRI or a blank node ``_:name``; the predicate is an absolute IRI; the object is a plain value, or
``{"@id": ...}`` for an annotation, part, IRI or blank node."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What an annotator says of one of its kinds of notes."""

    summary: str
    reason: str = ""
    help: str = ""
    """The address of its description."""
    languages: tuple[str, ...] = ()
    fixes: bool = False
    """Whether its notes may know what to write instead (``attrs["edits"]``)."""
    page: str = ""
    """All of it as Markdown."""


class Extract(Protocol):
    """``extract(doc, system=None)``: the records in one document, by the named system or the default one.

    An annotator may have options of its own, such as ``min_confidence``.
    """

    def __call__(
        self, doc: Document, *, system: str | None = None, **options: Any
    ) -> Extraction[Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotator:
    """A writer of notes: one package below ``annotators``, or one of another distribution.

    Its functions are named with ``lazy``, so that listing the annotators imports none of them.
    """

    name: str
    question: str
    """What the notes answer, for people."""
    annotate: Callable[..., Iterable[Annotation]]
    """``annotate(document, **options) -> annotations``"""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """The labels of its notes, each with the severity (note, warning or error) of what a writer should look at, which
    ``lint`` reports; "off" where it reports them only if asked, "" where a note only informs."""
    audiences: tuple[str, ...] = ()
    """The profiles in whose margin its notes stand; empty for all."""
    languages: tuple[str, ...] = ()
    """The languages that its notes know, as ISO 639-1 codes; empty for any. A document in another gets no such note, and
    its reader learns why."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keywords of ``annotate`` and ``summary`` that the command line offers, with their values."""
    whole: bool = False
    """Whether a note may depend on the whole document. Where not, long documents are annotated part by part; where it does, notes
    that ``annotate`` yields one after the other are shown as they come."""
    asks: bool = False
    """Whether ``annotate`` takes ``llm``, a language model that the user chose to be asked as well."""
    fast: bool = False
    """Whether it is cheap enough to read a whole document again at every change in an editor."""
    uses: tuple[str, ...] = ()
    """The benchmarks whose systems it uses, and the names of other weights: with other weights it writes other notes."""
    look: Look = field(default_factory=Look)
    """How pages show its notes"""
    describe: Callable[[str], About] | None = None
    """``describe(label)``: what ``lint --explain``, SARIF and editors say of a kind of note"""
    summary: Callable[..., Mapping[str, Any]] | None = None
    """``summary(document, **options)`` -> what it says of the document as a whole, as JSON data"""
    tally: Callable[[Document], int] | None = None
    """``tally(document)`` -> about how many notes there would be, at little cost, for readers in whose margin they do not stand"""
    rows: Callable[[Document], Iterable[Mapping[str, Any]]] | None = None
    """``rows(annotated document)`` -> the rows of its table: ``id``, the annotation that a row is about, and
    columns of its own; the reader fills in the rest. Annotations without a row are left out. Without this
    function each annotation is one row."""
    triples: Callable[[Document], Iterable[Triple]] | None = None
    """``triples(annotated document)`` -> what its annotations say of the world, as RDF. Without this function each
    annotation has the triples of its fields."""
    record: str = ""
    """What one record of ``extract`` is called on the command line: ``marginalia extract measurement``."""
    extract: Extract | None = None
    """``extract(document, system=None) -> Extraction``: records as a table and files, for ``marginalia extract``"""
    extract_options: tuple[str, ...] = ()
    """Options of ``extract`` beside ``system``, such as ``min_confidence`` and ``query``"""
    check_extract: Callable[..., None] | None = None
    """``check_extract(**options)`` raises ``FormatError`` for an option that ``extract`` would refuse, so that it is reported
    before any document is read"""
    across: Callable[..., Iterable[Across]] | None = None
    """``across(old document, new document, progress=None, repetitions=True)`` -> what one says that the other contradicts or repeats"""

    def knows(self, lang: str) -> bool:
        """Whether its notes are made for documents in this language."""
        return not self.languages or lang in self.languages

    def require_language(self, doc: Document) -> None:
        """Refuse a document that says it is in a language the annotator does not know: its notes would be wrong."""
        lang = doc.meta.get("lang")
        if lang and not self.knows(lang):
            raise FormatError(
                f"the text is in '{lang}', {self.name} knows {' and '.join(self.languages)}; "
                "`lang=` says otherwise",
                path=doc.meta.get("path"),
            )

    def about(self, label: str) -> About:
        """What is to be said of a kind of note."""
        if self.describe is not None and label in self.kinds:
            return self.describe(label)
        return About(summary=f"{label}: {self.question}", languages=self.languages)

    def annotated(self, doc: Document, *, llm: Any = None, **options: str) -> Document:
        """The document with these annotations; options of other annotators are ignored."""
        return doc.annotate(self.notes_on(doc, llm=llm, **options))

    def notes_on(self, doc: Document, *, llm: Any = None, **options: str) -> Iterable[Annotation]:
        """Its annotations of the document; some annotators give them as they make them."""
        asked = {"llm": llm} if llm is not None and self.asks else {}
        return self.annotate(doc, **self.own_options(options), **asked)

    def own_options(self, options: Mapping[str, str]) -> dict[str, str]:
        """Those of the options that its notes know."""
        return {name: value for name, value in options.items() if name in self.options}
