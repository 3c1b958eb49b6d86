"""Names and abbreviations whose capitals differ from place to place, or from what their owners write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from marginalia.annotators.style.consistency import Span, Variant, report
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Edit, Issue

MIN_LETTERS = 4

KNOWN = {
    name.lower(): name
    for name in """AppleScript BibTeX BitTorrent CoffeeScript CouchDB DevOps DuckDB DynamoDB ECMAScript eBay GitHub GitLab GraphQL
    HotSpot iCloud InfluxDB iPad iPhone JavaScript JetBrains JRuby LibreOffice LinkedIn MariaDB MathML MongoDB MySQL
    NumPy OAuth OpenAI OpenBSD OpenCV OpenGL OpenOffice OpenSSL OpenStack OpenStreetMap OpenVPN PayPal PostgreSQL PowerPoint PowerShell
    PyCharm PyPI PyTorch RabbitMQ SciPy SharePoint SourceForge SQLAlchemy SQLite TensorFlow TypeScript VirtualBox WebAssembly
    WebGL WebSocket WhatsApp WordPress WebKit YouTube""".split()
}
_ABBREVIATIONS = frozenset(
    """api apis cpu cpus csv dns gps gpu gpus gui html json pdf pdfs rdf sdk sql uri uris url urls usb vpn xhtml xml
    yaml""".split()
)


def check_case(draft: Draft) -> Iterator[Issue]:
    """Words with a capital inside, and abbreviations, that are written otherwise elsewhere."""
    forms: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
    for word in draft.words:
        if (
            len(word.text) >= MIN_LETTERS - 1
            and "-" not in word.text
            and not draft.in_heading(word.start)
        ):
            forms[word.text.lower()][word.text].append((word.start, word.end))
    for key, written in forms.items():
        if len(written) < 2 or key in KNOWN:
            continue
        marked = {
            text: spans
            for text, spans in written.items()
            if _has_inner_capital(text) and not text.isupper()
        }
        shouted = written.get(key.upper(), [])
        if key in _ABBREVIATIONS and shouted and (plain := written.get(key, [])):
            variants = [Variant(key.upper(), shouted), Variant(key, plain)]
            yield from report(draft, variants, _same, wanted=variants[0])
        elif marked and len(key) >= MIN_LETTERS:
            best = max(marked, key=lambda text: len(marked[text]))
            others = {
                text: spans for text, spans in written.items() if text != best and _is_other(text)
            }
            if sum(map(len, others.values())) < len(marked[best]):
                variants = [Variant(text, spans) for text, spans in others.items()]
                yield from report(draft, [Variant(best, marked[best]), *variants], _same)


def check_names(draft: Draft) -> Iterator[Issue]:
    """Well-known names with a capital at their beginning only, which nobody writes so on purpose."""
    places: dict[str, list[Span]] = defaultdict(list)
    for word in draft.words:
        name = KNOWN.get(word.text.lower())
        if name and word.text != name and word.text[0].isupper() and not word.text.isupper():
            places[word.text].append((word.start, word.end))
    for text, spans in places.items():
        name = KNOWN[text.lower()]
        edits = tuple(Edit(start, end, name) for start, end in spans)
        yield Issue(*spans[0], draft.say("name", name=name), edits)


def _same(quote: str, wanted: Variant) -> str:
    return wanted.shown


def _has_inner_capital(text: str) -> bool:
    return any(char.isupper() for char in text[1:])


def _is_other(text: str) -> bool:
    """A way to write a name that competes; all capitals are an emphasis or a constant."""
    return not text.isupper() and not text.islower()
