"""Errors of the library in the words of the command line.

The library names functions and arguments, in backticks: `` `data=` ``, `` `again=True` ``,
`` `fetch_data('variables')` ``. Who typed a command wants its options and commands instead.
"""

from __future__ import annotations

import ast
import re
import shlex

COMMANDS = {
    "build_catalogue": "catalogue build",
    "fetch_data": "data fetch",
    "import_data": "data import",
    "run": "bench run",
}
"""Function -> the command that calls it."""
OPTIONS = {"columns": "column", "base": "from"}
"""Argument -> its option, where that is called otherwise."""
_ARGUMENT = re.compile(r"`(\w+)=(?:True)?`")
_CALL = re.compile(r"`(\w+)\(([^`]*)\)`")


def as_options(message: str) -> str:
    """The message with options for arguments and commands for functions; what has neither stays as it is."""
    return _CALL.sub(_command, _ARGUMENT.sub(lambda match: _option(match[1]), message))


def _option(name: str) -> str:
    return f"--{OPTIONS.get(name, name).replace('_', '-')}"


def _command(match: re.Match[str]) -> str:
    if match[1] not in COMMANDS:
        return match[0]
    call = ast.parse(f"f({match[2]})", mode="eval").body
    assert isinstance(call, ast.Call)  # noqa: S101 - for the type checker
    words = [_word(value) for value in call.args]
    for keyword in call.keywords:
        words += [_option(str(keyword.arg)), _word(keyword.value)]
    return f"`marginalia {' '.join([COMMANDS[match[1]], *words])}`"


def _word(value: ast.expr) -> str:
    """A value as it is typed; a name stands for something of the reader's own."""
    if isinstance(value, ast.Name):
        return value.id.upper()
    return shlex.quote(str(ast.literal_eval(value)))
