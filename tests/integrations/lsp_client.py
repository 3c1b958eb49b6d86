"""An editor without a window: pygls' client, which starts ``marginalia lsp`` and waits for what it publishes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

SECONDS = 120
"""A bound, not a pause: whoever waits is woken by the notification."""


class Editor:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("editor", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: list[str] = []
        self.progress: list[str] = []
        self.version = 0

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

        @self.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def create(params: types.WorkDoneProgressCreateParams) -> None:
            self.progress.append("create")

        @self.client.feature(types.PROGRESS)
        def progress(params: types.ProgressParams) -> None:
            value = params.value
            self.progress.append(value["kind"] if isinstance(value, dict) else value.kind)

    async def start(self, encodings: list[types.PositionEncodingKind], **options: object) -> None:
        await self.client.start_io(sys.executable, "-m", "marginalia", "lsp", cwd=self.folder)
        window = types.WindowClientCapabilities(work_done_progress=True)
        general = types.GeneralClientCapabilities(position_encodings=encodings)
        answer = await asyncio.wait_for(
            self.client.initialize_async(
                types.InitializeParams(
                    capabilities=types.ClientCapabilities(general=general, window=window),
                    root_uri=self.folder.as_uri(),
                    initialization_options=options or None,
                )
            ),
            SECONDS,
        )
        assert answer.server_info is not None and answer.server_info.name == "marginalia"
        self.client.initialized(types.InitializedParams())

    def open(self, path: Path, language: str = "markdown") -> None:
        self.version = 1
        text = path.read_text(encoding="utf-8")
        item = types.TextDocumentItem(path.as_uri(), language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, path: Path, text: str) -> None:
        self.version += 1
        named = types.VersionedTextDocumentIdentifier(version=self.version, uri=path.as_uri())
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, [whole]))

    def save(self, path: Path) -> None:
        named = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(named))

    async def next(self) -> types.PublishDiagnosticsParams:
        return await asyncio.wait_for(self.published.get(), SECONDS)

    async def hover(self, path: Path, position: types.Position) -> str:
        named = types.TextDocumentIdentifier(path.as_uri())
        asked = types.HoverParams(named, position)
        found = await asyncio.wait_for(self.client.text_document_hover_async(asked), SECONDS)
        return found.contents.value if found else ""

    async def actions(
        self, path: Path, place: types.Range, only: list[str] | None = None
    ) -> list[types.CodeAction]:
        named = types.TextDocumentIdentifier(path.as_uri())
        asked = types.CodeActionParams(named, place, types.CodeActionContext([], only))
        found = await asyncio.wait_for(self.client.text_document_code_action_async(asked), SECONDS)
        return list(found or ())

    async def execute(self, command: types.Command) -> None:
        asked = types.ExecuteCommandParams(command.command, command.arguments)
        await asyncio.wait_for(self.client.workspace_execute_command_async(asked), SECONDS)

    async def stop(self) -> None:
        await asyncio.wait_for(self.client.shutdown_async(None), SECONDS)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), SECONDS)


def edit(folder: Path, work: Callable[[Editor], Awaitable[None]], **options: object) -> None:
    """Start an editor, let it work, and close it."""

    async def session() -> None:
        editor = Editor(folder)
        await editor.start([types.PositionEncodingKind.Utf16], **options)
        await work(editor)
        await editor.stop()

    asyncio.run(session())


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits of one line each, in units of UTF-16."""
    lines = text.split("\n")
    for one in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character))[::-1]:
        units = lines[one.range.start.line].encode("utf-16-le")
        start, end = (2 * p.character for p in (one.range.start, one.range.end))
        new = units[:start] + one.new_text.encode("utf-16-le") + units[end:]
        lines[one.range.start.line] = new.decode("utf-16-le")
    return "\n".join(lines)
