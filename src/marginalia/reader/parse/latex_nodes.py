"""LaTeX sources as the nodes of pylatexenc, and what a node has: its name, arguments and source."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.parse import siunitx
from marginalia.reader.parse.latex_names import ARGUMENTS, ENVIRONMENTS, MATHS, SHOWN, SILENT

_VERBATIM = re.compile(
    r"\\begin\{(?:(?:lstlisting|Verbatim|tcblisting)\}(?:\[[^\]]*\])?|minted\}(?:\[[^\]]*\])?(?:\{\w+\})?|"
    r"(?:verbatim\*|alltt)\})|\\end\{(lstlisting|minted|Verbatim|verbatim\*|alltt|tcblisting)\}"
)
"""Environments of code, with their options; the parser knows but one."""
_COMMENTS = {
    r"\begin{comment}": r"\end{comment}",
    r"\begin{filecontents}": r"\end{filecontents}",
    r"\begin{filecontents*}": r"\end{filecontents*}",
    r"\iffalse": r"\fi",
}
"""Where what is no part of the document begins and ends."""
_COMMENT = re.compile("|".join(map(re.escape, _COMMENTS)))


def read_nodes(source: str, path: Path) -> list[Any]:
    """The nodes of the source, as far as the parser understands it, without comments."""
    from pylatexenc import latexwalker
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    logging.getLogger("pylatexenc").setLevel(logging.ERROR)  # it tells of every unclosed brace
    known = latexwalker.get_default_latex_context_db()
    known.add_context_category(
        "marginalia",
        macros=[
            MacroSpec(name, arguments)
            for name, arguments in (ARGUMENTS | siunitx.ARGUMENTS).items()
        ],
        environments=[
            *(EnvironmentSpec(name, arguments) for name, arguments in ENVIRONMENTS.items()),
            *(EnvironmentSpec(name, "", is_math_mode=True) for name in MATHS),
        ],
        prepend=True,
    )
    plain = _VERBATIM.sub(
        lambda found: rf"\{'end' if found.group(1) else 'begin'}{{verbatim}}",
        _without_comments(source),
    )
    walker = latexwalker.LatexWalker(plain, latex_context=known, tolerant_parsing=True)
    try:
        nodes: list[Any] = walker.get_latex_nodes()[0]
    except IndexError:  # pylatexenc looks for what follows \verb at the end of the file
        raise FormatError("the LaTeX ends within a command", path=path) from None
    return nodes


def _without_comments(source: str) -> str:
    parts, position = [], 0
    for found in _COMMENT.finditer(source):
        if found.start() < position:
            continue
        end = _COMMENTS[found.group()]
        until = source.find(end, found.end())
        if until < 0:
            break  # what has no end is text
        parts.append(source[position : found.start()])
        position = until + len(end)
    return "".join([*parts, source[position:]])


def name_of(node: Any) -> str:
    return str(getattr(node, "macroname", None) or "")


def arguments_of(node: Any) -> list[Any]:
    """The arguments of a macro or environment, None for an optional one that is not there."""
    given = getattr(node, "nodeargd", None)
    return list(given.argnlist or ()) if given is not None and given.argnlist else []


def inside(argument: Any) -> list[Any]:
    """The nodes of an argument."""
    if argument is None:
        return []
    nodes = getattr(argument, "nodelist", None)
    return [argument] if nodes is None else list(nodes)


def source_of(argument: Any) -> str:
    return "" if argument is None else "".join(one.latex_verbatim() for one in inside(argument))


def is_blank(node: Any) -> bool:
    name = name_of(node)
    chars = getattr(node, "chars", None)
    return name in SILENT and name not in SHOWN if name else chars is not None and not chars.strip()


def verbatim_of(node: Any) -> str:
    return str(getattr(getattr(node, "nodeargd", None), "verbatim_text", "") or "")
