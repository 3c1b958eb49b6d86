"""Several files, of which some cannot be read: the same in every command."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from marginalia import FormatError, MissingError, UnknownNameError
from marginalia.cli.inputs import Inputs
from marginalia.cli.main import cli, commands


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.txt").write_text("Some text.", encoding="utf-8")
    (tmp_path / "worse.txt").write_bytes(b"\xff")
    return tmp_path


def test_one_bad_file_of_many_is_left_out_and_named_at_the_end(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = Inputs([str(folder)])
    assert [doc.id for doc in inputs.documents()] == ["good"]
    assert capsys.readouterr().err == ""
    with pytest.raises(SystemExit) as end:
        inputs.finish()
    assert end.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("marginalia: left out: ") and "worse.txt" in line


def test_a_single_bad_file_is_an_error(folder: Path) -> None:
    with pytest.raises(FormatError, match=r"worse\.txt: .*not UTF-8"):
        list(Inputs([str(folder / "worse.txt")]).documents())


def test_if_none_can_be_read_that_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "good.txt").unlink()
    with pytest.raises(FormatError, match="none of the documents could be read"):
        list(Inputs([str(folder)]).documents())
    assert "left out" in capsys.readouterr().err


def test_what_fails_after_reading_is_left_out_too(folder: Path) -> None:
    inputs = Inputs([str(folder)])
    with pytest.raises(FormatError, match="none of the documents could be read"):
        for doc in inputs.documents():
            with inputs.attempt(FormatError):
                raise FormatError("no use", path=doc.id)
    assert str(inputs.left_out[0]) == "good: no use"
    with pytest.raises(MissingError), inputs.attempt(FormatError):
        raise MissingError("the weights")


def test_with_nothing_left_out_the_command_goes_on(folder: Path) -> None:
    inputs = Inputs([str(folder / "good.txt")], lang="de")
    (doc,) = inputs.documents()
    assert doc.meta["lang"] == "de"
    inputs.finish()
    with pytest.raises(UnknownNameError), inputs.attempt():
        raise UnknownNameError("thing", "x", [])


def test_every_catalogue_is_looked_for_before_the_work() -> None:
    context = click.Context(cli)
    takes = []
    for name in commands():
        command = cli.get_command(context, name)
        assert command is not None
        options = {one.name: one for one in command.params if isinstance(one, click.Option)}
        if "catalogue" in options:
            takes.append((name, options["catalogue"].help, options["catalogue"].metavar))
            words = ["x.txt", "--catalogue", "nowhere.xml"]
            result = CliRunner().invoke(command, words, standalone_mode=False)
            assert str(result.exception) == "nowhere.xml: there is no such catalogue"
    assert {"read", "lint", "serve", "link"} <= {name for name, *_ in takes}
    assert len({(help, metavar) for _, help, metavar in takes}) == 1
