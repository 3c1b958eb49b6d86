"""What an editor shows of a note, and what it offers: fix it, take an easier word, keep the word, or ignore it here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from marginalia.core.document import Annotation
from marginalia.core.registry import find_annotator
from marginalia.integrations.lsp.desk import Lines
from marginalia.nlp.tokens import like
from marginalia.reader.lint.check import Matter
from marginalia.reader.lint.fixes import place_edits
from marginalia.reader.lint.live import Seen
from marginalia.reader.view.places import Places

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|])")
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.marginalia"
"""What an editor asks for when it fixes a file as it saves it; named after us, so that it can be left to others."""
ADD_WORD = "marginalia.addWord"
"""The command that puts a word on a list: its arguments are the address of the file, the word, and whose list."""


def hover_text(seen: Seen, offset: int) -> str:
    """Markdown on the notes and findings at a character of the source; empty where there are none."""
    return "\n\n".join(_parts(seen, offset))


def _parts(seen: Seen, offset: int) -> Iterator[str]:
    places = Places(seen.source, seen.doc.text)
    by_id = {note.id: note for note in seen.doc.annotations}
    shown = set()
    for note in seen.doc.annotations:
        start, end = places.span(note.start, note.end)
        if start <= offset < end:
            # A later use of a word is part of the note on its first one, which says what it means.
            whole = next((by_id[id] for id in note.attrs.get("part_of") or () if id in by_id), note)
            if whole.id not in shown:
                shown.add(whole.id)
                yield _note(whole)


def _note(note: Annotation) -> str:
    attrs = note.attrs
    annotator = find_annotator(note.task)
    about = annotator.about(note.label) if annotator and "." in note.label else None
    if about is not None:
        return f"**{_plain(about.summary)}** · `{note.label}`\n\n{_plain(note.quote)}: {_plain(str(attrs['why']))}\n\n{about.reason}"
    parts = [f"**{_plain(note.quote)}** · {_plain(note.label)}"]
    if attrs.get("meaning"):
        parts.append(_plain(str(attrs["meaning"])))
    elif isinstance(attrs.get("why"), str):
        parts.append(_plain(attrs["why"]))
    if attrs.get("easier"):
        parts.append(f"Easier: {', '.join(_plain(str(word)) for word in attrs['easier'])}")
    readings = [_plain(str(one.get("filler", ""))) for one in attrs.get("readings") or ()]
    if any(readings):
        question = _plain(str(attrs.get("question", ""))).strip()
        parts.append(
            "\n".join([question, "", *(f"- {reading}" for reading in readings if reading)])
        )
    return "\n\n".join(part for part in parts if part)


def _plain(text: str) -> str:
    """Words of the document are words in Markdown too, never mark-up."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def actions(
    uri: str, seen: Seen, matter: Matter, lines: Lines, diagnostic: types.Diagnostic
) -> Iterator[types.CodeAction]:
    def act(
        title: str,
        edits: list[types.TextEdit],
        command: types.Command | None = None,
        *,
        preferred: bool = False,
    ) -> types.CodeAction:
        return types.CodeAction(
            title=title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic],
            edit=types.WorkspaceEdit(changes={uri: edits}) if edits else None,
            command=command,
            is_preferred=preferred or None,
        )

    one, note = matter.finding, matter.note
    placed = place_edits(seen.doc, seen.source, matter.edits) if matter.edits else {}
    if placed:
        edits = [
            types.TextEdit(types.Range(lines.at(start), lines.at(end)), edit.text)
            for edit, (start, end) in sorted(placed.items(), key=lambda pair: pair[1])
        ]
        new = " … ".join(dict.fromkeys(edit.new_text for edit in edits))
        many = f" ({len(edits)} places)" if len(edits) > 1 else ""
        yield act(f"Write “{new}”{many}" if new else f"Leave it out{many}", edits, preferred=True)
    if note.attrs.get("easier"):
        span = Places(seen.source, seen.doc.text).span(note.start, note.end)
        # With mark-up between its words a replacement would take the mark-up away.
        if seen.source[slice(*span)].split() == note.quote.split():
            for word in note.attrs["easier"]:
                place = types.Range(lines.at(span[0]), lines.at(span[1]))
                text = like(str(word), note.quote)
                yield act(f"Write the easier “{text}”", [types.TextEdit(place, text)])
    for whose, name in (("personal", "your"), ("project", "the project's")):
        if is_word(matter):
            title = f"Add “{note.quote}” to {name} word list"
            arguments = [uri, note.quote, whose]
            yield act(title, [], types.Command(title, ADD_WORD, arguments=arguments))
    here, comment = silencing(seen, matter, lines)
    yield act(f"Ignore {one.code} here", [types.TextEdit(types.Range(here, here), comment)])


def fix_all(uri: str, seen: Seen, lines: Lines) -> types.CodeAction | None:
    """All fixes that lint is sure of, as ``lint --fix`` makes them; easier words are a matter of taste and stay out."""
    edits = (edit for matter in seen.matters for edit in matter.edits)
    placed = place_edits(seen.doc, seen.source, edits)
    if not placed:
        return None
    changes = [
        types.TextEdit(types.Range(lines.at(start), lines.at(end)), edit.text)
        for edit, (start, end) in sorted(placed.items(), key=lambda pair: pair[1])
    ]
    title = "Fix all that can be fixed" + (f" ({len(changes)} places)" if changes[1:] else "")
    return types.CodeAction(
        title=title, kind=FIX_ALL, edit=types.WorkspaceEdit(changes={uri: changes})
    )


def is_word(matter: Matter) -> bool:
    """Whether the finding is about one word, and its task asks which words a reader knows."""
    annotator = find_annotator(matter.note.task)
    knows = annotator is not None and "known" in annotator.options
    return knows and len(matter.note.quote.split()) == 1


def silencing(seen: Seen, matter: Matter, lines: Lines) -> tuple[types.Position, str]:
    """Where to write a comment that silences the finding, and the comment, as ``view.findings.Silenced`` knows it."""
    one = matter.finding
    if seen.doc.meta.get("format") != "rst":
        end = lines.lines[one.line - 1].rstrip("\r")
        return lines.position(one.line, len(end) + 1), f" <!-- marginalia: ignore {one.code} -->"
    line = one.line  # a comment of reStructuredText is a paragraph of its own
    while line > 1 and lines.lines[line - 2].strip():
        line -= 1
    indent = lines.lines[line - 1][: -len(lines.lines[line - 1].lstrip()) or None]
    return lines.position(line, 1), f"{indent}.. marginalia: ignore {one.code}\n\n"
