"""``marginalia lsp``: the language server itself, with pygls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from marginalia import __version__
from marginalia.core.errors import MarginaliaError
from marginalia.integrations.lsp.actions import ADD_WORD, FIX_ALL, actions, fix_all, hover_text
from marginalia.integrations.lsp.desk import Desk, Lines
from marginalia.reader.lint.check import Matter
from marginalia.reader.lint.live import Seen

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


class Server(LanguageServer):
    """Whole texts are sent on each change: they are small, and cannot drift from what the editor shows."""

    def __init__(self) -> None:
        super().__init__(
            "marginalia", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full
        )
        self.desk = Desk()
        self.works = 0
        """Works whose progress was shown."""
        # One thread: a change that comes while the whole is read waits, and only the last one counts.
        self.reader = ThreadPoolExecutor(1, thread_name_prefix="reader")

    async def work(self, function: Callable[..., Seen | None], uri: str, *args: Any) -> None:
        """Let the reading thread do this, and tell the editor what it found if the text is still the same."""
        version = self.desk.versions.get(uri)
        try:
            seen = await asyncio.get_running_loop().run_in_executor(
                self.reader, function, uri, *args
            )
        except MarginaliaError as error:
            self.window_show_message(
                types.ShowMessageParams(types.MessageType.Error, f"marginalia: {error}")
            )
            return
        if seen is not None and version is not None and self.desk.versions.get(uri) == version:
            self.publish(uri, version, seen)

    async def read_all(self, uri: str) -> None:
        """Read a whole file as it is now, and show how far that is where the editor can."""
        if uri not in self.desk.versions:
            return
        token: str | None = None
        loop = asyncio.get_running_loop()

        def progress(task: str, done: int, total: int) -> None:
            if token is not None:
                share = min(100, 100 * done // max(1, total))
                loop.call_soon_threadsafe(self.report, token, task, share)

        source = self.workspace.get_text_document(uri).source
        # Begun before the editor is asked whether it shows progress: what comes next must not overtake it.
        reading = asyncio.ensure_future(self.work(self.desk.read, uri, source, progress))
        token = await self.begin(uri)
        try:
            await reading
        finally:
            if token is not None:
                self.work_done_progress.end(token, types.WorkDoneProgressEnd())

    async def begin(self, uri: str) -> str | None:
        """The name under which the editor shows a work; None where it cannot, or the file is none of ours."""
        window = self.client_capabilities.window
        if uri not in self.desk.seen or not (window and window.work_done_progress):
            return None
        self.works += 1
        token = f"marginalia-{self.works}"
        try:
            await self.work_done_progress.create_async(token)
        except Exception:  # an editor that refuses is one that cannot
            return None
        name = self.desk.path(uri).name
        self.work_done_progress.begin(
            token, types.WorkDoneProgressBegin(title=f"Reading {name}", percentage=0)
        )
        return token

    def report(self, token: str, task: str, share: int) -> None:
        said = types.WorkDoneProgressReport(message=task, percentage=share)
        self.work_done_progress.report(token, said)

    def publish(self, uri: str, version: int, seen: Seen) -> None:
        lines = self.lines(uri, seen)
        found = [self.diagnostic(matter, lines) for matter in seen.matters]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=found, version=version)
        )

    def diagnostic(self, matter: Matter, lines: Lines) -> types.Diagnostic:
        one = matter.finding
        return types.Diagnostic(
            range=lines.range(one),
            message=one.message,
            severity=_SEVERITIES[one.severity],
            code=one.code,
            code_description=types.CodeDescription(one.help) if one.help else None,
            source="marginalia",
        )

    def current(self, uri: str) -> Seen | None:
        """What was last seen of a file, if it is of the text that the editor shows."""
        seen = self.desk.seen.get(uri)
        same = seen and seen.source == self.workspace.get_text_document(uri).source
        return seen if same else None

    async def add_word(self, uri: str, word: str, whose: str) -> None:
        """Put a word on a list, and look at the file again without it."""
        from marginalia.reader.known_words import (
            PROJECT_FILE,
            add_words,
            personal_list,
            project_list,
        )

        try:
            path = self.desk.path(uri)
            project = project_list(path) or path.parent / PROJECT_FILE
            add_words(project if whose == "project" else personal_list(), [word])
        except (MarginaliaError, OSError) as error:
            self.window_show_message(
                types.ShowMessageParams(types.MessageType.Error, f"marginalia: {error}")
            )
            return
        await self.read_all(uri)

    def lines(self, uri: str, seen: Seen) -> Lines:
        return Lines(seen.source, self.workspace.get_text_document(uri).position_codec)


def make_server() -> Server:
    server = Server()

    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        try:
            ls.desk.set_options(params.initialization_options)
        except MarginaliaError as error:
            ls.window_show_message(
                types.ShowMessageParams(types.MessageType.Error, f"marginalia: {error}")
            )

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        text = params.text_document
        ls.desk.versions[text.uri] = text.version
        await ls.work(ls.desk.start, text.uri, text.language_id, text.text)
        await ls.read_all(text.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        uri, version = params.text_document.uri, params.text_document.version
        ls.desk.versions[uri] = version
        source = ls.workspace.get_text_document(uri).source
        await ls.work(ls.desk.change, uri, version, source)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        await ls.read_all(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.desk.close(uri)
        ls.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=[])
        )

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        seen = ls.current(uri)
        text = hover_text(seen, ls.lines(uri, seen).offset(params.position)) if seen else ""
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text)) if text else None

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
    )
    def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        seen = ls.current(uri)
        if seen is None:
            return []
        lines, offered = ls.lines(uri, seen), list[types.CodeAction]()
        asked = params.context.only
        # Not among the quick fixes of a place: it is about the whole file, and costs a reading of it.
        if asked and any(_holds(kind, FIX_ALL) for kind in asked):
            whole = fix_all(uri, seen, lines)
            offered += [whole] if whole else []
        quick = asked is None or any(_holds(kind, types.CodeActionKind.QuickFix) for kind in asked)
        for matter in seen.matters if quick else ():
            diagnostic = ls.diagnostic(matter, lines)
            if _touch(diagnostic.range, params.range):
                offered += actions(uri, seen, matter, lines, diagnostic)
        return offered

    @server.command(ADD_WORD)
    async def add_word(ls: Server, uri: str, word: str, whose: str) -> None:
        await ls.add_word(uri, word, whose)

    return server


def _holds(asked: str, kind: str) -> bool:
    """Whether a kind of action is one that was asked for: ``source`` asks for ``source.fixAll`` too."""
    return kind == asked or kind.startswith(f"{getattr(asked, 'value', asked)}.")


def _touch(one: types.Range, other: types.Range) -> bool:
    def place(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return place(one.start) <= place(other.end) and place(other.start) <= place(one.end)
