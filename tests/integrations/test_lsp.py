"""The language server as an editor sees it: a process, and messages over its standard input and output."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from marginalia.integrations.lsp.actions import ADD_WORD
from tests.integrations.lsp_client import Editor, applied, edit

TEXT = """# Notes

The 😀 dog is the the best one.

New rules should ameliorate all the old roads.
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MARGINALIA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MARGINALIA_CONFIG", str(tmp_path / "config"))
    page = tmp_path / "page.md"
    page.write_text(TEXT, encoding="utf-8")
    return page


def codes(params: types.PublishDiagnosticsParams) -> list[str]:
    return [str(one.code) for one in params.diagnostics]


def quote(text: str, place: types.Range) -> str:
    line = text.split("\n")[place.start.line].encode("utf-16-le")
    return line[2 * place.start.character : 2 * place.end.character].decode("utf-16-le")


def test_an_editing_session(page: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open(page)
        first = await editor.next()
        assert codes(first) == ["wording.doubled"], "the rules answer before the models are loaded"
        assert quote(TEXT, first.diagnostics[0].range) == "the the", "counted in units of UTF-16"
        whole = await editor.next()
        assert whole.version == 1
        doubled = next(d for d in whole.diagnostics if d.code == "wording.doubled")
        assert doubled.severity == types.DiagnosticSeverity.Warning
        assert doubled.code_description is not None
        word = next(d for d in whole.diagnostics if quote(TEXT, d.range) == "ameliorate")

        # What the pointer shows, and what is not shown where there is nothing.
        assert "improve" in await editor.hover(page, word.range.start)
        assert "wording.doubled" in await editor.hover(page, doubled.range.start)
        assert await editor.hover(page, types.Position(0, 3)) == ""

        # How far the reading of the whole is; and all fixes at once, where they are asked for.
        assert editor.progress[:2] == ["create", "begin"]
        assert editor.progress[-1] == "end"
        (every,) = await editor.actions(page, doubled.range, ["source.fixAll"])
        assert every.kind == "source.fixAll.marginalia"
        assert "is the best one" in applied(TEXT, every.edit.changes[page.as_uri()])
        assert not await editor.actions(page, doubled.range, ["refactor"])

        # Three ways to deal with findings; each is proved by what is published after it.
        mend = next(a for a in await editor.actions(page, doubled.range) if a.is_preferred)
        text = applied(TEXT, mend.edit.changes[page.as_uri()])
        assert "is the best one" in text
        editor.change(page, text)
        mended = await editor.next()
        assert mended.version == 2 and len(mended.diagnostics) == len(whole.diagnostics) - 1

        offered = await editor.actions(page, word.range)
        easier = next(a for a in offered if a.title == "Write the easier “improve”")
        changed = applied(text, easier.edit.changes[page.as_uri()])
        assert "should improve all" in changed
        editor.change(page, changed)
        rest = (await editor.next()).diagnostics
        assert "ameliorate" not in [quote(changed, one.range) for one in rest]

        assert "Add “ameliorate” to the project's word list" in [a.title for a in offered]
        # pygls' client takes an action with a command for a bare command, so this one is made here.
        keep = types.Command("", ADD_WORD, arguments=[page.as_uri(), "ameliorate", "project"])
        editor.change(page, text)
        assert len((await editor.next()).diagnostics) == len(whole.diagnostics) - 1
        await editor.execute(keep)
        assert len((await editor.next()).diagnostics) == len(whole.diagnostics) - 2
        words = page.with_name(".marginalia-words")
        assert words.read_text(encoding="utf-8") == "ameliorate\n"
        words.unlink()

        ignore = next(a for a in offered if a.title.startswith("Ignore"))
        text = applied(text, ignore.edit.changes[page.as_uri()])
        assert f"<!-- marginalia: ignore {word.code} -->" in text
        editor.change(page, text)
        assert len((await editor.next()).diagnostics) == len(whole.diagnostics) - 2

        named = types.TextDocumentIdentifier(page.as_uri())
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(named))
        assert not (await editor.next()).diagnostics
        assert editor.messages == []

    edit(page.parent, work, audience="learner", genre="plain-language")


def test_settings_of_the_project_and_of_the_editor(page: Path) -> None:
    settings = page.parent / ".marginalia.toml"
    settings.write_text('ignore = ["wording.doubled"]\n', encoding="utf-8")

    async def work(editor: Editor) -> None:
        editor.open(page)
        assert codes(await editor.next()) == []
        assert codes(await editor.next()) == []
        settings.write_text("", encoding="utf-8")  # read again when the file is saved
        editor.save(page)
        assert codes(await editor.next()) == ["wording.doubled"]
        settings.write_text('max = "many"\n', encoding="utf-8")
        editor.save(page)
        editor.change(page, "The end.")  # goes on under the settings that it has
        assert codes(await editor.next()) == []
        assert len(editor.messages) == 1 and "'max' must be a whole number" in editor.messages[0]

    edit(page.parent, work, select=["wording"])


def test_a_wrong_option_is_told_and_a_file_without_lines_is_left_alone(page: Path) -> None:
    paper = page.with_name("paper.pdf")
    paper.write_bytes(b"%PDF-1.4")

    async def work(editor: Editor) -> None:
        editor.open(paper, "pdf")
        editor.open(page)
        assert (await editor.next()).uri == page.as_uri()
        assert editor.messages == [
            "marginalia: the option 'levle' is unknown; known are notes, select, ignore, least, genre, "
            "vocabularies, config, audience, catalogue"
        ]

    edit(page.parent, work, levle="expert")
