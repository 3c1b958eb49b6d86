"""What every command does alike: help, wrong words, Ctrl-C, a pipe that closes."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import marginalia as marginalia_package
from marginalia.cli.main import LogLines, cli

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "commands.md"


def marginalia(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "marginalia", *words]
    return subprocess.run(command, capture_output=True, text=True)


def commands(
    group: click.Group = cli, above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*above, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))


ALL = {" ".join(names): command for names, command in commands()}


@pytest.mark.parametrize("name", ALL)
def test_a_list_of_commands_says_what_each_does_to_the_end(name: str) -> None:
    said = ALL[name].get_short_help_str(limit=78 - 6 - len("candidates"))
    assert said and not said.endswith("...")


def test_the_reference_names_every_command_and_option() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, command in ALL.items():
        assert f"`marginalia {name}" in page, name
        for option in command.params:
            if isinstance(option, click.Option):
                assert any(f"`{word}" in page for word in option.opts), f"{name} {option.opts}"


def test_the_reference_names_every_variable_of_the_environment() -> None:
    page = PAGE.read_text(encoding="utf-8").partition("## Environment variables")[2]
    used = {
        name
        for file in Path(marginalia_package.__file__).parent.rglob("*.py")
        for name in re.findall(r"MARGINALIA_[A-Z_]+", file.read_text(encoding="utf-8"))
    }
    assert used == set(re.findall(r"^\| `(MARGINALIA_[A-Z_]+)`", page, re.MULTILINE))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["reed"], "There is no command 'reed'. Did you mean 'read'?"),
        (["--foo"], "--foo"),
        (["lint"], "Missing argument 'FILE...'; see `marginalia lint --help`"),
        (["lint", "x.md", "--severity", "loud"], "'loud' is not one of 'note'"),
        (["bench", "foo"], "No such command 'foo'; see `marginalia bench --help`"),
        (["clarify", "find", "x.md", "--lang", "english"], "'english' is no code of a language"),
        (["clarify", "rank", "--sentence", "Hold it."], "has no gap: mark one with ______"),
        (["serve", "nowhere.txt"], "nowhere.txt: there is no such file"),
        (["serve", "--catalogue", "no.xml"], "no.xml: there is no such catalogue"),
        (["read", "a.txt", "--catalogue", "no.xml"], "no.xml: there is no such catalogue"),
        (["lint", "a.txt", "--catalogue", "no.xml"], "no.xml: there is no such catalogue"),
        (["serve", "-"], "standard input cannot be served"),
        (["read", "x.md", "--web", "--notes", "words"], "leave out --notes"),
    ],
)
def test_wrong_words_get_one_sentence(words: list[str], said: str) -> None:
    result = marginalia(*words)
    assert result.returncode == 2
    assert result.stdout == "" and result.stderr.count("\n") == 1
    assert result.stderr.startswith("marginalia: ") and said in result.stderr


def test_without_a_command_there_is_help() -> None:
    assert "Commands:" in (result := marginalia("bench")).stdout + result.stderr
    assert "Traceback" not in result.stderr


def test_the_shell_completes_commands() -> None:
    words = {
        "_MARGINALIA_COMPLETE": "bash_complete",
        "COMP_WORDS": "marginalia li",
        "COMP_CWORD": "1",
    }
    command = [sys.executable, "-c", "from marginalia.cli.main import main; main()"]
    shown = subprocess.run(
        command, env={**os.environ, **words}, capture_output=True, text=True
    ).stdout
    assert shown.split() == ["plain,lint", "plain,library", "plain,link"]


def test_a_folder_is_refused_before_the_work(tmp_path: Path) -> None:
    for words in (
        ("similar", "a.txt", "b.txt", "--format", "csv"),
        ("extract", "measurement", "a.txt", "--format", "csv"),
    ):
        result = marginalia(*words, "-o", str(tmp_path))
        assert result.returncode == 2
        assert result.stderr == f"marginalia: {tmp_path}: this is a folder, a file was expected\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_an_interrupt_ends_quietly(tmp_path: Path) -> None:
    """The text comes through a pipe that stays open, so that the command is surely waiting."""
    os.mkfifo(tmp_path / "text.txt")
    command = [sys.executable, "-m", "marginalia", "read", "text.txt"]

    def listen() -> None:
        """Where the tests run in the background, interrupts are ignored, and children would inherit that."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with (
        subprocess.Popen(
            command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, preexec_fn=listen
        ) as process,
        (tmp_path / "text.txt").open("w"),  # opens once the command has opened it, too
    ):
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.strip() == ""


def test_a_reader_that_leaves_is_no_error() -> None:
    command = [sys.executable, "-m", "marginalia", "bench", "systems", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_what_the_library_logs_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.Logger("marginalia.tasks.x")
    logger.addHandler(LogLines())
    logger.info("epoch %d of 2", 1)
    try:
        raise KeyError("a")
    except KeyError:
        logger.exception("a.pdf: KeyError")
    out, err = capsys.readouterr()
    assert not out
    assert err.splitlines() == ["marginalia: epoch 1 of 2", "marginalia: note: a.pdf: KeyError"]
